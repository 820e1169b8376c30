// What the page knows: the model, values and states by number, and the tree of the runs so far.
import { signal, computed, batch } from "@preact/signals"
import { source, same } from "./source.js"

export const src = source()
export const model = signal(null)
export const values = [] // by number
export const states = new Map() // by number
export const at = signal(null) // the node where we are
export const tree = signal(0) // changes with the tree
export const busy = signal("") // what is being done
export const notice = signal("")
export const said = signal("") // for screen readers
export const problems = signal([])
export const failed = signal("")
export const gone = signal(false)
export const loop = signal(null) // the step from which a run goes on for ever
export const misfit = signal(null)

let count = 0
let root = null
let running = null

export const here = computed(() => (at.value ? states.get(at.value.state) : null))
export const before = computed(() => (at.value?.parent ? states.get(at.value.parent.state) : null))

let numbered = 0
const node = (parent, state, step) => ({ id: ++numbered, parent, state, step, children: [], last: null, depth: parent ? parent.depth + 1 : 0, lines: [] })

// learn takes in what an answer says besides.
function learn(answer) {
  if (answer.gone !== undefined || gone.value) gone.value = !!answer.gone
  if (answer.values) for (const [i, v] of answer.values.entries()) values[answer.from + i] = v
  for (const [number, state] of Object.entries(answer.states ?? {})) if (state) states.set(Number(number), state)
  if (answer.problems !== undefined || answer.model) problems.value = answer.problems ?? []
  if (answer.failed !== undefined || answer.model) failed.value = answer.failed ?? ""
}

export async function ask(q, what = "") {
  running?.abort()
  const mine = new AbortController()
  if (what) {
    running = mine
    busy.value = what
  }
  try {
    const answer = await src.ask({ ...q, count, known: values.length }, mine.signal)
    learn(answer)
    if (answer.stale) {
      await reload()
      return { error: "The model has changed. The run was repeated." }
    }
    if (answer.error) notice.value = answer.error
    return answer
  } catch (e) {
    if (e.name !== "AbortError") throw e
    return { error: "Stopped." }
  } finally {
    if (what && running === mine) {
      running = null
      busy.value = ""
    }
  }
}

export function stop() {
  running?.abort()
}

// steps is the run to a node.
export function steps(n = at.value) {
  const out = []
  for (; n?.parent; n = n.parent) out.unshift(n.step)
  return out
}

export function path(n = at.value) {
  const out = []
  for (; n; n = n.parent) out.unshift(n)
  return out
}

// line is the run to here, and on along the branch that was followed last.
export function line(n = at.value) {
  tree.value
  const out = path(n)
  for (let x = n?.last ?? n?.children[0]; x; x = x.last ?? x.children[0]) out.push(x)
  return out
}

// Whole runs stand in the address if they are short enough.
const longest = 300
function address(n) {
  const run = steps(n)
  if (run.length > longest) return "#"
  return "#" + encodeURIComponent(JSON.stringify(run.map((s) => [s.e, s.a ?? [], s.c ?? 0])))
}

function addressed() {
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1))).map(([e, a, c]) => ({ e, a, c }))
  } catch {
    return []
  }
}

export async function jump(n, silent) {
  if (!n) return
  await ensure(n)
  if (n.parent) await ensure(n.parent)
  batch(() => {
    at.value = n
    for (let x = n; x.parent; x = x.parent) x.parent.last = x
    tree.value++
    misfit.value = null
  })
  if (!silent) {
    try {
      history.pushState(n.id, "", address(n))
    } catch {
      // Browsers limit how often: the run goes on without.
    }
  }
  announce(n)
}

function announce(n) {
  const state = states.get(n.state)
  if (!state) return
  const broken = brokenIn(state)
  const changed = n.parent ? changes(states.get(n.parent.state), state).length : 0
  said.value =
    `Step ${n.depth}${n.step ? ": " + call(n.step) : ""}. ` +
    (n.depth ? `${changed} ${changed === 1 ? "variable" : "variables"} changed. ` : "") +
    (broken.length ? `Violated: ${broken.join(", ")}. ` : "") +
    (state.moves.length ? `${state.moves.length} ${state.moves.length === 1 ? "step is" : "steps are"} possible.` : "No event is enabled.")
}

export const call = (s) => s.e + (s.a?.length ? "(" + s.a.map(([n, v]) => `${n} = ${v}`).join(", ") + ")" : "") + (s.c ? ` #${s.c + 1}` : "")

export function changes(old, now) {
  if (!old?.vals?.[0] || !now?.vals?.[0]) return []
  return now.vals[0].flatMap((v, i) => (old.vals[0][i] === v ? [] : [i]))
}

export function brokenIn(state) {
  const out = []
  state?.invs?.forEach((letters, level) => [...letters].forEach((l, i) => l === "f" && out.push(model.value.levels[level].invs[i].l)))
  return out
}

function child(n, step, state) {
  const known = n.children.find((c) => same(c.step, step) && c.state === state)
  if (known) return known
  const fresh = node(n, state, step)
  n.children.push(fresh)
  return fresh
}

// append adds the states of steps behind a node.
function append(n, taken, run) {
  run.forEach((state, i) => (n = child(n, taken[i], state)))
  return n
}

export async function fire(step) {
  notice.value = ""
  loop.value = null
  const from = at.value
  const answer = await ask({ op: "fire", state: from.state, step })
  if (answer.misfit) notice.value = answer.misfit
  if (answer.run?.length) await jump(append(from, [step], answer.run))
}

// go takes the run of an answer, from the node where we are or from the beginning.
export async function go(answer, from) {
  if (!answer.run) return
  const end = append(from, answer.steps, answer.run)
  if (answer.misfit) notice.value = answer.misfit
  if (end !== from) await jump(end)
}

export const back = (n = 1) => {
  let x = at.value
  while (n-- > 0 && x.parent) x = x.parent
  if (x !== at.value) jump(x)
}

export const forward = () => {
  const x = at.value.last ?? at.value.children[0]
  if (x) jump(x)
  else if (loop.value !== null) jump(path()[Math.min(loop.value + 1, path().length - 1)])
}

export const restart = () => jump(root)

// ensure fetches a state that is not known yet.
async function ensure(n) {
  if (!states.has(n.state)) await ask({ op: "state", state: n.state })
}

export const fetchState = ensure

export async function random(number, seed) {
  notice.value = ""
  loop.value = null
  const from = at.value
  const answer = await ask({ op: "random", state: from.state, number, seed }, "Taking random steps…")
  await go(answer, from)
  if (answer.why) notice.value = answer.why
}

export async function until(text) {
  notice.value = ""
  loop.value = null
  const from = at.value
  const answer = await ask({ op: "until", state: from.state, text }, text ? `Looking for a state with ${text}…` : "Looking for a violated invariant…")
  await go(answer, from)
  if (answer.why) notice.value = answer.why
}

export async function run(taken, lasso = null) {
  const answer = await ask({ op: "replay", state: -1, steps: taken }, "Following the run…")
  await go({ ...answer, steps: taken }, root)
  loop.value = lasso
  if (answer.misfit) notice.value = ""
  if (answer.misfit && answer.run) misfit.value = { step: taken[answer.run.length], why: answer.misfit, after: answer.run.length }
}

// reload takes the model again, and repeats the run as far as it goes.
export async function reload() {
  const old = at.value ? steps() : addressed()
  const first = !at.value
  const answer = await src.ask({ op: "model", count: 0, known: 0, state: -1 })
  if (answer.error) notice.value = answer.error
  if (!answer.model) {
    learn(answer)
    return
  }
  values.length = 0
  states.clear()
  count = answer.count
  batch(() => {
    learn(answer)
    model.value = answer.model
    root = node(null, -1, null)
    at.value = root
    tree.value++
  })
  document.title = `${answer.model.machine} · gradine animate`
  const wanted = first && !old.length ? answer.steps : old
  if (answer.about && first && wanted === answer.steps) notice.value = `Run of ${answer.about}.`
  if (wanted?.length) await run(wanted)
  else if (answer.states[-1].moves.length === 1) await fire(answer.states[-1].moves[0])
}

// poll looks whether the model has changed.
async function poll() {
  const answer = await src.ask({ op: "poll", count, known: -1 })
  if (answer.gone) gone.value = true
  else {
    gone.value = false
    problems.value = answer.problems ?? []
    failed.value = answer.failed ?? ""
    if (answer.count !== count && !answer.problems?.length && !answer.failed) {
      count = answer.count
      await reload()
    }
  }
  setTimeout(poll, 1000)
}

export async function begin() {
  await reload()
  performance.mark("ready") // for the benchmark of the page
  addEventListener("popstate", (e) => {
    const find = (n) => (n.id === e.state ? n : n.children.map(find).find(Boolean))
    const n = root && find(root)
    if (n) jump(n, true)
  })
  if (src.live) setTimeout(poll, 1000)
}
