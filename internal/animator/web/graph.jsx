// The graph of states, laid out by the program: layers by the number of steps.
import { useEffect, useRef, useState } from "preact/hooks"
import { useSignal } from "@preact/signals"
import * as s from "./store.js"

const around = 150 // nodes that are drawn with their labels

export function Graph() {
  const model = s.model.value
  const [view, setView] = useState(model.view ?? "")
  const [text, setText] = useState(view)
  const [whole, showWhole] = useState(false)
  const found = useSignal(null)
  useEffect(() => {
    const states = [...new Set(all(s.path()[0]))]
    s.ask({ op: "graph", state: -1, states, text: view }, "Drawing the graph…").then((a) => (found.value = a.graph ?? null))
  }, [view, model, s.tree.value])
  const g = found.value
  return (
    <div class="graph">
      {s.src.live && (
        <form
          onSubmit={(e) => {
            e.preventDefault()
            setView(text.trim())
          }}
        >
          <label class="grow">
            Merge by <input value={text} placeholder="an expression, such as card(running)" onInput={(e) => setText(e.target.value)} />
          </label>
          <button type="submit">Draw</button>
        </form>
      )}
      {g ? <Drawn g={g} view={view} whole={whole || g.nodes.length <= 400} /> : <p class="soft">{s.busy.value || "No graph yet."}</p>}
      {g?.nodes.length > 400 && (
        <button class="more" onClick={() => showWhole(!whole)}>
          {whole ? "Show what is near" : `Show all ${g.nodes.length} nodes`}
        </button>
      )}
      {g?.why && <p class="soft">{g.why}</p>}
    </div>
  )
}

const all = (n) => (n ? [n.state, ...n.children.flatMap(all)] : [])

function near(g, start) {
  const next = new Map()
  for (const e of g.edges) {
    if (e.f < 0) continue
    for (const [a, b] of [
      [e.f, e.t],
      [e.t, e.f],
    ])
      next.set(a, [...(next.get(a) ?? []), b])
  }
  const seen = new Set([start])
  const queue = [start]
  while (queue.length && seen.size < around) {
    for (const b of next.get(queue.shift()) ?? []) {
      if (!seen.has(b) && seen.size < around) {
        seen.add(b)
        queue.push(b)
      }
    }
  }
  return seen
}

function Drawn({ g, view, whole }) {
  const now = g.where[s.at.value?.state] ?? -1
  const seen = new Set(Object.values(g.where))
  const shown = whole ? null : near(g, Math.max(0, now))
  const in_ = (n) => !shown || shown.has(n)
  const labelled = (shown?.size ?? g.nodes.length) <= around
  const dx = labelled ? (view ? 110 : 64) : Math.max(6, Math.min(24, 1200 / g.width))
  const dy = labelled ? 76 : Math.max(14, Math.min(46, 900 / g.depth))
  const r = labelled ? 9 : Math.min(5, dx / 2.6)
  const x = (n) => 24 + g.nodes[n].x * dx
  const y = (n) => 30 + g.nodes[n].y * dy
  const nodes = g.nodes.map((_, i) => i).filter(in_)
  const left = Math.min(...nodes.map(x)) - 50
  const right = Math.max(...nodes.map(x)) + 50
  const top = Math.min(...nodes.map(y)) - 30
  const bottom = Math.max(...nodes.map(y)) + 40
  const box = useRef()
  useEffect(() => {
    const dot = box.current?.querySelector(".node.now")
    if (dot && box.current.scrollWidth > box.current.clientWidth) {
      box.current.scrollLeft = dot.getBBox().x - left - box.current.clientWidth / 2
      box.current.scrollTop = dot.getBBox().y - top - box.current.clientHeight / 2
    }
  }, [g, now, whole])
  return (
    <div class="canvas" ref={box} tabIndex={0} role="region" aria-label="Graph of states">
      <svg width={right - left} height={bottom - top} viewBox={`${left} ${top} ${right - left} ${bottom - top}`} role="group" aria-label={`${g.nodes.length} nodes, ${seen.size} of them visited`}>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
            <path d="M0 0L8 4L0 8z" class="tip" />
          </marker>
        </defs>
        {merged(g, in_).map((e) => (
          <Edge key={e.f + "-" + e.t} e={e} x={x} y={y} r={r} labelled={labelled} walked={seen.has(e.f) && seen.has(e.t)} />
        ))}
        {nodes.map((n) => (
          <g
            key={n}
            class={"node" + (n === now ? " now" : seen.has(n) ? " seen" : "")}
            tabIndex={labelled ? 0 : undefined}
            role="button"
            aria-label={`state ${n}${g.nodes[n].l ? ": " + g.nodes[n].l : ""}${n === now ? ", current" : ""}`}
            onClick={() => visit(n, view)}
            onKeyDown={(e) => e.key === "Enter" && visit(n, view)}
          >
            <circle cx={x(n)} cy={y(n)} r={n === now ? r * 1.5 : r} />
            <title>
              {g.nodes[n].l || `state ${n}`}
              {g.nodes[n].n > 1 ? ` (${g.nodes[n].n} states)` : ""}
            </title>
            {labelled && g.nodes[n].l && (
              <text x={x(n)} y={y(n) + r + 14}>
                {g.nodes[n].l.length > 16 ? g.nodes[n].l.slice(0, 15) + "…" : g.nodes[n].l}
                {g.nodes[n].n > 1 ? ` ×${g.nodes[n].n}` : ""}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  )
}

// visit takes the shortest run to a node.
async function visit(n, view) {
  const answer = await s.ask({ op: "goto", state: -1, index: n, text: view }, "Going there…")
  if (answer.steps) await s.run(answer.steps)
}

function merged(g, in_) {
  const out = new Map()
  for (const e of g.edges) {
    if (e.f < 0 || !in_(e.f) || !in_(e.t)) continue
    const k = e.f + "-" + e.t
    const known = out.get(k)
    if (known) known.labels.push(e.l)
    else out.set(k, { f: e.f, t: e.t, labels: [e.l] })
  }
  return [...out.values()]
}

function Edge({ e, x, y, r, labelled, walked }) {
  const [x1, y1, x2, y2] = [x(e.f), y(e.f), x(e.t), y(e.t)]
  let d
  let [tx, ty] = [(x1 + x2) / 2, (y1 + y2) / 2]
  if (e.f === e.t) {
    if (!labelled) return null
    d = `M${x1 + r} ${y1 - 3}c22 -16 22 22 0 8`
    ;[tx, ty] = [x1 + r + 20, y1 + 4]
  } else {
    const l = Math.hypot(x2 - x1, y2 - y1)
    const [ux, uy] = [(x2 - x1) / l, (y2 - y1) / l]
    const bend = y2 <= y1 ? 26 : 6 // ways back keep clear of the ways there
    const [mx, my] = [tx - uy * bend, ty + ux * bend]
    d = `M${x1 + ux * r} ${y1 + uy * r}Q${mx} ${my} ${x2 - ux * (r + 3)} ${y2 - uy * (r + 3)}`
    ;[tx, ty] = [(tx + mx) / 2, (ty + my) / 2]
  }
  const label = e.labels.join(", ")
  return (
    <g class={"edge" + (walked ? " walked" : "")}>
      <path d={d} marker-end={labelled ? "url(#tip)" : undefined}>
        <title>{label}</title>
      </path>
      {labelled && (
        <text x={tx} y={ty}>
          {label.length > 14 ? label.slice(0, 13) + "…" : label}
        </text>
      )}
    </g>
  )
}
