// Copies citations, and keeps the address of a page that searches while one types; both work by hand, too.
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

// The address names what is shown, so that it can be kept, sent and loaded again.
document.addEventListener("htmx:after:swap", () => {
  const form = document.querySelector("form[role=search]");
  if (!form) return;
  const fields = [...new FormData(form)].filter(([, value]) => value);
  const query = new URLSearchParams(fields).toString();
  history.replaceState(null, "", form.getAttribute("action") + (query ? `?${query}` : ""));
});
