// A PDF that is dropped on the form is chosen in its field and sent; without this script it is chosen by hand.
"use strict";

for (const form of document.querySelectorAll("form.drop")) {
  const field = form.querySelector('input[type="file"]');
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (!event.dataTransfer || event.dataTransfer.files.length === 0) return;
    field.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
