// The table: only the rows that are visible exist as elements.
"use strict";

/** Height of a row, pixels; the same as in the style sheet. */
const ROW_HEIGHT = 28;
/** Rows above and below the visible ones that exist as elements. */
const SPARE_ROWS = 10;
/** Maximum length of a text in a cell; the panel of the crown shows the whole text. */
const MAXIMUM_CELL_TEXT = 120;

/** Table of the rows of a view. */
Explore.CrownTable = class {
  /**
   * @param {Explore.Rows} rows - The rows.
   * @param {function} onSelect - Called with the row that the reader selects, and true if it was
   *   clicked, false if arrow keys reached it.
   * @param {function} onSort - Called after the reader has changed the order.
   */
  constructor(rows, onSelect, onSort) {
    const element = Explore.element;
    this.rows = rows;
    this.onSelect = onSelect;
    this.selected = -1;
    this.columns = rows.view.columns.filter((column) => column.listed);
    this.heads = this.columns.map((column) => {
      const sort = () => {
        rows.sortBy(column);
        onSort();
      };
      const button = element("button", { type: "button", title: column.help, click: sort }, column.label);
      const className = column.isNumeric ? "number" : "";
      return element("th", { scope: "col", class: className }, button);
    });
    const headRow = element("tr", {}, ...this.heads);
    if (rows.view.review) headRow.append(element("th", { scope: "col", class: "unsorted" }, Explore.text("verdict")));
    this.body = element("tbody");
    this.table = element(
      "table", { role: "grid", "aria-label": Explore.text("table") },
      element("thead", {}, headRow), this.body);
    this.container = element("div", {
      class: "table", tabindex: 0, scroll: () => this.onScroll(), keydown: (event) => this.onKey(event),
      click: (event) => this.onClick(event),
    }, this.table);
    this.columnCount = this.columns.length + (rows.view.review ? 1 : 0);
    new ResizeObserver(() => this.onResize()).observe(this.container);
  }

  /** Show the rows again after filters, order or verdicts have changed. */
  refresh() {
    this.heads.forEach((head, index) => {
      const isOrder = this.columns[index] === this.rows.orderColumn;
      const direction = this.rows.direction > 0 ? "ascending" : "descending";
      head.setAttribute("aria-sort", isOrder ? direction : "none");
    });
    this.table.setAttribute("aria-rowcount", this.rows.shown.length + 1);
    this.drawnFirst = -1;
    this.draw();
  }

  /** Create the elements of the visible rows. */
  draw() {
    const count = this.rows.shown.length;
    const visible = Math.ceil(this.container.clientHeight / ROW_HEIGHT);
    const top = Math.floor(this.container.scrollTop / ROW_HEIGHT) - SPARE_ROWS;
    const first = Math.max(0, Math.min(top, count - visible - 2 * SPARE_ROWS));
    const end = Math.min(count, first + visible + 2 * SPARE_ROWS);
    if (first === this.drawnFirst && end === this.drawnEnd) return;
    [this.drawnFirst, this.drawnEnd] = [first, end];
    const elements = [this.spacer(first)];
    for (let position = first; position < end; position++) {
      elements.push(this.rowElement(position));
    }
    elements.push(this.spacer(count - end));
    this.body.replaceChildren(...elements);
  }

  /** Return an empty row in place of rows that are not visible. */
  spacer(count) {
    const cell = Explore.element("td", { colspan: this.columnCount });
    const spacer = Explore.element("tr", { class: "spacer", "aria-hidden": "true" }, cell);
    spacer.style.height = `${count * ROW_HEIGHT}px`;
    spacer.hidden = count === 0;
    return spacer;
  }

  /** Return the element of the row at a position. */
  rowElement(position) {
    const row = this.rows.shown[position];
    const cells = this.columns.map((column) => {
      const text = column.textOf(row);
      const shown = text.length > MAXIMUM_CELL_TEXT ? text.slice(0, MAXIMUM_CELL_TEXT) + "…" : text;
      const reason = column.lacksScore(row) ? Explore.statusOf(this.rows.view, row) : "";
      const className = column.isNumeric ? "number" : "";
      return Explore.element("td", { class: className, title: reason || undefined }, shown);
    });
    if (this.rows.view.review) {
      const record = Explore.verdicts.of(this.rows.view, row);
      cells.push(Explore.element("td", {}, record ? Explore.text("given " + record.verdict) : ""));
    }
    return Explore.element("tr", {
      "data-position": position, "aria-rowindex": position + 2,
      "aria-selected": row === this.selected ? "true" : "false",
    }, ...cells);
  }

  /** Mark a row and scroll to it. */
  select(row) {
    this.selected = row;
    this.scrollToSelected();
    this.drawnFirst = -1;
    this.draw();
  }

  /** Return the lowest and the highest scroll position at which the selected row is in view. */
  scrollLimits() {
    const top = this.rows.positionOf(this.selected) * ROW_HEIGHT;
    const room = this.container.clientHeight - this.table.tHead.offsetHeight - ROW_HEIGHT;
    return [top - Math.max(0, room), top];
  }

  /** Scroll the table, and nothing around it, until the selected row is in view. */
  scrollToSelected() {
    this.showsSelected = this.rows.positionOf(this.selected) >= 0;
    if (!this.showsSelected) return;
    const [lowest, highest] = this.scrollLimits();
    const present = this.container.scrollTop;
    this.container.scrollTop = Math.min(highest, Math.max(lowest, present));
  }

  /** Draw the rows at a new scroll position. */
  onScroll() {
    const [lowest, highest] = this.scrollLimits();
    const present = Math.round(this.container.scrollTop);
    this.showsSelected = this.rows.positionOf(this.selected) >= 0 && present >= lowest && present <= highest;
    this.draw();
  }

  /**
   * Draw the rows in a table of another size, such as with a new scroll bar or below a longer
   * panel. The selected row stays in view.
   */
  onResize() {
    if (this.showsSelected) this.scrollToSelected();
    this.draw();
  }

  /** Select the row that was clicked. */
  onClick(event) {
    const line = event.target.closest("tr[data-position]");
    if (line !== null) this.onSelect(this.rows.shown[Number(line.dataset.position)], true);
  }

  /** Select another row by key. */
  onKey(event) {
    const page = Math.max(1, Math.floor(this.container.clientHeight / ROW_HEIGHT) - 2);
    const steps = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    };
    if (!(event.key in steps) || this.rows.shown.length === 0) return;
    event.preventDefault();
    const position = this.rows.positionOf(this.selected) + steps[event.key];
    const limited = Math.min(this.rows.shown.length - 1, Math.max(0, position));
    this.onSelect(this.rows.shown[limited], false);
  }
};
