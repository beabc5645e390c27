// Copies a citation with one key; without this script it is selected and copied by hand.
"use strict";

document.documentElement.classList.add("scripted");

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) return;
  const field = button.parentElement.querySelector("input, textarea");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Selected";
  }
});
