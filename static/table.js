// The page of a table or a lesson: choosing in place, what others do as they do it, and looking back at what was missed. Without this script forms
// and links load the same pages.
const table = document.getElementById("table");
if (table && (table.dataset.live || table.dataset.within)) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const note = document.createElement("p");
  note.className = "banner live-note";
  note.setAttribute("role", "status");
  note.hidden = true;
  table.before(note);
  const say = (words) => { note.textContent = words; note.hidden = !words; };
  const address = () => table.dataset.address || location.pathname.replace(/\/say$/, "");
  // A lesson goes on at another address with each step.
  const within = table.dataset.within || address();

  // Reading pages

  async function ask(path, options) {
    const answer = await fetch(path, { headers: { accept: "text/html" }, cache: "no-store", ...options });
    if (answer.redirected && !new URL(answer.url).pathname.startsWith(within)) {
      location.assign(answer.url);
      return null;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.getElementById("table")) throw new Error("no table");
    return page;
  }

  // Where the reader is: found again on the page that takes the place of this one.
  function placeOf(element) {
    if (!element || !table.contains(element)) return null;
    if (element.id) return `#${CSS.escape(element.id)}`;
    for (const name of ["aria-label", "value", "href"]) {
      const value = element.getAttribute(name);
      if (value) return `${element.localName}[${name}="${CSS.escape(value)}"]`;
    }
    return "#controls";
  }

  const edited = (within) => [...within.querySelectorAll("textarea, input[type=text], input:not([type])")].some((field) => field.value !== field.defaultValue);

  // Puts what changed in its place: nothing flickers, nothing jumps, tabs stay open and half-written words stay written.
  function put(page, chosen) {
    shown += 1;
    const fresh = page.getElementById("table");
    const focus = chosen || placeOf(document.activeElement);
    const open = new Set([...table.querySelectorAll("details[id][open]")].map((details) => details.id));
    const tabs = table.querySelector(".tabs");
    const news = tabs && tabs.querySelector("#talk > summary > .tag");
    const wasOver = table.querySelector("#ending");
    const wasMyTurn = document.title.startsWith("Your move");
    Object.assign(table.dataset, fresh.dataset);
    table.className = fresh.className;
    const keep = tabs && edited(tabs) ? tabs : null;
    table.replaceChildren(...fresh.childNodes);
    if (keep) table.querySelector(".tabs").replaceWith(keep);
    for (const tab of table.querySelectorAll("details[id]")) {
      if (tab.name && open.size) tab.open = open.has(tab.id);
      else if (open.has(tab.id)) tab.open = true;
    }
    if (news && !open.has("talk")) {
      const summary = table.querySelector("#talk > summary");
      if (summary && !summary.querySelector(".tag")) summary.append(news);
    }
    document.title = page.title;
    localTimes(table);
    prepare();
    markIcon();
    const ending = table.querySelector("#ending");
    if (ending && !wasOver) {
      ending.scrollIntoView({ behavior: calm.matches ? "instant" : "smooth", block: "start" });
      ending.focus({ preventScroll: true });
      return;
    }
    if (!wasMyTurn && document.title.startsWith("Your move")) chime();
    const confirm = table.querySelector("#confirm");
    const back = chosen && confirm ? confirm : focus && (table.querySelector(focus) || table.querySelector("#controls"));
    if (back) back.focus({ preventScroll: true });
  }

  function show(page, chosen) {
    if (!page) return;
    if (!document.startViewTransition || calm.matches || document.hidden) return put(page, chosen);
    const transition = document.startViewTransition(() => put(page, chosen));
    // One that is overtaken by the next is no trouble.
    for (const stage of [transition.ready, transition.finished]) stage.catch(() => {});
  }

  // Choosing in place

  const isChoice = (link) => link && link.closest("#table") && /^\?(begun=|#|$)/.test(link.getAttribute("href") || "");
  addEventListener("click", async (event) => {
    const link = event.target.closest && event.target.closest("a[href]");
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const isCancel = link && link.closest(".question") && !link.closest("form .target");
    if (!isChoice(link) && !isCancel) return;
    event.preventDefault();
    const place = placeOf(link);
    const begun = new URL(link.href).searchParams.get("begun");
    const path = begun ? `${address()}?begun=${encodeURIComponent(begun)}` : address();
    sending = true;
    try {
      const page = await ask(path);
      sending = false;
      if (!page) return;
      history.replaceState(null, "", path);
      show(page, place);
      say("");
      if (missed) renew("unknown");
    } catch {
      sending = false;
      location.assign(link.href);
    }
  });

  const inPlace = /\/(say|undo|take-back)(#.*)?$/;
  addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || !table.contains(form) || !inPlace.test(form.getAttribute("action") || "")) return;
    event.preventDefault();
    const place = placeOf(event.submitter) || "#controls";
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const path = form.getAttribute("action").split("#")[0];
    sending = true;
    try {
      const page = await ask(path, { method: "POST", body: fields });
      sending = false;
      if (!page) return;
      history.replaceState(null, "", page.getElementById("table").dataset.address || address());
      show(page, place);
      say("");
      if (missed) renew("unknown");
    } catch {
      sending = false;
      // The same form once more, the ordinary way: it is recorded once.
      say("That did not get through. Trying again…");
      for (const [name, value] of fields) {
        if ([...form.elements].some((field) => field.name === name && field.type !== "submit")) continue;
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name, value });
        form.append(field);
      }
      form.submit();
    }
  });

  // What others do

  // A choice is on its way.
  let sending = false;
  // How often the table was shown anew: what was asked for before the last time is old.
  let shown = 0;
  let fetching = false;
  let again = false;
  // Something happened that this page does not show yet, because its reader was choosing.
  let missed = false;

  async function renew(mark) {
    if (mark === table.dataset.mark) return;
    if (fetching || sending) {
      again = true;
      missed = true;
      return;
    }
    fetching = true;
    try {
      const asking = table.querySelector(".question");
      const before = shown;
      const page = await ask(asking ? address() : address() + location.search);
      if (!page) return;
      if (sending || shown !== before) {
        missed = true;
        again = !sending;
      } else if (asking) {
        // A question stands as long as it can be answered.
        missed = true;
        if (!page.title.startsWith("Your move")) {
          missed = false;
          show(page, null);
          say("The table moved on, and your choice is no longer possible.");
        }
      } else {
        missed = false;
        show(page, null);
        say("");
      }
    } catch {
      say("The table has moved, but could not be fetched. Trying again…");
      setTimeout(() => renew(mark), 3000);
    } finally {
      fetching = false;
    }
    if (again) {
      again = false;
      renew("unknown");
    }
  }

  // Talk comes in beside what one is about to do.
  async function hear() {
    try {
      const page = await ask(address());
      const [fresh, said] = [page && page.getElementById("said"), document.getElementById("said")];
      if (!fresh || !said) return;
      const count = Math.max(fresh.children.length - said.children.length, 1);
      const mine = fresh.lastElementChild && fresh.lastElementChild.classList.contains("mine");
      said.replaceChildren(...fresh.childNodes);
      localTimes(said);
      const tab = document.getElementById("talk");
      if (!tab || tab.open || mine) return;
      const summary = tab.querySelector("summary");
      const tag = summary.querySelector(".tag") || summary.appendChild(Object.assign(document.createElement("span"), { className: "tag red" }));
      tag.textContent = `${(parseInt(tag.textContent, 10) || 0) + count} new`;
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
      lost ??= setTimeout(() => say("The connection is lost. Trying again; nothing you have done is lost."), gap);
      // Browsers connect again by themselves, unless somebody answered in place of the service.
      if (live.readyState !== EventSource.CLOSED) return;
      setTimeout(connect, pause * (1 + Math.random()));
      pause = Math.min(pause * 2, 30000);
    });
  }
  pause = 500;
  if (window.EventSource && table.dataset.live) {
    connect();
    addEventListener("pagehide", () => live.close());
    addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  }

  // It is your move: the icon says so in a row of tabs, and a quiet sound for those who want one.

  function markIcon() {
    const icon = document.querySelector("link[rel=icon]");
    if (!icon || !icon.dataset.turn) return;
    icon.dataset.calm ??= icon.href;
    icon.href = document.title.startsWith("Your move") ? icon.dataset.turn : icon.dataset.calm;
  }
  const store = { get sound() { try { return localStorage.getItem("sound") === "yes"; } catch { return false; } } };
  function chime() {
    if (!store.sound || !window.AudioContext) return;
    const audio = new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.06, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.6);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.6);
  }

  // What script alone can offer: the sound, and playing back what was missed.
  function prepare() {
    const about = table.querySelector("#about .tab-panel");
    if (about && !about.querySelector(".sound")) {
      const label = document.createElement("label");
      label.className = "sound";
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: store.sound });
      box.addEventListener("change", () => {
        try { localStorage.setItem("sound", box.checked ? "yes" : "no"); } catch { /* no storage, no sound */ }
        if (box.checked) chime();
      });
      label.append(box, " A quiet sound when it is my move");
      about.prepend(label);
    }
    const meanwhile = table.querySelector("#meanwhile");
    if (meanwhile && !meanwhile.querySelector("button")) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Play it back" });
      button.addEventListener("click", () => playBack(meanwhile, button));
      meanwhile.querySelector("ol").before(button);
    }
    if (table.dataset.within) bringIntoSight();
    const talk = table.querySelector("#talk");
    if (talk) talk.addEventListener("toggle", () => { if (talk.open) talk.querySelector("summary > .tag")?.remove(); });
  }

  // What a lesson asks for is not to be hidden behind its voice or the sheet at the bottom edge.
  function bringIntoSight() {
    const lit = table.querySelector(".picture [data-lit]");
    if (!lit) return;
    const [place, voice, sheet] = [lit, table.querySelector(".voice"), table.querySelector(".sheet")].map((part) => part.getBoundingClientRect());
    const lowest = sheet.left < place.right && sheet.top < innerHeight ? sheet.top : innerHeight;
    if (place.top < voice.bottom || place.bottom > lowest) lit.scrollIntoView({ block: "center", behavior: "instant" });
  }

  // Shows each missed move on the board, with its line, and comes back to the present.
  let playing = false;
  async function playBack(meanwhile, button) {
    if (playing) return;
    playing = true;
    button.disabled = true;
    const picture = table.querySelector(".picture");
    const now = [...picture.childNodes];
    try {
      for (const line of meanwhile.querySelectorAll("li")) {
        const answer = await fetch(line.dataset.step, { cache: "no-store" });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const then = page.querySelector(".picture");
        if (!then || !table.contains(picture)) break;
        line.classList.add("now");
        line.scrollIntoView({ block: "nearest" });
        picture.replaceChildren(...then.childNodes);
        await new Promise((done) => setTimeout(done, 1600));
        line.classList.remove("now");
      }
    } catch { /* the present is shown again */ }
    if (table.contains(picture)) picture.replaceChildren(...now);
    button.disabled = false;
    playing = false;
  }

  prepare();
  markIcon();
  if (table.querySelector("#confirm")) table.querySelector("#confirm").focus({ preventScroll: true });
}

// Looking back: a game played like a film from the step that is shown. Without this script its links leaf step by step.
const past = document.querySelector(".table-page.history");
if (past) {
  const speeds = [0.5, 1, 2, 4];
  let place = 1;
  try { place = Math.max(0, speeds.indexOf(Number(localStorage.getItem("replay-speed") || 1))); } catch { /* no storage, as it comes */ }
  let running = false;
  let timer = 0;
  const make = (name, words, act) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: name, textContent: words });
    button.addEventListener("click", act);
    return button;
  };
  const bar = document.createElement("div");
  bar.className = "replay";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Play the game back");
  const play = make("play", "▶ Play", () => (running ? stop() : start()));
  const slower = make("plain", "Slower", () => setSpeed(place - 1));
  const faster = make("plain", "Faster", () => setSpeed(place + 1));
  const told = document.createElement("output");
  bar.append(play, slower, told, faster);
  past.querySelector(".stepper").after(bar);

  const link = (rel) => past.querySelector(`.stepper a[rel~="${rel}"]`);

  function setSpeed(to) {
    place = Math.min(speeds.length - 1, Math.max(0, to));
    told.textContent = `${speeds[place]}×`;
    slower.disabled = place === 0;
    faster.disabled = place === speeds.length - 1;
    try { localStorage.setItem("replay-speed", speeds[place]); } catch { /* not remembered */ }
  }

  function start() {
    running = true;
    play.textContent = "❚❚ Pause";
    // From the end it begins anew.
    go(link("next") || link("first"));
  }

  function stop() {
    running = false;
    clearTimeout(timer);
    play.textContent = "▶ Play";
  }

  async function go(to) {
    if (!to) return stop();
    try {
      const answer = await fetch(to.href, { headers: { accept: "text/html" }, cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector(".table-page.history");
      if (!fresh) return stop();
      if (!running) return;
      put(fresh);
      document.title = page.title;
      history.replaceState(null, "", to.href);
      timer = setTimeout(() => go(link("next")), 1600 / speeds[place]);
    } catch { stop(); }
  }

  // The bar stays where it is, with whatever has the focus in it; tabs stay open.
  function put(fresh) {
    const focus = bar.contains(document.activeElement) ? document.activeElement : null;
    const open = past.querySelector("details.tab[open]");
    past.replaceChildren(...fresh.childNodes);
    past.querySelector(".stepper").after(bar);
    if (open) for (const tab of past.querySelectorAll("details.tab")) tab.open = tab.id === open.id;
    localTimes(past);
    if (focus) focus.focus({ preventScroll: true });
  }

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest && event.target.closest("input, select, textarea, button, summary, a")) return;
    if (event.key === " ") play.click();
    else if (event.key === "+") setSpeed(place + 1);
    else if (event.key === "-") setSpeed(place - 1);
    else return;
    event.preventDefault();
  });
  setSpeed(place);
}
