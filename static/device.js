// The house on this device: it opens without a network, and shows notices if its player wants them.
{
  // “as of Tuesday, 18:05”; a copy that is older than a week says the day.
  for (const time of document.querySelectorAll("time[data-weekday]")) {
    const at = new Date(time.dateTime);
    const clock = { hour: "2-digit", minute: "2-digit" };
    const day = Date.now() - at > 6 * 86400000 ? { day: "numeric", month: "long" } : { weekday: "long" };
    time.textContent = at.toLocaleString(undefined, { ...day, ...clock });
  }
  document.querySelector("a[data-again]")?.addEventListener("click", (event) => {
    event.preventDefault();
    location.reload();
  });

  // There is none without https, and none in some private windows: then pages need a network, and that is all.
  const worker = navigator.serviceWorker;
  worker?.register("/service-worker.js").catch(() => {});

  const devices = document.getElementById("devices");
  const form = devices?.querySelector("form[data-key]");
  const why = document.getElementById("devices-need");
  const say = (words) => { why.textContent = words; why.hidden = !words; };

  // The browser asks its push service, and its player.
  async function subscribe() {
    if (await Notification.requestPermission() !== "granted") {
      say("This browser does not let us show notices. You can allow it in the settings for this page.");
      return;
    }
    const { pushManager } = await worker.ready;
    // One that was made for another house, or with another key, is of no use.
    await (await pushManager.getSubscription())?.unsubscribe();
    const key = form.dataset.key;
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
    Object.entries({ endpoint, p256dh: keys.p256dh, auth: keys.auth }).forEach(([name, value]) => { form.elements[name].value = value; });
    form.submit();
  }

  if (form && worker && window.PushManager && window.Notification) {
    form.hidden = false;
    say("");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      subscribe().catch(() => say("This browser could not reach its push service. Please try again later."));
    });
  }
  // Turning notices off ends them in the browser as well; the form then goes its way.
  devices?.querySelector("form[data-here]")?.addEventListener("submit", async () => {
    const there = await worker?.getRegistration();
    await (await there?.pushManager?.getSubscription())?.unsubscribe();
  });
}
