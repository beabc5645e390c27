// Copies the citation, which is selected by hand without a script, and keeps the list of the queue open or closed.
"use strict";

function showCopying() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser does not allow copying";
  }
});
document.addEventListener("pincite:refreshed", showCopying);

let isQueueOpen = false;
document.addEventListener("toggle", (event) => {
  if (event.target.id === "queue" && event.target.isConnected) isQueueOpen = event.target.open;
}, true);
document.addEventListener("pincite:refreshed", (event) => {
  if (event.detail.id === "queue") event.detail.open = isQueueOpen;
});
showCopying();
