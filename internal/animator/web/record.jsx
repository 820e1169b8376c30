// A run becomes a scenario: a file that `gradine verify` runs from then on.
import { useState } from "preact/hooks"
import { useSignal } from "@preact/signals"
import * as s from "./store.js"

export function Record() {
  const [open, set] = useState(false)
  const [name, setName] = useState("recorded")
  const [kind, setKind] = useState("possible")
  const [text, setText] = useState("")
  const result = useSignal(null)
  s.tree.value
  const n = s.at.value
  const broken = s.brokenIn(s.here.value)
  if (!s.src.live) return null
  const lines = () => {
    const out = []
    if (kind === "impossible") out.push({ text: "impossible" })
    if (kind === "breaks") out.push({ text: "impossible" }, { text: `breaks ${broken[0]}` })
    for (const x of s.path(n)) {
      if (x.step) out.push({ step: x.step })
      for (const l of x.lines) out.push({ text: l })
    }
    return out
  }
  const send = async (save) => {
    result.value = await s.ask({ op: "record", state: -1, name, lines: lines(), save })
    if (result.value.file) s.said.value = `Recorded in ${result.value.file}.`
  }
  const add = (l) => {
    n.lines = [...n.lines, l]
    s.tree.value++
  }
  return (
    <div class="fold record">
      <button class="summary" aria-expanded={open} onClick={() => set(!open)}>
        Record a scenario
      </button>
      {open && (
        <div class="inside">
          <label>
            Name <input value={name} onInput={(e) => setName(e.target.value)} />
          </label>
          <label>
            This run is{" "}
            <select value={kind} onChange={(e) => setKind(e.target.value)}>
              <option value="possible">possible</option>
              <option value="impossible">impossible</option>
              {broken.length > 0 && <option value="breaks">a mistake: it must not break {broken[0]}</option>}
            </select>
          </label>
          <form
            onSubmit={(e) => {
              e.preventDefault()
              if (text.trim()) add(`check ${text}`)
              setText("")
            }}
          >
            <label class="grow">
              After step {n.depth}, check <input value={text} placeholder="a predicate" onInput={(e) => setText(e.target.value)} />
            </label>
            <button type="submit">Add</button>
          </form>
          {n.lines.length > 0 && (
            <ul>
              {n.lines.map((l, i) => (
                <li key={i}>
                  <code>{l}</code>{" "}
                  <button
                    class="plain"
                    aria-label={`Remove ${l}`}
                    onClick={() => {
                      n.lines = n.lines.filter((x) => x !== l)
                      s.tree.value++
                    }}
                  >
                    ×
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div class="row">
            <button onClick={() => send(false)} disabled={!n.depth}>
              Preview
            </button>
            <button class="primary" onClick={() => send(true)} disabled={!n.depth || !name}>
              Save
            </button>
          </div>
          {result.value?.file && (
            <p role="status" id="saved">
              Saved in <code>{result.value.file}</code>
            </p>
          )}
          {result.value?.text && <pre>{result.value.text}</pre>}
        </div>
      )}
    </div>
  )
}
