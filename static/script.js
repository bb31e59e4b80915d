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

// A table tells when it has moved. What changed is put in its place: nothing flickers, nothing jumps.
const table = document.getElementById("table");
if (table && table.dataset.live && window.EventSource) {
  const note = document.createElement("p");
  note.className = "banner live-note";
  note.setAttribute("role", "status");
  note.hidden = true;
  table.before(note);
  const say = (words) => { note.textContent = words; note.hidden = !words; };
  const words = () => [...table.querySelectorAll("textarea, input[type=text], input[type=email], input:not([type])")].some((field) => field.value !== field.defaultValue);
  let shown = table.dataset.mark;
  let fetching = false;
  let again = false;

  async function renew(mark) {
    if (mark === shown) return;
    if (fetching) {
      again = true;
      return;
    }
    // Somebody who is about to say something is not interrupted.
    if (table.dataset.busy || words() || table.querySelector("form[data-sent]")) {
      say("The table has moved on while you were choosing. Load the page again to see it as it is now.");
      return;
    }
    fetching = true;
    try {
      const answer = await fetch(location.pathname, { headers: { accept: "text/html" }, cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("table");
      if (!fresh) throw new Error("no table");
      const open = [...table.querySelectorAll("details")].map((details) => details.open);
      const focus = document.activeElement && document.activeElement.id;
      shown = fresh.dataset.mark;
      table.dataset.mark = shown;
      table.replaceChildren(...fresh.childNodes);
      [...table.querySelectorAll("details")].forEach((details, place) => { if (open[place]) details.open = true; });
      if (focus && document.getElementById(focus)) document.getElementById(focus).focus({ preventScroll: true });
      document.title = page.title;
      localTimes(table);
      say("");
    } catch {
      say("The table has moved, and could not be fetched. It is tried again.");
      setTimeout(() => renew(mark), 3000);
    } finally {
      fetching = false;
    }
    // It moved once more while it was fetched.
    if (again) {
      again = false;
      renew("unknown");
    }
  }

  // Talk comes in beside what one is about to say.
  async function hear() {
    try {
      const answer = await fetch(location.pathname, { headers: { accept: "text/html" }, cache: "no-store" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("said");
      const said = document.getElementById("said");
      if (!fresh || !said) return;
      said.replaceChildren(...fresh.childNodes);
      localTimes(said);
    } catch { /* it is there when the page is loaded again */ }
  }

  // Short gaps, such as a service that starts anew, are not worth a word.
  const gap = 4000;
  let live;
  let lost;
  let pause;
  function connect() {
    live = new EventSource(table.dataset.live);
    live.addEventListener("moved", (event) => renew(event.data));
    live.addEventListener("talk", hear);
    live.addEventListener("open", () => {
      clearTimeout(lost);
      lost = undefined;
      pause = 500;
      say("");
    });
    live.addEventListener("error", () => {
      lost ??= setTimeout(() => say("The connection is lost. It is tried again, and nothing you have said is lost."), gap);
      // Browsers connect again by themselves, unless somebody answered in place of the service.
      if (live.readyState !== EventSource.CLOSED) return;
      setTimeout(connect, pause * (1 + Math.random()));
      pause = Math.min(pause * 2, 30000);
    });
  }
  pause = 500;
  connect();
  addEventListener("pagehide", () => live.close());
  addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
}
