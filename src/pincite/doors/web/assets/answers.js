// Files can be dropped onto a part of the form; without this script they are chosen.
"use strict";

for (const area of document.querySelectorAll("[data-drop]")) {
  const input = area.querySelector(`input[type=file][name="${area.dataset.drop}"]`);
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  area.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    area.classList.add("dropping");
  });
  area.addEventListener("dragleave", (event) => {
    if (!area.contains(event.relatedTarget)) area.classList.remove("dropping");
  });
  area.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    area.classList.remove("dropping");
    const files = new DataTransfer();
    const most = input.multiple ? Infinity : 1;
    const added = [...event.dataTransfer.files];
    for (const file of input.multiple ? [...input.files, ...added] : added.slice(0, most)) files.items.add(file);
    input.files = files.files;
  });
}
