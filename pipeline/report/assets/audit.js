"use strict";
// The items of an audit: decoded from codes, filtered, and shown with who said what.

const found = data("items-data");
const at = (id) => document.getElementById(id);
const names = ["annotator", "label", "other", "source", "above", "only", "find"];
const wholes = found.kind === "spans" || found.kind === "tree";
const scores = found.kind === "number";
const states = found.kind === "states"; // their answers are told by their size: equal texts may differ

const rows = found.rows.map(([item, source, values, by, majority, disagreement, entropy, deviation, reports, seats, text, reason, exact]) => ({
  item, values, by: by || [], seats: seats || [], majority: majority ?? -1, disagreement, entropy: entropy || 0,
  source: source >= 0 ? found.sources[source] : null, deviation: deviation || 0, reports: Object.entries(reports || {}),
  text: text || "", reason: reason || "", exact: Boolean(exact),
}));
const answer = (code) => found.answers[code];
const parts = (code) => (answer(code) === "no span" ? [] : answer(code).split(", "));

// how far two answers are apart: points on a scale; else from 0, equal, to 1
function distance(left, right) {
  if (scores) return Math.abs(Number(answer(left)) - Number(answer(right)));
  if (left === right || !wholes) return left === right ? 0 : 1;
  const [a, b] = [parts(left), parts(right)];
  if (found.kind === "tree") return a.filter((part, i) => part !== b[i]).length / Math.max(a.length, b.length);
  return 1 - (2 * a.filter((part) => b.includes(part)).length) / (a.length + b.length);
}

// how far one answer of a row is from the others: from their mean on a scale, else on average
function apart(row, place) {
  if (states) return null;
  const others = row.values.filter((_, i) => i !== place);
  if (!others.length) return null;
  if (scores) return Math.abs(Number(answer(row.values[place])) - others.reduce((sum, code) => sum + Number(answer(code)), 0) / others.length);
  return others.reduce((sum, code) => sum + distance(row.values[place], code), 0) / others.length;
}

function stands(row, place) {
  if (scores) return row.deviation > 0 && apart(row, place) >= 1.75 * row.deviation;
  return found.kind === "category" && row.majority >= 0 && row.values[place] !== row.majority;
}

// votes
function vote(row, place, same, chosen) {
  const code = row.values[place];
  const who = row.by[place] >= 0 ? found.people[row.by[place]] : row.seats.length ? found.seats[row.seats[place]] : null;
  const own = chosen >= 0 && row.by[place] === chosen;
  const said = wholes ? differing(row, code, same) : answer(code) === "" ? t("(empty)") : answer(code);
  return element("span", { class: "vote" + (stands(row, place) ? " apart" : "") + (own ? " own" : ""), title: absent(who) ? null : `${who}: ${said}` },
    absent(who) ? null : element("small", {}, short(who, 24)), " ", wholes ? said : short(said, 120));
}

// of a whole answer only what not everybody says
function differing(row, code, same) {
  const own = parts(code);
  const tree = found.kind === "tree";
  const words = tree && row.exact ? row.text.split(/\s+/u).filter(Boolean) : [];
  const letters = !tree && row.exact ? [...row.text] : [];
  const told = own.map((part, i) => (tree ? arc(part, i, words.length === own.length ? words : []) : span(part, letters)));
  const kept = told.filter((_, i) => !same.has(tree ? i : own[i]));
  if (!kept.length) return same.size ? t("{n} the same as all", { n: same.size }) : t("nothing");
  return kept.join(", ") + (same.size ? t(", and {n} as all", { n: same.size }) : "");
}

function arc(part, i, words) {
  const [, head, name] = /^(\d+) (.*)$/su.exec(part) ?? [null, "?", part];
  const word = (n) => (words.length && n > 0 ? `${n} ${words[n - 1]}` : n > 0 ? `${n}` : "root");
  return `${word(i + 1)} → ${word(Number(head))} ${name}`;
}

function span(part, letters) {
  const [, start, end, name] = /^(\d+)-(\d+) (.*)$/su.exec(part) ?? [];
  return letters.length && name !== undefined ? `“${letters.slice(Number(start), Number(end)).join("")}” ${name}` : part;
}

function common(row) {
  if (!wholes || !row.values.length) return new Set();
  const [first, ...rest] = row.values.map(parts);
  const kept = first.map((part, i) => [found.kind === "tree" ? i : part, rest.every((own) => (found.kind === "tree" ? own[i] === part : own.includes(part)))]);
  return new Set(kept.filter(([, all]) => all).map(([part]) => part));
}

function votes(row, chosen) {
  if (wholes && row.values.length > 1 && new Set(row.values).size === 1)
    return element("div", { class: "votes" }, element("span", { class: "vote" }, t("all {n} the same: {parts} parts", { n: row.values.length, parts: parts(row.values[0]).length })), ...reported(row));
  const same = row.values.length > 1 ? common(row) : new Set();
  return element("div", { class: wholes ? "votes stack" : "votes" }, ...row.values.flatMap((_, i) => [vote(row, i, same, chosen), " "]), ...reported(row));
}

const reported = (row) => row.reports.map(([name, n]) => element("span", { class: "vote apart" }, t("reported: {name} {n}×", { name, n })));

function text(row) {
  if (row.text.length <= 220) return element("div", { class: "text" }, row.text);
  const made = element("div", { class: "text cut" }, row.text);
  const more = element("button", { class: "link", type: "button", "aria-expanded": "false", onclick: () => {
    const open = !made.classList.toggle("cut");
    more.textContent = open ? t("less") : t("more");
    more.setAttribute("aria-expanded", String(open));
  } }, t("more"));
  return element("div", {}, made, more);
}

// table
const mean = (row) => (row.values.length ? row.values.reduce((sum, code) => sum + Number(answer(code)), 0) / row.values.length : null);
const majority = (row) => (row.majority >= 0 ? answer(row.majority) : row.values.length > 1 ? t("none (tie)") : null);

function columns(chosen) {
  const any = (test) => rows.some(test);
  const own = (row) => apart(row, row.by.indexOf(chosen));
  return [
    { title: "item", help: "its id", form: "text", value: (row) => row.item },
    any((row) => row.source !== null) && { title: "source", help: "where it came from", form: "text", value: (row) => row.source },
    any((row) => row.text) && { title: "text", help: "what annotators saw, personal data masked", form: "text", value: (row) => row.text, cell: text },
    { title: wholes || states ? "answers" : "votes", form: "text", value: (row) => row.values.map(answer).join(" "), cell: (row) => votes(row, chosen),
      help: wholes ? "what not everybody says" : states ? "how much each tracked" : scores ? "each answer; far from the others: in colour" : "each answer; other than the most frequent one: in colour" },
    chosen >= 0 && !states && { title: "apart", help: scores ? "points from this annotator to the mean of the others" : "share in which this annotator differs from the others", form: "number", value: own },
    scores && { title: "mean", help: "of the scores", form: "number", value: mean },
    found.kind === "category" && { title: "majority", help: "the most frequent answer", form: "text", value: majority, why: (row) => row.reason },
    { title: "disagreement", form: "number", value: (row) => row.disagreement, why: (row) => row.reason,
      help: scores ? "standard deviation over its maximum: 0 all equal, 1 half at each end" : "0: all answers equal, 1: no two agree" },
    scores && { title: "deviation", help: "standard deviation of the scores, in points", form: "number", value: (row) => row.deviation },
    found.kind === "category" && { title: "entropy", help: "of the answers, in bits", form: "number", value: (row) => row.entropy },
  ].filter(Boolean);
}

// filters: options carry places in lists, so that any text may be a name
const list = { annotator: found.people, label: found.labels, other: found.labels, source: found.sources };
const only = [
  ["tie", "no majority", (row) => row.majority < 0 && row.values.length > 1],
  ["split", "answers that differ", (row) => row.disagreement > 0],
  ["reported", "reported", (row) => row.reports.length > 0],
  ["single", "one answer alone", (row) => row.values.length === 1],
].filter(([name, , test]) => (name !== "tie" || found.kind === "category") && rows.some(test));
let table = null;
let person = -1;
let evidence = new Set(); // items that a finding rests on; all where there is none

const given = (name) => (at("filter-" + name) ? at("filter-" + name).value : "");
const place = (name) => (given(name) === "" ? -1 : Number(given(name)));
const marks = (code) => (found.marks ? found.marks[code] : [code]);

function apply() {
  const [annotator, label, other] = [place("annotator"), place("label"), place("other")];
  const source = given("source") === "" ? null : found.sources[place("source")];
  const least = given("above") === "" ? -1 : Number(given("above"));
  const text = given("find").trim().toLowerCase();
  const test = only.find(([name]) => name === given("only"));
  const holds = (row, i) => (annotator < 0 || row.by[i] === annotator) && (label < 0 || marks(row.values[i]).includes(label));
  if (annotator !== person) look(annotator);
  table.filter((row) =>
    (!evidence.size || evidence.has(row.item)) && ((annotator < 0 && label < 0) || row.values.some((_, i) => holds(row, i))) && 
    (other < 0 || row.values.some((code) => marks(code).includes(other))) && (source === null || row.source === source) &&
    (least < 0 || (row.disagreement ?? -1) >= least) && (!test || test[2](row)) &&
    (!text || `${row.item}\n${row.text}`.toLowerCase().includes(text)));
  const n = table.shown().length;
  const counts = { n: groups.format(n), of: groups.format(rows.length) };
  const told = evidence.size ? t("{n} of {of} items show this finding.", counts) : t("{n} of {of} items fit the filters.", counts);
  at("filter-state").textContent = n === rows.length ? "" : told;
}

// with an annotator chosen the items come first on which they are furthest from the others
function look(annotator) {
  person = annotator;
  table.head(columns(annotator));
  const title = annotator >= 0 && !states ? "apart" : "disagreement";
  Object.assign(table, { sort: table.columns.findIndex((column) => column.title === title), down: true });
}

function set(request) {
  evidence = new Set(request.items ? request.items.split("\n") : []);
  for (const name of names) {
    if (!at("filter-" + name)) continue;
    const value = request[name] ?? "";
    at("filter-" + name).value = list[name] && name in request ? String(list[name].indexOf(value)) : value;
  }
  apply();
}

function show(request) {
  set(request);
  at("items").scrollIntoView();
  at("filter-none").focus({ preventScroll: true });
}

function filters() {
  const option = (value, text) => element("option", { value }, text === "" ? t("(empty)") : short(text, 60));
  for (const [name, values] of Object.entries(list))
    if (at("filter-" + name)) at("filter-" + name).append(...sorted(values).map(([text, i]) => option(String(i), text)));
  at("filter-only").append(...only.map(([name, title]) => option(name, t(title))));
  const speak = () => {
    for (const first of document.querySelectorAll("#filters option[value='']")) first.textContent = t(first.dataset.text);
    for (const [name, title] of only) at("filter-only").querySelector(`option[value=${name}]`).textContent = t(title);
    apply();
  };
  document.addEventListener("language", speak);
  speak();
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  for (const field of at("filters").querySelectorAll("select, input"))
    field.addEventListener(field.tagName === "SELECT" ? "change" : "input", apply);
  at("filter-none").addEventListener("click", () => set({}));
}

function sorted(values) {
  const made = values.map((text, i) => [text, i]);
  return values === found.labels && !scores ? made : made.sort(([a], [b]) => compare(a, b));
}

drawTables("tables");
if (at("table-items")) {
  const first = columns(-1);
  const disputed = first.findIndex((column) => column.title === "disagreement");
  table = new Table(at("table-items"), { rows, columns: first, sort: disputed, down: true, none: "There is no item." });
  filters();
  document.addEventListener("show", (event) => show(event.detail));
}
for (const button of document.querySelectorAll("[data-show]"))
  button.addEventListener("click", () => ask(JSON.parse(button.dataset.show)));
