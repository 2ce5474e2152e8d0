"use strict";
// A table of rows: sorted by a click on a heading, filtered by a function, a page at a time.
// All text goes in as text, never as markup. Whatever is to be shown elsewhere in the page is asked
// for by an event "show" of the document, whose detail is a request such as {annotator: "07"}.

// Texts are written by t(), in the language of the page; an event "language" draws them again.

const absent = (value) => value === null || value === undefined;
const data = (id) => JSON.parse(document.getElementById(id).textContent);
const ask = (request) => document.dispatchEvent(new CustomEvent("show", { detail: request }));
const written_in = data("page-words");
const collator = new Intl.Collator("ko", { numeric: true });
const groups = new Intl.NumberFormat("en");
// paper turns no page: so many rows of a table are printed, from the first on
const PRINTED = 200;

// a text in the language of the page, with values in the places of their names
function t(text, values = {}) {
  const own = document.documentElement.lang === "ko" ? (written_in.texts[text] ?? text) : text;
  return own.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (key === "class") made.className = value;
    else if (!absent(value) && value !== false && value !== "") made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children) if (!absent(child)) made.append(child);
  return made;
}

function written(value, form) {
  if (absent(value)) return "–";
  if (typeof value !== "number") return String(value);
  if (form === "share") return `${(100 * value).toFixed(1)} %`;
  if (form === "count") return groups.format(value);
  if (form !== "number") return String(value);
  return value.toFixed(3).replace("-", "−");
}

function compare(left, right) {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return collator.compare(String(left), String(right));
}

const kind = (column) => (column.form === "text" ? "" : column.form === "line" ? "line" : "number");
const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
const asked = (request, text) =>
  element("button", { class: "link", type: "button", title: text.length > 80 ? text : null, onclick: () => ask(request) },
    text === "" ? t("(empty)") : short(text, 80));

class Table {
  // columns: {title, help, form, value(row), cell(row)?, why(row)?}; sort: index of a column or null
  constructor(place, { columns, rows, size = 25, sort = null, down = false, marked = () => false, note = "", none = "There is nothing to show.", name = "" }) {
    Object.assign(this, { place, rows, size, sort, down, marked, note, none, name, start: 0, keep: null, printed: false });
    this.body = element("tbody");
    this.heading = element("thead");
    this.foot = element("div", { class: "pager" });
    this.back = element("button", { type: "button", onclick: () => this.turn(-this.size) });
    this.next = element("button", { type: "button", onclick: () => this.turn(this.size) });
    this.told = element("span", { role: "status" });
    this.foot.append(this.back, this.next, this.told);
    this.help = element("details", { class: "help" });
    const made = element("table", {}, this.heading, this.body);
    const view = element("div", { class: "scroll", tabindex: "0", role: "region" }, made);
    this.view = view;
    this.remark = element("p", { class: "note" });
    const hint = () => view.classList.toggle("more", view.scrollLeft + view.clientWidth < view.scrollWidth - 2);
    view.addEventListener("scroll", hint);
    new ResizeObserver(hint).observe(made);
    new ResizeObserver(hint).observe(view);
    place.replaceChildren(view, this.foot, ...(note ? [this.remark] : []), this.help);
    this.speak(columns);
    document.addEventListener("language", () => this.speak(this.columns));
    const print = (on) => () => {
      this.printed = on;
      this.draw();
    };
    addEventListener("beforeprint", print(true));
    addEventListener("afterprint", print(false));
  }

  speak(columns) {
    let heading = this.place.previousElementSibling;
    while (heading && !heading.matches("h2, h3")) heading = heading.previousElementSibling;
    heading ??= this.place.closest("section").querySelector("h2");
    this.view.setAttribute("aria-label", heading.innerText);
    this.back.textContent = t("back");
    this.next.textContent = t("next");
    this.remark.textContent = t(this.note);
    this.head(columns);
    this.draw();
  }

  head(columns) {
    this.columns = columns;
    this.buttons = columns.map((column, i) => element("button", { type: "button", onclick: () => this.order(i) }, t(column.title)));
    this.cells = columns.map((column, i) =>
      element("th", { class: kind(column), title: t(column.help ?? ""), scope: "col" }, this.buttons[i]));
    this.heading.replaceChildren(element("tr", {}, ...this.cells));
    const told = columns.filter((column) => column.help);
    this.help.hidden = told.length === 0;
    this.help.replaceChildren(element("summary", {}, t("What the headings say")),
      element("dl", {}, ...told.flatMap((column) => [element("dt", {}, t(column.title)), element("dd", {}, t(column.help))])));
  }

  order(place, down = null) {
    this.down = down ?? (this.sort === place ? !this.down : kind(this.columns[place]) === "number");
    this.sort = place;
    this.start = 0;
    this.draw();
  }

  filter(keep) {
    this.keep = keep;
    this.start = 0;
    this.draw();
  }

  turn(by) {
    this.start = Math.max(0, this.start + by);
    this.draw();
  }

  // the rows that fit the filter, in order; those without a value stand last either way
  shown() {
    const rows = this.keep ? this.rows.filter(this.keep) : this.rows;
    if (absent(this.sort)) return rows;
    const sign = this.down ? -1 : 1;
    const value = this.columns[this.sort].value;
    return rows
      .map((row, place) => [value(row), place, row])
      .sort(([a, i], [b, j]) => absent(a) - absent(b) || (absent(a) ? 0 : sign * compare(a, b)) || i - j)
      .map(([, , row]) => row);
  }

  draw() {
    const rows = this.shown();
    const start = this.printed ? 0 : this.start;
    const size = this.printed ? PRINTED : this.size;
    const page = rows.slice(start, start + size);
    const made = page.map((row) =>
      element("tr", { class: this.marked(row) ? "marked" : "" }, ...this.columns.map((column) => this.cell(column, row))));
    const text = this.rows.length ? t("Nothing fits these filters.") : t(this.none);
    if (!made.length) made.push(element("tr", {}, element("td", { colspan: this.columns.length, class: "soft" }, text)));
    this.body.replaceChildren(...made);
    this.cells.forEach((cell, i) =>
      cell.setAttribute("aria-sort", this.sort === i ? (this.down ? "descending" : "ascending") : "none"));
    this.page(rows.length, start, size);
  }

  cell(column, row) {
    const value = column.value(row);
    const content = column.cell ? column.cell(row) : written(value, column.form);
    const why = column.why ? t(column.why(row) ?? "") : null;
    const prose = typeof content === "string" && content.length > 40 ? " prose" : "";
    return element("td", { class: kind(column) + prose, title: why }, content);
  }

  page(total, start, size) {
    const end = Math.min(start + size, total);
    const paged = total > size;
    this.back.hidden = this.next.hidden = !paged;
    this.back.disabled = start === 0;
    this.next.disabled = end >= total;
    const n = groups.format(total);
    this.foot.hidden = this.rows.length <= 10;
    this.told.textContent = paged
      ? t("{first} to {last} of {n} rows", { first: groups.format(start + 1), last: groups.format(end), n })
      : total === 1 ? t("1 row") : t("{n} rows", { n });
  }
}

// Tables that come whole from the page: cells are values, or objects with a value.
function drawTables(id) {
  const value = (cell) => (cell !== null && typeof cell === "object" ? cell.value : cell);
  const made = new Map();
  for (const [name, spec] of Object.entries(data(id))) {
    const place = document.getElementById("table-" + name);
    if (!place) continue;
    const marked = new Set(spec.marked.map((i) => spec.rows[i]));
    const columns = spec.columns.map((column, i) => ({
      ...column, value: (row) => value(row[i]), cell: (row) => wholeCell(row[i], column),
      why: (row) => (row[i] !== null && typeof row[i] === "object" ? row[i].why : null),
    }));
    made.set(name, new Table(place, { ...spec, columns, marked: (row) => marked.has(row) }));
  }
  return made;
}

function wholeCell(cell, { form, title }) {
  const say = (text) => (written_in.data.includes(title) ? text : t(text));
  if (cell === null && form === "text") return "";
  if (cell === null || typeof cell !== "object") return say(written(cell, form));
  if (cell.lines) return element("div", { class: "lines" }, ...cell.lines.map((line) => element("span", {}, t(line))));
  const text = cell.text ?? (form === "text" && absent(cell.value) && !cell.why ? "" : written(cell.value, form));
  return cell.show ? asked(cell.show, text) : say(text);
}
