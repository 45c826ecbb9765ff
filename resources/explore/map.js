// The map: Leaflet with the image and the outlines as tiles, and the selected crown above them.
"use strict";

/** Width of a tile with outlines, pixels of the screen. */
const TILE_SIZE = 256;
/** Distance around a tile from which outlines reach into it with their lines, pixels. */
const LINE_MARGIN = 4;
/** Lowest zoom level, at which a pixel is 65 km wide. Leaflet shows no tiles below 0 by default. */
const LOWEST_ZOOM = -16;
/** Time for tiles in each frame, milliseconds; the rest of a frame is for moving the map. */
const TIME_PER_FRAME = 10;
/** Size of outlines above which their lines are wide and have a casing, pixels. */
const CASING_SIZE = 12;
/** Setting of the reader for dark pages. */
const DARK_PAGE = window.matchMedia("(prefers-color-scheme: dark)");
/** Symbol of outlines that a filter excludes. */
Explore.EXCLUDED = { colour: "rgba(128, 128, 128, 0.35)", dashes: [], isLight: false, key: "excluded" };
/** Casing of the selected outlines. */
Explore.SELECTED_CASING = "#ffffff";
/** Maximum number of pixels of an outline on the screen when it is selected in the table, unless
    the whole run is not larger. */
const SELECTED_SIZE = 260;
/** An image without any content, for tiles outside the image. */
const EMPTY_IMAGE = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Tiles with the outlines of all shown layers. They are drawn while nothing else is to be done. */
const OutlineTiles = L.GridLayer.extend({
  initialize(draw) {
    L.GridLayer.prototype.initialize.call(this, {
      tileSize: TILE_SIZE, keepBuffer: 1, minZoom: LOWEST_ZOOM,
    });
    this.draw = draw;
    this.tiles = new Map(); // Canvas -> position of the tile.
    this.waiting = new Map(); // Canvas -> function to call when it is drawn, or null.
    this.on("tileunload", (event) => {
      this.tiles.delete(event.tile);
      this.waiting.delete(event.tile);
    });
  },

  createTile(position, done) {
    const ratio = window.devicePixelRatio || 1;
    const size = TILE_SIZE * ratio;
    const canvas = Explore.element("canvas", { width: size, height: size });
    this.tiles.set(canvas, position);
    this.wait(canvas, done);
    return canvas;
  },

  /** Draw all tiles again, without showing empty ones in between. */
  refresh() {
    for (const canvas of this.tiles.keys()) {
      this.wait(canvas, this.waiting.get(canvas) ?? null);
    }
  },

  /** Draw a tile as soon as there is time. */
  wait(canvas, done) {
    this.waiting.set(canvas, done);
    this.frame ??= requestAnimationFrame(() => this.drawWaiting());
  },

  /** Draw waiting tiles for the time of a frame. */
  drawWaiting() {
    this.frame = undefined;
    const end = performance.now() + TIME_PER_FRAME;
    for (const [canvas, done] of this.waiting) {
      this.waiting.delete(canvas);
      this.draw(canvas, this.tiles.get(canvas));
      if (done) done(null, canvas);
      if (performance.now() > end) break;
    }
    if (this.waiting.size > 0) {
      this.frame = requestAnimationFrame(() => this.drawWaiting());
    }
  },
});

/** Tiles of the image, which the page contains. */
const ImageTiles = L.TileLayer.extend({
  createTile(position, done) {
    const tile = L.TileLayer.prototype.createTile.call(this, position, done);
    const { masks } = Explore.image;
    const name = `${position.z}/${position.x}/${position.y}`;
    if (Object.hasOwn(masks, name)) {
      // JPEG has no transparency: the ground of the page is visible beyond the edges of the image.
      const address = `url(data:image/png;base64,${masks[name]})`;
      tile.style.setProperty("-webkit-mask", `${address} 0 0 / 100% 100%`);
      tile.style.setProperty("mask", `${address} 0 0 / 100% 100%`);
    }
    return tile;
  },

  getTileUrl(position) {
    const name = `${position.z}/${position.x}/${position.y}`;
    const image = Explore.image;
    return Object.hasOwn(image.tiles, name)
      ? `data:${image.type};base64,${image.tiles[name]}` : EMPTY_IMAGE;
  },
});

/** A scale bar for pictures without a ground resolution. */
const PixelScale = L.Control.Scale.extend({
  _updateMetric(length) {
    const round = this._getRoundNum(length);
    this._updateScale(this._mScale, `${round} px`, round / length);
  },
});

/** The map of the page. */
Explore.CrownMap = class {
  /**
   * @param {HTMLElement} container - Element for the map.
   * @param {function} onSelect - Called with the row of a crown that was clicked; -1 for none.
   */
  constructor(container, onSelect) {
    this.onSelect = onSelect;
    this.layers = Explore.run.layers;
    this.isLayerShown = this.layers.map((layer) => layer.shown);
    this.extent = wholeExtent(this.layers);
    this.map = L.map(container, {
      crs: L.CRS.Simple, attributionControl: false, zoomControl: false,
      fadeAnimation: false, zoomSnap: 0.5, maxZoom: this.highestZoom(), minZoom: LOWEST_ZOOM,
      maxBoundsViscosity: 0.5,
    });
    L.control.zoom().addTo(this.map);
    const Scale = Explore.run.unit === "px" ? PixelScale : L.Control.Scale;
    new Scale({ imperial: false }).addTo(this.map);
    this.image = this.addImage();
    DARK_PAGE.addEventListener("change", () => this.tiles.refresh());
    this.tiles = new OutlineTiles((canvas, position) => this.drawTile(canvas, position));
    this.selection = L.featureGroup().addTo(this.map);
    this.map.on("click", (event) => this.onSelect(this.rowAt(event.latlng.lng, event.latlng.lat)));
    this.showAll();
    this.tiles.addTo(this.map);
  }

  /** Return the zoom level at which the smallest usual crowns fill much of the map. */
  highestZoom() {
    const sizes = [];
    for (const layer of this.layers) {
      for (let outline = 0; outline < layer.outlines.count; outline += 1 + (layer.outlines.count >> 9)) {
        const box = layer.outlines.boxOf(outline);
        if (box[2] > box[0]) sizes.push(Math.max(box[2] - box[0], box[3] - box[1]));
      }
    }
    sizes.sort((one, other) => one - other);
    const small = sizes[sizes.length >> 3] || 1;
    return Math.max(Math.ceil(Math.log2(600 / small)), (Explore.image?.highest ?? LOWEST_ZOOM) + 2);
  }

  /** Add the image to the map and return its layer; null without an image. */
  addImage() {
    if (Explore.image === null) return null;
    const { size, lowest, highest } = Explore.image;
    const options = {
      tileSize: size, minNativeZoom: lowest, maxNativeZoom: highest, minZoom: LOWEST_ZOOM,
      maxZoom: this.map.getMaxZoom(), noWrap: true,
    };
    return new ImageTiles("", options).addTo(this.map);
  }

  /** Show the whole run. */
  showAll() {
    const [left, bottom, right, top] = this.extent;
    this.map.fitBounds([[bottom, left], [top, right]], { animate: false });
  }

  /** Show the rows of a view in their colours. */
  setView(view, rows) {
    this.view = view;
    this.rows = rows;
    // Layer -> row of the view of each outline, or -1.
    this.rowOf = this.layers.map((layer) => new Int32Array(layer.outlines.count).fill(-1));
    for (let row = 0; row < view.rows; row++) {
      if (view.outline[row] >= 0) this.rowOf[view.layer[row]][view.outline[row]] = row;
    }
    this.showsRows = this.rowOf.map((ofLayer) => ofLayer.some((row) => row >= 0));
    // Outlines that are no rows, such as delineations with a target, have the symbol of their layer.
    this.showsOthers = this.rowOf.map((ofLayer, index) => ofLayer.some(
      (row, outline) => row < 0 && this.layers[index].outlines.has(outline)));
  }

  /** Return true if the map shows the outline of a row that meets all filters. */
  isRowDrawn(row) {
    return this.hasShownOutline(row) && this.rows.isShown[row] === 1;
  }

  /** Return true if a row has an outline on a shown layer, in its colours or excluded by a filter. */
  hasShownOutline(row) {
    return this.view.outline[row] >= 0 && this.isLayerShown[this.view.layer[row]];
  }

  /** Draw all outlines again with a colouring of the rows. */
  setColouring(colouring) {
    this.colouring = colouring;
    this.layerSymbols = Explore.layerSymbols(this.view, colouring, this.showsOthers);
    this.tiles.refresh();
  }

  /** Show or hide a layer of outlines. */
  setLayerShown(index, isShown) {
    this.isLayerShown[index] = isShown;
    this.tiles.refresh();
  }

  /** Draw the tile at a position. */
  drawTile(canvas, position) {
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!this.view) return;
    const ratio = canvas.width / TILE_SIZE;
    context.scale(ratio, ratio);
    const scale = 2 ** position.z;
    const frame = {
      scale, left: (position.x * TILE_SIZE) / scale, top: (-position.y * TILE_SIZE) / scale,
    };
    // The first layer is the topmost; the rows of the table lie above all others.
    const indices = [...this.layers.keys()].reverse().filter((index) => this.isLayerShown[index]);
    const groups = new Map();
    for (const index of indices) this.collectPaths(index, frame, groups);
    // Of rows that overlap, the worst lies on top.
    const order = [...groups.values()].sort(
      (one, other) => one.level - other.level || one.rank - other.rank);
    for (const group of order) strokeGroup(context, group);
  }

  /** Add the outlines of a layer that touch a tile to the groups of equal style. */
  collectPaths(index, frame, groups) {
    const { outlines } = this.layers[index];
    const margin = LINE_MARGIN / frame.scale;
    const size = TILE_SIZE / frame.scale;
    const found = outlines.inBox(
      frame.left - margin, frame.top - size - margin, frame.left + size + margin, frame.top + margin);
    const rowOf = this.rowOf[index];
    for (const outline of found) {
      const row = rowOf[outline];
      const box = outlines.boxOf(outline);
      const isLarge = (box[2] - box[0]) * frame.scale > CASING_SIZE;
      let style = { symbol: this.layerSymbols[index], isFilled: false, level: 1, rank: 0 };
      if (row >= 0 && !this.rows.isShown[row]) {
        style = { symbol: Explore.EXCLUDED, isFilled: false, level: 0, rank: 0 };
      } else if (row >= 0) {
        // Fills of overlapping crowns would mix to colours that are not in the legend.
        style = {
          symbol: this.colouring.symbolOf(row), isFilled: this.view.filled, level: 2,
          rank: this.colouring.rankOf?.(row) ?? 0,
        };
      }
      // Light lines on a light ground, and dark lines on a dark one, require their casing.
      const isLikeGround = style.symbol.isLight !== DARK_PAGE.matches;
      const hasCasing = style.level > 0 && (isLarge || isLikeGround);
      const key = `${style.level} ${isLarge} ${style.symbol.key}`;
      let group = groups.get(key);
      if (group === undefined) {
        group = { ...style, isLarge, hasCasing, paths: [] };
        groups.set(key, group);
      }
      // A path for each outline: overlapping outlines of one path would leave holes, and browsers
      // need much longer for a path of thousands of rings.
      const path = new Path2D();
      outlines.trace(path, outline, frame.scale, frame.left, frame.top);
      group.paths.push(path);
    }
  }

  /** Return the row of the smallest shown crown at a point; -1 for none. */
  rowAt(x, y) {
    let best = -1;
    let bestArea = Infinity;
    this.layers.forEach((layer, index) => {
      if (!this.isLayerShown[index] || !this.showsRows[index]) return;
      for (const outline of layer.outlines.inBox(x, y, x, y)) {
        const row = this.rowOf[index][outline];
        const box = layer.outlines.boxOf(outline);
        const area = (box[2] - box[0]) * (box[3] - box[1]);
        if (row >= 0 && this.rows.isShown[row] && area < bestArea &&
            layer.outlines.contains(outline, x, y)) {
          best = row;
          bestArea = area;
        }
      }
    });
    return best;
  }

  /**
   * Draw a row above all others: its regions, its match and its own outline.
   *
   * @param {number} row - Row of the view; -1 for none.
   * @param {boolean} isCentred - True to move the map to the crown.
   */
  select(row, isCentred) {
    this.selection.clearLayers();
    if (row < 0 || this.view.outline[row] < 0) return;
    const own = this.layers[this.view.layer[row]];
    const outline = this.view.outline[row];
    const match = this.view.matches[row];
    const matchLayer = this.layers[this.view.matchLayer] ?? null;
    const regions = Explore.run.regions;
    if (regions && this.view.layer[row] !== this.view.matchLayer) {
      const picture = new Explore.RegionsPicture(
        own.outlines, outline, matchLayer?.outlines ?? null, match, regions);
      const [left, bottom, right, top] = picture.bounds;
      L.imageOverlay(picture.address(), [[bottom, left], [top, right]], { opacity: 0.55, alt: "" })
        .addTo(this.selection);
    }
    if (match >= 0) this.addOutline(this.view.matchLayer, match);
    this.addOutline(this.view.layer[row], outline);
    if (isCentred) this.moveTo(own.outlines.boxOf(outline));
  }

  /** Draw an outline of a layer above all tiles, with a light casing. */
  addOutline(layer, outline) {
    const { outlines, colour } = this.layers[layer];
    const rings = [];
    outlines.forEachRing(outline, (first, end) => {
      const ring = [];
      for (let vertex = first; vertex < end; vertex++) {
        ring.push([outlines.coordinates[2 * vertex + 1], outlines.coordinates[2 * vertex]]);
      }
      rings.push(ring);
    });
    const common = { fill: false, interactive: false, smoothFactor: 0.5 };
    L.polygon(rings, { ...common, color: Explore.SELECTED_CASING, weight: 6, opacity: 0.9 }).addTo(this.selection);
    L.polygon(rings, { ...common, color: colour, weight: 3, opacity: 1 }).addTo(this.selection);
  }

  /** Move the map so that a box is in its middle and large enough to be seen. */
  moveTo([left, bottom, right, top]) {
    const size = Math.max(right - left, top - bottom);
    const [west, south, east, north] = this.extent;
    // Plots may be as large as the whole run, which the map never needs to show smaller.
    const lowest = this.map.getBoundsZoom([[south, west], [north, east]]);
    const zoom = Math.max(lowest, Math.floor(Math.log2(SELECTED_SIZE / size)));
    const centre = [(bottom + top) / 2, (left + right) / 2];
    const isVisible = this.map.getBounds().pad(-0.1).contains([[bottom, left], [top, right]]);
    if (isVisible && Math.abs(this.map.getZoom() - zoom) <= 1) return;
    this.map.setView(centre, Math.min(zoom, this.map.getMaxZoom()), { animate: false });
  }
};

/** Stroke and fill the outlines of a group. */
function strokeGroup(context, { paths, symbol, isFilled, isLarge, hasCasing, level }) {
  if (isFilled) {
    context.globalAlpha = Explore.FILL_OPACITY;
    context.fillStyle = symbol.colour;
    for (const path of paths) context.fill(path, "evenodd");
    context.globalAlpha = 1;
  }
  context.setLineDash(symbol.dashes);
  if (hasCasing) {
    context.strokeStyle = Explore.casingOf(symbol);
    context.lineWidth = (level === 2 ? 2 : 1) + (isLarge ? 2 : 0);
    for (const path of paths) context.stroke(path);
  }
  context.strokeStyle = symbol.colour;
  context.lineWidth = isLarge && hasCasing ? 2 : 1;
  for (const path of paths) context.stroke(path);
}

/** Return left, bottom, right and top of all layers. */
function wholeExtent(layers) {
  const extents = layers.map((layer) => layer.outlines.extent()).filter((extent) => extent !== null);
  if (extents.length === 0) return [0, 0, 1, 1];
  return [0, 1, 2, 3].map((side) =>
    (side < 2 ? Math.min : Math.max)(...extents.map((extent) => extent[side])));
}
