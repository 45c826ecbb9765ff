// Precision and recall at any threshold, computed from the values of the crowns.
"use strict";

/** Difference up to which a value is equal to a threshold, as in the program's own tables. */
const THRESHOLD_TOLERANCE = 1e-8;

/** Return how many values reach a threshold; NaN reaches none. */
Explore.countReaching = function (values, threshold) {
  let count = 0;
  for (const value of values) {
    if (value >= threshold - THRESHOLD_TOLERANCE) count++;
  }
  return count;
};

/** Return counts, precision, recall and F1 of a slider at a threshold; NaN for 0 / 0. */
Explore.ratesAt = function (slider, threshold) {
  const found = Explore.countReaching(slider.targets, threshold);
  const right = Explore.countReaching(slider.predictions, threshold);
  const recall = found / slider.targets.length;
  const precision = right / slider.predictions.length;
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : precision + recall;
  return { found, right, precision, recall, f1 };
};

/**
 * Return the states of a slider's rows. A score that reaches the minimum detects nothing, and a
 * delineation without a target is no false detection if only some crowns were drawn.
 */
Explore.statesOf = function (slider) {
  const states = slider.isRule ? ["found", "missed"] : ["reaching", "low", "missed"];
  return [...states, slider.judgesUnmatched ? "false" : "notJudged"];
};

/** Return the state of a row at the present threshold of a slider, one of its states. */
Explore.stateOf = function (view, slider, row) {
  const states = Explore.statesOf(slider);
  if (slider.rows[row] >= slider.start - THRESHOLD_TOLERANCE) return states[0];
  if (view.layer[row] === view.matchLayer) return states[states.length - 1];
  return slider.rows[row] > 0 && !slider.isRule ? "low" : "missed";
};

/** Return the section with the sliders of a view and the curves of the run; null without any. */
Explore.thresholdSection = function (view, onChange) {
  const element = Explore.element;
  const parts = view.sliders.map((slider) => sliderElement(slider, onChange));
  if (Explore.run.curves.length > 0) parts.push(curveElement(Explore.run.curves));
  if (parts.length === 0) return null;
  return element(
    "details", { class: "thresholds" },
    element("summary", {}, Explore.text("thresholds")), ...parts);
};

/** Return a slider with the numbers at its threshold. */
function sliderElement(slider, onChange) {
  const element = Explore.element;
  const result = element("output");
  const label = Explore.text("threshold", { label: slider.label });
  const show = () => {
    const rates = Explore.ratesAt(slider, slider.start);
    result.replaceChildren(
      rateElement("precision", rates.precision, rates.right, slider.predictions.length),
      rateElement("recall", rates.recall, rates.found, slider.targets.length),
      rateElement("f1", rates.f1));
  };
  const range = element("input", { type: "range", min: 0, max: 1, step: 0.01, "aria-label": label });
  const field = element("input", { type: "number", min: 0, max: 1, step: 0.01, "aria-label": label });
  const set = (value) => {
    if (Number.isNaN(value)) return;
    slider.start = value;
    show();
    onChange();
  };
  range.value = field.value = slider.start;
  range.addEventListener("input", () => {
    field.value = range.value;
    set(range.valueAsNumber);
  });
  field.addEventListener("input", () => {
    range.value = field.value;
    set(field.valueAsNumber);
  });
  show();
  const note = slider.note ? [element("p", {}, slider.note)] : [];
  return element(
    "div", { class: "slider" }, element("label", {}, label), range, field, result, ...note);
}

/** Return a rate, with the number of crowns that reach the minimum and of all that count. */
function rateElement(name, rate, number = 0, all = 0) {
  const texts = all > 0 ? [` (${Explore.text(`${name}Counts`, { number, all })})`] : [];
  return Explore.element(
    "span", {}, `${Explore.text(name)} `, Explore.element("b", {}, Explore.formatNumber(rate, 3)), ...texts);
}

/** Return the precision and recall of a detector if detections below a score do not count. */
Explore.curveAt = function (curve, threshold) {
  let index = -1;
  while (index + 1 < curve.threshold.length &&
         curve.threshold[index + 1] >= threshold - THRESHOLD_TOLERANCE) {
    index++;
  }
  return index < 0 ? { precision: NaN, recall: 0 }
    : { precision: curve.precision[index], recall: curve.recall[index] };
};

/** Return a slider over the scores of a detector, with precision and recall. */
function curveElement(curves) {
  const element = Explore.element;
  const select = element("select", { change: () => start() });
  for (const curve of curves) select.append(element("option", {}, curve.label));
  const label = Explore.text("detectionThreshold");
  const range = element("input", { type: "range", step: "any", "aria-label": label, input: () => show() });
  const result = element("output");
  const start = () => {
    const { threshold } = curves[select.selectedIndex];
    range.max = threshold[0] ?? 1;
    range.min = threshold[threshold.length - 1] ?? 0;
    range.value = range.min;
    show();
  };
  const show = () => {
    const rates = Explore.curveAt(curves[select.selectedIndex], range.valueAsNumber);
    const numbers = [
      [label, Explore.formatNumber(range.valueAsNumber, 3)],
      [Explore.text("precision"), Explore.formatNumber(rates.precision, 3)],
      [Explore.text("recall"), Explore.formatNumber(rates.recall, 3)],
    ];
    result.replaceChildren(...numbers.map(
      ([name, value]) => element("span", {}, `${name} `, element("b", {}, value))));
  };
  start();
  return element(
    "div", { class: "slider" },
    element("label", {}, element("span", {}, Explore.text("curve")), select), range, result);
}
