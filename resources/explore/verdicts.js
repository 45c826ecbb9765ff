// Verdicts of the reader, kept in the browser and saved as a file for page Review of the plugin.
"use strict";

/** Format and version of the file. */
const VERDICT_FORMAT = "randcrowns verdicts";
const VERDICT_VERSION = 1;
/** Names of what the browser keeps. */
const REVIEWER_KEY = "randcrowns reviewer";
const RECORDS_KEY = "randcrowns verdicts ";

/** All verdicts that were given in this browser on crowns of this run. */
Explore.Verdicts = class {
  constructor() {
    this.canStore = true;
    this.reviewer = this.read(REVIEWER_KEY) ?? "";
    const stored = this.read(RECORDS_KEY + Explore.run.id);
    /** Records as in the saved file, in the order in which they were given. */
    this.records = parseRecords(stored);
    this.savedCount = 0;
    this.index();
  }

  /** Return a text that the browser keeps; null if there is none. */
  read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      this.canStore = false;
      return null;
    }
  }

  /** Keep a text in the browser. */
  write(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch {
      this.canStore = false;
    }
  }

  /** Set the name of the reviewer. */
  setReviewer(name) {
    this.reviewer = name.trim();
    this.write(REVIEWER_KEY, this.reviewer);
    this.index();
  }

  /** Find the last record of this reviewer on each crown. */
  index() {
    this.last = new Map();
    for (const record of this.records) {
      if (record.reviewer === this.reviewer) this.last.set(crownKey(record), record);
    }
  }

  /** Return the reader's verdict on a row of a view; undefined without one. */
  of(view, row) {
    if (!view.review || this.last.size === 0) return undefined;
    const record = this.last.get(crownKey(crownOf(view.review, row)));
    return record !== undefined && record.verdict !== "" ? record : undefined;
  }

  /**
   * Keep a verdict on a row of a view.
   *
   * @param {string} verdict - The verdict; "" withdraws an earlier one.
   * @param {string} comment - Comment; may be empty.
   * @param {string} rightClass - Right class of the crown; may be empty.
   */
  give(view, row, verdict, comment, rightClass) {
    const crown = crownOf(view.review, row);
    // The time as Python writes it, so that the texts of both sort by time.
    const time = new Date().toISOString().replace("Z", "+00:00");
    const record = {
      ...crown, verdict, comment, right_class: rightClass, reviewer: this.reviewer, time,
    };
    if (verdict === "") {
      // A verdict that no file contains yet need not be kept.
      const key = crownKey(record);
      const isOther = (one) => one.reviewer !== this.reviewer || crownKey(one) !== key;
      this.records = this.records.filter(isOther);
    } else {
      this.records.push(record);
    }
    this.index();
    this.write(RECORDS_KEY + Explore.run.id, JSON.stringify(this.records));
  }

  /** Return the number of rows of a view with a verdict of this reviewer. */
  count(view) {
    let count = 0;
    for (let row = 0; row < view.rows; row++) {
      if (this.of(view, row)) count++;
    }
    return count;
  }

  /** Return the number of records that were given since the file was saved. */
  unsavedCount() {
    return Math.max(0, this.records.length - this.savedCount);
  }

  /** Return the content of the file. */
  fileText() {
    const content = {
      format: VERDICT_FORMAT, version: VERDICT_VERSION, run: Explore.run.id,
      title: Explore.run.title, verdicts: this.records,
    };
    return JSON.stringify(content, null, 1) + "\n";
  }

  /** Save the file. */
  save() {
    const name = Explore.fileName(`${Explore.run.title} ${this.reviewer}`, "_verdicts.json");
    Explore.saveFile(name, "application/json", this.fileText());
    this.savedCount = this.records.length;
  }
};

/** Return the records in a stored text; none if it is damaged. */
function parseRecords(text) {
  try {
    const records = JSON.parse(text ?? "[]");
    return Array.isArray(records) ? records.filter((one) => one !== null && typeof one === "object") : [];
  } catch {
    return [];
  }
}

/** Return the identity of a crown with its present state. */
function crownOf(review, row) {
  const [layerId, layerSource, layer] = review.targets;
  const [delineationsId, delineationsSource, delineations] = review.delineations;
  const score = review.scores[row];
  return {
    layer_id: layerId, layer_source: layerSource, layer,
    delineations_id: delineationsId, delineations_source: delineationsSource, delineations,
    side: review.side[row], feature_id: review.featureIds[row],
    outline: review.outlines[row], match: review.matches[row],
    score: Number.isNaN(score) ? null : score, problem: review.problems[row],
  };
}

/** Return a text that identifies a crown and its state; equal for equal crowns only. */
function crownKey(record) {
  return JSON.stringify([
    record.layer_id, record.layer, record.delineations_id, record.delineations,
    record.side, record.feature_id, record.outline, record.match,
  ]);
}
