// The page as a whole: one view at a time, its map, table and panel, linked with each other.
"use strict";

/** The page. */
Explore.Page = class {
  constructor(container) {
    const element = Explore.element;
    this.run = Explore.run;
    this.row = -1;
    this.mapElement = element("div", {
      class: "map", role: "application", "aria-label": Explore.text("map"), title: Explore.text("mapHelp"),
    });
    this.legend = element("ul", { class: "legend" });
    this.controls = element("div", { class: "controls" });
    this.side = element("div", { class: "side" });
    container.replaceChildren(
      element("div", { class: "left" }, this.controls, this.mapElement, this.legend), this.side);
    this.crownMap = new Explore.CrownMap(this.mapElement, (row) => this.select(row, false));
    this.showView(this.run.views[0]);
    this.crownMap.showAll();
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("resize", () => this.fitSide());
    window.addEventListener("beforeunload", (event) => {
      if (!Explore.verdicts.canStore && Explore.verdicts.unsavedCount() > 0) event.preventDefault();
    });
  }

  /** Show another view. */
  showView(view) {
    this.view = view;
    this.row = -1;
    this.rows = new Explore.Rows(view);
    this.crownMap.setView(view, this.rows);
    if (view.matchLayer >= 0) {
      // Only the delineations of this view, besides the layers that every view shows.
      const viewLayers = this.run.views.map((one) => one.matchLayer);
      this.run.layers.forEach((layer, index) => {
        const isOfView = viewLayers.includes(index);
        this.crownMap.isLayerShown[index] = isOfView ? index === view.matchLayer : layer.shown;
      });
    }
    this.colourName = view.colour || this.colourOptions()[0][0];
    this.table = new Explore.CrownTable(
      this.rows, (row, isClicked) => this.selectInTable(row, isClicked), () => this.rowsChanged());
    this.panel = new Explore.CrownPanel(this.rows, {
      step: (offset) => this.step(offset),
      verdictGiven: (verdict) => this.verdictGiven(verdict),
      reviewerChanged: () => this.rowsChanged(),
    });
    this.rowCount = Explore.element("span", { role: "status" });
    const csv = Explore.element("button", {
      type: "button", title: Explore.text("csvHelp"),
      click: () => Explore.saveFile(
        Explore.fileName(`${this.run.title} ${view.name}`, ".csv"), "text/csv", this.rows.csv()),
    }, Explore.text("csv"));
    const tableHead = Explore.element("div", { class: "tablehead" }, this.rowCount, csv);
    const thresholds = Explore.thresholdSection(view, () => this.recolour());
    this.side.replaceChildren(
      this.panel.element, ...(thresholds ? [thresholds] : []),
      Explore.filterForm(this.rows, () => this.rowsChanged()), tableHead, this.table.container,
      ...smallTables(this.run.tables));
    this.showControls();
    this.rowsChanged();
    this.fitSide();
  }

  /** Make the side as wide as the columns of the table need, up to half of the window. */
  fitSide() {
    this.side.style.removeProperty("--needed");
    const { container } = this.table;
    const needed = this.side.offsetWidth + container.scrollWidth - container.clientWidth;
    this.side.style.setProperty("--needed", `${needed}px`);
    this.crownMap.map.invalidateSize({ animate: false });
  }

  /** Return the names and labels by which the map can be coloured. */
  colourOptions() {
    const columns = this.view.columns.filter((column) => column.listed &&
      (column.kind === "score" || column.kind === "category" || column.kind === "number"));
    // Scores come first: the first colouring is shown when the page is opened.
    columns.sort((one, other) => (other.kind === "score") - (one.kind === "score"));
    const options = columns.map((column) => [column.name, column.label]);
    this.view.sliders.forEach((slider, index) => {
      options.push([`state ${index}`, `${Explore.text("state")} (${slider.label})`]);
    });
    if (this.view.review) options.push(["verdict", Explore.text("verdict")]);
    options.push(["", Explore.text("none")]);
    return options;
  }

  /** Show the controls above the map. */
  showControls() {
    const element = Explore.element;
    const parts = [];
    if (this.run.views.length > 1) {
      const select = element("select", {
        change: () => this.showView(this.run.views[select.selectedIndex]),
      });
      for (const view of this.run.views) select.append(element("option", {}, view.name));
      select.selectedIndex = this.run.views.indexOf(this.view);
      parts.push(element("label", {}, element("span", {}, Explore.text("view")), select));
    }
    const options = this.colourOptions();
    const colour = element("select", {
      change: () => {
        this.colourName = options[colour.selectedIndex][0];
        this.recolour();
      },
    });
    for (const [, label] of options) colour.append(element("option", {}, label));
    colour.selectedIndex = options.findIndex(([name]) => name === this.colourName);
    parts.push(element("label", {}, element("span", {}, Explore.text("colourBy")), colour));
    parts.push(element("button", {
      type: "button", title: Explore.text("showAllHelp"), click: () => this.crownMap.showAll(),
    }, Explore.text("showAll")));
    parts.push(this.layerSwitches());
    this.controls.replaceChildren(...parts);
  }

  /** Return switches for the image and the layers of outlines. */
  layerSwitches() {
    const element = Explore.element;
    const switchOf = (name, isOn, symbols, onChange) => {
      const box = element("input", { type: "checkbox", change: () => onChange(box.checked) });
      box.checked = isOn;
      const shownName = name.slice(0, 200);
      return element(
        "label", { class: "switch", title: shownName }, box, ...symbols, element("bdi", {}, shownName));
    };
    const map = this.crownMap;
    this.layerSymbols = this.run.layers.map(() => element("span"));
    const switches = this.run.layers.map((layer, index) => {
      const showLayer = (isOn) => {
        map.setLayerShown(index, isOn);
        this.recolour();
      };
      return switchOf(layer.name, map.isLayerShown[index], [this.layerSymbols[index]], showLayer);
    });
    if (map.image !== null) {
      const showImage = (isOn) => (isOn ? map.image.addTo(map.map) : map.image.remove());
      switches.push(switchOf(Explore.text("image"), map.map.hasLayer(map.image), [], showImage));
    }
    const summary = element("summary", {}, Explore.text("layers"));
    return element("details", { class: "layers" }, summary, ...switches);
  }

  /** Show the rows again after filters, order or verdicts have changed. */
  rowsChanged() {
    const [shown, total] = [this.rows.shown.length, this.view.rows];
    this.rowCount.textContent = shown === 0 ? Explore.text("noRows")
      : Explore.text("rowCount", { shown, total });
    this.table.refresh();
    this.panel.show(this.row);
    this.recolour();
  }

  /** Colour the map again, and show the legend of the colours. */
  recolour() {
    const map = this.crownMap;
    const colouring = Explore.colouring(this.view, this.colourName, (row) => map.isRowDrawn(row));
    map.setColouring(colouring);
    const isFilled = this.view.filled;
    const entries = colouring.entries.map(({ symbol, text }) =>
      legendEntry(Explore.symbolElement([symbol], { isFilled }), text));
    if (entries.length > 0) {
      const [, label] = this.colourOptions().find(([name]) => name === this.colourName);
      entries.unshift(Explore.element("li", { class: "quiet" }, `${label}:`));
    }
    this.run.layers.forEach((layer, index) => {
      const symbol = map.layerSymbols[index];
      const hasOwnSymbol = map.showsOthers[index] || (colouring.isByLayer && map.showsRows[index]);
      if (hasOwnSymbol && map.isLayerShown[index]) {
        entries.push(legendEntry(Explore.symbolElement([symbol]), layer.name));
      }
      // A layer whose outlines are all rows has their symbols, those of the legend in its order.
      const symbols = hasOwnSymbol ? [] : this.rowSymbols(colouring, index);
      const shown = symbols.length > 0 ? symbols : [symbol];
      this.layerSymbols[index].replaceChildren(
        Explore.symbolElement(
          shown.slice(0, MAXIMUM_SYMBOLS), { isFilled: isFilled && symbols.length > 0 }));
    });
    this.legend.replaceChildren(...entries, ...this.excludedEntries(), ...this.selectionEntries());
  }

  /** Return the symbols of the rows of a layer, in the order of the legend. */
  rowSymbols(colouring, layer) {
    const symbols = new Set();
    for (let row = 0; row < this.view.rows; row++) {
      if (this.view.layer[row] === layer && this.view.outline[row] >= 0) {
        symbols.add(colouring.symbolOf(row));
      }
    }
    const order = new Map(colouring.entries.map(({ symbol }, position) => [symbol, position]));
    return [...symbols].sort((one, other) => order.get(one) - order.get(other) || 0);
  }

  /** Return the entry of outlines that a filter excludes; [] without any. */
  excludedEntries() {
    const { shown, isShown } = this.rows;
    if (shown.length === this.view.rows) return [];
    const isExcluded = (inFilter, row) => inFilter === 0 && this.crownMap.hasShownOutline(row);
    if (!isShown.some(isExcluded)) return [];
    const symbol = Explore.symbolElement([Explore.EXCLUDED], { casing: "none" });
    return [legendEntry(symbol, Explore.text("excluded"))];
  }

  /** Return the entries of the selected outline, its match and its regions; [] without any. */
  selectionEntries() {
    const { view, row, crownMap } = this;
    if (row < 0 || view.outline[row] < 0) return [];
    const outlined = (layer, key) => {
      const style = { casing: Explore.SELECTED_CASING, scale: 1.5 };
      const symbol = Explore.symbol(crownMap.layers[layer].colour);
      return legendEntry(Explore.symbolElement([symbol], style), Explore.text(key));
    };
    const entries = [outlined(view.layer[row], "selected")];
    if (view.matches[row] >= 0) entries.push(outlined(view.matchLayer, "selectedMatch"));
    if (this.run.regions && view.layer[row] !== view.matchLayer) {
      for (const [term, colour] of Object.entries(Explore.TERM_COLOURS)) {
        const swatch = Explore.element("span", { class: "swatch", "aria-hidden": "true" });
        swatch.style.setProperty("--colour", colour);
        entries.push(legendEntry(swatch, Explore.text("region" + term.toUpperCase())));
      }
    }
    return entries;
  }

  /** Select a row; -1 for none. */
  select(row, isCentred) {
    this.row = row;
    this.crownMap.select(row, isCentred);
    // The panel and the legend come first, since they leave the table and the map less room.
    this.panel.show(row);
    this.recolour();
    this.table.select(row);
  }

  /** Select a row of the table. On narrow screens, a click brings the map above the table into view. */
  selectInTable(row, isClicked) {
    this.select(row, true);
    // Arrow keys stay at the table, in which the reader goes on.
    if (isClicked) this.mapElement.scrollIntoView({ block: "nearest" });
  }

  /** Select the row that is some positions after the selected one in the table. */
  step(offset) {
    const { shown } = this.rows;
    if (shown.length === 0) return;
    const position = this.rows.positionOf(this.row);
    const next = position < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, position + offset));
    this.select(shown[next], true);
  }

  /** Show a verdict that was given, and go on to the next crown. */
  verdictGiven(verdict) {
    const position = this.rows.positionOf(this.row);
    const next = this.rows.shown[position + 1];
    this.rows.update();
    this.rowsChanged();
    if (verdict !== "" && position >= 0 && next !== undefined) this.select(next, true);
  }

  /** Carry out the command of a key, unless the reader writes into a field. */
  onKey(event) {
    const isWriting = event.target.closest("input:not([type=checkbox]), select, textarea") !== null;
    if (isWriting && event.key === "Escape") event.target.blur();
    if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "n") this.step(1);
    else if (key === "b") this.step(-1);
    else if (key === "c" && this.view.review && this.row >= 0) this.panel.comment.focus();
    else if (!this.panel.giveByKey(key)) return;
    event.preventDefault();
  }
};

/** Maximum number of symbols side by side in the list of layers. */
const MAXIMUM_SYMBOLS = 6;

/** Return an entry of the legend: a symbol and its text. */
function legendEntry(symbol, text) {
  const shown = text.slice(0, 200);
  return Explore.element("li", { title: shown }, symbol, Explore.element("bdi", {}, shown));
}

/** Maximum number of characters of a text in a small table that stays on one line. */
const LINE = 24;

/** Return a cell of a small table; numbers and usual names are not broken. */
function smallCell(text) {
  const kind = text.length > LINE ? "" : "brief";
  return Explore.element("td", { dir: "auto", class: kind }, text);
}

/** Return the small tables of the run, folded. */
function smallTables(tables) {
  const element = Explore.element;
  return tables.map((table) => {
    const headings = table.headings.map(
      (text, index) => element("th", { scope: "col", title: table.helps[index] ?? "" }, text));
    const rows = table.cells.map((row) => element("tr", {}, ...row.map(smallCell)));
    const cells = element(
      "table", {}, element("thead", {}, element("tr", {}, ...headings)), element("tbody", {}, ...rows));
    // Wide tables scroll, also by keys.
    const area = element(
      "div", { class: "scrolled", tabindex: 0, role: "group", "aria-label": table.title }, cells);
    return element(
      "details", { class: "small" }, element("summary", {}, table.title), area, ...meanings(table));
  });
}

/** Return the meanings of the columns of a table; columns of equal meaning have one together. */
function meanings(table) {
  const headingsOf = new Map(); // Meaning -> headings.
  table.headings.forEach((heading, index) => {
    const help = table.helps[index] ?? "";
    if (help !== "") headingsOf.set(help, [...(headingsOf.get(help) ?? []), heading]);
  });
  return [...headingsOf].map(([help, headings]) =>
    Explore.element("p", { class: "quiet meaning", dir: "auto" }, `${headings.join(", ")}: ${help}`));
}

/** Show the curves and tables of a run without outlines, unfolded. */
function showWithoutMap(container) {
  const thresholds = Explore.thresholdSection({ sliders: [] }, () => {});
  const parts = [...(thresholds ? [thresholds] : []), ...smallTables(Explore.run.tables)];
  for (const part of parts) part.open = true;
  container.classList.add("plain");
  container.replaceChildren(...parts);
}

/** Start the page. */
Explore.start = async function () {
  const container = document.getElementById("explore");
  try {
    await Explore.readData();
    Explore.verdicts = new Explore.Verdicts();
    if (Explore.run.views.length > 0) Explore.page = new Explore.Page(container);
    else showWithoutMap(container);
    document.documentElement.dataset.ready = "true";
  } catch (error) {
    const isOld = typeof DecompressionStream === "undefined" || !Object.hasOwn;
    const text = isOld ? container.dataset.oldBrowser
      : container.dataset.failed.replace("{why}", error.message);
    container.replaceChildren(Explore.element("p", { role: "alert" }, text));
    document.documentElement.dataset.ready = "failed";
    if (!isOld) throw error;
  }
};

Explore.start();
