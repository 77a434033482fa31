// Marks the lines of all forms that belong to the line that is clicked, and scrolls each form to its first one.
"use strict";
const rows = [...document.querySelectorAll(".r")];
function show(clicked) {
  const source = clicked.dataset.s, visa = clicked.dataset.v;
  for (const row of rows) {
    row.classList.toggle("on", source !== undefined && row.dataset.s === source);
    row.classList.toggle("same", visa !== undefined && row.dataset.v === visa);
  }
  for (const form of document.querySelectorAll(".rows")) {
    if (form.contains(clicked)) continue;
    const first = form.querySelector(".r.same") || form.querySelector(".r.on");
    if (first) form.scrollTop = first.offsetTop - form.offsetTop - form.clientHeight / 3;
  }
}
document.addEventListener("click", (event) => {
  const row = event.target.closest(".r[data-s]");
  if (row) show(row);
});
const curve = document.querySelector("svg.live");
if (curve) curve.addEventListener("click", (event) => {
  const box = curve.getBoundingClientRect();
  const visa = Math.floor((event.clientX - box.left) / box.width * Number(curve.dataset.count)) + 1;
  const row = document.querySelector(`.visa .r[data-v="${visa}"]`);
  if (!row) return;
  show(row);
  row.parentElement.scrollTop = row.offsetTop - row.parentElement.offsetTop - row.parentElement.clientHeight / 3;
});
