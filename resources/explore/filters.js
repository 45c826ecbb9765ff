// Filters and order of the rows of a view.
"use strict";

/** Maximum number of values that a filter lists. */
const MAXIMUM_OPTIONS = 500;
/** Roles of the columns that have a filter by value. */
const FILTERED_ROLES = ["problem", "status", "class", "plot"];

/** Rows of a view that meet all filters, in the order of the table. */
Explore.Rows = class {
  constructor(view) {
    this.view = view;
    this.words = [];
    this.values = new Map(); // Name of a column -> required stored text.
    this.ranges = new Map(); // Name of a column -> [minimum, maximum], NaN for no limit.
    this.review = "";
    this.orderColumn = view.columns.find((column) => column.name === view.order) ?? null;
    this.direction = view.descending ? -1 : 1;
    this.isShown = new Uint8Array(view.rows);
    this.update();
  }

  /** Apply filters and order again. */
  update() {
    const shown = [];
    for (let row = 0; row < this.view.rows; row++) {
      this.isShown[row] = this.meetsFilters(row) ? 1 : 0;
      if (this.isShown[row]) shown.push(row);
    }
    const column = this.orderColumn;
    if (column !== null) {
      shown.sort((one, other) => column.compare(one, other, this.direction) || one - other);
    }
    this.shown = shown;
    this.positions = null;
  }

  /** Return the position of a row in the table; -1 if a filter excludes it. */
  positionOf(row) {
    if (this.positions === null) {
      this.positions = new Int32Array(this.view.rows).fill(-1);
      this.shown.forEach((shownRow, position) => { this.positions[shownRow] = position; });
    }
    return row < 0 ? -1 : this.positions[row];
  }

  /** Return true if a row meets all filters. */
  meetsFilters(row) {
    for (const [name, value] of this.values) {
      if (this.column(name).keyOf(row) !== value) return false;
    }
    for (const [name, [lowest, highest]] of this.ranges) {
      const number = this.column(name).numberOf(row);
      if (!Number.isNaN(lowest) && !(number >= lowest)) return false;
      if (!Number.isNaN(highest) && !(number <= highest)) return false;
    }
    if (this.review !== "") {
      const hasVerdict = Explore.verdicts.of(this.view, row) !== undefined;
      if (hasVerdict !== (this.review === "reviewed")) return false;
    }
    const text = this.words.length > 0 ? this.searchText(row) : "";
    return this.words.every((word) => text.includes(word));
  }

  /** Return the column of a name. */
  column(name) {
    return this.view.columns.find((column) => column.name === name);
  }

  /** Return all texts of a row in small letters. */
  searchText(row) {
    this.searchTexts ??= new Array(this.view.rows);
    this.searchTexts[row] ??= this.view.columns
      .map((column) => column.textOf(row)).join("\n").toLowerCase();
    return this.searchTexts[row];
  }

  /** Sort by a column; by the same column again in the other direction. */
  sortBy(column) {
    this.direction = column === this.orderColumn ? -this.direction : 1;
    this.orderColumn = column;
    this.update();
  }

  /** Return the shown rows as CSV; a text that a spreadsheet takes for a formula stays a text. */
  csv() {
    const columns = this.view.columns;
    const reviewHeadings = this.view.review ? ["verdict", "comment", "reviewer"] : [];
    const lines = [[...columns.map((column) => column.name), ...reviewHeadings]];
    for (const row of this.shown) {
      const cells = columns.map((column) => {
        if (!column.isNumeric) return column.keyOf(row);
        const number = column.values[row];
        return Number.isNaN(number) ? "" : String(number);
      });
      if (this.view.review) {
        const record = Explore.verdicts.of(this.view, row);
        cells.push(record?.verdict ?? "", record?.comment ?? "", record?.reviewer ?? "");
      }
      lines.push(cells);
    }
    return lines.map((cells) => cells.map(csvCell).join(",") + "\r\n").join("");
  }
};

/** Return a cell of a CSV file. */
function csvCell(text) {
  const isNumber = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?\s?%?$/i.test(text);
  const safe = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && !isNumber ? "'" + text : text;
  return /[",\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

/** Return the form with the filters of a view; it calls onChange after each change. */
Explore.filterForm = function (rows, onChange) {
  const element = Explore.element;
  const form = element("form", { class: "filters", submit: (event) => event.preventDefault() });
  const labelled = (text, ...controls) => element("label", {}, element("span", {}, text), ...controls);
  const changed = () => {
    rows.update();
    onChange();
  };

  let timer = 0;
  const search = element("input", {
    type: "search", title: Explore.text("searchHelp"), class: "search",
    input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        rows.words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
        changed();
      }, 150);
    },
  });
  const more = element("details", {}, element("summary", {}, Explore.text("filters")));
  form.append(labelled(Explore.text("search"), search));

  for (const column of rows.view.columns.filter((one) => FILTERED_ROLES.includes(one.role))) {
    const select = valueSelect(column, (value) => {
      if (value === null) rows.values.delete(column.name);
      else rows.values.set(column.name, value);
      changed();
    });
    if (select !== null) more.append(labelled(column.label, select));
  }
  const scores = rows.view.columns.filter((column) => column.kind === "score" && column.listed);
  if (scores.length > 0) more.append(rangeFields(rows, scores, changed));
  if (rows.view.review) more.append(labelled(Explore.text("reviewFilter"), reviewSelect(rows, changed)));

  // Some tables have nothing to filter by except words.
  if (more.children.length > 1) {
    more.append(element("button", { type: "reset" }, Explore.text("clear")));
    form.append(more);
  }
  form.addEventListener("reset", () => {
    rows.words = [];
    rows.values.clear();
    rows.ranges.clear();
    rows.review = "";
    changed();
  });
  return form;
};

/** Return a list of the values of a column; null if it has fewer than two. */
function valueSelect(column, onChange) {
  const labelOf = (key) => (Object.hasOwn(column.labels, key) ? column.labels[key] : key);
  const keys = column.texts.filter((key) => key !== "").sort(
    (one, other) => Explore.collator.compare(labelOf(one), labelOf(other)));
  if (keys.length < 2) return null;
  const select = Explore.element("select", {
    change: () => onChange(select.selectedIndex === 0 ? null : keys[select.selectedIndex - 1]),
  });
  select.append(Explore.element("option", {}, Explore.text("any")));
  for (const key of keys.slice(0, MAXIMUM_OPTIONS)) {
    select.append(Explore.element("option", {}, labelOf(key)));
  }
  return select;
}

/** Return fields for the minimum and the maximum of one of the scores. */
function rangeFields(rows, scores, onChange) {
  const element = Explore.element;
  const number = (label) => element("input", {
    type: "number", min: 0, max: 1, step: 0.05, "aria-label": label, placeholder: label,
    input: () => update(),
  });
  const lowest = number(Explore.text("from"));
  const highest = number(Explore.text("to"));
  const select = element("select", { "aria-label": Explore.text("score"), change: () => update() });
  for (const column of scores) select.append(element("option", {}, column.label));
  const update = () => {
    const limits = [lowest.valueAsNumber, highest.valueAsNumber];
    rows.ranges.clear();
    if (!limits.every(Number.isNaN)) rows.ranges.set(scores[select.selectedIndex].name, limits);
    onChange();
  };
  return element(
    "fieldset", {}, element("legend", {}, Explore.text("score")), select, lowest, highest);
}

/** Return a list that selects rows with or without a verdict. */
function reviewSelect(rows, onChange) {
  const values = ["", "unreviewed", "reviewed"];
  const select = Explore.element("select", {
    change: () => {
      rows.review = values[select.selectedIndex];
      onChange();
    },
  });
  for (const key of ["any", "onlyUnreviewed", "onlyReviewed"]) {
    select.append(Explore.element("option", {}, Explore.text(key)));
  }
  return select;
}
