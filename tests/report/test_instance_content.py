"""The figures of evaluations of instances."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pandas as pd

from randcrowns.core.status import ALL_PLOTS
from randcrowns.report.content import Section, Table, TableContent
from randcrowns.report.instance_content import (
    instance_answer,
    instance_figures,
    partition_figures,
)
from randcrowns.report.interval_notes import interval_note, plot_interval_note
from randcrowns.report.theme import encode_panel

METRICS = {"precision": 0.818, "recall": 0.844, "f1": 0.831, "pq": 0.668, "mean_iou": 0.738}


def summary_of(n_plots=0):
    """A summary with a row for all plots, and one per plot with rising F1."""
    ends = {f"{name}_low": value - 0.1 for name, value in METRICS.items()}
    ends |= {f"{name}_high": value + 0.1 for name, value in METRICS.items()}
    counts = {"targets": 32, "predictions": 33, "tp": 27, "fn": 5, "fp": 6, "splits": 3}
    rows = [{"plot": "all", **METRICS, **ends, **counts, "merges": np.nan}]
    for number in range(n_plots):
        f1 = 0.2 + 0.6 * number / n_plots
        rows.append({**rows[0], "plot": f"plot {number:02d}", "f1": f1, "f1_low": np.nan})
    return pd.DataFrame(rows)


def texts_of(figure):
    """Texts of the first diagram of a figure."""
    drawing = ElementTree.fromstring(encode_panel(figure.panels[0], "svg"))
    return ["".join(text.itertext()).strip() for text in drawing.iter() if "text" in text.tag]


def test_the_numbers_of_the_figures_are_those_of_the_summary():
    counts, iou = instance_figures(summary_of(), pd.DataFrame({"iou": [0.5, 0.7, np.nan]}))
    assert "32 targets and 33 predictions" in counts.caption
    labels = ("Detected", "Not detected", "False detections", "Splits")
    assert [text for text in texts_of(counts) if text in labels] == list(labels)
    assert {"27", "5", "6", "3"} <= set(texts_of(counts))
    assert "Merges" not in texts_of(counts)  # a point cloud's run may lack the number
    assert "Splits: Targets that contain more than half of each" in counts.caption
    assert "Merges" not in counts.caption
    uncertain = summary_of().assign(uncertain=4, not_judged=0)
    texts = texts_of(instance_figures(uncertain, pd.DataFrame())[0])
    assert {"Uncertain", "4"} <= set(texts)
    assert "Not judged" not in texts
    # Targets that are not detected have an IoU, too.
    assert {"Targets", "2 crowns"} <= set(texts_of(iou))


def test_each_axis_of_partitions_has_a_figure_with_its_means():
    means = {"mean_iou": 0.5, "mean_precision": 0.75, "mean_recall": [0.6, 0.25, 0.125]}
    limits = {"begin": [0.0, 0.5, 0.0], "end": [0.5, 1.0, 1.0]}
    partitions = pd.DataFrame({"axis": ["xy", "xy", "z"], **limits, **means})
    across, upwards = partition_figures(partitions)
    assert across.title == "Metrics by distance to the trunk"
    assert "each of the 2 parts" in across.caption
    assert {"Mean IoU", "Mean precision", "Mean recall"} <= set(texts_of(across))
    numbers = "Mean IoU 0.50, 0.50; Mean precision 0.75, 0.75; Mean recall 0.60, 0.25"
    assert across.panels[0].description == f"{across.title}: {numbers}"
    assert upwards.panels[0].description.endswith("Mean recall 0.12")
    assert partition_figures(partitions.iloc[2:])[0].title == "Metrics by height"
    assert partition_figures(pd.DataFrame()) == []


def test_the_worst_plots_stand_on_top():
    figure = instance_figures(summary_of(50), pd.DataFrame())[-1]
    shown = [text for text in texts_of(figure) if text.startswith("plot")]
    assert shown == [f"plot {number:02d}" for number in range(40)]
    assert "The 40 worst of 50 plots" in figure.caption


def test_without_a_row_for_all_plots_there_are_no_figures():
    assert instance_figures(summary_of().iloc[:0], pd.DataFrame()) == []


def test_the_answer_has_a_sentence_on_detection_and_a_table_of_metrics():
    numbers = {"targets": 1200, "predictions": 1400, "tp": 1100, "fn": 100, "fp": 300}
    for metric, value in (("precision", 0.7857), ("recall", 0.9167), ("f1", 0.8462)):
        numbers |= {metric: value, f"{metric}_low": value - 0.1, f"{metric}_high": value + 0.05}
    numbers |= {"sq": 0.75, "rq": 0.25}  # without intervals
    for metric in ("pq", "mean_iou"):
        numbers |= {metric: 0.5, f"{metric}_low": float("nan"), f"{metric}_high": float("nan")}
    answer = instance_answer(pd.DataFrame([{"plot": ALL_PLOTS, **numbers}]))
    assert answer.sentences == ["1,100 of 1,200 targets were detected; false detections: 300."]
    assert answer.table.cells.rows == [
        ["Precision", "0.786 (0.686–0.836)"],
        ["Recall", "0.917 (0.817–0.967)"],
        ["F1", "0.846 (0.746–0.896)"],
        ["Panoptic quality (PQ)", "0.500"],
        ["Segmentation quality (SQ)", "0.750"],
        ["Recognition quality (RQ)", "0.250"],
        ["Mean IoU", "0.500"],
    ]
    assert answer.table.note == "In brackets: 95 % interval."
    without = {name: value for name, value in numbers.items() if not name.endswith("_low")}
    assert instance_answer(pd.DataFrame([{"plot": ALL_PLOTS, **without}])).table.note == ""
    unjudged = pd.DataFrame([{"plot": ALL_PLOTS, **numbers, "fp": np.nan, "not_judged": 300}])
    assert instance_answer(unjudged).sentences == ["1,100 of 1,200 targets were detected."]
    rule = instance_answer(unjudged, method="Panoptic (best, IoU above 0.5)").sentences[1]
    assert rule == "Rule by which a target is detected: Panoptic (best, IoU above 0.5)."


def test_the_table_of_the_answer_has_the_average_precision_if_there_is_one():
    table = instance_answer(summary_of().assign(ap=0.5562)).table
    assert table.cells.rows[-1] == ["AP, COCO", "0.556"]
    assert "AP, COCO" in dict(table.cells.meanings)
    table = instance_answer(summary_of().assign(ap=np.nan)).table
    assert "AP, COCO" not in [row[0] for row in table.cells.rows]


def test_intervals_of_few_plots_are_explained():
    summary = summary_of(n_plots=4)
    overall = summary["plot"] == ALL_PLOTS
    summary.loc[overall, [name for name in summary if name.endswith(("_low", "_high"))]] = np.nan
    note = instance_answer(summary).table.note
    assert note == "There are no intervals for all plots together: 4 plots are fewer than 5."
    assert plot_interval_note() in instance_figures(summary, pd.DataFrame())[1].caption
    assert interval_note(True, summary[~overall]).endswith(plot_interval_note())
    assert interval_note(True, summary[overall]) == "In brackets: 95 % interval."


def test_a_meaning_of_the_answer_names_the_first_table_which_has_no_title():
    table = instance_answer(summary_of()).table
    cells = TableContent(["Precision"], [True], [["1"]], [("Precision", "Of a class.")])
    section = Section("run", answer_table=table, tables=[Table("Classes", cells)])
    titles = [title for title, _ in section.meanings]
    assert {"Precision (first table)", "Precision (Classes)"} <= set(titles)
