"use strict";
// The report of quality: tables sorted by a click on a heading, long tables cut, and the place in the
// contents. Text goes in as text, never as markup.

const all = (css, within = document) => [...within.querySelectorAll(css)];
const collator = new Intl.Collator("ko", { numeric: true });

// tables
const number = (text) => parseFloat(text.replaceAll(",", "").replace("−", "-"));

// how two cells stand: those without a value last either way
function order(a, b, numbers, sign) {
  const [left, right] = numbers ? [number(a), number(b)] : [a, b];
  const [none, nothing] = numbers ? [Number.isNaN(left), Number.isNaN(right)] : [a === "", b === ""];
  if (none || nothing) return none - nothing;
  return sign * (numbers ? left - right : collator.compare(left, right));
}

function sortBy(table, place, head) {
  const down = head.ariaSort === null ? head.classList.contains("number") : head.ariaSort === "ascending";
  all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
  head.ariaSort = down ? "descending" : "ascending";
  const text = (row) => row.cells[place].textContent;
  const rows = [...table.tBodies[0].rows].map((row) => [text(row), row]);
  rows.sort(([a], [b]) => order(a, b, head.classList.contains("number"), down ? -1 : 1));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

for (const table of all(".table table")) {
  if (table.tBodies[0].rows.length < 3) continue;
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    if (!head.textContent) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, place, head));
    head.append(button);
  });
}

for (const button of all("button.more")) {
  const table = button.parentElement.querySelector("table");
  button.addEventListener("click", () => {
    const cut = table.classList.toggle("cut");
    button.setAttribute("aria-expanded", String(!cut));
    if (cut) button.scrollIntoView({ block: "nearest" });
  });
}

// a table wider than its place is scrolled by keys too
const wide = new ResizeObserver((entries) => entries.forEach(({ target }) => hint(target.closest(".scroll"))));
function hint(view) {
  const over = view.scrollWidth > view.clientWidth + 2;
  view.classList.toggle("more", over && view.scrollLeft + view.clientWidth < view.scrollWidth - 2);
  if (over) view.tabIndex = 0;
  else view.removeAttribute("tabindex");
}
for (const view of all(".scroll")) {
  view.addEventListener("scroll", () => hint(view), { passive: true });
  wide.observe(view);
  wide.observe(view.firstElementChild);
}

const compared = document.getElementById("page-compared");
if (compared) compared.addEventListener("change", () => document.body.classList.toggle("alone", !compared.checked));

// paper shows what is folded
let folded = [];
addEventListener("beforeprint", () => {
  folded = all("details:not([open])");
  folded.forEach((one) => (one.open = true));
});
addEventListener("afterprint", () => folded.forEach((one) => (one.open = false)));

// contents: open beside the text, closed above it; the section that is read is marked
const contents = document.querySelector(".toc details") ?? document.createElement("details");
const narrow = matchMedia("(max-width: 900px)");
const fold = () => (contents.open = !narrow.matches);
narrow.addEventListener("change", fold);
fold();
const links = new Map(all(".toc a").map((link) => [document.getElementById(link.hash.slice(1)), link]));
for (const link of links.values()) link.addEventListener("click", () => narrow.matches && fold());

function mark() {
  const end = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const line = end ? innerHeight : 120;
  const passed = [...links.keys()].filter((section) => section.getBoundingClientRect().top < line);
  const current = links.get(passed.at(-1)) ?? null;
  for (const link of links.values()) link === current ? (link.ariaCurrent = "location") : link.removeAttribute("aria-current");
  if (current && contents.open && !narrow.matches) reveal(current);
}
function reveal(link) {
  const [view, own] = [contents.parentElement, link.getBoundingClientRect()];
  const { top, bottom } = view.getBoundingClientRect();
  if (own.top < top || own.bottom > bottom) view.scrollTop += own.top - top - view.clientHeight / 2;
}
let due = false;
addEventListener("scroll", () => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => ((due = false), mark()));
}, { passive: true });
mark();
