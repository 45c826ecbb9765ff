"""Summaries of a results directory: what all tiles say together."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from randcrowns.batch.results import Results, read_table, write_file
from randcrowns.batch.sums import COLUMNS, summary_of
from randcrowns.core.comparison import doubtful_roles, partly_drawn, why_partial
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import Remark
from randcrowns.core.scoring.layer import CrownScores, not_judged

# What counts unmatched crowns as false.
_OF_FALSE = {"score": "precision, F1 and the penalised mean", "evaluate": "precision, F1 and PQ"}
_CHOICES = ("alpha", "omega", "gamma", "pairing")


def summary(results: str | Path) -> pd.DataFrame:
    """The summary of a results directory, computed anew from its tables where all tiles are done.

    Raises:
        InputError: where there are no results, or tiles are missing.

    >>> summary("nowhere")
    Traceback (most recent call last):
    randcrowns.core.errors.InputError: nowhere holds no results: there is no manifest.json in it.
    """
    found = Results.opened(Path(results))
    left = len(found.tiles("written"))
    if left:
        raise InputError(
            f"{results}: {left:,} tiles are not done yet; run the same command with --resume."
        )
    found.check()
    if found.manifest["kind"] == "score":
        return write_score_summary(found)
    return pd.read_csv(found.folder / "summary.csv", float_precision="round_trip")


def write_score_summary(results: Results) -> pd.DataFrame:
    """Write summary.csv and summary.json of a scoring run: a row per layer of delineations and plot."""
    choices = results.manifest["choices"]
    files = {path.stem: path for path in results.files("targets")}
    sums = read_table(results.files("sums"), COLUMNS)
    tables = []
    for one in results.manifest["inputs"][1:]:
        table = summary_of(sums, files, one["name"])
        if not choices["all_drawn"]:
            nothing = pd.DataFrame({"status": []})
            table = not_judged(CrownScores(nothing, nothing, table, nothing)).summary
        table.insert(0, "layer", one["name"])
        tables.append(table.assign(**{name: choices[name] for name in _CHOICES}))
    return write_summary(results, pd.concat(tables, ignore_index=True))


def remarks_of(results: Results) -> list[str]:
    """What the numbers of crowns make doubtful: roles the wrong way round, crowns that nobody drew."""
    undefined = _OF_FALSE.get(results.manifest["kind"])
    if undefined is None:
        return []
    names = [one["name"] for one in results.manifest["inputs"]]
    n_targets, *others = results.manifest["rows"]
    all_drawn = results.manifest["choices"]["all_drawn"]
    told: list[Remark | None] = []
    for n_drawn in others:
        told += doubtful_roles(names[0], "", n_targets, n_drawn)
        told.append(
            partly_drawn(all_drawn, why_partial(n_targets, n_drawn), "--all-drawn", undefined)
        )
    return list(dict.fromkeys(str(one) for one in told if one is not None))


def write_summary(results: Results, table: pd.DataFrame) -> pd.DataFrame:
    """Write a summary as summary.csv and, with how it was made, as summary.json."""
    manifest = results.manifest
    text = {
        "kind": manifest["kind"],
        "choices": manifest["choices"],
        "inputs": manifest["inputs"],
        "versions": manifest["versions"],
        "tiles": len(manifest["tiles"]),
        "problems": sum(len(said.get("problems", [])) for said in results.stage("written").values())
        + len(manifest["without_place"]),
        "remarks": remarks_of(results),
        "summary": json.loads(table.to_json(orient="records", double_precision=15)),
    }
    write_file(results.folder / "summary.csv", table.to_csv(index=False).encode("utf-8"))
    write_file(results.folder / "summary.json", json.dumps(text, indent=1).encode("utf-8"))
    return table


def problems_of(results: Results) -> pd.DataFrame:
    """Crowns that were skipped, repaired or cut: ``tile``, ``layer``, ``id``, ``problem``, ``done``."""
    rows = [{"tile": "", **one} for one in results.manifest["without_place"]]
    for key, said in results.stage("written").items():
        rows += [{"tile": key, **one} for one in said.get("problems", [])]
    return pd.DataFrame(rows, columns=["tile", "layer", "id", "problem", "done"])


def write_problems(results: Results) -> None:
    """Write problems.csv, and see that no crown is lost: crowns read = crowns in the tables + crowns skipped.

    Raises:
        InputError: where one is.
    """
    found = problems_of(results)
    write_file(results.folder / "problems.csv", found.to_csv(index=False).encode("utf-8"))
    skipped = found[found["done"] == "skipped"].groupby("layer").size()
    for number, one in enumerate(results.manifest["inputs"]):
        used = sum(said["crowns"].get(one["name"], 0) for said in results.stage("written").values())
        read = results.manifest["rows"][number]
        left_out = int(skipped.get(one["name"], 0))
        if used + left_out != read:
            raise InputError(
                f"{one['name']}: of {read:,} crowns {used:,} are in the tables and {left_out:,} "
                "were skipped; the rest is lost. The bounds that the file states may be wrong: run it through "
                "randcrowns partition."
            )
