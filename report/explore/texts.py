"""Texts of the page to explore, in the reader's language."""

from __future__ import annotations

from randcrowns.core.review.verdicts import Verdict
from randcrowns.report.language import localize_number, tr
from randcrowns.report.words import detected, false_detection, not_detected


def page_texts() -> dict[str, str]:
    """Return the texts of the page by their keys.

    Names in braces are filled in by the page.
    """
    return {
        "decimal": localize_number("0.5").strip("05"),
        "thousands": localize_number("1,000").strip("01"),
        **_general_texts(),
        **_map_texts(),
        **_table_texts(),
        **_crown_texts(),
        **_verdict_texts(),
        **_threshold_texts(),
    }


def _general_texts() -> dict[str, str]:
    """Return the texts about the page as a whole."""
    return {
        "loading": tr("Loading…"),
        "noScript": tr("This page requires JavaScript."),
        "oldBrowser": tr("This browser is too old for this page. Open it in a newer one."),
        "failed": tr("The page cannot be shown: {why}", why="{why}"),
        "view": tr("Table"),
        "none": tr("none"),
        "notAvailable": tr("n/a"),
        "details": tr("Tables"),
    }


def _map_texts() -> dict[str, str]:
    """Return the texts of the map."""
    return {
        "map": tr("Map"),
        "mapHelp": tr("Arrow keys move the map, plus and minus zoom. A click selects an outline."),
        "layers": tr("Layers"),
        "image": tr("Image"),
        "colourBy": tr("Colour by"),
        "verdict": tr("Verdict"),
        "noValue": tr("no value"),
        "otherValues": tr("other values"),
        "excluded": tr("excluded by a filter"),
        "selected": tr("selected outline"),
        "selectedMatch": tr("match of the selected outline"),
        "unreviewed": tr("no verdict"),
        "showAll": tr("Show all"),
        "showAllHelp": tr("Show the whole run on the map."),
        "regionA": tr("a: covered, surely crown"),
        "regionB": tr("b: not covered, surely not crown"),
        "regionC": tr("c: covered, surely not crown"),
        "regionD": tr("d: not covered, surely crown"),
    }


def _table_texts() -> dict[str, str]:
    """Return the texts of the table and its filters."""
    return {
        "table": tr("Table"),
        "search": tr("Search"),
        "searchHelp": tr("Rows that contain all words, in any column."),
        "filters": tr("Filters"),
        "any": tr("any"),
        "from": tr("from"),
        "to": tr("to"),
        "score": tr("Score"),
        "clear": tr("Clear filters"),
        "rowCount": tr("{shown} of {total} rows", shown="{shown}", total="{total}"),
        "csv": tr("Save as CSV"),
        "csvHelp": tr("Save the rows of the table as a CSV file."),
        "reviewFilter": tr("Review"),
        "onlyUnreviewed": tr("without a verdict"),
        "onlyReviewed": tr("with a verdict"),
        "noRows": tr("No row meets all filters."),
    }


def _crown_texts() -> dict[str, str]:
    """Return the texts of the panel of a crown."""
    return {
        "crown": tr("Crown"),
        "noCrown": tr("Click an outline on the map or a row of the table."),
        "rowTitle": tr("{table}, row {number}", table="{table}", number="{number}"),
        "previous": tr("Previous"),
        "next": tr("Next"),
        "previousHelp": tr("The previous row of the table. Key: {key}", key="B"),
        "nextHelp": tr("The next row of the table. Key: {key}", key="N"),
        "position": tr("{number} of {count}", number="{number}", count="{count}"),
        "attributes": tr("Attributes"),
    }


def _verdict_texts() -> dict[str, str]:
    """Return the texts about verdicts."""
    return {
        "verdictTitle": tr("Your verdict"),
        f"verdict {Verdict.ACCEPTED.value}": tr("Accept"),
        f"verdict {Verdict.REJECTED.value}": tr("Reject"),
        f"verdict {Verdict.FIXED.value}": tr("Fixed"),
        f"verdict {Verdict.UNSURE.value}": tr("Unsure"),
        f"verdict {Verdict.WRONG_CLASS.value}": tr("Wrong class"),
        f"given {Verdict.ACCEPTED.value}": tr("accepted"),
        f"given {Verdict.REJECTED.value}": tr("rejected"),
        f"given {Verdict.FIXED.value}": tr("fixed"),
        f"given {Verdict.UNSURE.value}": tr("unsure"),
        f"given {Verdict.WRONG_CLASS.value}": tr("wrong class"),
        "key": tr("Key: {key}", key="{key}"),
        "comment": tr("Comment"),
        "commentHelp": tr("Saved with the verdict. Key: {key}", key="C"),
        "rightClass": tr("Right class"),
        "rightClassMissing": tr("Choose the right class of the crown first."),
        "reviewer": tr("Reviewer"),
        "reviewerHelp": tr("Your name, saved with every verdict."),
        "reviewerMissing": tr("Enter your name before the first verdict."),
        "saveVerdicts": tr("Save verdicts"),
        "saveVerdictsHelp": tr(
            "Save all verdicts as a file. Page Review of the QGIS plugin adds it (Add verdicts…)."
        ),
        "withdraw": tr("Withdraw"),
        "withdrawHelp": tr("Delete your verdict on this crown."),
        "progress": tr("{judged} of {total} with a verdict", judged="{judged}", total="{total}"),
        "unsaved": tr("{count} verdicts are not yet saved to a file.", count="{count}"),
        "notStored": tr(
            "This browser stores nothing for this page. Save your verdicts before you close it."
        ),
    }


def _threshold_texts() -> dict[str, str]:
    """Return the texts of the sliders."""
    return {
        "thresholds": tr("Precision and recall"),
        "threshold": tr("Minimum {label}", label="{label}"),
        "precision": tr("Precision"),
        "recall": tr("Recall"),
        "precisionCounts": tr("{number} of {all} delineations", number="{number}", all="{all}"),
        "recallCounts": tr("{number} of {all} targets", number="{number}", all="{all}"),
        "f1": "F1",
        "found": detected().one,
        "reaching": tr("score at least the minimum"),
        "low": tr("score below the minimum"),
        "missed": not_detected().one,
        "false": false_detection().many,
        "notJudged": tr("not judged"),
        "curve": tr("Detector"),
        "detectionThreshold": tr("Minimum score of a detection"),
        "state": tr("State at the minimum"),
    }
