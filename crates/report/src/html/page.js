"use strict";
// Steps through the counterexamples: the current line, what has changed, every variable's value so far.
(() => {
  const data = document.getElementById("tours");
  if (!data) return;
  const tours = JSON.parse(data.textContent);
  const $ = (id) => document.getElementById(id);
  let tour = 0, at = 0;

  const lineOf = (stop) => stop.place && $(`f${stop.place.file}-${stop.place.line}`);

  // The variables after the first `count` stops: those of calls that have ended are gone.
  function values(count) {
    let known = new Map();
    for (const [i, stop] of tours[tour].slice(0, count).entries()) {
      for (const [key, known_] of [...known]) if (known_.depth > stop.depth) known.delete(key);
      for (const [name, value] of stop.sets) {
        known.set(`${stop.depth} ${stop.function} ${name}`, { depth: stop.depth, function: stop.function, name, value, since: i });
      }
    }
    return [...known.values()];
  }

  // The calls that are active at a stop, outermost first: what was last seen at each depth, as long as it goes on.
  function calls(index) {
    const stops = tours[tour], stack = [];
    for (const stop of stops.slice(0, index + 1)) {
      stack.length = Math.min(stack.length, stop.depth + 1);
      if (stop.function) stack[stop.depth] = stop.function;
    }
    const { depth, callers } = stops[index];
    return Array.from({ length: depth + 1 }, (_, i) => {
      const name = stack[i] ?? "…";
      return i > 0 && callers[i - 1] ? `${name} (called at ${callers[i - 1]})` : name;
    });
  }

  function cell(row, text) {
    row.insertCell().textContent = text;
  }

  function show(index, scroll = true) {
    const stops = tours[tour];
    at = Math.max(0, Math.min(index, stops.length - 1));
    const stop = stops[at];
    for (const old of document.querySelectorAll(".line.here, .line.visited")) {
      old.classList.remove("here", "visited");
      old.removeAttribute("aria-current");
      old.querySelector(".ghost")?.remove();
    }
    for (const earlier of stops.slice(0, at)) lineOf(earlier)?.classList.add("visited");
    const line = lineOf(stop);
    if (line) {
      line.classList.add("here");
      line.setAttribute("aria-current", "step");
      const ghost = document.createElement("span");
      ghost.className = "ghost";
      ghost.textContent = stop.text;
      line.append(ghost);
      line.closest("details")?.setAttribute("open", "");
      if (scroll) line.scrollIntoView({ block: "nearest" });
    }
    $("position").textContent = `step ${at + 1} of ${stops.length}`;
    const now = $("now");
    now.className = `now ${stop.kind}`;
    now.textContent = (stop.where ? `${stop.where}: ` : "") + stop.text;
    const active = calls(at);
    $("calls").textContent = active.some((name) => name !== "…") ? `Calls: ${active.join(" › ")}` : "";
    $("first").disabled = $("back").disabled = at === 0;
    $("next").disabled = $("last").disabled = at === stops.length - 1;
    const body = $("values").tBodies[0];
    body.replaceChildren();
    for (const known of values(at + 1)) {
      const row = body.insertRow();
      if (known.since === at) row.className = "changed";
      cell(row, known.name);
      cell(row, known.function ?? "");
      cell(row, known.value);
    }
    $("values").hidden = body.rows.length === 0;
    for (const list of document.querySelectorAll("ol.steps")) {
      list.hidden = Number(list.dataset.tour) !== tour;
      for (const [i, button] of [...list.querySelectorAll("button")].entries()) {
        const current = !list.hidden && i === at;
        if (current) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
        const box = button.closest("details");
        if (scroll && current && box.open && box.clientHeight > 0) button.scrollIntoView({ block: "nearest" });
      }
    }
    history.replaceState(null, "", `#step-${at + 1}`);
  }

  const keys = { ArrowRight: () => at + 1, ArrowLeft: () => at - 1, Home: () => 0, End: () => Infinity };
  document.addEventListener("keydown", (event) => {
    const move = keys[event.key];
    const typing = event.target.closest?.("input, select, textarea, .picture, .source:focus");
    if (!move || typing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(move());
  });
  $("first").addEventListener("click", () => show(0));
  $("back").addEventListener("click", () => show(at - 1));
  $("next").addEventListener("click", () => show(at + 1));
  $("last").addEventListener("click", () => show(Infinity));
  for (const list of document.querySelectorAll("ol.steps")) {
    for (const [i, button] of [...list.querySelectorAll("button")].entries()) {
      button.addEventListener("click", () => { tour = Number(list.dataset.tour); show(i); });
    }
  }
  $("tour")?.addEventListener("change", (event) => { tour = Number(event.target.value); show(0); });
  $("stepper").hidden = false;
  if (matchMedia("(max-width: 60rem)").matches) $("list").open = false;
  const linked = /^#step-(\d+)$/.exec(location.hash);
  show(linked ? Number(linked[1]) - 1 : 0, linked !== null);
})();
