// A Gantt chart that follows the state. What the run does later is drawn, too, but pale: the chart of its last state.
import { useEffect } from "preact/hooks"
import { useSignal } from "@preact/signals"
import * as s from "./store.js"

const number = (text) => Number((text ?? "").replace("−", "-"))

// read is the chart of a state: bars, and the time.
function read(state, index) {
  const drawn = state?.drawn?.[index]
  if (!drawn) return null
  const bars = drawn
    .filter((d) => d.id === "bar")
    .map((d) => ({ key: d.k, item: d.at.item ?? d.k, lane: d.at.lane ?? "", start: number(d.at.start), end: number(d.at.end), open: d.at.open === "true" }))
    .filter((b) => Number.isFinite(b.start) && Number.isFinite(b.end))
  return { bars, clock: number(drawn.find((d) => d.id === "clock")?.at.clock) }
}

// Shorter names first: "SM 2" stands before "SM 10".
const byName = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

// ticks are round numbers from 0 to last.
function ticks(last, most) {
  const least = Math.max(last / most, 1)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * [1, 2, 5, 10].find((n) => n * power >= least)
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step)
}

export function Chart({ picture, index }) {
  const line = s.line()
  const end = line.at(-1)
  const known = useSignal(0) // changes when the last state is known
  useEffect(() => {
    if (!s.states.has(end.state)) s.fetchState(end).then(() => known.value++)
  }, [end])
  known.value
  const now = read(s.here.value, index)
  const later = read(s.states.get(end.state), index)
  if (!now) return <p class="soft">The chart follows the state once the machine has begun.</p>
  const all = [...now.bars, ...(later?.bars ?? [])]
  const last = Math.max(1, now.clock || 0, later?.clock || 0, ...all.map((b) => b.end))
  const lanes = [...new Set(all.map((b) => b.lane))].sort(byName)
  const same = (a, b) => a.key === b.key && a.lane === b.lane && a.start === b.start
  const ahead = (later?.bars ?? []).filter((b) => !now.bars.some((x) => same(x, b) && x.end === b.end && x.open === b.open))
  const at = (t) => `${(100 * t) / last}%`
  const say = (b) => `${b.item}, ${b.lane}: from ${b.start} ${b.open ? `on, now ${b.end}` : `to ${b.end}`}`
  const bar = (b, pale) => (
    <button
      key={b.key + (pale ? "'" : "")}
      class={"bar" + (pale ? " pale" : b.open ? " open" : "")}
      style={{ left: at(b.start), width: at(b.end - b.start) }}
      title={say(b) + (pale ? ", later in this run" : "")}
      aria-label={say(b) + (pale ? ", later in this run" : "")}
      onClick={() => visit(line, index, (x) => same(x, b))}
    >
      {b.item}
    </button>
  )
  return (
    <div class="chart" role="group" aria-label={picture.title || picture.name}>
      {!lanes.length && <p class="soft">Nothing has started yet.</p>}
      <div class="lanes">
        {lanes.map((lane) => (
          <div class="lane" key={lane}>
            <span class="name">{lane}</span>
            <span class="track">
              {ahead.filter((b) => b.lane === lane).map((b) => bar(b, true))}
              {now.bars.filter((b) => b.lane === lane).map((b) => bar(b, false))}
              {Number.isFinite(now.clock) && <span class="nowline" style={{ left: at(now.clock) }} />}
            </span>
          </div>
        ))}
        <div class="lane axis" aria-hidden="true">
          <span class="name" />
          <span class="track">
            {ticks(last, 6).map((t) => (
              <span key={t} class="tick" style={{ left: at(t) }}>
                {t}
              </span>
            ))}
          </span>
        </div>
      </div>
      {Number.isFinite(now.clock) && (
        <p class="soft">
          Time <b id="clock">{now.clock}</b>
          {later && later.clock !== now.clock && ` of ${later.clock}`}
        </p>
      )}
      {line.length > 2 && (
        <label class="steps">
          Step{" "}
          <input type="range" min="0" max={line.length - 1} value={s.at.value.depth} aria-valuetext={`step ${s.at.value.depth} of ${line.length - 1}`} onInput={(e) => s.jump(line[Number(e.target.value)], true)} />
        </label>
      )}
    </div>
  )
}

// visit goes to a step of the run in which a bar begins.
async function visit(line, index, wanted) {
  const has = async (i) => {
    if (i === 0) return false
    await s.fetchState(line[i])
    return !!read(s.states.get(line[i].state), index)?.bars.some(wanted)
  }
  let low = 0
  let high = s.here.value && (await has(s.at.value.depth)) ? s.at.value.depth : line.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await has(middle)) high = middle
    else low = middle
  }
  await s.jump(line[high])
}
