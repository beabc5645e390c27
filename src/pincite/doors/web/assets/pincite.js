// Better with this script, complete without it: every link and form works as a page of its own.
"use strict";

// Show how far long work is, and fetch again what changed: an open page stays true.
// Browsers allow six connections to a server: only pages that can be seen keep one open.
let events = null;

function listen() {
  if (!window.EventSource || events || document.hidden) return;
  events = new EventSource("/events");
  // Work may have ended between the making of the page and this.
  events.addEventListener("open", () => document.querySelectorAll("[data-work]").forEach(refresh));
  // Verdicts, too.
  events.addEventListener("version", (event) => {
    if (event.data === document.body.dataset.version) return;
    document.body.dataset.version = event.data;
    document.querySelectorAll("[data-live]").forEach(refresh);
  });
  events.addEventListener("work", (event) => showWork(JSON.parse(event.data)));
  events.addEventListener("changed", (event) => {
    const changed = JSON.parse(event.data);
    document.body.dataset.version = changed.version;
    for (const live of document.querySelectorAll("[data-live]")) {
      const wanted = live.dataset.live;
      if (!wanted || changed.is_everything || changed.documents.includes(wanted)) refresh(live);
    }
  });
}

function showWork(work) {
  const progress = document.getElementById("progress");
  if (progress) {
    progress.hidden = work.state !== "running";
    const share = work.total ? ` ${Math.floor((100 * work.done) / work.total)} %` : "";
    progress.textContent = work.title + share;
  }
  const shown = document.querySelector(`[data-work="${CSS.escape(work.id)}"]`);
  if (shown) refresh(shown);
}

function attend() {
  if (document.hidden) {
    events?.close();
    events = null;
  } else if (!events) {
    listen();
    document.querySelectorAll("[data-live], [data-work]").forEach(refresh);
  }
}

// Replace an element by the same one of the page as it is now; what the user types in is left alone. One look at a
// time: of two, the one that began first may be answered last.
const looking = new Map();

async function refresh(element) {
  const id = element.id;
  if (!id || element.contains(document.activeElement?.closest("input, textarea, select") ?? null)) return;
  if (looking.has(id)) {
    looking.set(id, true);
    return;
  }
  looking.set(id, false);
  try {
    await replaceElement(element);
  } finally {
    const isWantedAgain = looking.get(id);
    looking.delete(id);
    const shown = document.getElementById(id);
    if (isWantedAgain && shown) refresh(shown);
  }
}

async function replaceElement(element) {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(element.id);
  if (fresh && fresh.outerHTML !== element.outerHTML) {
    element.replaceWith(fresh);
    window.htmx?.process(fresh);
    document.dispatchEvent(new CustomEvent("pincite:refreshed", { detail: fresh }));
  }
}

document.addEventListener("visibilitychange", attend);
listen();
