"""DeepForest's tables: boxes (version 1), or outlines and points as text (version 2), of one or many images."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import shapely

from randcrowns.core.arrays import Bools, Floats, Objects, numbers_in
from randcrowns.core.errors import InputError
from randcrowns.core.exchange.annotations import FEWEST_POINTS, MOST_ROWS, Annotations, Flaw, Frame, Image, too_many
from randcrowns.core.progress import Progress, no_progress

#: Names of a column, the usual one first; case does not matter.
IMAGE_NAMES = ("image_path", "image", "filename", "file_name", "image_name")
SCORE_NAMES = ("score", "scores", "confidence", "confidence_score", "conf", "prob")
LABEL_NAMES = ("label", "labels", "class", "category", "name")
GEOMETRY_NAMES = ("geometry", "wkt")
BOX_NAMES = ("xmin", "ymin", "xmax", "ymax")
POINT_NAMES = ("x", "y")
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


def read_deepforest(path: Path, least_score: float = 0.0, progress: Progress = no_progress) -> Annotations:
    """The annotations in a table; columns go by their names, whatever their order.

    Args:
        least_score: rows with a score below are left out and counted; 0 for none.

    Raises:
        InputError: naming the file, when it is no such table, breaks off, or has too many rows.
    """
    parts: list[Annotations] = []
    images: dict[str, int] = {}
    kept, first = 0, _HEADING + 1
    skipped: dict[Flaw, list[int]] = {}
    size = max(path.stat().st_size, 1) if path.is_file() else 1
    for rows, done in _blocks(path):
        found = _block(rows, first, images, skipped).above(least_score)
        first += len(rows)
        for flaw, some in found.skipped.items():
            skipped.setdefault(flaw, []).extend(some)
        kept += len(found)
        if kept > MOST_ROWS:
            raise too_many(path.name, int(found.row[-1]) - (kept - MOST_ROWS) + 1)
        parts.append(found)
        progress(min(done / size, 1.0))
    named = tuple(Image(name) for name in images)
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts] or [np.empty(0, dtype)])
        for name, dtype in (
            ("shapes", object),
            ("image", np.int64),
            ("label", object),
            ("score", np.float64),
            ("row", np.int64),
            ("ignored", bool),
        )
    }
    of_text = any(part.frame is Frame.UNKNOWN for part in parts)
    return Annotations(
        **joined,
        images=named,
        read=kept + sum(map(len, skipped.values())),
        skipped=skipped,
        occupied=frozenset().union(*(part.occupied for part in parts)),
        frame=Frame.UNKNOWN if of_text else Frame.PIXELS,
    )


def write_deepforest(found: Annotations, default_label: str = "Tree") -> str:
    """A table with box, outline as well-known text, label and, where there are any, scores.

    An image without crowns has a row of zeros, as DeepForest has it.
    """
    scored = bool((~np.isnan(found.score)).any())
    text = io.StringIO()
    table = csv.writer(text)  # which ends lines as RFC 4180 does, and so quotes a carriage return of a label
    table.writerow([IMAGE_NAMES[0], *BOX_NAMES, LABEL_NAMES[0], *([SCORE_NAMES[0]] * scored), GEOMETRY_NAMES[0]])
    bounds, outlines = shapely.bounds(found.shapes), shapely.to_wkt(found.shapes, rounding_precision=-1)
    for place in range(len(found)):
        score = [] if not scored else ["" if np.isnan(found.score[place]) else repr(float(found.score[place]))]
        box = [repr(float(value)) for value in bounds[place]]
        name = found.images[found.image[place]].name
        table.writerow([name, *box, found.label[place] or default_label, *score, outlines[place]])
    for name in found.empty_images:
        table.writerow([name, 0, 0, 0, 0, default_label, *([""] * scored), ""])
    return text.getvalue()


def _blocks(path: Path) -> Iterator[tuple[pd.DataFrame, int]]:
    """The rows, many at a time, and how far into the file they are."""
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
                dtype={name: str for name, plain in zip(given, columns) if plain in words},  # 007 is a name too
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


def _block(rows: pd.DataFrame, first: int, images: dict[str, int], skipped: dict[Flaw, list[int]]) -> Annotations:
    """Some rows of a table; ``images`` and ``skipped`` grow."""
    columns, number = list(rows.columns), np.arange(first, first + len(rows))

    def skip(flaw: Flaw, which: Bools) -> None:
        if which.any():
            skipped.setdefault(flaw, []).extend(number[which].tolist())

    named = rows[column_called(IMAGE_NAMES, columns)]
    nameless = named.isna().to_numpy()
    blank = rows.isna().all(axis=1).to_numpy()  # an empty line at the end
    skip(Flaw.NO_IMAGE, nameless & ~blank)
    codes, names = pd.factorize(named.astype(str))
    image = np.array([images.setdefault(name, len(images)) if name != "nan" else -1 for name in names], np.int64)
    image = image[codes] if len(names) else np.zeros(len(rows), np.int64)
    shapes = np.full(len(rows), None, dtype=object)
    settled, bare = nameless.copy(), np.zeros(len(rows), dtype=bool)
    outlines = column_called(GEOMETRY_NAMES, columns)
    of_text = False
    if outlines:
        given = rows[outlines].notna().to_numpy() & ~settled
        of_text = bool(given.any())
        shapes[given] = _read_outlines(rows[outlines].to_numpy(dtype=object)[given])
        skip(Flaw.BAD_GEOMETRY, given & shapely.is_missing(shapes))
        kind = shapely.get_type_id(shapes)
        wrong = given & (kind >= 0) & ~np.isin(kind, (*_POLYGONAL, shapely.GeometryType.POINT))
        skip(Flaw.NO_CROWN, wrong)
        shapes[wrong] = None
        few = given & (shapely.area(shapes) == 0) & np.isin(kind, _POLYGONAL)
        few[few] = [len(np.unique(shapely.get_coordinates(one), axis=0)) < FEWEST_POINTS for one in shapes[few]]
        skip(Flaw.FEW_POINTS, few)
        shapes[few] = None
        settled |= given
    for names_of, of_box in ((BOX_NAMES, True), (POINT_NAMES, False)):
        own = [column_called((name,), columns) for name in names_of]
        if not all(own):
            continue
        values, missing = _numbers(rows, own), rows[own].isna().to_numpy().all(axis=1)
        zero = ~missing & (values == 0).all(axis=1) & of_box
        nothing = ~settled & (missing | zero)  # an image without crowns
        bare |= zero & ~settled
        broken = ~settled & ~nothing & ~np.isfinite(values).all(axis=1)
        skip(Flaw.NOT_NUMBERS, broken)
        good = ~settled & ~nothing & ~broken
        if of_box:
            flat = good & ~((values[:, 2] > values[:, 0]) & (values[:, 3] > values[:, 1]))
            skip(Flaw.NO_SIZE, flat)
            good &= ~flat
            shapes[good] = shapely.box(*values[good].T, ccw=False)
            settled |= broken | flat | zero
        else:
            shapes[good] = shapely.points(values[good])
            settled |= broken
        settled |= good
    made = ~shapely.is_missing(shapes)
    label = column_called(LABEL_NAMES, columns)
    score = column_called(SCORE_NAMES, columns)
    words = rows[label].astype(object).where(rows[label].notna(), None) if label else None
    texts = np.full(len(rows), None, dtype=object)
    if words is not None:
        texts[:] = [None if one is None else str(one) for one in words]
    scores = _numbers(rows, [score])[:, 0] if score else np.full(len(rows), np.nan)
    return Annotations(
        shapes=shapes[made],
        image=image[made],
        images=(),
        label=texts[made],
        score=scores[made],
        row=number[made],
        ignored=np.zeros(int(made.sum()), dtype=bool),
        occupied=frozenset(image[settled & ~nameless & ~bare].tolist()),
        frame=Frame.UNKNOWN if of_text else Frame.PIXELS,
    )


def _numbers(rows: pd.DataFrame, columns: list[str]) -> Floats:
    """(n, columns) numbers, NaN for anything else."""
    return np.stack([numbers_in(rows[name]) for name in columns], axis=1)


def _read_outlines(texts: Objects) -> Objects:
    """The shapes; None where the text is none, is empty, or has coordinates that are not numbers."""
    plain = np.array([one if isinstance(one, str) else "" for one in texts], dtype=object)
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.asarray(shapely.force_2d(shapely.from_wkt(plain, on_invalid="ignore")), dtype=object)
    coordinates, owner = shapely.get_coordinates(found, return_index=True)
    found[shapely.is_empty(found)] = None
    found[owner[~np.isfinite(coordinates).all(axis=1)]] = None
    return found
