// Colours and lines of values on the map and in the legend.
"use strict";

/** Ramp from low to high numbers (viridis), readable with any colour vision. */
Explore.RAMP = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
/** Colours of values without a colour of their own (Okabe and Ito). */
Explore.SERIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/** Colour of rows without a value. */
Explore.NO_VALUE = "#9e9e9e";
/** Colour of values for which no colour of the series is left. */
const OTHER_VALUES = "#5f5f5f";
/** Colours of the states of the threshold slider; other states have the lines of the view. */
Explore.STATE_COLOURS = { found: "#009e73", reaching: "#009e73", low: "#e69f00" };
/** Colours of verdicts. */
Explore.VERDICT_COLOURS = {
  accepted: "#009e73", rejected: "#d55e00", fixed: "#0072b2",
  unsure: "#e69f00", "wrong class": "#cc79a7",
};
/** Relative luminance above which a colour contrasts more with black than with white. */
const LIGHT_FROM = 0.179;

/** Colours of the casings of dark and of light lines. */
const LIGHT_CASING = "rgba(255, 255, 255, 0.75)";
const DARK_CASING = "rgba(0, 0, 0, 0.6)";
/** Opacity of the fill of areas that do not overlap. */
Explore.FILL_OPACITY = 0.18;
/** Size of a picture of a symbol, and widths of its line and its casing, pixels. Lines are wider than
    on the map, where they are longer: short thin lines of similar colours look alike. */
const SYMBOL_WIDTH = 28;
const SYMBOL_HEIGHT = 12;
const LINE_WIDTHS = { line: 4, casing: 6 };
const FILLED_WIDTHS = { line: 2, casing: 4 };

/** Return the symbol of outlines: the colour and the dashes of their line. */
Explore.symbol = function (colour, dashes = []) {
  return { colour, dashes, isLight: Explore.isLight(colour), key: `${colour} ${dashes}` };
};

/** Colours and dashes of layers whose own colours may be those of rows, which are never the same. */
const NEUTRAL_COLOURS = ["#ffffff", "#8c6d46", "#d8c3a5", "#4f2d0f"];
const NEUTRAL_DASHES = [[], [10, 4], [10, 3, 2, 3]];

/**
 * Return the symbols of outlines that are no rows of a view, by layer: those of the layers, or
 * neutral ones for a colouring whose rows may have the same colours.
 *
 * @param {object} view - The view.
 * @param {object} colouring - Colouring of its rows.
 * @param {boolean[]} showsOthers - True for each layer with outlines that are no rows.
 */
Explore.layerSymbols = function (view, colouring, showsOthers) {
  let position = view.matchLayer >= 0 ? 1 : 0;
  return Explore.run.layers.map(({ colour, dashes }, index) => {
    if (!colouring.usesSeries || !showsOthers[index]) return Explore.symbol(colour, dashes);
    const number = index === view.matchLayer ? 0 : position++;
    const round = Math.floor(number / NEUTRAL_DASHES.length) % NEUTRAL_COLOURS.length;
    return Explore.symbol(NEUTRAL_COLOURS[round], NEUTRAL_DASHES[number % NEUTRAL_DASHES.length]);
  });
};

/** Return the symbols of lines by their names. */
function symbolsOf(lines) {
  const entries = Object.entries(lines ?? {});
  return new Map(entries.map(([name, { colour, dashes }]) => [name, Explore.symbol(colour, dashes)]));
}

/**
 * Colouring of the rows of a view: symbolOf(row) returns a symbol, entries lists the legend of the
 * drawn rows as symbols with their texts. rankOf(row), where it exists, is higher for rows that lie
 * on top. isByLayer is true if the rows have the symbols of their layers, and usesSeries if the
 * colours of the rows may be those of layers.
 *
 * @param {object} view - The view.
 * @param {string} name - Name of a column, a state or "verdict"; "" for the symbols of the layers.
 * @param {function} isDrawn - Returns true for a row that the map shows.
 */
Explore.colouring = function (view, name, isDrawn = () => true) {
  if (name === "verdict") {
    return verdictColouring(view, isDrawn);
  }
  if (name.startsWith("state ")) {
    return stateColouring(view, view.sliders[Number(name.slice(6))], isDrawn);
  }
  const column = view.columns.find((candidate) => candidate.name === name);
  if (column === undefined) {
    const symbols = Explore.run.layers.map(({ colour, dashes }) => Explore.symbol(colour, dashes));
    return { symbolOf: (row) => symbols[view.layer[row]], entries: [], isByLayer: true };
  }
  return column.isNumeric
    ? numberColouring(view, column, isDrawn) : categoryColouring(column, isDrawn);
};

/**
 * Colour scores and variances by their classes, which are those of the report and of QGIS. Rows
 * whose status has a line of its own have this line on maps of scores.
 */
function numberColouring(view, column, isDrawn) {
  const [lowest, highest] = finiteRange(column.values);
  let bins;
  const classes = column.classes ?? (column.kind === "score" ? Explore.run.scoreClasses : null);
  if (classes !== null) bins = classBins(classes);
  else if (column.digits === 0) {
    bins = wholeNumberBins(column, Math.round(lowest), Math.round(highest));
  } else if (lowest === highest) bins = singleBin(column, lowest);
  else bins = equalBins(column, lowest, highest);
  const classSymbols = bins.colours.map((colour) => Explore.symbol(colour));
  const noValue = Explore.symbol(Explore.NO_VALUE);
  const status = column.kind === "score" ? view.columns.find((one) => one.role === "status") : undefined;
  const lines = symbolsOf(status?.lines);
  const lineOf = (row) => (lines.size > 0 ? lines.get(status.keyOf(row)) : undefined);
  const symbolOf = (row) => {
    const value = column.values[row];
    return lineOf(row) ?? (Number.isNaN(value) ? noValue : classSymbols[bins.binOf(value)]);
  };
  // Low scores and high variances are the worst; rows without a value lie below all others.
  const direction = column.kind === "score" ? -1 : 1;
  const rankOf = (row) => {
    if (lineOf(row) !== undefined) return Infinity;
    const value = column.values[row];
    return Number.isNaN(value) ? -Infinity : direction * bins.binOf(value);
  };
  const used = new Set();
  column.values.forEach((_, row) => {
    if (isDrawn(row)) used.add(symbolOf(row));
  });
  // Classes are listed together, so that their order is visible.
  const hasClasses = classSymbols.some((symbol) => used.has(symbol));
  const entries = classSymbols.map((symbol, bin) => ({ symbol, text: bins.labelOf(bin) }));
  if (!hasClasses) entries.length = 0;
  for (const [key, symbol] of lines) {
    if (used.has(symbol)) entries.push({ symbol, text: status.labels[key] ?? key });
  }
  if (used.has(noValue)) entries.push({ symbol: noValue, text: Explore.text("noValue") });
  return { symbolOf, entries, rankOf };
}

/** Return the only bin of a column in which all numbers are the same. */
function singleBin(column, number) {
  return {
    colours: [Explore.RAMP[0]],
    binOf: () => 0,
    labelOf: () => Explore.formatNumber(number, column.digits),
  };
}

/** Return the bins of classes; a number at a limit is in the class above it. */
function classBins({ limits, colours, labels }) {
  const binOf = (value) => {
    let bin = colours.length - 1;
    while (bin > 0 && value < limits[bin] - THRESHOLD_TOLERANCE) bin--;
    return bin;
  };
  return { colours, binOf, labelOf: (bin) => labels[bin] };
}

/** Return true if a colour (#rrggbb) contrasts more with black than with white. */
Explore.isLight = function (colour) {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const channel = parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > LIGHT_FROM;
};

/** Return bins of equal width, one for each colour of the ramp. */
function equalBins(column, lowest, highest) {
  const steps = Explore.RAMP.length;
  const width = (highest - lowest) / steps || 1;
  const limitOf = (bin) => Explore.formatNumber(lowest + bin * width, column.digits);
  return {
    colours: Explore.RAMP,
    binOf: (value) => Math.min(steps - 1, Math.max(0, Math.floor((value - lowest) / width))),
    labelOf: (bin) => `${limitOf(bin)} – ${limitOf(bin + 1)}`,
  };
}

/** Return bins of whole numbers, such as votes; no number is in two of them. */
function wholeNumberBins(column, lowest, highest) {
  const nNumbers = highest - lowest + 1;
  const width = Math.ceil(nNumbers / Explore.RAMP.length);
  const nBins = Math.ceil(nNumbers / width);
  const step = (Explore.RAMP.length - 1) / Math.max(1, nBins - 1);
  const labelOf = (bin) => {
    const first = lowest + bin * width;
    const last = Math.min(first + width - 1, highest);
    const [start, end] = [first, last].map((number) => Explore.formatNumber(number, 0));
    return first === last ? start : `${start} – ${end}`;
  };
  return {
    colours: Array.from({ length: nBins }, (_, bin) => Explore.RAMP[Math.round(bin * step)]),
    binOf: (value) => Math.floor((Math.round(value) - lowest) / width),
    labelOf,
  };
}

/** Return the minimum and the maximum of the numbers that are not NaN. */
function finiteRange(values) {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return lowest <= highest ? [lowest, highest] : [0, 1];
}

/**
 * Colour values by the lines or colours of the column, or else by the series, the most frequent
 * first. Values for which no colour is left share one.
 */
function categoryColouring(column, isDrawn) {
  const counts = new Array(column.texts.length).fill(0);
  column.values.forEach((code, row) => { if (isDrawn(row)) counts[code]++; });
  const codes = [...counts.keys()].filter((code) => counts[code] > 0);
  codes.sort((one, other) => counts[other] - counts[one]);
  const lines = symbolsOf(column.lines);
  const noValue = Explore.symbol(Explore.NO_VALUE);
  const others = Explore.symbol(OTHER_VALUES);
  const symbols = new Array(column.texts.length).fill(others);
  let used = 0;
  for (const code of codes) {
    const key = column.texts[code];
    if (lines.has(key)) symbols[code] = lines.get(key);
    else if (Object.hasOwn(column.colours, key)) symbols[code] = Explore.symbol(column.colours[key]);
    else if (key === "") symbols[code] = noValue;
    else if (used < Explore.SERIES.length) symbols[code] = Explore.symbol(Explore.SERIES[used++]);
  }
  const labelOf = (key) => (Object.hasOwn(column.labels, key) ? column.labels[key] : key);
  const entryOf = (code, text) => ({ symbol: symbols[code], text: `${text} (${counts[code]})` });
  const isOther = (code) => symbols[code] === others;
  const entries = codes.filter((code) => !isOther(code))
    .map((code) => entryOf(code, labelOf(column.texts[code]) || Explore.text("noValue")));
  const nOthers = codes.filter(isOther).reduce((sum, code) => sum + counts[code], 0);
  if (nOthers > 0) entries.push({ symbol: others, text: `${Explore.text("otherValues")} (${nOthers})` });
  return { symbolOf: (row) => symbols[column.values[row]], entries, usesSeries: true };
}

/** Return a colouring by a few keys with a symbol each; the legend has those of drawn rows. */
function keyColouring(view, symbols, textOf, keyOf, isDrawn) {
  const used = new Set();
  for (let row = 0; row < view.rows; row++) {
    if (isDrawn(row)) used.add(keyOf(row));
  }
  const entries = [...symbols].filter(([key]) => used.has(key))
    .map(([key, symbol]) => ({ symbol, text: textOf(key) }));
  return { symbolOf: (row) => symbols.get(keyOf(row)), entries, usesSeries: true };
}

/** Colour rows by the reviewer's own verdict. */
function verdictColouring(view, isDrawn) {
  const symbols = new Map(Object.entries(Explore.VERDICT_COLOURS)
    .map(([verdict, colour]) => [verdict, Explore.symbol(colour)]));
  symbols.set("", Explore.symbol(Explore.NO_VALUE));
  const textOf = (verdict) => Explore.text(verdict === "" ? "unreviewed" : "given " + verdict);
  const keyOf = (row) => {
    const verdict = Explore.verdicts.of(view, row)?.verdict ?? "";
    return symbols.has(verdict) ? verdict : "";
  };
  return keyColouring(view, symbols, textOf, keyOf, isDrawn);
}

/** Colour rows by what they are at the threshold of a slider. */
function stateColouring(view, slider, isDrawn) {
  const lines = symbolsOf(view.stateLines);
  const symbols = new Map(Explore.statesOf(slider).map((state) => [
    state, lines.get(state) ?? Explore.symbol(Explore.STATE_COLOURS[state] ?? Explore.NO_VALUE)]));
  const keyOf = (row) => Explore.stateOf(view, slider, row);
  return keyColouring(view, symbols, Explore.text, keyOf, isDrawn);
}

/** Return the colour of the casing of a symbol. */
Explore.casingOf = (symbol) => (symbol.isLight ? DARK_CASING : LIGHT_CASING);

/**
 * Return a picture of symbols as the map draws them: a line of one or several symbols, or a box for
 * filled outlines.
 *
 * @param {object[]} symbols - The symbols.
 * @param {object} style - isFilled: true for filled outlines; casing: colour of the casing in place
 *   of that of the symbol; scale: factor of the width of the lines.
 */
Explore.symbolElement = function (symbols, { isFilled = false, casing = null, scale = 1 } = {}) {
  const svg = svgElement("svg", {
    class: "symbol", width: SYMBOL_WIDTH, height: SYMBOL_HEIGHT, "aria-hidden": "true",
  });
  const step = SYMBOL_WIDTH / symbols.length;
  symbols.forEach((symbol, index) => {
    const [start, end] = [index * step, (index + 1) * step];
    const d = isFilled ? `M${start + 2} 2H${end - 2}V${SYMBOL_HEIGHT - 2}H${start + 2}Z`
      : `M${start} ${SYMBOL_HEIGHT / 2}H${end}`;
    const common = { d, fill: "none", "stroke-dasharray": symbol.dashes.join(" ") || "none" };
    const widths = isFilled ? FILLED_WIDTHS : LINE_WIDTHS;
    const strokes = [[casing ?? Explore.casingOf(symbol), widths.casing], [symbol.colour, widths.line]];
    if (isFilled) {
      const fill = { d, fill: symbol.colour, "fill-opacity": Explore.FILL_OPACITY };
      svg.append(svgElement("path", fill));
    }
    for (const [stroke, width] of strokes) {
      svg.append(svgElement("path", { ...common, stroke, "stroke-width": scale * width }));
    }
  });
  return svg;
};

/** Return a new SVG element. */
function svgElement(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
