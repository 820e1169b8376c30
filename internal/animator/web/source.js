// Where states come from: the program that serves the page, or the page itself if it was exported. Both answer alike.

// Live asks the program. Questions are answered one after the other.
class Live {
  live = true
  async ask(q, signal) {
    let response
    try {
      response = await fetch("ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(q), signal })
    } catch (e) {
      if (e.name === "AbortError") throw e
      return { error: "gradine does not answer: is the command still running?", gone: true }
    }
    if (!response.ok) return { error: await response.text() }
    return response.json()
  }
}

// Stored answers from what the file holds.
class Stored {
  live = false
  constructor(data) {
    this.data = data
    this.bound = data.bound
  }
  async ask(q) {
    const { data } = this
    const shown = (state) => ({ count: 0, state, states: { [state]: data.states[state] } })
    switch (q.op) {
      case "model":
        return { ...shown(-1), model: data.model, values: data.values, from: 0, steps: data.begin, about: data.about }
      case "state":
        return shown(q.state)
      case "fire":
        return this.replay(q.state, [q.step])
      case "replay":
        return this.replay(q.state, q.steps)
      case "why": {
        const reason = data.whys[q.event ? `${q.state}/${q.event}` : `${q.state}/${q.level}/${q.index}`]
        return reason ? { reason } : { why: "The reason is not in this file. Serve the machine with gradine animate to see it." }
      }
      case "random":
        return this.random(q)
      case "graph":
        return data.graph ? { graph: data.graph } : { error: "The graph is not in this file, because the file does not hold all states." }
      case "goto":
        return this.reach(q)
    }
    return { error: "This file cannot answer that. Serve the machine with gradine animate." }
  }
  replay(at, steps) {
    const run = []
    for (const step of steps) {
      const move = data_moves(this.data, at).find((m) => same(m, step))
      if (!move || move.to < -1) {
        return { run, misfit: move ? `This step leads beyond this file, which holds ${this.data.bound}.` : "this step is not possible here", state: at, states: { [at]: this.data.states[at] } }
      }
      at = move.to
      run.push(at)
    }
    return { run, state: at, states: { [at]: this.data.states[at] } }
  }
  random(q) {
    let seed = (q.seed * 2654435761 + 12345) >>> 0
    const next = (n) => ((seed = (seed * 1664525 + 1013904223) >>> 0), Math.floor((seed / 4294967296) * n))
    const steps = []
    let at = q.state
    let why
    for (let i = 0; i < q.number; i++) {
      const all = data_moves(this.data, at).filter((m) => m.to >= 0)
      if (!all.length) {
        why = data_moves(this.data, at).length ? "further steps are not in this file" : "no event is enabled"
        break
      }
      const move = all[next(all.length)]
      steps.push({ e: move.e, a: move.a, c: move.c })
      at = move.to
    }
    return { ...this.replay(q.state, steps), steps, why }
  }
  reach(q) {
    const to = Number(Object.keys(this.data.graph.where).find((s) => this.data.graph.where[s] === q.index))
    const from = new Map([[-1, null]])
    const queue = [-1]
    while (queue.length && !from.has(to)) {
      const at = queue.shift()
      for (const m of data_moves(this.data, at)) {
        if (m.to >= 0 && !from.has(m.to)) {
          from.set(m.to, [at, m])
          queue.push(m.to)
        }
      }
    }
    const steps = []
    for (let at = to; from.get(at); at = from.get(at)[0]) {
      const m = from.get(at)[1]
      steps.unshift({ e: m.e, a: m.a, c: m.c })
    }
    return { ...this.replay(-1, steps), steps }
  }
}

const data_moves = (data, at) => data.states[at]?.moves ?? []

export function same(a, b) {
  return a.e === b.e && (a.c ?? 0) === (b.c ?? 0) && JSON.stringify(a.a ?? []) === JSON.stringify(b.a ?? [])
}

export function source() {
  const inside = document.getElementById("data")
  return inside ? new Stored(JSON.parse(inside.textContent)) : new Live()
}
