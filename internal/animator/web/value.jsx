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

const tall = 28 // pixels of a row in a long list
const spare = 10 // rows that are made above and below what is seen

// Filtered is a list with a search. Of a long one, whose entries take one line each, only the rows in sight are made.
function Filtered({ all, show, match, name, lines, children }) {
  const most = useSignal(rows)
  const top = useSignal(0)
  const [wanted, want] = useState("")
  const found = useMemo(() => (wanted ? all.filter((x) => match(x).includes(wanted)) : all), [all, wanted])
  const long = lines && found.length > rows
  const from = long ? Math.max(0, Math.min(found.length - 1, Math.floor(top.value / tall)) - spare) : 0
  const to = long ? Math.min(found.length, from + Math.ceil(seen / tall) + 2 * spare) : most.value
  return (
    <>
      {all.length > rows && (
        <input class="filter" type="search" placeholder={`Filter ${all.length} entries`} aria-label={`Filter ${name}`} value={wanted} onInput={(e) => want(e.target.value)} />
      )}
      {long ? (
        <div class="long" tabIndex={0} role="region" aria-label={`${name}, ${found.length} entries`} onScroll={(e) => (top.value = e.currentTarget.scrollTop)}>
          {children(found.slice(from, to).map((x, i) => show(x, from + i)), { total: found.length, before: from * tall, after: (found.length - to) * tall })}
        </div>
      ) : (
        children(found.slice(0, to).map((x) => show(x)))
      )}
      {!long && found.length > to && (
        <button class="more" onClick={() => (most.value += 500)}>
          Show {Math.min(500, found.length - to)} more of {found.length}
        </button>
      )}
    </>
  )
}

const seen = 320 // pixels of a long list that are seen at a time, as in page.css

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

// Room stands for rows that are not made. A row needs a cell to be high.
const Room = ({ height }) => (
  <tr aria-hidden="true">
    <td colspan="2" style={{ height: height + "px", padding: "0" }} />
  </tr>
)

// flat values take one line: no sets, for these are tables of their own.
const flat = (v) => typeof v === "string" || (isPair(v) && flat(v.p[0]) && flat(v.p[1]))

function Table({ v, old, name }) {
  const all = useMemo(() => compared(v, old), [v, old])
  const plain = useMemo(() => all.length > 0 && all.every((e) => flat(e.x.p[0]) && flat(e.x.p[1])), [all])
  const fold = all.length > 12
  const body = (
    <Filtered
      all={all}
      name={name}
      lines={plain}
      match={(e) => text(e.x)}
      show={(e, row) => (
        <tr key={key(e.x) + e.gone} aria-rowindex={row === undefined ? undefined : row + 1} class={e.gone ? "gone" : e.fresh || e.was !== undefined ? "changed" : ""}>
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
      {(list, at) => (
        <table class={"pairs" + (at ? " lines" : plain ? " plain" : "")} aria-rowcount={at?.total}>
          <tbody>
            {at?.before > 0 && <Room key="before" height={at.before} />}
            {list}
            {at?.after > 0 && <Room key="after" height={at.after} />}
          </tbody>
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
      lines={all.length > rows}
      match={(e) => text(e.x)}
      show={(e) => (
        <li key={key(e.x) + e.gone} class={e.gone ? "gone" : e.fresh ? "changed" : ""}>
          {e.gone && <span class="sign" title="no longer in it">−</span>}
          {e.fresh && <span class="sign" title="new">+</span>}
          {short(e.x, 200)}
        </li>
      )}
    >
      {(list, at) => (
        <ul class={"elements" + (at ? " lines" : "")}>
          {at?.before > 0 && <li key="before" aria-hidden="true" class="room" style={{ height: at.before + "px" }} />}
          {v.s.length ? list : [<li key="empty" class="empty">∅</li>, ...list]}
          {at?.after > 0 && <li key="after" aria-hidden="true" class="room" style={{ height: at.after + "px" }} />}
        </ul>
      )}
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
