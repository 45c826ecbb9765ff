// The data of the page: decoded once, then read by all other scripts.
"use strict";

/** All parts of the page; each script adds its own. */
const Explore = {};

/** Return the status of a row, which is the reason if it has no score; "" without a status. */
Explore.statusOf = function (view, row) {
  return view.columns.find((column) => column.role === "status")?.textOf(row) ?? "";
};

/** Return the bytes of a text in Base64. */
Explore.bytesOf = function (base64) {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < characters.length; index++) {
    bytes[index] = characters.charCodeAt(index);
  }
  return bytes;
};

/** Return the content of a data element of the page, and remove the element. */
Explore.takeElementText = function (name) {
  const element = document.getElementById("data-" + name);
  const text = element.textContent;
  element.remove();
  return text;
};

/** Return the decompressed bytes of a data element (zlib, Base64). */
Explore.decompress = async function (name) {
  const bytes = Explore.bytesOf(Explore.takeElementText(name));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
};

/** A column of a view. */
Explore.Column = class {
  /**
   * @param {object} entry - The column in the manifest.
   * @param {function} read - Function that returns the array at a position in the numbers.
   */
  constructor(entry, read) {
    Object.assign(this, entry);
    this.isNumeric = entry.numbers !== undefined;
    this.values = read(this.isNumeric ? entry.numbers : entry.codes);
    this.orderValues = this.values;
  }

  /** Sort false detections, which have no score, like scores of 0, as page Review does. */
  orderFalseDetections(falseDetections) {
    this.orderValues = this.values.slice();
    for (const row of falseDetections) this.orderValues[row] = 0;
  }

  /** Return the number of a row; NaN if it is missing. */
  numberOf(row) {
    return this.isNumeric ? this.values[row] : NaN;
  }

  /** Return the stored text of a row; "" if it is missing. */
  keyOf(row) {
    return this.isNumeric ? "" : this.texts[this.values[row]];
  }

  /** Return the displayed text of a row; "" if the value is missing, n/a for a score. */
  textOf(row) {
    if (!this.isNumeric) {
      const key = this.keyOf(row);
      return Object.hasOwn(this.labels, key) ? this.labels[key] : key;
    }
    const number = this.values[row];
    // A row without a score has the reason in its status; other numbers are just missing.
    if (Number.isNaN(number)) return this.kind === "score" ? Explore.texts.notAvailable : "";
    return Explore.formatNumber(number, this.digits);
  }

  /** Return true if a row has no score; the reason is its status. */
  lacksScore(row) {
    return this.kind === "score" && Number.isNaN(this.values[row]);
  }

  /** Return a negative, zero or positive number for the order of two rows; missing ones last. */
  compare(first, second, direction) {
    if (this.isNumeric) {
      const one = this.orderValues[first];
      const other = this.orderValues[second];
      if (Number.isNaN(one) || Number.isNaN(other)) {
        return Number.isNaN(one) - Number.isNaN(other);
      }
      return direction * (one - other);
    }
    const one = this.textOf(first);
    const other = this.textOf(second);
    if (one === "" || other === "") {
      return (one === "") - (other === "");
    }
    return direction * Explore.collator.compare(one, other);
  }
};

Explore.collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

/** Return a number, such as "-1550.2", with the signs of the reader's language. */
Explore.localNumber = function (text) {
  const [whole, decimals] = text.replace("-", "\u2212").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, Explore.texts.thousands);
  return decimals === undefined ? grouped : grouped + Explore.texts.decimal + decimals;
};

/** Number of significant digits from which zeros at the end are not written, as of parameters. */
const PARAMETER_DIGITS = 6;
/** Number from which on decimals are not written, such as those of areas. */
const LARGE_NUMBER = 10000;
/** Smallest number with significant digits that is written without a power of ten. */
const MINIMUM_PLAIN_NUMBER = 0.001;

/**
 * Return a number in the reader's language, as format_value and cell_decimals of
 * report/language.py do.
 *
 * The number of decimals is negative for one of significant digits, as of variances, and null to
 * choose it by the size of the number, as in the tables of the report.
 */
Explore.formatNumber = function (number, digits) {
  if (Number.isNaN(number)) {
    return Explore.texts.notAvailable;
  }
  const decimals = digits ?? decimalsBySize(number);
  if (Math.abs(number) >= LARGE_NUMBER && decimals > 0) {
    return Explore.localNumber(fixedText(number, 0));
  }
  if (decimals < 0 && number !== 0) {
    return significantText(number, -decimals);
  }
  return Explore.localNumber(fixedText(number, Math.max(0, decimals)));
};

/** Return the number of decimals that suits the size of a number. */
function decimalsBySize(number) {
  if (Math.abs(number) < 2) return 3;
  return Number.isInteger(number) ? 0 : 1;
}

/** Return a number with decimals; a number between two texts takes the even last digit. */
function fixedText(number, decimals) {
  const rounded = number.toFixed(decimals);
  const size = Math.abs(number);
  if (Math.abs((size * 10 ** decimals) % 1 - 0.5) > 1e-6) return rounded;
  const [whole, fraction] = size.toFixed(80).split(".");
  const lower = decimals > 0 ? `${whole}.${fraction.slice(0, decimals)}` : whole;
  const isBetween = /^50*$/.test(fraction.slice(decimals));
  const isEven = Number(lower.at(-1)) % 2 === 0;
  return isBetween && isEven ? (number < 0 ? "-" : "") + lower : rounded;
}

/** Return a number with this many significant digits, and a power of ten if it is small or large. */
function significantText(number, digits) {
  const [mantissa, power] = number.toExponential(digits - 1).split("e").map(String);
  const tidy = (text) => (digits < PARAMETER_DIGITS ? text : text.replace(/\.?0+$/, ""));
  const isPlain = Math.abs(number) >= MINIMUM_PLAIN_NUMBER && Number(power) < digits;
  if (!isPlain) {
    const isSmall = Math.abs(number) < MINIMUM_PLAIN_NUMBER;
    const shown = Explore.localNumber(isSmall ? mantissa : tidy(mantissa));
    return `${shown}\u00a0×\u00a010${Explore.superscript(Number(power))}`;
  }
  const text = fixedText(number, digits - 1 - Number(power));
  return Explore.localNumber(text.includes(".") ? tidy(text) : text);
}

/** Return a whole number in superscript digits. */
Explore.superscript = function (number) {
  return String(number).replace(/[-\d]/g, (letter) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(letter)]);
};

/** Return a count as text, with the sign of the language between thousands. */
Explore.formatCount = function (count) {
  return Explore.localNumber(String(count));
};

/** Return a text of the page with values in place of the names in braces. */
Explore.text = function (key, values = {}) {
  let text = Explore.texts[key] ?? key;
  for (const [name, value] of Object.entries(values)) {
    const shown = Number.isInteger(value) ? Explore.formatCount(value) : String(value);
    text = text.split("{" + name + "}").join(shown);
  }
  return text;
};

/** Decode the data of the page into Explore.run, Explore.texts and Explore.image. */
Explore.readData = async function () {
  const manifest = await Explore.decompress("manifest");
  const run = JSON.parse(new TextDecoder().decode(manifest));
  const buffer = await Explore.decompress("numbers");
  const arrayTypes = { f8: Float64Array, i4: Int32Array };
  const read = ({ kind, at, count }) => new arrayTypes[kind](buffer, at, count);

  Explore.texts = run.texts;
  for (const view of run.views) {
    view.columns = view.columns.map((entry) => new Explore.Column(entry, read));
    view.layer = read(view.layer);
    view.outline = read(view.outline);
    view.matches = read(view.matches);
    view.falseDetections = read(view.falseDetections);
    for (const column of view.columns) {
      if (column.kind === "score") column.orderFalseDetections(view.falseDetections);
    }
    if (view.review) view.review.scores = read(view.review.scores);
    for (const slider of view.sliders) {
      for (const name of ["targets", "predictions", "rows"]) {
        slider[name] = read(slider[name]);
      }
    }
  }
  for (const curve of run.curves) {
    for (const name of ["threshold", "precision", "recall"]) {
      curve[name] = read(curve[name]);
    }
  }
  for (const layer of run.layers) {
    layer.outlines = new Explore.Outlines(
      read(layer.coordinates), read(layer.ringSizes), read(layer.ringsPerOutline), layer.step);
  }
  Explore.run = run;
  const imageText = Explore.takeElementText("image");
  Explore.image = imageText === "" ? null : JSON.parse(imageText);
};

/** Return a new element with attributes and children; texts are never parsed as markup. */
Explore.element = function (tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== false && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children);
  return element;
};

/** Offer a text as a file to save. */
Explore.saveFile = function (name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Explore.element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
};

/** Return a file name made of a title, without characters that file systems forbid. */
Explore.fileName = function (title, ending) {
  const words = title.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? ["randcrowns"];
  return words.join("_").slice(0, 60) + ending;
};
