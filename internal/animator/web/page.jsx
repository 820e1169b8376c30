import { render } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { useSignal } from "@preact/signals"
import * as s from "./store.js"
import { Value, short } from "./value.jsx"
import { Picture } from "./picture.jsx"
import { Chart } from "./chart.jsx"
import { Graph } from "./graph.jsx"
import { Record } from "./record.jsx"

const sign = { t: "✓", f: "✗", u: "?" }
const word = { t: "true", f: "false", u: "undefined" }

function Truth({ v }) {
  return (
    <span class={"truth " + word[v]} title={word[v]}>
      <span aria-hidden="true">{sign[v]}</span>
      <span class="hidden">{word[v]}</span>
    </span>
  )
}

// Reason is a formula with its parts, each with its truth value.
export function Reason({ r, top }) {
  return (
    <div class={"reason" + (top || r.d ? "" : " aside")}>
      <Truth v={r.v} /> <code>{r.t}</code>
      {r.n && <span class="soft"> — {r.n}</span>}
      {r.w && <span class="soft"> — {r.w}</span>}
      {r.x && (
        <dl class="worth">
          {r.x.map(([n, v]) => (
            <div key={n}>
              <dt>{n}</dt>
              <dd>{v}</dd>
            </div>
          ))}
        </dl>
      )}
      {r.g && (
        <p class="given">
          {r.v === "f" ? "fails for " : "holds for "}
          {r.g.map(([n, v]) => `${n} = ${v}`).join(", ")}
        </p>
      )}
      {r.p && (
        <ul>
          {r.p.map((part, i) => (
            <li key={i}>
              <Reason r={part} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

// Why asks for a reason when it is opened, and again in another state.
function Why({ question, id }) {
  const found = useSignal(null)
  const state = s.at.value?.state
  useEffect(() => {
    let current = true
    found.value = null
    s.ask({ op: "why", state, ...question }).then((a) => current && (found.value = a))
    return () => (current = false)
  }, [state, id])
  const a = found.value
  if (!a) return <p class="soft">Evaluating…</p>
  return (
    <div class="why">
      {a.given?.length > 0 && <p class="given">For example with {a.given.map(([n, v]) => `${n} = ${v}`).join(", ")}:</p>}
      {a.reason ? <Reason r={a.reason} top /> : <p class="soft">{a.why || a.error || "Nothing to show."}</p>}
    </div>
  )
}

function Folded({ summary, open, onOpen, class: c, children }) {
  const [is, set] = useState(!!open)
  return (
    <div class={"fold " + (c ?? "")}>
      <button
        class="summary"
        aria-expanded={is}
        onClick={() => {
          set(!is)
          onOpen?.(!is)
        }}
      >
        {summary}
      </button>
      {is && <div class="inside">{children}</div>}
    </div>
  )
}

function Bar() {
  const n = s.at.value
  const ahead = n?.last ?? n?.children[0]
  const m = s.model.value
  return (
    <header>
      <div class="title">
        <h1>{m?.machine ?? "gradine"}</h1>
        <p class="soft">
          {m?.project}
          {m?.levels.length > 1 && ` · refines ${m.levels[1].name}`}
          {m?.unsaved && <span id="unsaved"> · unsaved text of {m.unsaved.join(", ")}</span>}
        </p>
      </div>
      <div class="controls" role="toolbar" aria-label="Run">
        <button onClick={() => s.restart()} disabled={!n?.parent} title="To the beginning (Home)">
          Begin
        </button>
        <button onClick={() => s.back()} disabled={!n?.parent} title="Undo the last step (←)">
          <span aria-hidden="true">←</span> Back
        </button>
        <button onClick={() => s.forward()} disabled={!ahead && s.loop.value === null} title="Redo (→)">
          Forward <span aria-hidden="true">→</span>
        </button>
        <span class="count" title="steps so far">
          step <b>{n?.depth ?? 0}</b>
        </span>
      </div>
    </header>
  )
}

function Problems() {
  const problems = s.problems.value
  if (s.gone.value) return <p class="banner bad" role="alert">gradine does not answer. Is the command still running?</p>
  if (!problems.length && !s.failed.value) return null
  return (
    <section class="banner bad" role="alert">
      <h2>The model cannot be run</h2>
      <p>The page shows its last version. It goes on when the model is corrected.</p>
      {s.failed.value && <p>{s.failed.value}</p>}
      <ul>
        {problems.slice(0, 20).map((p, i) => (
          <li key={i}>
            <code>
              {p.file}:{p.line}
            </code>{" "}
            {p.message}
            {p.help && <span class="soft"> — {p.help}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Notices() {
  const m = s.misfit.value
  return (
    <>
      {s.busy.value && (
        <p class="banner" role="status">
          {s.busy.value} <button onClick={s.stop}>Stop</button>
        </p>
      )}
      {m && (
        <p class="banner bad" role="alert" id="misfit">
          The run fits up to step {m.after}. Step {m.after + 1}, <b>{s.call(m.step)}</b>, does not: {m.why}.
        </p>
      )}
      {s.notice.value && (
        <p class="banner" role="status">
          {s.notice.value}{" "}
          <button class="plain" aria-label="Dismiss" onClick={() => (s.notice.value = "")}>
            ×
          </button>
        </p>
      )}
      {s.loop.value !== null && (
        <p class="banner" role="status" id="loop">
          ↻ This run goes on for ever: after its last step it is back after step {s.loop.value + 1}.
        </p>
      )}
      {s.src.bound && <p class="banner soft">A saved page with {s.src.bound}.</p>}
      {s.model.value?.others && <p class="banner soft">Other values of the constants are possible; these are the first ones found.</p>}
    </>
  )
}

export function step(move) {
  return { e: move.e, a: move.a, c: move.c }
}

function Move({ move, index, only }) {
  return (
    <button class="move" onClick={() => s.fire(step(move))} title={index < 9 ? `key ${index + 1}` : undefined} disabled={move.to === -2}>
      {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
      {only ? <span class="event">{move.e}</span> : null}
      {move.a?.length ? (
        <span class="args">
          {move.a.map(([n, v]) => (
            <span key={n} class="arg">
              <i>{n}</i> {short(v, 40)}
            </span>
          ))}
        </span>
      ) : null}
      {move.c ? <span class="soft"> choice {move.c + 1}</span> : null}
      {move.to === -2 && <span class="soft"> not in this file</span>}
    </button>
  )
}

function More({ event, why }) {
  const [text, set] = useState("")
  const found = useSignal(null)
  const state = s.at.value?.state
  useEffect(() => (found.value = null), [state])
  return (
    <form
      class="moreof"
      onSubmit={async (e) => {
        e.preventDefault()
        found.value = await s.ask({ op: "more", state, event, text })
      }}
    >
      <p class="soft">{why}</p>
      {why.startsWith("only") && s.src.live && (
        <label>
          Steps with <input value={text} placeholder="a predicate about the parameters" onInput={(e) => set(e.target.value)} />
        </label>
      )}
      {found.value?.why && <p class="soft">{found.value.why}</p>}
      {found.value?.moves?.map((m, i) => <Move key={i} move={m} index={99} />)}
      {found.value && !found.value.moves && !found.value.error && <p class="soft">No step satisfies it.</p>}
    </form>
  )
}

function Events() {
  const state = s.here.value
  const [wanted, want] = useState("")
  if (!state) return null
  const level = s.model.value.levels[0]
  const known = Object.fromEntries(level.events.map((e) => [e.l, e]))
  const groups = []
  state.moves.forEach((m, index) => {
    if (wanted && !s.call(m).toLowerCase().includes(wanted.toLowerCase())) return
    const g = groups.at(-1)
    if (g?.e === m.e) g.moves.push({ m, index })
    else groups.push({ e: m.e, moves: [{ m, index }] })
  })
  const off = (state.off ?? []).filter((d) => !wanted || d.e.toLowerCase().includes(wanted.toLowerCase()))
  return (
    <section class="events panel" id="events" aria-labelledby="events-title">
      <div class="head">
        <h2 id="events-title">Events</h2>
        <input id="search" type="search" placeholder="Search ( / )" aria-label="Search events" value={wanted} onInput={(e) => want(e.target.value)} />
      </div>
      {!state.moves.length && (
        <p class="deadlock" role="status" id="deadlock">
          <b>No event is enabled.</b> {s.at.value.parent && "The run ends here."}
        </p>
      )}
      <ul class="enabled">
        {groups.map((g) => (
          <li key={g.e}>
            {g.moves.length === 1 && !g.moves[0].m.a?.length && !g.moves[0].m.c ? (
              <Move move={g.moves[0].m} index={g.moves[0].index} only />
            ) : (
              <>
                <h3>
                  {g.e} {known[g.e]?.new && <span class="tag" title="it refines skip: nothing happens in the abstract machine">new</span>}
                  <span class="soft"> {g.moves.length > 1 ? `${g.moves.length} ways` : ""}</span>
                </h3>
                <Choices moves={g.moves} />
              </>
            )}
            {known[g.e]?.doc && <p class="doc">{known[g.e].doc}</p>}
            {state.more?.[g.e] && <More event={g.e} why={state.more[g.e]} />}
          </li>
        ))}
      </ul>
      {off.length > 0 && (
        <>
          <h3 class="rule">Not enabled</h3>
          <ul class="disabled">
            {off.map((d) => {
              const guard = known[d.e]?.guards?.[d.g]
              return (
                <li key={d.e}>
                  <Folded
                    summary={
                      <>
                        <span class="event">{d.e}</span> {known[d.e]?.new && <span class="tag">new</span>}
                        <span class="because">
                          {guard ? (
                            <>
                              <span class="truth false" aria-hidden="true">✗</span> <code>{guard.t}</code>
                            </>
                          ) : (
                            d.w
                          )}
                        </span>
                      </>
                    }
                  >
                    {guard ? (
                      <>
                        {known[d.e].guards.slice(0, d.g).map((g) => (
                          <div class="reason aside" key={g.l}>
                            <Truth v="t" /> <code>{g.t}</code>
                          </div>
                        ))}
                        <Why question={{ event: d.e }} id={d.e} />
                      </>
                    ) : (
                      <p class="soft">{d.w}</p>
                    )}
                  </Folded>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </section>
  )
}

const choices = 12 // that are shown at first

function Choices({ moves }) {
  const [all, show] = useState(false)
  const list = all ? moves : moves.slice(0, choices)
  return (
    <div class="ways">
      {list.map(({ m, index }) => (
        <Move key={index} move={m} index={index} />
      ))}
      {!all && moves.length > choices && (
        <button class="more" onClick={() => show(true)}>
          Show {moves.length - choices} more
        </button>
      )}
    </div>
  )
}

// Variables of a level; of an abstract one only those that no level below has, unless somebody wants all.
function Level({ index, filter }) {
  const level = s.model.value.levels[index]
  const state = s.here.value
  const old = s.before.value
  const now = state.vals[index]
  if (!now) return null
  const below = new Set(s.model.value.levels.slice(0, index).flatMap((l) => (l.vars ?? []).map((v) => v.n)))
  const shown = (level.vars ?? [])
    .map((v, i) => ({ ...v, i }))
    .filter((v) => !below.has(v.n))
    .filter((v) => !filter || v.n.toLowerCase().includes(filter.toLowerCase()))
  if (!shown.length) return null
  return (
    <>
      {index > 0 && (
        <tr class="levelhead">
          <th colspan="2" scope="colgroup">
            abstract: {level.name}
          </th>
        </tr>
      )}
      {shown.map((v) => {
        const was = old?.vals?.[index]?.[v.i]
        const changed = was !== undefined && was !== now[v.i]
        return (
          <tr key={index + v.n} class={changed ? "changedrow" : ""}>
            <th scope="row" title={`${v.n} : ${v.t}`}>
              {changed && <span class="dot" title="changed in this step" />}
              {v.n}
              <span class="type">{v.t}</span>
            </th>
            <td>
              <Value v={s.values[now[v.i]]} old={changed ? s.values[was] : undefined} name={v.n} />
            </td>
          </tr>
        )
      })}
    </>
  )
}

function State() {
  const state = s.here.value
  const [filter, set] = useState("")
  const levels = s.model.value.levels
  if (!state) return null
  const many = (levels[0].vars ?? []).length > 8
  return (
    <section class="state panel" id="state" aria-labelledby="state-title">
      <div class="head">
        <h2 id="state-title">State</h2>
        {many && <input type="search" placeholder="Filter variables" aria-label="Filter variables" value={filter} onInput={(e) => set(e.target.value)} />}
      </div>
      {!state.vals.length && <p class="soft">Before the initialisation: choose how the machine begins.</p>}
      {state.vals.length > 0 && (
        <table class="vars">
          <tbody>
            {state.vals.map((_, i) => (
              <Level key={i} index={i} filter={filter} />
            ))}
          </tbody>
        </table>
      )}
      <Folded
        class="constants"
        summary={
          <>
            Constants <span class="soft">{s.model.value.constants?.length ?? 0}</span>
          </>
        }
      >
        <table class="vars">
          <tbody>
            {(s.model.value.constants ?? []).map((c) => (
              <tr key={c.n}>
                <th scope="row" title={`${c.n} : ${c.t}`}>
                  {c.n}
                  <span class="type">{c.t}</span>
                </th>
                <td>{c.v >= 0 ? <Value v={s.values[c.v]} name={c.n} /> : <code>{c.x}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Folded>
      <Ask />
    </section>
  )
}

function Ask() {
  const [text, set] = useState("")
  const asked = useSignal([])
  const state = s.at.value?.state
  const results = useSignal({})
  const evaluate = async (list) => {
    const out = {}
    for (const t of list) out[t] = await s.ask({ op: "eval", state, text: t })
    results.value = out
  }
  useEffect(() => {
    if (asked.value.length && state >= 0) evaluate(asked.value)
  }, [state])
  if (!s.src.live) return null
  return (
    <div class="ask">
      <form
        onSubmit={async (e) => {
          e.preventDefault()
          if (!text.trim()) return
          const answer = await s.ask({ op: "eval", state, text })
          if (answer.error) return
          asked.value = [...asked.value.filter((t) => t !== text), text]
          results.value = { ...results.value, [text]: answer }
          set("")
        }}
      >
        <label>
          Watch <input value={text} placeholder="an expression or a predicate" onInput={(e) => set(e.target.value)} />
        </label>
      </form>
      {asked.value.map((t) => {
        const a = results.value[t]
        return (
          <div class="watched" key={t}>
            <button class="plain" aria-label={`Stop watching ${t}`} onClick={() => (asked.value = asked.value.filter((x) => x !== t))}>
              ×
            </button>
            {a?.reason ? (
              <Reason r={a.reason} top />
            ) : (
              <>
                <code>{t}</code> = {a?.value !== undefined ? <Value v={s.values[a.value]} name={t} /> : <span class="soft">{a?.error ?? "…"}</span>}
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}

function Invariants() {
  const state = s.here.value
  if (!state?.invs.length) return null
  const all = state.invs.flatMap((letters, level) => [...letters].map((v, i) => ({ v, level, i, ...s.model.value.levels[level].invs[i] })))
  if (!all.length) return null
  const bad = all.filter((x) => x.v !== "t")
  const item = (x) => (
    <li key={x.level + "/" + x.i}>
      <Folded
        summary={
          <>
            <Truth v={x.v} /> <span class="label">{x.l}</span> {x.glue && <span class="tag" title="it relates the machine to the one that it refines">gluing</span>}
            {x.thm && <span class="tag">theorem</span>} <code>{x.t}</code>
          </>
        }
      >
        {x.doc && <p class="doc">{x.doc}</p>}
        <Why question={{ level: x.level, index: x.i }} id={x.level + "/" + x.i} />
      </Folded>
    </li>
  )
  return (
    <section class={"invariants panel" + (bad.length ? " broken" : "")} id="invariants" aria-labelledby="invariants-title">
      <h2 id="invariants-title">
        Invariants{" "}
        {bad.length ? (
          <span class="verdict bad">
            ✗ {bad.length} of {all.length} not true
          </span>
        ) : (
          <span class="verdict good">✓ all {all.length} hold</span>
        )}
      </h2>
      {bad.length > 0 && <ul class="bad">{bad.map(item)}</ul>}
      {s.model.value.levels.map((l, level) => {
        const good = all.filter((x) => x.level === level && x.v === "t")
        return good.length ? (
          <Folded key={l.name} open={level === 0 && good.length < 8} summary={<>{l.name} <span class="soft">✓ {good.length}</span></>}>
            <ul>{good.map(item)}</ul>
          </Folded>
        ) : null
      })}
    </section>
  )
}

function Refinement() {
  const levels = s.model.value.levels
  const state = s.here.value
  if (levels.length < 2 || !state?.taken) return null
  return (
    <section class="refinement panel" id="refinement" aria-labelledby="refinement-title">
      <h2 id="refinement-title">Refinement</h2>
      <ol>
        {levels.map((l, i) => (
          <li key={l.name} class={i >= state.vals.length ? "lost" : ""}>
            <span class="machine">{l.name}</span>
            {i < state.vals.length ? (
              state.taken[i] ? (
                <span class="taken">{state.taken[i]}</span>
              ) : (
                <span class="taken skip" title="the step refines skip: nothing happens here">skip</span>
              )
            ) : (
              <span class="taken bad">✗ not in step</span>
            )}
          </li>
        ))}
      </ol>
      {state.lost && (
        <p class="bad" role="alert" id="lost">
          {state.lost}
        </p>
      )}
    </section>
  )
}

const window_ = 60 // steps of the history that are shown around the current one

function History() {
  s.tree.value
  const n = s.at.value
  const ref = useRef()
  const [all, show] = useState(false)
  useEffect(() => {
    const now = ref.current?.querySelector("[aria-current]")
    if (now && ref.current) ref.current.scrollTop = now.offsetTop - ref.current.clientHeight / 2
  }, [n])
  // The branch that goes on from here is shown as well.
  const line = s.line()
  const from = all ? 0 : Math.max(0, n.depth - window_)
  const to = all ? line.length : Math.min(line.length, n.depth + window_)
  return (
    <section class="history panel" id="history" aria-labelledby="history-title">
      <div class="head">
        <h2 id="history-title">History</h2>
        <span class="soft">{line.length === 2 ? "1 step" : `${line.length - 1} steps`}</span>
      </div>
      <ol ref={ref} tabIndex={0} aria-label="Steps so far">
        {from > 0 && (
          <li>
            <button class="more" onClick={() => show(true)}>
              Show {from} earlier steps
            </button>
          </li>
        )}
        {line.slice(from, to).map((x) => {
          const others = x.parent ? x.parent.children.filter((c) => c !== x) : []
          const broken = s.brokenIn(s.states.get(x.state)).length > 0
          return (
            <li key={x.id} class={x.depth > n.depth ? "ahead" : ""}>
              <button class={"at" + (broken ? " broken" : "")} aria-current={x === n ? "step" : undefined} onClick={() => s.jump(x)}>
                <span class="number">{x.depth}</span> {x.step ? s.call(x.step) : "beginning"} {broken && <span class="truth false">✗</span>}
                {s.loop.value !== null && x.depth === s.loop.value + 1 && <span class="tag">loop</span>}
              </button>
              {others.map((o) => (
                <button key={o.id} class="branch" onClick={() => s.jump(leaf(o))} title="another branch of the history">
                  ⑂ {s.call(o.step)} <span class="soft">{length(o)}</span>
                </button>
              ))}
            </li>
          )
        })}
        {to < line.length && <li class="soft">… {line.length - to} later steps</li>}
      </ol>
    </section>
  )
}

function leaf(n) {
  while (n.last ?? n.children[0]) n = n.last ?? n.children[0]
  return n
}

function length(n) {
  let count = 1
  for (; n.last ?? n.children[0]; n = n.last ?? n.children[0]) count++
  return count === 1 ? "1 step" : `${count} steps`
}

function Run() {
  const [number, setNumber] = useState(10)
  const [seed, setSeed] = useState(1)
  const [goal, setGoal] = useState("")
  const findings = useSignal(null)
  return (
    <section class="run panel" aria-labelledby="run-title">
      <h2 id="run-title">Run</h2>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          s.random(Number(number), Number(seed))
          setSeed(Number(seed) + 1)
        }}
      >
        <button type="submit">Random</button>
        <label>
          <input type="number" min="1" max="100000" value={number} onInput={(e) => setNumber(e.target.value)} /> steps
        </label>
        <label>
          seed <input type="number" min="0" value={seed} onInput={(e) => setSeed(e.target.value)} />
        </label>
      </form>
      {s.src.live && (
        <>
          <form
            onSubmit={(e) => {
              e.preventDefault()
              if (goal.trim()) s.until(goal)
            }}
          >
            <label class="grow">
              Run until <input value={goal} placeholder="a predicate" onInput={(e) => setGoal(e.target.value)} />
            </label>
            <button type="submit" disabled={!goal.trim()}>
              Find
            </button>
          </form>
          <div class="row">
            <button onClick={() => s.until("")}>Until an invariant breaks</button>
            <button
              onClick={async () => {
                findings.value = await s.ask({ op: "search", state: -1 }, "Exploring the machine…")
              }}
            >
              Explore all
            </button>
            <label class="file">
              Open a trace
              <input
                type="file"
                accept=".json,.itf"
                onChange={async (e) => {
                  const file = e.target.files[0]
                  if (!file) return
                  const answer = await s.ask({ op: "open", state: -1, text: await file.text() }, "Following the trace…")
                  if (answer.steps) await s.run(answer.steps, answer.loop ?? null)
                  if (answer.why) s.notice.value = answer.why
                  e.target.value = ""
                }}
              />
            </label>
          </div>
          {findings.value?.findings && (
            <div class="findings">
              <p class="soft">{findings.value.why}</p>
              {!findings.value.findings.length && <p>Nothing fails in them.</p>}
              <ul>
                {findings.value.findings.map((f, i) => (
                  <li key={i}>
                    <button onClick={() => s.run(f.steps)}>
                      ▶ {f.kind} {f.label} <span class="soft">{f.steps.length} steps</span>
                    </button>
                    {f.why && <span class="soft"> {f.why}</span>}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
      <Record />
    </section>
  )
}

const tabs = [
  ["events", "Events"],
  ["main", "State"],
  ["side", "Checks"],
]

function Page() {
  const [tab, open] = useState("events")
  const [view, setView] = useState(null)
  const m = s.model.value
  if (!m)
    return (
      <main>
        <Problems />
        <p class="loading" role="status">
          {s.failed.value || s.problems.value.length ? "Waiting for the model." : "Opening the model…"}
        </p>
      </main>
    )
  const views = [...(m.pictures ?? []).map((p, i) => ["picture" + i, p.title || p.name]), ["graph", "Graph"]]
  const wanted = (m.pictures ?? []).findIndex((p) => !p.svg === !!m.gantt) // the first chart, or the first picture
  const shown = view ?? (m.view ? "graph" : m.pictures?.length ? "picture" + Math.max(0, wanted) : "")
  return (
    <>
      <a class="skip-link" href="#events">
        Skip to the events
      </a>
      <Bar />
      <nav class="tabs" aria-label="Parts of the page">
        {tabs.map(([id, name]) => (
          <button key={id} aria-pressed={tab === id} onClick={() => open(id)}>
            {name}
          </button>
        ))}
      </nav>
      <div class="notices">
        <Problems />
        <Notices />
      </div>
      <main class={"tab-" + tab}>
        <div class="column left">
          <Events />
        </div>
        <div class="column middle">
          <section class="views panel" aria-label="Pictures and graph">
            <div class="viewtabs">
              {views.map(([id, name]) => (
                <button key={id} aria-pressed={shown === id} onClick={() => setView(shown === id ? "" : id)}>
                  {name}
                </button>
              ))}
            </div>
            {(m.pictures ?? []).map((p, i) => shown === "picture" + i && (p.svg ? <Picture key={p.name} picture={p} index={i} /> : <Chart key={p.name} picture={p} index={i} />))}
            {shown === "graph" && <Graph />}
          </section>
          <State />
        </div>
        <div class="column right">
          <Invariants />
          <Refinement />
          <History />
          <Run />
        </div>
      </main>
      <p class="hidden" aria-live="polite" role="status">
        {s.said.value}
      </p>
      <footer class="soft">
        <kbd>←</kbd> back <kbd>→</kbd> forward <kbd>1</kbd>–<kbd>9</kbd> take a step <kbd>r</kbd> random step <kbd>/</kbd> search <kbd>Home</kbd> begin
      </footer>
    </>
  )
}

addEventListener("keydown", (e) => {
  if (e.target.matches?.("input, textarea, select") || e.altKey) {
    if (e.key === "Escape") e.target.blur()
    return
  }
  const undo = (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z"
  if (undo && e.shiftKey) s.forward()
  else if (undo) s.back()
  else if (e.ctrlKey || e.metaKey) return
  else if (e.key === "ArrowLeft") s.back()
  else if (e.key === "ArrowRight") s.forward()
  else if (e.key === "Home") s.restart()
  else if (e.key === "r") s.random(1, Math.floor(Math.random() * 1e9))
  else if (e.key === "/") document.getElementById("search")?.focus()
  else if (/^[1-9]$/.test(e.key)) {
    const move = s.here.value?.moves[Number(e.key) - 1]
    if (move && move.to !== -2) s.fire(step(move))
  } else return
  e.preventDefault()
})

render(<Page />, (document.getElementById("page").replaceChildren(), document.getElementById("page")))
s.begin()
