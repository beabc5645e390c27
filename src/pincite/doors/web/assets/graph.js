// Zooms the drawing by its viewBox. Without this script it scrolls, and links change its size.
"use strict";

(() => {
  const canvas = document.getElementById("graph");
  const drawing = canvas?.querySelector("svg.drawing");
  if (!drawing) return;
  const whole = drawing.viewBox.baseVal;
  const full = { width: whole.width, height: whole.height };
  const SMALLEST = 80; // Units across at the largest size.

  function limit(value, low, high) {
    return Math.min(Math.max(value, low), Math.max(low, high));
  }

  function show(x, y, width) {
    const box = canvas.getBoundingClientRect();
    const most = Math.max(full.width, (full.height * box.width) / box.height);
    width = limit(width, SMALLEST, most);
    const height = (width * box.height) / box.width;
    whole.x = limit(x, Math.min(0, full.width - width), Math.max(0, full.width - width));
    whole.y = limit(y, Math.min(0, full.height - height), Math.max(0, full.height - height));
    whole.width = width;
    whole.height = height;
  }

  // Around a point of the canvas, given as shares of its width and height.
  function zoom(factor, across = 0.5, down = 0.5) {
    const width = whole.width * factor;
    show(whole.x + (whole.width - width) * across, whole.y + (whole.height - whole.height * factor) * down, width);
  }

  const actions = {
    in: () => zoom(1 / 1.5),
    out: () => zoom(1.5),
    all: () => show(0, 0, Infinity),
  };
  const keys = {
    "+": actions.in,
    "=": actions.in,
    "-": actions.out,
    0: actions.all,
    ArrowLeft: () => show(whole.x - whole.width / 8, whole.y, whole.width),
    ArrowRight: () => show(whole.x + whole.width / 8, whole.y, whole.width),
    ArrowUp: () => show(whole.x, whole.y - whole.height / 8, whole.width),
    ArrowDown: () => show(whole.x, whole.y + whole.height / 8, whole.width),
  };

  canvas.classList.add("zoomable");
  drawing.setAttribute("preserveAspectRatio", "xMinYMin meet");
  show(0, 0, canvas.clientWidth);
  for (const link of document.querySelectorAll("[data-size]")) link.hidden = true;
  for (const help of document.querySelectorAll("[data-zoom-help]")) help.hidden = false;
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.hidden = false;
    button.addEventListener("click", actions[button.dataset.zoom]);
  }
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  // The wheel alone scrolls the page, as everywhere, unless the drawing has the focus.
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    },
    { passive: false },
  );
  // A link that is reached by Tab comes into sight.
  drawing.addEventListener("focusin", (event) => {
    const node = event.target.querySelector?.("svg.node");
    if (!node || !event.target.matches(":focus-visible")) return;
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => node[name].baseVal.value);
    const left = x < whole.x ? x : x + width > whole.x + whole.width ? x + width - whole.width : whole.x;
    const top = y < whole.y ? y : y + height > whole.y + whole.height ? y + height - whole.height : whole.y;
    canvas.scrollTo(0, 0);
    show(left, top, whole.width);
  });

  let drag = null;
  drawing.addEventListener("pointerdown", (event) => {
    if (event.button === 0) drag = { x: event.clientX, y: event.clientY, left: whole.x, top: whole.y, moved: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const scale = whole.width / canvas.clientWidth;
    const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.moved ||= Math.abs(across) + Math.abs(down) > 4;
    if (drag.moved) show(drag.left - across * scale, drag.top - down * scale, whole.width);
  });
  window.addEventListener("pointerup", () => {
    const moved = drag?.moved;
    drag = null;
    if (!moved) return;
    // The click that ends a drag follows no link; where the drag ended elsewhere, none comes.
    const refuse = (event) => event.preventDefault();
    drawing.addEventListener("click", refuse, true);
    setTimeout(() => drawing.removeEventListener("click", refuse, true));
  });
  // The browser took the finger's movement for itself, to scroll the page.
  window.addEventListener("pointercancel", () => {
    drag = null;
  });
  drawing.addEventListener("dragstart", (event) => event.preventDefault());
})();
