"""DeepForest's tables: boxes (version 1), or outlines and points as text (version 2), of one or many images."""

from __future__ import annotations

import csv
import io
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Floats, Objects, numbers_in
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import (
    FEWEST_POINTS,
    MOST_ROWS,
    Annotations,
    Doubt,
    Flaw,
    Frame,
    Image,
    too_many,
)
from randcrowns.core.progress import Progress, no_progress
from randcrowns.core.remarks import Remark, note, some, warning

#: Names of a column, the usual one first; case does not matter.
IMAGE_NAMES = ("image_path", "image", "filename", "file_name", "image_name")
SCORE_NAMES = ("score", "scores", "confidence", "confidence_score", "conf", "prob")
LABEL_NAMES = ("label", "labels", "class", "category", "name")
GEOMETRY_NAMES = ("geometry", "wkt")
BOX_NAMES = ("xmin", "ymin", "xmax", "ymax")
POINT_NAMES = ("x", "y")
_READ = (*IMAGE_NAMES, *SCORE_NAMES, *LABEL_NAMES, *GEOMETRY_NAMES, *BOX_NAMES, *POINT_NAMES)
_ROWS_AT_ONCE = 200_000
_HEADING = 1
_POLYGONAL = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)


def column_called(names: tuple[str, ...], among: list[str]) -> str:
    """The column of one of these names, in whatever case; empty without one."""
    lower = {str(name).strip().lower(): str(name) for name in reversed(among)}
    return next((lower[name] for name in names if name in lower), "")


def is_deepforest(columns: list[str]) -> bool:
    """Whether a table with these columns holds annotations of images."""
    has_box = all(column_called((name,), columns) for name in BOX_NAMES)
    has_point = all(column_called((name,), columns) for name in POINT_NAMES)
    geometry = column_called(GEOMETRY_NAMES, columns)
    return bool(column_called(IMAGE_NAMES, columns)) and (has_box or has_point or bool(geometry))


def read_deepforest(
    path: Path, least_score: float = 0.0, progress: Progress = no_progress
) -> Annotations:
    """The annotations in a table; columns go by their names, whatever their order.

    Args:
        least_score: rows with a score below are left out and counted; 0 for none.

    Raises:
        InputError: naming the file, when it is no such table, breaks off, or has too many rows.
    """
    parts: list[Annotations] = []
    images: dict[str, int] = {}
    kept, first = 0, _HEADING + 1
    told: list[Remark] = []
    size = max(path.stat().st_size, 1) if path.is_file() else 1
    for rows, done in _blocks(path, told):
        found = _block(rows, first, images).above(least_score)
        first += len(rows)
        kept += len(found)
        if kept > MOST_ROWS:
            raise too_many(path.name, int(found.row[-1]) - (kept - MOST_ROWS) + 1)
        parts.append(found)
        progress(min(done / size, 1.0))
    if first == _HEADING + 1:
        told.append(note("exchange.no_rows", "{file} has a heading but no rows.", file=path.name))
    return replace(Annotations.joined(parts, [Image(name) for name in images]), told=tuple(told))


def write_deepforest(found: Annotations, default_label: str = "Tree") -> str:
    """A table with box, outline as well-known text, label and, where there are any, scores.

    An image without crowns has a row of zeros, as DeepForest has it.
    """
    scored = bool((~np.isnan(found.score)).any())
    text = io.StringIO()
    table = csv.writer(
        text
    )  # which ends lines as RFC 4180 does, and so quotes a carriage return of a label
    table.writerow(
        [
            IMAGE_NAMES[0],
            *BOX_NAMES,
            LABEL_NAMES[0],
            *([SCORE_NAMES[0]] * scored),
            GEOMETRY_NAMES[0],
        ]
    )
    bounds, outlines = (
        shapely.bounds(found.shapes),
        shapely.to_wkt(found.shapes, rounding_precision=-1),
    )
    for place in range(len(found)):
        score = (
            []
            if not scored
            else ["" if np.isnan(found.score[place]) else repr(float(found.score[place]))]
        )
        box = [repr(float(value)) for value in bounds[place]]
        name = found.images[found.image[place]].name
        table.writerow([name, *box, found.label[place] or default_label, *score, outlines[place]])
    for name in found.empty_images:
        table.writerow([name, 0, 0, 0, 0, default_label, *([""] * scored), ""])
    return text.getvalue()


def _blocks(path: Path, told: list[Remark]) -> Iterator[tuple[pd.DataFrame, int]]:
    """The rows, many at a time, and how far into the file they are; what is odd about the heading is ``told``."""
    try:
        with path.open("rb") as file:
            heading = next(iter(file.readline(1 << 16).decode("utf-8-sig").splitlines()), "")
            columns = next(csv.reader([heading]), [])
            separator = ";" if len(columns) < 2 and ";" in heading else ","
            given = next(csv.reader([heading], delimiter=separator), [])
            columns = [name.strip() for name in given]
            if not is_deepforest(columns):
                said = (
                    "{path} is no table of DeepForest: it needs a column image_path, and xmin, ymin, xmax, ymax, or "
                    "geometry, or x, y. It has: {columns}."
                )
                raise InputError(said, path=path.name, columns=", ".join(columns[:12]) or "nothing")
            twice = [
                name
                for name, number in Counter(map(str.lower, columns)).items()
                if name in _READ and number > 1
            ]
            if twice:
                said = "{file} has several columns called {columns}; the first of each was read."
                told.append(warning("exchange.doubled", said, file=path.name, columns=some(twice)))
            words = {column_called(names, columns) for names in (IMAGE_NAMES, LABEL_NAMES)}
            file.seek(0)
            reader = pd.read_csv(
                file,
                sep=separator,
                chunksize=_ROWS_AT_ONCE,
                keep_default_na=False,
                na_values=[""],
                encoding="utf-8-sig",
                skip_blank_lines=False,
                low_memory=False,
                float_precision="round_trip",
                index_col=False,
                dtype={
                    name: str for name, plain in zip(given, columns) if plain in words
                },  # 007 is a name too
            )
            for rows in _whole_rows(reader, path.name):
                rows.columns = [str(name).strip() for name in rows.columns]
                yield rows, file.tell()
    except OSError as error:
        raise InputError("{path} cannot be read: {why}.", path=path, why=error.strerror) from error
    except UnicodeDecodeError as error:
        raise InputError("{path} is no text in UTF-8; save it as UTF-8.", path=path.name) from error
    except (pd.errors.ParserError, csv.Error) as error:
        why = str(error).replace("Error tokenizing data. C error: ", "").strip()
        raise InputError("{path} is no whole table: {why}.", path=path.name, why=why) from error


def _whole_rows(reader: Iterator[pd.DataFrame], name: str) -> Iterator[pd.DataFrame]:
    """The rows that are read; refused where some have more values than the heading, which pandas would drop."""
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                rows = next(reader, None)
            except pd.errors.ParserWarning as error:
                raise InputError(
                    "{name} has rows with more values than its heading has columns; what holds a comma, as an outline "
                    "or a label may, must stand in quotes.",
                    name=name,
                ) from error
        if rows is None:
            return
        yield rows


def _block(rows: pd.DataFrame, first: int, images: dict[str, int]) -> Annotations:
    """Some rows of a table; ``images`` grows."""
    columns, number = list(rows.columns), np.arange(first, first + len(rows))
    shapes, flaws = np.full((2, len(rows)), None, dtype=object)
    named = rows[column_called(IMAGE_NAMES, columns)]
    nameless = named.isna().to_numpy()
    flaws[nameless & rows.notna().any(axis=1).to_numpy()] = (
        Flaw.NO_IMAGE
    )  # but for an empty line at the end
    codes, names = pd.factorize(named.astype(str))
    image = np.array(
        [images.setdefault(name, len(images)) if name != "nan" else -1 for name in names], np.int64
    )
    image = image[codes] if len(names) else np.zeros(len(rows), np.int64)
    left, bare = ~nameless, np.zeros(len(rows), dtype=bool)
    outlines = column_called(GEOMETRY_NAMES, columns)
    given = left & rows[outlines].notna().to_numpy() if outlines else bare.copy()
    if given.any():
        shapes[given] = _read_outlines(rows[outlines].to_numpy(dtype=object)[given])
        kind = shapely.get_type_id(shapes)
        few = (shapely.area(shapes) == 0) & np.isin(kind, _POLYGONAL)
        few[few] = [
            len(np.unique(shapely.get_coordinates(one), axis=0)) < FEWEST_POINTS
            for one in shapes[few]
        ]
        flaws[few] = Flaw.FEW_POINTS
        flaws[given & (kind < 0)] = Flaw.BAD_GEOMETRY
        flaws[given & ~np.isin(kind, (-1, *_POLYGONAL, shapely.GeometryType.POINT))] = Flaw.NO_CROWN
        left &= ~given
    for names_of in (BOX_NAMES, POINT_NAMES):
        own, of_box = [column_called((name,), columns) for name in names_of], names_of is BOX_NAMES
        if not all(own):
            continue
        values = _numbers(rows, own)
        zero = left & (values == 0).all(axis=1) & of_box  # an image without crowns
        here = left & ~zero & rows[own].notna().any(axis=1).to_numpy()
        good = here & np.isfinite(values).all(axis=1)
        flaws[here & ~good] = Flaw.NOT_NUMBERS
        if of_box:
            flat = good & ~((values[:, 2] > values[:, 0]) & (values[:, 3] > values[:, 1]))
            flaws[flat] = Flaw.NO_SIZE
            good &= ~flat
        shapes[good] = (
            shapely.box(*values[good].T, ccw=False) if of_box else shapely.points(values[good])
        )
        bare |= zero
        left &= ~(here | zero)
    made = ~shapely.is_missing(shapes) & pd.isna(flaws)
    label, score = (column_called(names, columns) for names in (LABEL_NAMES, SCORE_NAMES))
    words = (
        rows[label].astype(object).where(rows[label].notna(), None).to_numpy()[made]
        if label
        else None
    )
    scores = _numbers(rows, [score])[made, 0] if score else np.full(int(made.sum()), np.nan)
    no_score = ~np.isfinite(scores) & (rows[score].notna().to_numpy()[made] if score else False)
    found = replace(
        Annotations.of(shapes[made], [], image[made], words, np.where(no_score, np.nan, scores)),
        row=number[made],
        read=int((made | pd.notna(flaws)).sum()),
        flaws={
            flaw: number[flaws == flaw].tolist() for flaw in dict.fromkeys(flaws[pd.notna(flaws)])
        },
        occupied=frozenset(image[~(left | nameless | bare)].tolist()),
        frame=Frame.UNKNOWN if given.any() else Frame.PIXELS,
    )
    return found.flawed(Doubt.NO_SCORE, no_score)


def _numbers(rows: pd.DataFrame, columns: list[str]) -> Floats:
    """(n, columns) numbers, NaN for anything else."""
    return np.stack([numbers_in(rows[name]) for name in columns], axis=1)


def _read_outlines(texts: Objects) -> Objects:
    """The shapes; None where the text is none, is empty, or has coordinates that are not numbers."""
    plain = np.array([one if isinstance(one, str) else "" for one in texts], dtype=object)
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.asarray(
            shapely.force_2d(shapely.from_wkt(plain, on_invalid="ignore")), dtype=object
        )
    coordinates, owner = shapely.get_coordinates(found, return_index=True)
    found[shapely.is_empty(found)] = None
    found[owner[~np.isfinite(coordinates).all(axis=1)]] = None
    return found
