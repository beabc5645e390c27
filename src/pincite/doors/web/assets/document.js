// The document page with script: a citation opens without a new page, is copied as it is written, and stays in view
// while the page is brought up to date.
"use strict";

(() => {
  let kept = null; // An element with an id near the top of the window, and where it is there.
  let focused = "";
  let loads = 0;
  let isListOpen = null; // What the reader made of the list of citations.

  const panel = () => document.getElementById("panel");
  const say = (text) => {
    const said = document.getElementById("said");
    if (said) said.textContent = text;
  };

  function showButtons() {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  }

  function setCurrent(mark) {
    for (const old of document.querySelectorAll("[data-item][aria-current]")) old.removeAttribute("aria-current");
    mark?.setAttribute("aria-current", "true");
  }

  // Show the evidence of a mark in the panel: that of the page that the link leads to.
  function openMark(mark) {
    setCurrent(mark);
    const load = ++loads;
    panel()?.setAttribute("aria-busy", "true");
    const loaded = fetchPanel(mark.href).then((fresh) => {
      if (load !== loads) return;
      if (!fresh) return location.assign(mark.href);
      panel()?.replaceWith(fresh);
      window.htmx?.process(fresh);
      history.replaceState(null, "", mark.href);
      showButtons();
      fresh.scrollTop = 0;
      say(`${mark.textContent}: ${mark.title}`);
    });
    window.pinciteReady = loaded;
  }

  async function fetchPanel(address) {
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (!answer.ok) return null;
      return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("panel");
    } catch {
      return null;
    }
  }

  document.addEventListener("pincite:item", (event) => openMark(event.detail));

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const listed = event.target.closest?.("a[data-opens]");
    const mark = listed ? document.getElementById(listed.dataset.opens) : event.target.closest?.("a[data-item]");
    if (mark) {
      event.preventDefault();
      if (listed) {
        mark.focus({ preventScroll: true });
        mark.scrollIntoView({ block: "center" });
      }
      openMark(mark);
    }
    const copy = event.target.closest?.("[data-copy]");
    if (copy) {
      navigator.clipboard?.writeText(copy.dataset.copy).then(
        () => say("The citation is copied."),
        () => say("The browser does not allow copying."),
      );
    }
  });

  // A selection with marks is copied with the citations as they are written.
  document.addEventListener("copy", (event) => {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || !event.clipboardData) return;
    const range = selection.getRangeAt(0);
    const around = range.commonAncestorContainer;
    const inside = (around instanceof Element ? around : around.parentElement)?.closest("[data-raw]");
    let text;
    if (inside) {
      if (selection.toString().trim() !== inside.textContent.trim()) return;
      text = inside.dataset.raw;
    } else {
      const holder = document.createElement("div");
      holder.append(range.cloneContents());
      const marks = holder.querySelectorAll("[data-raw]");
      if (!marks.length) return;
      for (const mark of marks) mark.replaceWith(mark.classList.contains("aside") ? "" : mark.dataset.raw);
      // Only what is on the page has lines.
      holder.className = "copied";
      document.body.append(holder);
      text = holder.innerText;
      holder.remove();
    }
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  });

  function keepPlace() {
    const marks = document.querySelectorAll("#text [id]");
    kept = null;
    for (const mark of marks) {
      const top = mark.getBoundingClientRect().top;
      if (top >= 0) {
        kept = { id: mark.id, top };
        break;
      }
    }
  }

  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      keepPlace();
    });
  }, { passive: true });
  document.addEventListener("focusin", (event) => (focused = event.target.id || ""));

  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.("#citations > details")) isListOpen = event.target.open;
  }, true);

  // pincite.js replaced a part of the page: put the reader back where they were.
  document.addEventListener("pincite:refreshed", (event) => {
    showButtons();
    const list = event.detail.querySelector(":scope > details");
    if (list && isListOpen !== null) list.open = isListOpen;
    if (event.detail.id !== "text") return;
    if (focused && document.activeElement === document.body) {
      document.getElementById(focused)?.focus({ preventScroll: true });
    }
    const mark = kept && document.getElementById(kept.id);
    if (mark && kept) scrollBy(0, mark.getBoundingClientRect().top - kept.top);
  });

  showButtons();
  keepPlace();
})();
