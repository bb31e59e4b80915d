// What a page gains with script. Everything works without it.
"use strict";

// Times in the reader's own zone.
function localTimes(within) {
  for (const time of within.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    if (time.dateTime.length <= 10) continue; // a day, not a moment
    time.title = time.textContent.trim();
    time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  }
}
localTimes(document);

// Where the reader lives, for those who have not said so yet. Browsers may know a city by an older name than ours: the server knows both.
let timeZone = "";
try { ({ timeZone } = Intl.DateTimeFormat().resolvedOptions()); } catch { /* it can be chosen by hand */ }
const zones = document.querySelector("select[data-zone]");
if (zones && [...zones.options].some((option) => option.value === timeZone)) zones.value = timeZone;
addEventListener("submit", (event) => {
  for (const field of event.target.querySelectorAll("input[data-zone]")) field.value = timeZone;
}, true);

// A link to be passed on: selected with one click, copied with another.
if (navigator.clipboard) document.documentElement.classList.add("can-copy");
addEventListener("focusin", (event) => { if (event.target.matches("[data-select]")) event.target.select(); });
addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const link = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(link.value);
    const words = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 2000);
  } catch { link.select(); }
});

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

// Opening a table: a preset fills the form in at once, and what does not go together is said while choosing.
const opening = document.querySelector("form[data-fits]");
if (opening) {
  const note = document.getElementById("fits");
  let asked = 0;
  const ask = async () => {
    const number = ++asked;
    const wishes = new URLSearchParams(new FormData(opening));
    wishes.delete("csrf");
    try {
      const answer = await fetch(`${opening.dataset.fits}?${wishes}`, { cache: "no-store" });
      const words = answer.ok ? await answer.text() : "";
      if (number !== asked) return;
      note.textContent = words;
      note.hidden = !words;
    } catch { /* it is said when the table is opened */ }
  };
  const fill = (name, value) => {
    for (const field of opening.querySelectorAll(`[name="${name}"]`)) {
      if (field.type === "checkbox" || field.type === "radio") field.checked = field.value === value;
      else field.value = value;
    }
  };
  const presets = [...opening.querySelectorAll("a[data-fills]")];
  const mark = (chosen) => presets.forEach((preset) => {
    if (preset === chosen) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  });
  for (const preset of presets) {
    preset.addEventListener("click", (event) => {
      event.preventDefault();
      Object.entries(JSON.parse(preset.dataset.fills)).forEach(([name, value]) => fill(name, value));
      for (const group of opening.querySelectorAll("details.options")) group.open = group.querySelector(":checked") !== null;
      mark(preset);
      ask();
    });
  }
  opening.addEventListener("change", (event) => {
    if (event.target.name.startsWith("option-")) mark(null);
    ask();
  });
}

// A game that is being played is shown as it stands: looked at again every so often, while somebody sees it.
const renewed = document.querySelector("img[data-renewed]");
if (renewed) {
  const address = renewed.src;
  setInterval(() => { if (!document.hidden) renewed.src = `${address}?at=${Date.now()}`; }, 15000);
}
