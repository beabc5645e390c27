// Keys for pages that list citations.
//
// An element with data-key="f" is clicked by that key. j and k go through the elements with data-item, J and K through
// those of them with data-problem; the one that is reached has the focus and aria-current, and the event "pincite:item"
// tells the page. Beyond the last one the link with data-after is followed, before the first one that with data-before,
// and the page that it leads to goes on with its first or last. A page that has to load something before a key may act puts a promise into window.pinciteReady.
"use strict";

(() => {
  const GOES_ON = "pincite-goes-on";
  const dialog = document.getElementById("keys");
  const moves = { j: [1, "[data-item]"], k: [-1, "[data-item]"], J: [1, "[data-problem]"], K: [-1, "[data-problem]"] };

  function isTyping(target) {
    return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
  }

  // The next of the wanted elements, seen from the current one.
  function move(key) {
    const [step, wanted] = moves[key];
    const items = [...document.querySelectorAll("[data-item]")];
    const current = items.indexOf(document.querySelector("[data-item][aria-current]"));
    const start = current < 0 && step < 0 ? items.length : current;
    for (let at = start + step; at >= 0 && at < items.length; at += step) {
      if (items[at].matches(wanted)) return choose(items[at]);
    }
    const more = document.querySelector(step > 0 ? "a[data-after]" : "a[data-before]");
    if (more) {
      sessionStorage.setItem(GOES_ON, key);
      location.assign(more.href);
    }
  }

  function choose(item) {
    for (const old of document.querySelectorAll("[data-item][aria-current]")) old.removeAttribute("aria-current");
    item.setAttribute("aria-current", "true");
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "center" });
    document.dispatchEvent(new CustomEvent("pincite:item", { detail: item }));
  }

  document.addEventListener("keydown", async (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "?" && dialog) {
      event.preventDefault();
      dialog.showModal();
      return;
    }
    const own = `[data-key="${CSS.escape(event.key)}"]`;
    if (moves[event.key] && !document.querySelector(own)) {
      event.preventDefault();
      move(event.key);
    } else if (/^[a-zA-Z]$/.test(event.key)) {
      await window.pinciteReady;
      document.querySelector(own)?.click();
    }
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#show-keys, #keys [data-closes]");
    if (!dialog || !link) return;
    event.preventDefault();
    if (link.id) dialog.showModal();
    else dialog.close();
  });
  const goesOn = sessionStorage.getItem(GOES_ON);
  sessionStorage.removeItem(GOES_ON);
  if (moves[goesOn]) move(goesOn);
})();
