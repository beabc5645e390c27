// Keeps the focus, and what is folded, where a part of the page is replaced by what it is now.
"use strict";

(() => {
  let focused = null;
  const folds = new Map();

  document.addEventListener("focusin", (event) => {
    focused = event.target;
  });
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.id) folds.set(event.target.id, event.target.open);
    },
    true,
  );
  document.addEventListener("pincite:refreshed", (event) => {
    for (const details of event.detail.querySelectorAll("details[id]")) {
      if (folds.has(details.id)) details.open = folds.get(details.id);
    }
    if (!focused || focused.isConnected) return;
    const address = focused.getAttribute("href");
    const again = [...event.detail.querySelectorAll("a, button, summary")].find(
      (one) => one.getAttribute("href") === address && one.textContent === focused.textContent,
    );
    again?.focus({ preventScroll: true });
  });
})();
