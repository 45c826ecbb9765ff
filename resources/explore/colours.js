// Colours of values on the map and in the legend.
"use strict";

/** Ramp from low to high numbers (viridis), readable with any colour vision. */
Explore.RAMP = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
/** Colours of values without a colour of their own (Okabe and Ito). */
Explore.SERIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/** Colour of rows without a value. */
Explore.NO_VALUE = "#9e9e9e";
/** Colours of the states of the threshold slider. */
Explore.STATE_COLOURS = {
  found: "#009e73", reaching: "#009e73", low: "#e69f00", missed: "#d55e00", false: "#cc79a7",
  notJudged: Explore.NO_VALUE,
};
/** Colours of verdicts. */
Explore.VERDICT_COLOURS = {
  accepted: "#009e73", rejected: "#d55e00", fixed: "#0072b2",
  unsure: "#e69f00", "wrong class": "#cc79a7",
};
/** Maximum number of entries of a legend. */
const MAXIMUM_LEGEND_ENTRIES = 12;
/** Relative luminance above which a colour contrasts more with black than with white. */
const LIGHT_FROM = 0.179;

/**
 * Colouring of the rows of a view: colourOf(row) returns a colour, entries lists the legend as
 * pairs of colour and text. rankOf(row), where it exists, is higher for rows that lie on top.
 */
Explore.colouring = function (view, name) {
  if (name === "verdict") {
    return verdictColouring(view);
  }
  if (name.startsWith("state ")) {
    return stateColouring(view, view.sliders[Number(name.slice(6))]);
  }
  const column = view.columns.find((candidate) => candidate.name === name);
  if (column === undefined) {
    return { colourOf: () => Explore.run.layers[0].colour, entries: [] };
  }
  return column.isNumeric ? numberColouring(column) : categoryColouring(column);
};

/** Colour scores and variances by their classes, which are those of the report and of QGIS. */
function numberColouring(column) {
  const [lowest, highest] = finiteRange(column.values);
  let bins;
  const classes = column.classes ?? (column.kind === "score" ? Explore.run.scoreClasses : null);
  if (classes !== null) bins = classBins(classes);
  else if (column.digits === 0) {
    bins = wholeNumberBins(column, Math.round(lowest), Math.round(highest));
  } else if (lowest === highest) bins = singleBin(column, lowest);
  else bins = equalBins(column, lowest, highest);
  const colourOf = (row) => {
    const value = column.values[row];
    return Number.isNaN(value) ? Explore.NO_VALUE : bins.colours[bins.binOf(value)];
  };
  // Low scores and high variances are the worst; rows without a value lie below all others.
  const direction = column.kind === "score" ? -1 : 1;
  const rankOf = (row) => {
    const value = column.values[row];
    return Number.isNaN(value) ? -Infinity : direction * bins.binOf(value);
  };
  const entries = bins.colours.map((colour, bin) => [colour, bins.labelOf(bin)]);
  if (column.values.some(Number.isNaN)) {
    entries.push([Explore.NO_VALUE, column.missingLabel || Explore.text("noValue")]);
  }
  return { colourOf, entries, rankOf };
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

/** Colour values by the colours of the column, or else by the series, the most frequent first. */
function categoryColouring(column) {
  const counts = new Array(column.texts.length).fill(0);
  for (const code of column.values) counts[code]++;
  const codes = [...counts.keys()].filter((code) => counts[code] > 0);
  codes.sort((one, other) => counts[other] - counts[one]);
  const colours = [];
  let used = 0;
  for (const code of codes) {
    const key = column.texts[code];
    if (Object.hasOwn(column.colours, key)) {
      colours[code] = column.colours[key];
    } else if (key !== "" && used < Explore.SERIES.length) {
      colours[code] = Explore.SERIES[used++];
    } else {
      colours[code] = Explore.NO_VALUE;
    }
  }
  const labelOf = (key) => (Object.hasOwn(column.labels, key) ? column.labels[key] : key);
  const entries = codes.slice(0, MAXIMUM_LEGEND_ENTRIES).map((code) => {
    const text = labelOf(column.texts[code]) || Explore.text("noValue");
    return [colours[code], `${text} (${counts[code]})`];
  });
  return { colourOf: (row) => colours[column.values[row]], entries };
}

/** Colour rows by the reviewer's own verdict. */
function verdictColouring(view) {
  const entries = Object.entries(Explore.VERDICT_COLOURS)
    .map(([verdict, colour]) => [colour, Explore.text("given " + verdict)]);
  entries.push([Explore.NO_VALUE, Explore.text("unreviewed")]);
  const colourOf = (row) => {
    const record = Explore.verdicts.of(view, row);
    return record ? Explore.VERDICT_COLOURS[record.verdict] ?? Explore.NO_VALUE : Explore.NO_VALUE;
  };
  return { colourOf, entries };
}

/** Colour rows by what they are at the threshold of a slider. */
function stateColouring(view, slider) {
  const entries = Explore.statesOf(slider)
    .map((state) => [Explore.STATE_COLOURS[state], Explore.text(state)]);
  const colourOf = (row) => Explore.STATE_COLOURS[Explore.stateOf(view, slider, row)];
  return { colourOf, entries };
}
