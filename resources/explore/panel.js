// The panel of the selected crown: scores, cause, attributes, and the reader's verdict.
"use strict";

/** Keys of the verdicts, in the order of the buttons. */
const VERDICT_KEYS = ["1", "2", "3", "4", "5"];
/** Maximum length of an attribute in the panel. */
const MAXIMUM_ATTRIBUTE_TEXT = 20000;

/** Panel of the selected crown. */
Explore.CrownPanel = class {
  /**
   * @param {Explore.Rows} rows - The rows.
   * @param {object} actions - Functions step(offset), verdictGiven() and reviewerChanged().
   */
  constructor(rows, actions) {
    const element = Explore.element;
    this.rows = rows;
    this.view = rows.view;
    this.actions = actions;
    this.row = -1;
    this.content = element("div", { "aria-live": "polite" });
    this.position = element("span", { class: "quiet" });
    const stepButton = (key, offset) => element(
      "button", { type: "button", title: Explore.text(key + "Help"), click: () => actions.step(offset) },
      Explore.text(key));
    this.element = element(
      "section", { class: "panel", "aria-label": Explore.text("crown") },
      element("div", { class: "steps" }, stepButton("previous", -1), stepButton("next", 1), this.position),
      this.content);
    if (this.view.review) {
      this.form = this.verdictForm();
      this.element.append(this.form);
    }
    this.show(-1);
  }

  /** Show a row; -1 for none. */
  show(row) {
    this.row = row;
    this.content.className = row < 0 ? "" : "crown";
    const place = this.rows.positionOf(row);
    this.position.textContent = place < 0 ? "" : Explore.text(
      "position", { number: place + 1, count: this.rows.shown.length });
    if (row < 0) {
      const hint = Explore.element("p", { class: "quiet" }, Explore.text("noCrown"));
      this.content.replaceChildren(hint);
    } else {
      this.content.replaceChildren(...this.crownElements(row));
    }
    if (this.view.review) this.showVerdict();
  }

  /** Return the elements that describe a row. */
  crownElements(row) {
    const element = Explore.element;
    const byRole = (role) => this.view.columns.find((column) => column.role === role);
    const name = byRole("name");
    const elements = [element("h2", { dir: "auto" }, this.titleOf(name, row))];
    const problem = byRole("problem");
    if (problem && problem.textOf(row) !== "") {
      const tag = element("span", { class: "tag" }, problem.textOf(row));
      const colour = problem.colours[problem.keyOf(row)];
      if (colour) tag.style.borderColor = colour;
      elements.push(element("p", {}, tag));
    }
    const cause = byRole("cause");
    if (cause && cause.textOf(row) !== "") {
      elements.push(element("p", { dir: "auto" }, cause.textOf(row)));
    }
    const shown = [name, problem, cause];
    const others = this.view.columns.filter((column) => !shown.includes(column));
    const scores = others.filter((column) => column.listed);
    const attributes = others.filter((column) => !column.listed && column.textOf(row) !== "");
    elements.push(valueList(this.view, scores, row));
    if (attributes.length > 0) {
      elements.push(this.attributeElement(attributes, row));
    }
    return elements;
  }

  /** Return the title of a row: its name, or its number with the title of its table. */
  titleOf(name, row) {
    if (!name) return Explore.text("rowTitle", { table: this.view.name, number: row + 1 });
    const text = name.textOf(row);
    return name.isNumeric ? Explore.text("rowTitle", { table: name.label, number: text }) : text;
  }

  /** Return the attributes of a row, which stay open or folded from crown to crown. */
  attributeElement(attributes, row) {
    const details = Explore.element(
      "details", {
        open: this.showsAttributes, toggle: () => { this.showsAttributes = details.open; },
      },
      Explore.element("summary", {}, Explore.text("attributes")), valueList(this.view, attributes, row));
    return details;
  }

  /** Return the form for a verdict. */
  verdictForm() {
    const element = Explore.element;
    const hasClass = this.view.columns.some((column) => column.role === "class");
    this.offered = Explore.run.verdicts.filter((verdict) => verdict !== "wrong class" || hasClass);
    this.buttons = this.offered.map((verdict, index) => element("button", {
      type: "button", "aria-pressed": "false",
      title: Explore.text("key", { key: VERDICT_KEYS[index] }), click: () => this.give(verdict),
    }, Explore.text("verdict " + verdict)));
    this.withdraw = element("button", {
      type: "button", title: Explore.text("withdrawHelp"), click: () => this.give(""),
    }, Explore.text("withdraw"));
    this.comment = element("input", {
      type: "text", title: Explore.text("commentHelp"), change: () => this.commentChanged(),
    });
    this.rightClass = element("input", {
      type: "text", list: "classes", change: () => this.commentChanged(),
    });
    this.reviewer = element("input", {
      type: "text", title: Explore.text("reviewerHelp"), value: Explore.verdicts.reviewer,
      change: () => {
        Explore.verdicts.setReviewer(this.reviewer.value);
        this.actions.reviewerChanged();
      },
    });
    this.progress = element("span", { class: "quiet", role: "status" });
    this.warning = element("p", { class: "warning", role: "alert", hidden: true });
    const save = element("button", {
      type: "button", title: Explore.text("saveVerdictsHelp"),
      click: () => {
        Explore.verdicts.save();
        this.showVerdict();
      },
    }, Explore.text("saveVerdicts"));
    const labelled = (key, input) => element("label", {}, element("span", {}, Explore.text(key)), input);
    const fields = [labelled("comment", this.comment)];
    if (hasClass) fields.push(labelled("rightClass", this.rightClass), this.classList());
    return element(
      "form", { class: "verdicts", submit: (event) => event.preventDefault() },
      element("h3", {}, Explore.text("verdictTitle")),
      element("div", { class: "buttons" }, ...this.buttons, this.withdraw),
      ...fields, labelled("reviewer", this.reviewer), this.warning,
      element("div", { class: "buttons" }, save, this.progress));
  }

  /** Return the list of classes that the field of the right class suggests. */
  classList() {
    const column = this.view.columns.find((one) => one.role === "class");
    const options = column.texts.filter((text) => text !== "")
      .map((text) => Explore.element("option", { value: text }));
    return Explore.element("datalist", { id: "classes" }, ...options);
  }

  /** Give a verdict on the shown row; "" withdraws it. */
  give(verdict) {
    if (this.row < 0) return;
    if (Explore.verdicts.reviewer === "") {
      Explore.verdicts.setReviewer(this.reviewer.value);
    }
    if (Explore.verdicts.reviewer === "") {
      this.showWarning(Explore.text("reviewerMissing"));
      this.reviewer.focus();
      return;
    }
    const rightClass = verdict === "wrong class" ? this.rightClass.value.trim() : "";
    if (verdict === "wrong class" && rightClass === "") {
      this.showWarning(Explore.text("rightClassMissing"));
      this.rightClass.focus();
      return;
    }
    Explore.verdicts.give(this.view, this.row, verdict, this.comment.value.trim(), rightClass);
    this.actions.verdictGiven(verdict);
  }

  /** Keep a changed comment or class, if the crown has a verdict. */
  commentChanged() {
    const record = Explore.verdicts.of(this.view, this.row);
    if (this.row >= 0 && record) {
      const rightClass = record.verdict === "wrong class"
        ? this.rightClass.value.trim() || record.right_class : "";
      Explore.verdicts.give(
        this.view, this.row, record.verdict, this.comment.value.trim(), rightClass);
      this.showVerdict();
    }
  }

  /** Give the verdict of a key; return true if the key has one. */
  giveByKey(key) {
    const index = VERDICT_KEYS.indexOf(key);
    if (!this.view.review || index < 0 || index >= this.offered.length) return false;
    this.give(this.offered[index]);
    return true;
  }

  /** Show the verdict on the shown row, and the progress. */
  showVerdict() {
    const record = this.row < 0 ? undefined : Explore.verdicts.of(this.view, this.row);
    this.form.hidden = this.row < 0 && Explore.verdicts.records.length === 0;
    this.buttons.forEach((button, index) => {
      button.disabled = this.row < 0;
      button.setAttribute("aria-pressed", String(record?.verdict === this.offered[index]));
    });
    this.withdraw.disabled = record === undefined;
    this.comment.value = record?.comment ?? "";
    this.rightClass.value = record?.right_class ?? "";
    const judged = Explore.verdicts.count(this.view);
    const unsaved = Explore.verdicts.unsavedCount();
    const sentences = [Explore.text("progress", { judged, total: this.view.rows })];
    if (unsaved > 0) sentences.push(Explore.text("unsaved", { count: unsaved }));
    this.progress.textContent = sentences.join(". ");
    this.showWarning(Explore.verdicts.canStore ? "" : Explore.text("notStored"));
  }

  /** Show a warning; "" for none. */
  showWarning(text) {
    this.warning.textContent = text;
    this.warning.hidden = text === "";
  }
};

/** Return a list of the labels and values of columns; a missing score has its reason. */
function valueList(view, columns, row) {
  // Long lists scroll, also by keys.
  const list = Explore.element("dl", { tabindex: 0 });
  for (const column of columns) {
    let text = column.textOf(row).slice(0, MAXIMUM_ATTRIBUTE_TEXT) || Explore.text("notAvailable");
    const reason = column.lacksScore(row) ? Explore.statusOf(view, row) : "";
    if (reason !== "") text += ` (${reason})`;
    list.append(
      Explore.element("dt", { title: column.help, dir: "auto" }, column.label),
      Explore.element("dd", { dir: "auto" }, text));
  }
  return list;
}
