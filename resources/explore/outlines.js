// Outlines of a layer: coordinates in typed arrays, with an index of where they are.
"use strict";

/** Number of cells of the index in each direction, at most. */
const MAXIMUM_CELLS = 256;
/** Number of outlines for each cell of the index, about. */
const OUTLINES_PER_CELL = 4;

/** The outlines of a layer in the coordinates of the page, x to the east and y to the north. */
Explore.Outlines = class {
  /**
   * @param {Int32Array} steps - x and y of all vertices in turn; all but the first vertex of a ring
   *   are differences.
   * @param {Int32Array} ringSizes - Number of vertices of each ring.
   * @param {Int32Array} ringsPerOutline - Number of rings of each outline.
   * @param {number} step - Size of a step, units of the page.
   */
  constructor(steps, ringSizes, ringsPerOutline, step) {
    this.count = ringsPerOutline.length;
    this.firstRing = startsOf(ringsPerOutline);
    this.firstVertex = startsOf(ringSizes);
    this.coordinates = absoluteCoordinates(steps, ringSizes, step);
    this.boxes = this.boundingBoxes();
    this.buildIndex();
  }

  /** Return left, bottom, right and top of each outline; an empty outline has an infinite box. */
  boundingBoxes() {
    const boxes = new Float64Array(4 * this.count);
    for (let outline = 0; outline < this.count; outline++) {
      let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
      const end = this.firstVertex[this.firstRing[outline + 1]];
      for (let vertex = this.firstVertex[this.firstRing[outline]]; vertex < end; vertex++) {
        const x = this.coordinates[2 * vertex];
        const y = this.coordinates[2 * vertex + 1];
        if (x < left) left = x;
        if (x > right) right = x;
        if (y < bottom) bottom = y;
        if (y > top) top = y;
      }
      boxes.set([left, bottom, right, top], 4 * outline);
    }
    return boxes;
  }

  /** Return left, bottom, right and top of an outline. */
  boxOf(outline) {
    return this.boxes.subarray(4 * outline, 4 * outline + 4);
  }

  /** Return true if an outline has vertices. */
  has(outline) {
    const [left, , right] = this.boxOf(outline);
    return left <= right;
  }

  /** Return left, bottom, right and top of all outlines; null without any. */
  extent() {
    let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let outline = 0; outline < this.count; outline++) {
      const box = this.boxOf(outline);
      left = Math.min(left, box[0]);
      bottom = Math.min(bottom, box[1]);
      right = Math.max(right, box[2]);
      top = Math.max(top, box[3]);
    }
    return left <= right ? [left, bottom, right, top] : null;
  }

  /** Assign every outline to the cells of a grid that its box touches. */
  buildIndex() {
    const [left, bottom, right, top] = this.extent() ?? [0, 0, 1, 1];
    const side = Math.ceil(Math.sqrt(this.count / OUTLINES_PER_CELL));
    this.cells = Math.min(MAXIMUM_CELLS, Math.max(1, side));
    this.left = left;
    this.bottom = bottom;
    this.cellWidth = (right - left) / this.cells || 1;
    this.cellHeight = (top - bottom) / this.cells || 1;
    const counts = new Int32Array(this.cells * this.cells);
    this.forEachCell((cell) => counts[cell]++);
    this.firstInCell = startsOf(counts);
    this.inCells = new Int32Array(this.firstInCell[counts.length]);
    const next = this.firstInCell.slice();
    this.forEachCell((cell, outline) => { this.inCells[next[cell]++] = outline; });
    this.lastQuery = new Int32Array(this.count);
    this.queries = 0;
  }

  /** Call a function with every cell and every outline whose box touches it. */
  forEachCell(callback) {
    for (let outline = 0; outline < this.count; outline++) {
      const [left, bottom, right, top] = this.boxOf(outline);
      if (left <= right) {
        this.forCellsOf(left, bottom, right, top, (cell) => callback(cell, outline));
      }
    }
  }

  /** Call a function with every cell that a box touches. */
  forCellsOf(left, bottom, right, top, callback) {
    const limit = (value) => Math.min(this.cells - 1, Math.max(0, Math.floor(value)));
    const lastColumn = limit((right - this.left) / this.cellWidth);
    const lastRow = limit((top - this.bottom) / this.cellHeight);
    for (let row = limit((bottom - this.bottom) / this.cellHeight); row <= lastRow; row++) {
      for (let column = limit((left - this.left) / this.cellWidth); column <= lastColumn; column++) {
        callback(row * this.cells + column);
      }
    }
  }

  /** Return the outlines whose boxes touch a box, each once, in their order. */
  inBox(left, bottom, right, top) {
    const found = [];
    const query = ++this.queries;
    this.forCellsOf(left, bottom, right, top, (cell) => {
      for (let index = this.firstInCell[cell]; index < this.firstInCell[cell + 1]; index++) {
        const outline = this.inCells[index];
        if (this.lastQuery[outline] === query) continue;
        this.lastQuery[outline] = query;
        const box = this.boxOf(outline);
        if (box[0] <= right && box[2] >= left && box[1] <= top && box[3] >= bottom) {
          found.push(outline);
        }
      }
    });
    return found.sort((one, other) => one - other);
  }

  /** Return true if a point lies in an outline (even-odd rule). */
  contains(outline, x, y) {
    let isInside = false;
    this.forEachRing(outline, (first, end) => {
      for (let vertex = first, before = end - 1; vertex < end; before = vertex++) {
        const x1 = this.coordinates[2 * vertex];
        const y1 = this.coordinates[2 * vertex + 1];
        const x2 = this.coordinates[2 * before];
        const y2 = this.coordinates[2 * before + 1];
        if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) {
          isInside = !isInside;
        }
      }
    });
    return isInside;
  }

  /** Call a function with the first vertex and the end of every ring of an outline. */
  forEachRing(outline, callback) {
    for (let ring = this.firstRing[outline]; ring < this.firstRing[outline + 1]; ring++) {
      callback(this.firstVertex[ring], this.firstVertex[ring + 1]);
    }
  }

  /**
   * Add an outline to a canvas path.
   *
   * Vertices less than half a pixel from the one before are skipped; an outline of about a pixel
   * becomes a square.
   *
   * @param {Path2D|CanvasRenderingContext2D} path - The path.
   * @param {number} outline - Index of the outline.
   * @param {number} scale - Pixels per unit of the page.
   * @param {number} left - x of the left side of the canvas.
   * @param {number} top - y of the top side of the canvas.
   */
  trace(path, outline, scale, left, top) {
    const box = this.boxOf(outline);
    if ((box[2] - box[0]) * scale < 1.5 && (box[3] - box[1]) * scale < 1.5) {
      path.rect((box[0] - left) * scale, (top - box[3]) * scale, 1, 1);
      return;
    }
    this.forEachRing(outline, (first, end) => {
      let [lastX, lastY] = [NaN, NaN];
      for (let vertex = first; vertex < end; vertex++) {
        const x = (this.coordinates[2 * vertex] - left) * scale;
        const y = (top - this.coordinates[2 * vertex + 1]) * scale;
        if (vertex === first) {
          path.moveTo(x, y);
        } else if (Math.abs(x - lastX) < 0.5 && Math.abs(y - lastY) < 0.5) {
          continue;
        } else {
          path.lineTo(x, y);
        }
        [lastX, lastY] = [x, y];
      }
      path.closePath();
    });
  }
};

/** Return the starts of parts of these sizes, and the end of the last part. */
function startsOf(sizes) {
  const starts = new Int32Array(sizes.length + 1);
  for (let index = 0; index < sizes.length; index++) {
    starts[index + 1] = starts[index] + sizes[index];
  }
  return starts;
}

/** Return x and y of all vertices in turn, units of the page. */
function absoluteCoordinates(steps, ringSizes, step) {
  const coordinates = new Float64Array(steps.length);
  let index = 0;
  for (const size of ringSizes) {
    let [x, y] = [0, 0];
    for (let vertex = 0; vertex < size; vertex++) {
      x += steps[index];
      y += steps[index + 1];
      coordinates[index++] = x * step;
      coordinates[index++] = y * step;
    }
  }
  return coordinates;
}
