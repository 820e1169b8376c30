// Values as people read them: functions and relations as tables, sets as lists, parts that a step has changed marked.
import { useMemo, useState } from "preact/hooks"
import { useSignal } from "@preact/signals"

const isPair = (v) => typeof v === "object" && v.p
const isSet = (v) => typeof v === "object" && v.s
const key = (v) => (typeof v === "string" ? v : JSON.stringify(v))

export function text(v) {
  if (v === undefined) return ""
  if (typeof v === "string") return v
  if (v.p) {
    const right = text(v.p[1])
    return text(v.p[0]) + "↦" + (v.p[1].p ? `(${right})` : right)
  }
  return v.s.length ? "{" + v.s.map(text).join(", ") + "}" : "∅"
}

// short is the text of a value if that is short.
export function short(v, most = 60) {
  if (isSet(v) && v.s.length > most / 2) return `a set of ${v.s.length} elements`
  const t = text(v)
  return t.length > most ? t.slice(0, most - 1) + "…" : t
}

const functional = (v) => v.s.length > 0 && v.s.every(isPair) && new Set(v.s.map((x) => key(x.p[0]))).size === v.s.length

const rows = 40 // of a table that are shown at first

export function Value({ v, old, name }) {
  if (isSet(v) && v.s.length && v.s.every(isPair)) return <Table v={v} old={old} name={name} />
  if (isSet(v)) return <Elements v={v} old={old} name={name} />
  const was = old !== undefined && key(old) !== key(v)
  return (
    <span class={was ? "changed" : ""}>
      {was && <del title="value before the step">{short(old)}</del>}
      {text(v)}
    </span>
  )
}

// Filtered is a list that shows its first elements, and those that people look for.
function Filtered({ all, show, match, name, children }) {
  const most = useSignal(rows)
  const [wanted, want] = useState("")
  const found = wanted ? all.filter((x) => match(x).includes(wanted)) : all
  return (
    <>
      {all.length > rows && (
        <input class="filter" type="search" placeholder={`Filter ${all.length} entries`} aria-label={`Filter ${name}`} value={wanted} onInput={(e) => want(e.target.value)} />
      )}
      {children(found.slice(0, most.value).map(show))}
      {found.length > most.value && (
        <button class="more" onClick={() => (most.value += 500)}>
          Show {Math.min(500, found.length - most.value)} more of {found.length}
        </button>
      )}
    </>
  )
}

// compared lists the pairs of a table with what a step changed in them. Changes come first in a large table, so that they are seen.
function compared(v, old) {
  const single = functional(v)
  const name = (x) => (single ? key(x.p[0]) : key(x))
  const before = isSet(old) ? new Map(old.s.filter(isPair).map((x) => [name(x), x])) : null
  const entries = v.s.map((x) => {
    const was = before?.get(name(x))
    return { x, fresh: before && !was, was: was && single && key(was.p[1]) !== key(x.p[1]) ? was.p[1] : undefined }
  })
  let lost = []
  if (before) {
    const now = new Set(v.s.map(name))
    lost = [...before].filter(([k]) => !now.has(k)).map(([, x]) => ({ x, gone: true }))
  }
  if (entries.length <= rows) return [...lost, ...entries]
  const differs = (e) => e.fresh || e.was !== undefined
  return [...lost, ...entries.filter(differs), ...entries.filter((e) => !differs(e))]
}

function Table({ v, old, name }) {
  const all = useMemo(() => compared(v, old), [v, old])
  const plain = all.length > 0 && all.slice(0, 200).every((e) => typeof e.x.p[0] === "string" && typeof e.x.p[1] === "string")
  const fold = all.length > 12
  const body = (
    <Filtered
      all={all}
      name={name}
      match={(e) => text(e.x)}
      show={(e) => (
        <tr key={key(e.x) + e.gone} class={e.gone ? "gone" : e.fresh || e.was !== undefined ? "changed" : ""}>
          <th scope="row">
            {e.gone && <span class="sign" title="no longer in it">− </span>}
            {e.fresh && <span class="sign" title="new">+ </span>}
            {short(e.x.p[0])}
          </th>
          <td>
            {e.was !== undefined && <del title="value before the step">{short(e.was)}</del>}
            {typeof e.x.p[1] === "object" ? <Value v={e.x.p[1]} name={name} /> : short(e.x.p[1])}
          </td>
        </tr>
      )}
    >
      {(list) => (
        <table class={"pairs" + (plain ? " plain" : "")}>
          <tbody>{list}</tbody>
        </table>
      )}
    </Filtered>
  )
  if (!fold) return body
  const changed = all.filter((e) => e.gone || e.fresh || e.was !== undefined).length
  return (
    <details open={all.length <= rows}>
      <summary>
        {v.s.length} pairs{changed > 0 && <span class="changed"> · {changed} changed</span>}
      </summary>
      {body}
    </details>
  )
}

function Elements({ v, old, name }) {
  if (!v.s.length && !(isSet(old) && old.s.length)) return <span class={isSet(old) && old.s.length ? "changed" : ""}>∅</span>
  const before = isSet(old) ? new Set(old.s.map(key)) : null
  const now = new Set(v.s.map(key))
  const lost = isSet(old) ? old.s.filter((x) => !now.has(key(x))).map((x) => ({ x, gone: true })) : []
  const all = [...lost, ...v.s.map((x) => ({ x, fresh: before && !before.has(key(x)) }))]
  const body = (
    <Filtered
      all={all}
      name={name}
      match={(e) => text(e.x)}
      show={(e) => (
        <li key={key(e.x) + e.gone} class={e.gone ? "gone" : e.fresh ? "changed" : ""}>
          {e.gone && <span class="sign" title="no longer in it">−</span>}
          {e.fresh && <span class="sign" title="new">+</span>}
          {short(e.x, 200)}
        </li>
      )}
    >
      {(list) => <ul class="elements">{v.s.length ? list : [<li key="empty" class="empty">∅</li>, ...list]}</ul>}
    </Filtered>
  )
  if (all.length <= rows) return body
  return (
    <details>
      <summary>{v.s.length} elements</summary>
      {body}
    </details>
  )
}
