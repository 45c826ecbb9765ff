// Regions of the selected crown, drawn as a picture that lies on the map.
"use strict";

/** Colours of the four terms (Stewart et al. 2021, Eq. 10-13). */
Explore.TERM_COLOURS = { a: "#ffd92f", b: "#98e0c0", c: "#f58231", d: "#42d4f4" };
/** Longer side of the picture, pixels. */
const REGIONS_SIZE = 500;
/** Number of halvings in the search for the width of the outer region. */
const SEARCH_STEPS = 12;

/**
 * Picture of the four terms of a target and its match.
 *
 * The target is offset by a line along its outline: as wide as twice the offset, it covers the
 * ground within this distance. The width tau of the outer region is found by counting pixels.
 */
Explore.RegionsPicture = class {
  /**
   * @param {Explore.Outlines} targets - Outlines of the targets.
   * @param {number} target - Index of the target.
   * @param {Explore.Outlines|null} matches - Outlines of the matches.
   * @param {number} match - Index of the match; -1 for none.
   * @param {object} lengths - alpha, omega, gamma and corners.
   */
  constructor(targets, target, matches, match, lengths) {
    Object.assign(this, { targets, target, matches, match, lengths });
    const [left, bottom, right, top] = targets.boxOf(target);
    // The outer region of a target of this size is never wider than this.
    const size = Math.max(right - left, top - bottom);
    this.widest = lengths.omega + size * Math.sqrt(1 + lengths.gamma);
    this.setExtent(left, bottom, right, top, this.widest);
    const certainPixels = countPixels(this.certainRegion());
    this.tau = certainPixels > 0 ? this.findTau(certainPixels) : 0;
    this.setExtent(left, bottom, right, top, lengths.omega + this.tau);
  }

  /** Set the extent of the picture: a box and a margin around it. */
  setExtent(left, bottom, right, top, margin) {
    const border = margin * 1.05 + (right - left) * 0.02;
    this.bounds = [left - border, bottom - border, right + border, top + border];
    const width = right - left + 2 * border;
    const height = top - bottom + 2 * border;
    this.scale = REGIONS_SIZE / Math.max(width, height);
    this.width = Math.max(1, Math.round(width * this.scale));
    this.height = Math.max(1, Math.round(height * this.scale));
  }

  /** Return a new transparent canvas of the picture's size. */
  newCanvas() {
    const canvas = Explore.element("canvas", { width: this.width, height: this.height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const isBox = this.lengths.corners === "mitre" ||
      (this.lengths.corners === "auto" && isRectangle(this.targets, this.target));
    context.lineJoin = isBox ? "miter" : "round";
    context.miterLimit = 100;
    return context;
  }

  /** Return the path of an outline in the picture. */
  pathOf(outlines, outline) {
    const path = new Path2D();
    outlines.trace(path, outline, this.scale, this.bounds[0], this.bounds[3]);
    return path;
  }

  /** Paint the ground within a distance of the target. */
  paintWithin(context, distance) {
    const path = this.pathOf(this.targets, this.target);
    context.fill(path, "evenodd");
    context.lineWidth = 2 * distance * this.scale;
    if (distance > 0) context.stroke(path);
  }

  /** Return the canvas of the certain crown: the target without its rim of width alpha. */
  certainRegion(colour = "#000") {
    const context = this.newCanvas();
    context.fillStyle = colour;
    const path = this.pathOf(this.targets, this.target);
    context.fill(path, "evenodd");
    context.globalCompositeOperation = "destination-out";
    context.lineWidth = 2 * this.lengths.alpha * this.scale;
    if (this.lengths.alpha > 0) context.stroke(path);
    return context;
  }

  /** Return the canvas of the ground between omega and omega + tau from the target. */
  outerRegion(tau, colour = "#000") {
    const context = this.newCanvas();
    context.fillStyle = context.strokeStyle = colour;
    this.paintWithin(context, this.lengths.omega + tau);
    context.globalCompositeOperation = "destination-out";
    this.paintWithin(context, this.lengths.omega);
    return context;
  }

  /** Return the tau whose outer region has gamma times the area of the certain crown. */
  findTau(certainPixels) {
    let [lowest, highest] = [0, this.widest - this.lengths.omega];
    for (let step = 0; step < SEARCH_STEPS; step++) {
      const middle = (lowest + highest) / 2;
      if (countPixels(this.outerRegion(middle)) < this.lengths.gamma * certainPixels) {
        lowest = middle;
      } else {
        highest = middle;
      }
    }
    return (lowest + highest) / 2;
  }

  /** Return the address of the finished picture. */
  address() {
    const result = this.newCanvas();
    const parts = [
      [this.outerRegion(this.tau, Explore.TERM_COLOURS.b), Explore.TERM_COLOURS.c],
      [this.certainRegion(Explore.TERM_COLOURS.d), Explore.TERM_COLOURS.a],
    ];
    for (const [context, coveredColour] of parts) {
      if (this.match >= 0) {
        context.globalCompositeOperation = "source-atop";
        context.fillStyle = coveredColour;
        context.fill(this.pathOf(this.matches, this.match), "evenodd");
      }
      result.drawImage(context.canvas, 0, 0);
    }
    return result.canvas.toDataURL();
  }
};

/** Return the number of opaque pixels of a canvas. */
function countPixels(context) {
  const { width, height } = context.canvas;
  const pixels = context.getImageData(0, 0, width, height).data;
  let count = 0;
  for (let index = 3; index < pixels.length; index += 4) {
    count += pixels[index];
  }
  return count / 255;
}

/** Return true if an outline is a rectangle with sides along the axes. */
function isRectangle(outlines, outline) {
  const ring = outlines.firstRing[outline];
  const first = outlines.firstVertex[ring];
  const count = outlines.firstVertex[ring + 1] - first;
  if (outlines.firstRing[outline + 1] - ring !== 1 || count !== 4) return false;
  for (let side = 0; side < 4; side++) {
    const one = 2 * (first + side);
    const other = 2 * (first + ((side + 1) % 4));
    const isUpright = Math.abs(outlines.coordinates[one] - outlines.coordinates[other]) < 1e-9;
    const isLevel = Math.abs(outlines.coordinates[one + 1] - outlines.coordinates[other + 1]) < 1e-9;
    if (!isUpright && !isLevel) return false;
  }
  return true;
}
