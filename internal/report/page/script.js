"use strict";
// The page is whole without this: it opens what a link leads to, filters, folds.
function show() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  target.hidden = false;
  for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) { d.open = true; d.hidden = false; }
  if (target.tagName === "DETAILS") {
    target.querySelector("summary").focus();
    target.scrollIntoView({ block: "center" });
  } else {
    target.scrollIntoView();
  }
}
addEventListener("hashchange", show);

const tools = document.querySelector(".tools");
if (tools) {
  const word = tools.querySelector("input"), verdict = tools.querySelector("select"), count = tools.querySelector("output");
  const all = [...document.querySelectorAll("details[data-name]")];
  const filter = () => {
    const words = word.value.toLowerCase().split(/\s+/).filter(w => w), asked = words.length > 0 || verdict.value !== "";
    let shown = 0;
    for (const d of all) {
      const hit = (verdict.value === "" || d.dataset.verdict === verdict.value) && words.every(w => d.dataset.name.toLowerCase().includes(w));
      d.hidden = !hit;
      if (hit) shown++;
    }
    for (const g of document.querySelectorAll("details.all")) {
      g.hidden = asked && !g.querySelector("details[data-name]:not([hidden])");
      g.open = asked && !g.hidden;
    }
    for (const s of document.querySelectorAll("section.component")) s.hidden = asked && !s.querySelector("details[data-name]:not([hidden])");
    for (const s of document.querySelectorAll(".aside")) s.hidden = asked;
    count.textContent = asked ? shown + " of " + all.length : "";
  };
  word.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  addEventListener("keydown", e => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); word.focus(); }
    if (e.key === "Escape" && document.activeElement === word) { word.value = ""; filter(); }
  });
  const fold = open => { for (const d of document.querySelectorAll("main details:not([hidden])")) d.open = open; };
  tools.querySelector(".unfold").addEventListener("click", () => fold(true));
  tools.querySelector(".fold").addEventListener("click", () => fold(false));
}
document.body.classList.remove("noscript");
show();

const opened = [];
addEventListener("beforeprint", () => {
  for (const d of document.querySelectorAll("details:not([open])")) {
    if (d.querySelector(".refuted, .open")) { d.open = true; opened.push(d); }
  }
});
addEventListener("afterprint", () => { for (const d of opened.splice(0)) d.open = false; });
