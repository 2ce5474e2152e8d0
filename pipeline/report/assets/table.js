"use strict";
// A table of rows: sorted by a click on a heading, filtered by a function, a page at a time.
// All text goes in as text, never as markup.

const absent = (value) => value === null || value === undefined;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (key === "class") made.className = value;
    else if (!absent(value) && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children) if (!absent(child)) made.append(child);
  return made;
}

function number(value, digits = 3) {
  if (absent(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return value.toFixed(digits).replace("-", "−");
}

function compare(left, right) {
  if (absent(left) || absent(right)) return absent(left) - absent(right); // the empty ones last
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right), "ko", { numeric: true });
}

class Table {
  // columns: {key, title, help?, number?, value?(row), cell?(row), why?(row)}
  constructor(place, { columns, rows, sort = null, down = false, size = 25, flagged = () => false }) {
    Object.assign(this, { place, columns, rows, sort, down, size, flagged, start: 0 });
    this.keep = () => true;
    this.draw();
  }

  value(column, row) {
    return column.value ? column.value(row) : row[column.key];
  }

  filter(keep) {
    this.keep = keep;
    this.start = 0;
    this.draw();
  }

  order(key) {
    const column = this.columns.find((c) => c.key === key);
    this.down = this.sort === key ? !this.down : Boolean(column.number);
    this.sort = key;
    this.start = 0;
    this.draw();
  }

  shown() {
    const rows = this.rows.filter(this.keep);
    const column = this.columns.find((c) => c.key === this.sort);
    if (!column) return rows;
    const sign = this.down ? -1 : 1;
    return rows
      .map((row, place) => [this.value(column, row), place, row])
      .sort(([a, i], [b, j]) => (absent(a) || absent(b) ? compare(a, b) : sign * compare(a, b)) || i - j)
      .map(([, , row]) => row);
  }

  cell(column, row) {
    const value = this.value(column, row);
    const content = column.cell ? column.cell(row) : column.number ? number(value) : absent(value) ? "–" : String(value);
    const why = absent(value) && column.why ? column.why(row) : null;
    return element("td", { class: column.number ? "number" : "", title: why }, content);
  }

  head() {
    return element("tr", {}, ...this.columns.map((column) => {
      const state = this.sort === column.key ? (this.down ? "descending" : "ascending") : "none";
      const button = element("button", { type: "button", onclick: () => this.order(column.key) }, column.title);
      return element("th", { class: column.number ? "number" : "", "aria-sort": state, title: column.help, scope: "col" }, button);
    }));
  }

  draw() {
    const rows = this.shown();
    const page = rows.slice(this.start, this.start + this.size);
    const body = page.map((row) =>
      element("tr", { class: this.flagged(row) ? "flagged" : "" }, ...this.columns.map((c) => this.cell(c, row))));
    const none = element("tr", {}, element("td", { colspan: this.columns.length, class: "soft" }, "nothing fits these filters"));
    const made = element("table", {}, element("thead", {}, this.head()), element("tbody", {}, ...(body.length ? body : [none])));
    this.place.replaceChildren(element("div", { class: "scroll" }, made), this.pager(rows.length));
  }

  pager(total) {
    if (total <= this.size) return element("div", { class: "pager" }, `${total.toLocaleString("en")} rows`);
    const go = (start) => () => { this.start = start; this.draw(); };
    const end = Math.min(this.start + this.size, total);
    return element("div", { class: "pager" },
      element("button", { type: "button", disabled: this.start === 0, onclick: go(Math.max(0, this.start - this.size)) }, "back"),
      element("button", { type: "button", disabled: end >= total, onclick: go(this.start + this.size) }, "next"),
      `${(this.start + 1).toLocaleString("en")} to ${end.toLocaleString("en")} of ${total.toLocaleString("en")} rows`);
  }
}
