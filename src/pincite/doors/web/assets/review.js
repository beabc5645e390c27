// Copies the citation; without a script it is selected by hand.
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
showCopying();
