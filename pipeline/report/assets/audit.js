"use strict";
// The audit page: everything is drawn from the one record in the page.

const record = JSON.parse(document.getElementById("record").textContent);
const figures = JSON.parse(document.getElementById("figures").textContent);
const at = (id) => document.getElementById(id);
const reason = (key) => (row) => (row.reasons && row.reasons[key]) || "not defined here";
const numeric = (key, title, help) => ({ key, title, help, number: true, why: reason(key) });

function draw() {
  for (const [id, figure] of Object.entries(figures)) {
    if (at(id)) Plotly.newPlot(at(id), figure.data, figure.layout, { displayModeBar: false, responsive: true });
  }
}

function interval(row) {
  return absent(row.low) ? (absent(row.value) ? "" : "no interval") : `${number(row.low)} to ${number(row.high)}`;
}

function coefficients() {
  const rows = Object.entries(record.coefficients).map(([name, one]) => ({ name, ...one }));
  rows.sort((a, b) => absent(a.value) - absent(b.value));
  new Table(at("coefficients-table"), {
    rows, size: 50, columns: [
      { key: "name", title: "coefficient" }, numeric("value", "value", "1 is perfect, 0 is chance"),
      { key: "interval", title: "95 % interval", value: (row) => row.low, cell: interval },
      { key: "n", title: "units", number: true },
      { key: "reason", title: "remarks", cell: (row) => row.reason || "" },
    ],
  });
}

function annotators() {
  const place = at("annotators-table");
  if (!place) return;
  const rows = Object.entries(record.per_annotator).map(([id, one]) => ({ id, ...one }));
  const optional = [
    numeric("agreement_with_majority", "with majority", "share of answers equal to the majority of the others"),
    numeric("pearson_vs_rest", "Pearson", "with the mean of the others on shared items"),
    numeric("spearman_vs_rest", "Spearman", "with the mean of the others on shared items"),
    numeric("alpha_vs_rest", "alpha", "this annotator against the others on shared items"),
    numeric("alpha_change", "alpha without − alpha", "above 0: the pool agrees better without"),
    numeric("bias", "bias", "mean difference to the mean of the others"),
    numeric("severity", "severity", "the bias in robust standard deviations over annotators"),
    numeric("spread", "spread", "of own answers"), numeric("seconds_median", "seconds", "median time an answer"),
    { key: "drift", title: "drift", number: true, help: "late minus early agreement",
      value: (row) => (row.drift && !absent(row.drift.late) ? row.drift.late - row.drift.early : null), why: reason("drift") },
  ].filter((column) => rows.some((row) => !absent(column.value ? column.value(row) : row[column.key])));
  new Table(place, {
    rows, size: 30, sort: "flags", down: true, flagged: (row) => row.flags.length > 0,
    columns: [
      { key: "id", title: "annotator", cell: (row) => element("button", { class: "linklike", type: "button", title: "show the items of this annotator", onclick: () => show({ annotator: row.id }) }, row.id) },
      { key: "flags", title: "what is odd", value: (row) => row.flags.length,
        cell: (row) => element("div", { class: "flags" }, ...row.flags.map((flag) => element("span", { class: "flag" }, flag.text))) },
      { key: "votes", title: "votes", number: true }, ...optional,
    ],
  });
}

function facts() {
  const rows = Object.entries(record.facts).filter(([, value]) => typeof value === "number");
  plain([{ key: "name", title: "share" }, numeric("value", "value")])(
    "facts-table", rows.map(([name, value]) => ({ name: name.replaceAll("_", " "), value })), null);
}

const plain = (columns) => (id, rows, sort, down = true) => at(id) && new Table(at(id), { rows, columns, sort, down, size: 30 });

function groups() {
  const lead = (row) => row.coefficients && row.coefficients[record.lead];
  plain([
    { key: "source", title: "source", cell: (row) => element("button", { class: "linklike", type: "button", onclick: () => show({ source: row.source }) }, row.source) },
    { key: "items", title: "items", number: true }, { key: "votes", title: "votes", number: true },
    { key: "lead", title: record.lead || "agreement", number: true, value: (row) => lead(row) && lead(row).value, why: (row) => (lead(row) || {}).reason },
    { key: "ci", title: "95 % interval", value: (row) => lead(row) && lead(row).low, cell: (row) => (lead(row) ? interval(lead(row)) : "") },
    numeric("unanimous", "unanimous", "share of items with one answer only"),
  ])("sources-table", Object.entries(record.per_source).map(([source, one]) => ({ source, ...one })), "items");
  plain([
    { key: "label", title: "label", cell: (row) => element("button", { class: "linklike", type: "button", onclick: () => show({ label: row.label }) }, row.label) },
    { key: "votes", title: "votes", number: true }, numeric("share", "share"),
    { key: "agreement", title: "specific agreement", number: true, help: "how often a second annotator gives this label where one did",
      value: (row) => (typeof row.agreement === "object" && row.agreement ? row.agreement.value : row.agreement),
      why: (row) => row.reason || (row.agreement || {}).reason },
  ])("labels-table", Object.entries(record.per_label).map(([label, one]) => ({ label, ...one })), "votes");
  const confusion = record.confusion && record.confusion.top;
  if (confusion) plain([
    { key: "a", title: "one says" }, { key: "b", title: "another says" },
    { key: "n", title: "pairs of votes", number: true, help: "weighted so that an item counts as often as its votes" }, numeric("share", "share of all disagreement"),
  ])("confusion-table", confusion, "n");
}

// items
let items = null;
const filters = ["annotator", "label", "source", "above", "find"];

function votes(row) {
  const shown = row.values.map((value, i) => element("span", { class: "vote" + (!absent(row.majority) && String(value) !== String(row.majority) ? " minority" : "") },
    absent(row.by[i]) ? null : element("small", {}, row.by[i]), String(value)));
  const reports = Object.entries(row.reports || {}).map(([name, n]) => element("span", { class: "vote minority" }, `reported: ${name} ${n}×`));
  return element("div", {}, ...shown, ...reports);
}

function itemTable() {
  const rows = record.per_item;
  const has = (key) => rows.some((row) => !absent(row[key]));
  items = new Table(at("items-table"), {
    rows, sort: "disagreement", down: true, size: 25,
    columns: [
      { key: "item", title: "item" }, ...(has("source") ? [{ key: "source", title: "source" }] : []),
      ...(has("text") ? [{ key: "text", title: "text", cell: (row) => element("div", { class: "text" }, row.text || "") }] : []),
      { key: "values", title: "votes", value: (row) => row.values.join(" "), cell: votes },
      { key: "majority", title: "majority", cell: (row) => (absent(row.majority) ? "tie" : String(row.majority)) },
      numeric("disagreement", "disagreement", "0: all say the same"), numeric("entropy", "entropy (bits)"),
      ...(has("deviation") ? [numeric("deviation", "deviation", "standard deviation of the votes")] : []),
    ],
  });
}

function apply() {
  const wanted = Object.fromEntries(filters.map((name) => [name, at("filter-" + name).value]));
  const least = wanted.above === "" ? -1 : Number(wanted.above);
  const text = wanted.find.trim().toLowerCase();
  items.filter((row) =>
    (!wanted.annotator || row.by.includes(wanted.annotator)) &&
    (!wanted.label || row.values.some((value) => String(value) === wanted.label)) &&
    (!wanted.source || row.source === wanted.source) && (row.disagreement ?? 0) >= least &&
    (!text || `${row.item} ${row.text || ""}`.toLowerCase().includes(text)));
}

function show(wanted) {
  for (const name of filters) at("filter-" + name).value = wanted[name] ?? "";
  apply();
  at("items").scrollIntoView();
}

function fill(name, values) {
  at("filter-" + name).append(...values.map((value) => element("option", { value }, value)));
}

function search() {
  const sorted = (values) => [...new Set(values)].filter((v) => !absent(v)).map(String).sort(compare);
  fill("annotator", sorted(record.per_item.flatMap((row) => row.by)));
  fill("label", sorted(record.per_item.flatMap((row) => row.values)));
  fill("source", sorted(record.per_item.map((row) => row.source)));
  for (const name of filters) at("filter-" + name).addEventListener("input", apply);
  at("filter-none").addEventListener("click", () => show({}));
  for (const button of document.querySelectorAll("[data-show]"))
    button.addEventListener("click", () => show(JSON.parse(button.dataset.show)));
}

coefficients();
facts();
annotators();
groups();
itemTable();
search();
draw();
