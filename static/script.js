// What a page gains with script. Everything works without it.
"use strict";

// Times in the reader's own zone.
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  if (time.dateTime.length <= 10) continue; // a day, not a moment
  time.title = time.textContent.trim();
  time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

// Leafing with the arrow keys: back, on, and Home and End for the first and the last step.
const steps = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
addEventListener("keydown", (event) => {
  const step = steps[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, summary, [contenteditable]")) return;
  const link = document.querySelector(`.stepper a[rel~="${step}"]`);
  if (!link) return;
  event.preventDefault();
  remember();
  link.click();
});

// After a move or a step the page stays where it was.
const place = `place ${location.pathname.replace(/\/\d+$/, "")}`;
function remember() {
  try { sessionStorage.setItem(place, String(scrollY)); } catch { /* no storage, no harm */ }
}
try {
  const kept = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  if (kept !== null) scrollTo({ top: Number(kept), behavior: "instant" });
} catch { /* no storage, no harm */ }
addEventListener("click", (event) => {
  if (event.target.closest(".stepper a")) remember();
});

// A form is sent once. The buttons are disabled after the browser has read which one was pressed.
addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  if (form.closest("#board")) remember();
  setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});
// Coming back with the browser's “back” finds the form ready again.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.forms) {
    delete form.dataset.sent;
    form.querySelectorAll("button").forEach((button) => { button.disabled = false; });
  }
});
