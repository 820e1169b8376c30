// A picture of the domain: an SVG in which attributes of elements follow the state. The program has removed what could
// run or load anything.
import { useEffect, useRef } from "preact/hooks"
import { useSignal } from "@preact/signals"
import * as s from "./store.js"

export function Picture({ picture, index }) {
  const ref = useRef()
  const chooser = useSignal(null)
  const state = s.here.value
  useEffect(() => {
    ref.current.innerHTML = picture.svg
    const svg = ref.current.querySelector("svg")
    if (svg) svg.setAttribute("role", "img")
    for (const part of picture.copied ?? []) {
      const e = find(ref.current, part)
      if (e) e.style.display = "none"
    }
  }, [picture])
  useEffect(() => {
    chooser.value = null
    if (!state?.drawn?.[index]) return
    const used = new Set()
    for (const d of state.drawn[index]) {
      const e = element(ref.current, d, used)
      if (!e) continue
      for (const [name, value] of Object.entries(d.at ?? {})) set(e, name, value)
      const moves = (d.click ?? []).map((i) => state.moves[i])
      e.classList.toggle("clickable", moves.length > 0)
      if (moves.length) {
        e.setAttribute("tabindex", "0")
        e.setAttribute("role", "button")
        e.setAttribute("aria-label", moves.map(s.call).join(", or "))
        const take = () => (moves.length === 1 ? s.fire(step(moves[0])) : (chooser.value = moves))
        e.onclick = take
        e.onkeydown = (k) => (k.key === "Enter" || k.key === " ") && (k.preventDefault(), take())
      } else if (e.onclick) {
        for (const name of ["tabindex", "role", "aria-label"]) e.removeAttribute(name)
        e.onclick = e.onkeydown = null
      }
    }
    for (const copy of ref.current.querySelectorAll("[data-copy]")) if (!used.has(copy)) copy.remove()
  }, [state, picture])
  return (
    <div class="picture">
      <div ref={ref} class="drawing" />
      {chooser.value && (
        <div class="chooser" role="dialog" aria-label="Choose a step">
          <p>Which step?</p>
          {chooser.value.map((m, i) => (
            <button key={i} onClick={() => s.fire(step(m))}>
              {s.call(m)}
            </button>
          ))}
          <button class="plain" onClick={() => (chooser.value = null)}>
            None
          </button>
        </div>
      )}
      {!state?.drawn?.[index] && (
        <p class="soft">{state?.lost && picture.of ? `The picture shows ${picture.of}, which is not in step.` : "The picture follows the state once the machine has begun."}</p>
      )}
    </div>
  )
}

const step = (m) => ({ e: m.e, a: m.a, c: m.c })
const find = (root, id) => root.querySelector(`[id="${CSS.escape(id)}"]`)

// element finds what a binding is about; of a copied element, or within one, the copy, which it makes if need be.
function element(root, d, used) {
  if (!d.of) return find(root, d.id)
  const name = `${d.of}[${d.k}]`
  let copy = root.querySelector(`[data-copy="${CSS.escape(name)}"]`)
  if (!copy) {
    const origin = find(root, d.of)
    if (!origin) return null
    copy = origin.cloneNode(true)
    copy.style.display = ""
    copy.dataset.copy = name
    for (const part of [copy, ...copy.querySelectorAll("[id]")]) {
      part.dataset.part = part.id
      part.removeAttribute("id")
    }
    const last = [...root.querySelectorAll("[data-copy]")].filter((x) => x.dataset.copy.startsWith(d.of + "[")).at(-1)
    ;(last ?? origin).after(copy)
    void copy.getBoundingClientRect() // the first place is no movement
  }
  used.add(copy)
  return d.id === d.of ? copy : copy.querySelector(`[data-part="${CSS.escape(d.id)}"]`)
}

function set(e, name, value) {
  if (name === "text") {
    if (e.textContent !== value) e.textContent = value
  } else if (name === "move") e.style.transform = `translate(${value})`
  else if (name === "class") e.setAttribute("class", value)
  else e.setAttribute(name, value)
}
