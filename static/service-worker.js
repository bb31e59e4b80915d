// What the browser does for the house when no page is open, or no network there: it shows the desk as last seen, and notices. Of pages
// it keeps that one copy, which holds nothing of a game but its name, its players and whose move it is; signing out ends it.
"use strict";

const assets = [/* assets */];
const kept = "assets {version}";
const desk = "desk";
const copy = "/desk/offline";
const offline = "/offline";

// A copy of the desk that is older than this is renewed with the next page.
const stale = 30000;
let renewed = 0;

// Counts the times that the copy was dropped: what was asked for before is not kept after.
let dropped = 0;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keepAssets());
});

async function keepAssets() {
  const cache = await caches.open(kept);
  await cache.addAll(assets);
  // The same for everybody.
  await cache.put(offline, await fetch(offline, { credentials: "omit" }));
}

addEventListener("activate", (event) => event.waitUntil(begin()));

async function begin() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== kept && name !== desk).map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
  await renewDesk();
}

async function renewDesk() {
  renewed = Date.now();
  const before = dropped;
  try {
    const answer = await fetch(copy, { cache: "no-store" });
    // 204: nobody is signed in here any more.
    if (answer.status === 204) return await dropDesk();
    if (answer.status !== 200 || answer.redirected) return;
    const cache = await caches.open(desk);
    if (before === dropped) await cache.put(copy, answer);
  } catch { /* no network: the copy stays */ }
}

async function dropDesk() {
  dropped += 1;
  renewed = 0;
  await caches.delete(desk);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode !== "navigate") {
    if (assets.includes(pathname)) event.respondWith(asset(request));
  } else if (request.method === "GET") {
    event.respondWith(page(event, pathname));
  } else if (pathname.startsWith("/sign-out") || pathname === "/me/delete") {
    event.waitUntil(dropDesk());
  }
});

async function asset(request) {
  const cache = await caches.open(kept);
  return (await cache.match(request.url)) ?? fetch(request);
}

async function page(event, pathname) {
  try {
    const answer = (await event.preloadResponse) || (await fetch(event.request));
    event.waitUntil(afterPage(pathname));
    return answer;
  } catch {
    return (pathname === "/" && (await deskCopy())) || (await offlinePage());
  }
}

async function deskCopy() {
  return (await caches.open(desk)).match(copy);
}

async function offlinePage() {
  const page = await (await caches.open(kept)).match(offline);
  return page ?? Response.error();
}

async function afterPage(pathname) {
  for (const notice of await registration.getNotifications({ tag: pathname })) notice.close();
  if (pathname === "/" || Date.now() - renewed > stale) await renewDesk();
}

addEventListener("push", (event) => {
  const { title, body, path } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body, tag: path, icon: "{icon}", data: { path } }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

async function open(path) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((window) => new URL(window.url).pathname === path);
  return there ? there.focus() : clients.openWindow(path);
}
