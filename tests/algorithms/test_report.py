"""Reports: what they hold of a run, that they are valid and safe, and that nothing half-made is
left."""

from __future__ import annotations

import base64
import gc
import re
import shutil
import subprocess
import zlib
from contextlib import suppress
from functools import lru_cache

import html5lib
import numpy as np
import pandas as pd
import pytest
import shapely
from osgeo import gdal, osr
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSizeF, qInstallMessageHandler
from qgis.PyQt.QtGui import QFont, QFontMetricsF, QImage, QTextDocumentFragment, QTextTable
from support.clouds import NAMES, labelled_cloud, write_cloud
from support.layers import EAST, NORTH, crowns_at, layer_of
from support.processing import run_algorithm
from support.provider import provider
from support.shown import shows

from randcrowns.algorithms.provenance import Provenance, software_versions
from randcrowns.algorithms.report.pages import (
    lay_out_compactly,
    lay_out_pages,
    panels,
    render_html,
    render_paper_html,
    render_pdf,
)
from randcrowns.algorithms.report.schema.parameters import PARTS
from randcrowns.algorithms.review_texts import JudgedLayer, rejected_table
from randcrowns.core.errors import Cancelled
from randcrowns.core.review.verdicts import VERDICT_COLUMNS
from randcrowns.layers.files.staging import write_layer
from randcrowns.layers.files.verdict_file import VerdictFile
from randcrowns.report.content import (
    CrownFigure,
    Figure,
    LegendEntry,
    Panel,
    Picture,
    Report,
    Section,
    Sheet,
    Table,
    TableContent,
)
from randcrowns.report.names import display_names
from randcrowns.report.references import RESOURCES, cited_works

PLACES = [(10 * column + 5, 10 * row + 5) for row in range(4) for column in range(5)]
_FIELDS = "&field=plot:string&field=score:double"
_SCORED = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY")
#: Would be markup, a template or a line of Markdown, were it not escaped.
EVIL = "<b>x</b><script>alert(1)</script><img src=x onerror=alert(1)> & \"'{{ 7*7 }}{% raw %}]]>"


def crowns(name, seed=1, plot="p"):
    rows = [(f"{plot}{number % 2}", 0.5 + 0.02 * number) for number in range(len(PLACES))]
    return layer_of(name, crowns_at(PLACES, seed=seed), fields=_FIELDS, rows=rows)


@pytest.fixture
def project(qgis_new_project):
    yield QgsProject.instance()
    QgsProject.instance().clear()


@pytest.fixture
def image(project, tmp_path):
    """An image of the crowns' place, which the map shows."""
    made = gdal.GetDriverByName("GTiff").Create(str(tmp_path / "image.tif"), 120, 100, 3)
    made.SetGeoTransform((EAST - 5, 0.5, 0, NORTH + 45, 0, -0.5))
    system = osr.SpatialReference()
    system.ImportFromEPSG(32617)
    made.SetProjection(system.ExportToWkt())
    for band, value in enumerate((20, 160, 60), 1):
        made.GetRasterBand(band).WriteArray(np.full((100, 120), value, np.uint8))
    made = None
    layer = QgsRasterLayer(str(tmp_path / "image.tif"), "image")
    project.addMapLayer(layer)
    return layer


@pytest.fixture
def scored(run):
    """Scores two layers and gives all that was made."""

    def score(targets, *delineations, **more):
        done = run(
            "scorecrowns",
            {"TARGETS": targets, "DELINEATIONS": list(delineations), **more},
            outputs=_SCORED,
        )
        assert done.ok, done.refused or done.error
        return [done.layer(name) for name in _SCORED], done

    return score


@pytest.fixture(scope="module")
def usual(qgis_app):
    """The outputs of two layers that were scored once, and the run."""
    provider()
    given = {"TARGETS": crowns("field"), "DELINEATIONS": [crowns("boxes", 2)]}
    done = run_algorithm("scorecrowns", given, outputs=_SCORED)
    return [done.layer(name) for name in _SCORED], done


@pytest.fixture(scope="module")
def usual_words(usual, tmp_path_factory):
    """What one reads in the report on them."""
    path = tmp_path_factory.mktemp("usual") / "report.html"
    assert run_algorithm("report", {"RUNS": usual[0], "HTML": str(path)}, outputs=()).ok
    page = path.read_text(encoding="utf-8")
    check_html(page)
    return text_of(page)


@pytest.fixture
def report(run, tmp_path):
    """The HTML of a report on the runs of these layers; ``PDF=True`` makes that too."""

    def make(layers, **more):
        more = {**more, **({"PDF": str(tmp_path / "report.pdf")} if more.pop("PDF", False) else {})}
        done = run(
            "report", {"RUNS": layers, "HTML": str(tmp_path / "report.html"), **more}, outputs=()
        )
        assert done.ok, done.refused or done.error
        page = (tmp_path / "report.html").read_text(encoding="utf-8")
        check_html(page)
        return page

    return make


def only(*names):
    """The choice of these parts of a report: what a test does not look at takes no time."""
    return [PARTS.keys.index(name) for name in names]


@lru_cache(maxsize=1)
def parsed_page(page):
    """A valid page, parsed once for all that look at it; what its pictures show is no HTML and
    takes long to read."""
    page = re.sub(r";base64,[A-Za-z0-9+/]+={0,2}", ";base64,", page)
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)


def check_html(page):
    """That a page is valid, that no level of headings is left out, and that cells of a wide table
    know their column."""
    parsed = parsed_page(page)
    levels = [int(one.tag[1]) for one in parsed.iter() if re.fullmatch("h[1-6]", str(one.tag))]
    assert levels[0] == 1
    assert all(later <= before + 1 for before, later in zip(levels, levels[1:]))
    for table in parsed.iter("table"):
        titles = ["".join(one.itertext()) for head in table.iter("thead") for one in head[0]]
        told = [
            [cell.get("data-title") for cell in row] for body in table.iter("tbody") for row in body
        ]
        assert all(cells == titles for cells in told if titles)
        assert titles or not any(map(any, told))


def check_figures(page):
    """That each figure has a caption and, for readers who cannot see it, more than its title."""
    for figure in parsed_page(page).iter("figure"):
        if figure.get("class") != "plot":
            continue
        captions = ["".join(one.itertext()).strip() for one in figure.iter("figcaption")]
        assert len(captions) == 1
        assert re.fullmatch(r"\S.{20,}\.", captions[0])
        for drawing in figure.iter("{http://www.w3.org/2000/svg}svg"):
            assert re.search(r"\d", drawing.get("aria-label"))


def text_of(page):
    """The words of a page as one reads them."""
    return " ".join("".join(words_in(parsed_page(page))).split())


def words_in(element):
    """The texts in an element, but for those that nobody reads."""
    if isinstance(element.tag, str) and element.tag not in ("style", "title"):
        yield element.text or ""
        for one in element:
            yield from words_in(one)
            yield one.tail or ""


def titles_of(page):
    """The titles of all columns."""
    return [
        "".join(one.itertext()) for one in parsed_page(page).iter("th") if one.get("scope") == "col"
    ]


def test_a_report_holds_answer_tables_plots_map_crowns_and_how_it_was_made(
    report, usual, image, tmp_path
):
    layers, done = usual
    page = report(layers, PDF=True)
    words, summary = text_of(page), done.table("SUMMARY").iloc[0]
    assert all(str(message) in words for message in [*done.messages] if message.is_notice)
    mean = summary["randcrowns_mean"]
    assert f"boxes has a mean RandCrowns of {mean:.3f}, over 20 of 20 targets." in words
    # In the table of the answer, and nowhere else.
    mean, low, high = (summary[f"iou_{end}"] for end in ("mean", "low", "high"))
    assert words.count(f"{mean:.3f} ({low:.3f}–{high:.3f})") == 1
    for title in (
        "Figures",
        "Map",
        "Worst crowns",
        "Typical crowns",
        "Methods",
        "All parameters",
        "References",
    ):
        assert title in words
    assert "Command that repeats it qgis_process run randcrowns:scorecrowns" in words
    entries = page[page.index("@article") :].split("\n\n")
    assert cited_works()["stewart2021"].bibtex.split() == entries[0].split()
    pictures = re.findall(r'src="data:(image/\w+);base64,', page)
    assert pictures.count("image/jpeg") == 1 + 20  # the map, ten crowns of each kind
    assert not re.findall(r'(?:src|href)="(?!data:|#|https://(?:doi\.org|arxiv\.org/abs)/)', page)
    assert len(page) < 10e6
    pdf = (tmp_path / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 3


def test_the_methods_are_prose_that_says_how_intervals_were_made_and_cites_what_it_names(
    usual_words,
):
    words = usual_words
    methods = words[words.rindex("Methods") : words.rindex("All parameters")]
    assert "The delineations (boxes) were compared with the target crowns (field)" in methods
    assert "a weighted jackknife over the crowns (Hinkley 1977)" in methods
    assert "Each target was paired with the delineation of the nearest centroid." in methods
    assert f"The analysis was made with {software_versions()}." in methods
    cited = words[words.rindex("References") : words.index("BibTeX")]
    assert "Stewart D." in cited
    assert "Hinkley D.V. (1977). Jackknifing in unbalanced situations. Technometrics" in cited
    assert "Lin T." not in cited


def test_a_count_has_one_name_in_answer_and_tables(usual_words):
    words = usual_words
    assert "over 20 of 20 targets." in words
    assert re.search(r"Counts: .*targets not detected: 0,.* false detections: 0\.", words)
    squeezed = words.replace(" ", "")
    # The column of targets that no delineation reached is left out, since it is 0 for all layers.
    assert "DetectedNotdetectedFalsedetections" in squeezed
    assert "20of2000of20" in squeezed
    assert "left over" not in words
    assert "Without a target" not in words


def test_the_only_plot_is_no_twin_of_all(report, scored, project):
    one = [
        layer_of(n, crowns_at(PLACES, seed=s), fields=_FIELDS, rows=[("p", 1.0)] * 20)
        for s, n in enumerate("ab")
    ]
    layers, _ = scored(*one, PLOT_FIELD="plot")
    headings = [one.split() for one in titles_of(report(layers, PARTS=only("tables", "plots")))]
    assert ["b"] in headings
    assert not any({"all", "p"} & {word.strip(",") for word in words} for words in headings)
    several, _ = scored(crowns("field"), crowns("boxes", 2), PLOT_FIELD="plot")
    page = parsed_page(report(several, PARTS=only("tables")))
    texts = ["".join(cell.itertext()) for tag in ("th", "td") for cell in page.iter(tag)]
    # The table of means has the plots only; that of thresholds also has the row of all plots.
    assert texts.count("p0") == texts.count("p1") == 2
    assert texts.count("all plots") == 1


def test_the_score_field_that_was_found_is_told_in_choices_methods_and_command(
    report, run, project
):
    given = {"TARGETS": crowns("field"), "PREDICTIONS": crowns("boxes", 2)}
    given["TARGETS"].dataProvider().deleteAttributes([1])
    given["TARGETS"].updateFields()
    done = run(
        "evaluateinstances", given, outputs=("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    )
    words = text_of(report([done.layer("SUMMARY")], PARTS=only("methods", "choices", "repeat")))
    assert "Score fieldscore" in words
    assert "by the scores in field score;" in words
    assert "SCORE_FIELD=score" in words


def test_crowns_of_instances_have_their_status_in_words(report, run, project):
    given = {
        "TARGETS": crowns("field"),
        "PREDICTIONS": layer_of("boxes", crowns_at(PLACES[4:], seed=2)),
    }
    done = run(
        "evaluateinstances", given, outputs=("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    )
    made = [done.layer("SUMMARY"), done.layer("MATCHED_TARGETS"), done.layer("MATCHED_PREDICTIONS")]
    page = report(made, CROWNS=4, PARTS=only("crowns"))
    shown = re.findall(r'class="tag"[^>]*>([^<]*)<', page)
    assert shown == ["not detected"] * 4


def test_a_target_without_an_outline_is_among_no_crowns_of_instances(report, run, project):
    targets = layer_of("field", [*crowns_at(PLACES[:3], seed=1), None])
    given = {"TARGETS": targets, "PREDICTIONS": layer_of("boxes", crowns_at(PLACES[1:3], seed=2))}
    done = run(
        "evaluateinstances", given, outputs=("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    )
    words = text_of(
        report([done.layer("SUMMARY"), done.layer("MATCHED_TARGETS")], PARTS=only("crowns"))
    )
    assert (
        len(
            # The worst targets are all targets, so that there are no typical ones.
            re.findall(r"Target \d", words[words.index("Worst targets") :])
        )
        == 3
    )


def test_the_title_says_what_was_done_with_which_layers_and_when(usual, usual_words):
    assert usual_words.startswith(f"Score crowns: field vs boxes, {day_of(usual[1])} ")


def day_of(done):
    """The day of a run as a report writes it: 2026-11-03 is 3 Nov 2026."""
    time = Provenance.from_json(done.results["PROVENANCE"]).display_text_of("time")
    year, month, day = time[:10].split("-")
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return f"{int(day)} {months[int(month) - 1]} {year}"


def test_the_list_of_parameters_has_their_values_and_a_date(report, usual, project):
    """A field that was not given is not listed, a default is; the time is that of the record."""
    words = text_of(report(usual[0], PARTS=only("choices")))
    time = Provenance.from_json(usual[1].results["PROVENANCE"]).display_text_of("time")
    assert f"Date and time{day_of(usual[1])}, {time[11:16]}" in words
    assert "Search radiusautomatic" in words
    assert "not given" not in words
    assert "Class field of the targets" not in words
    assert time[:10] not in words.replace(f"field vs boxes, {day_of(usual[1])}", "")


def test_the_worst_crowns_come_first_with_problem_and_scores(report, scored, project):
    targets = crowns("field")
    drawn = crowns_at(PLACES, seed=1)
    moved = layer_of("boxes", [*drawn[1:-1], *crowns_at([(59, 35)], seed=3)])
    layers, _ = scored(targets, moved)
    page = report(layers, CROWNS=2, PARTS=only("crowns", "compared"))
    # A false detection has no scores, and no empty line instead of them.
    assert not re.search(r'<span class="name">[^<]*</span>\s*<br>', page)
    words = text_of(page)
    worst = words[words.index("Worst crowns") : words.index("Typical crowns")]
    assert worst.count("RandCrowns 0.00, IoU 0.00, IoUCrowns 0.00 ■ No delineation reaches") == 2
    typical = words[words.index("Typical crowns") : words.index("What was compared")]
    assert typical.count("RandCrowns 1.00, IoU 1.00, IoUCrowns 1.00") == 2
    false = typical[typical.index("False detections") :]
    assert false.count("No target for this delineation: false detection") == 1
    assert false.count("false detection") == 1


def test_the_picture_of_a_crown_shows_the_delineation_that_is_not_its_pair(report, scored, project):
    """Its cause names the delineation of the neighbour, which begins 4 m from the left edge."""

    def boxes(name, *lefts_and_widths):
        shapes = [
            shapely.box(EAST + left, NORTH, EAST + left + width, NORTH + 6)
            for left, width in lefts_and_widths
        ]
        return layer_of(name, shapes)

    layers, _ = scored(boxes("trees", (0, 6), (6, 6)), boxes("found", (4, 8)))
    page = report(layers, CROWNS=1, PARTS=only("crowns"))
    assert "but is not its pair: low overlap" in page
    assert "Thin lines: delineations that are not its pair." in page
    encoded = re.search(r"data:image/jpeg;base64,([A-Za-z0-9+/=]+)", page)
    picture = QImage.fromData(base64.b64decode(encoded.group(1)))
    # The upper half has no scale bar. The target is in the middle, and the line is black.
    row = picture.height() // 3
    colours = [picture.pixelColor(x, row).getRgb()[:3] for x in range(picture.width())]
    red = [x for x, (r, g, b) in enumerate(colours) if r > 180 and max(g, b) < 110]
    black = [x for x, colour in enumerate(colours) if max(colour) < 110]
    assert black
    share = (np.mean(black) - min(red)) / (max(red) - min(red))
    assert share == pytest.approx(4 / 6, abs=0.03)


def test_only_the_parts_that_are_wanted_are_there(report, usual):
    words = text_of(report(usual[0], PARTS=only("methods"), TITLE="My title"))
    assert words.startswith("My title")
    assert "Methods" in words
    for title in ("Map", "Figures", "Worst crowns", "All parameters", "What was compared"):
        assert title not in words


def test_names_with_markup_are_shown_letter_by_letter(report, scored, image, tmp_path):
    image.setName(EVIL)
    targets, drawn = crowns(EVIL, plot=EVIL), crowns(f"{EVIL} 2", 2, plot=EVIL)
    layers, _ = scored(targets, drawn, PLOT_FIELD="plot")
    page = report(layers, TITLE=EVIL, PDF=True)
    assert "<script" not in page
    assert "onerror=alert(1)>" not in page
    assert "49" not in re.findall(r"x</b>.{0,90}", page)
    assert text_of(page).count(EVIL) > 5
    parsed = parsed_page(page)
    assert [one.get("src")[:5] for one in parsed.iter("img")] == ["data:"] * len(
        list(parsed.iter("img"))
    )
    assert {one.tag for one in parsed.iter()}.isdisjoint({"script", "b", "iframe", "object"})


def widths_beyond_tables(html, tmp_path, window_width):
    """Pixels by which each table of a page is wider than its place, in a window of this width."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no chromium to show the page")
    measured = (
        "[...document.querySelectorAll('.scrolled')]"
        ".map(one => one.scrollWidth - one.clientWidth).join(' ')"
    )
    page = tmp_path / "measured.html"
    page.write_text(
        html.replace("</body>", f"<script>document.title = {measured}</script></body>"),
        encoding="utf-8",
    )
    words = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--window-size={window_width},900",
        "--dump-dom",
    ]
    shown = subprocess.run(
        [*words, page.as_uri()], capture_output=True, check=True, timeout=300
    ).stdout.decode()
    return [int(text) for text in re.search("<title>(.*?)</title>", shown)[1].split()]


def test_on_a_telephone_no_table_is_wider_than_the_page(report, scored, project, tmp_path):
    long = "2018_SJER_3_252000_4107000_image_477_detected_by_DeepForest"
    layers, _ = scored(crowns("targets"), crowns(long, seed=2))
    html = report(layers, PARTS=only("compared", "tables", "choices", "repeat"))
    beyond = widths_beyond_tables(html, tmp_path, 400)
    assert len(beyond) >= 2
    assert set(beyond) == {0}


def test_a_table_of_many_columns_is_not_wider_than_a_large_page(qgis_app, tmp_path):
    """The table of the variances of annotators has 11 columns, five of them with intervals."""
    titles = [
        *("Zielkrone von", "Kronen", "Zu klein", "Nicht erreicht", "RandCrowns, Mittel"),
        *("RandCrowns, Varianz", "IoU, Mittel", "IoU, Varianz", "IoUCrowns, Mittel"),
        *("IoUCrowns, Varianz", "Intervalle über"),
    ]
    small = "4,70 × 10⁻⁴ (1,93 × 10⁻⁴–0,00114)"
    wide = "0,0207 (0,0123–0,0345)"
    row = ["annotator_1", "19", "0", "0", "0,998", small, "0,727", wide, "0,909", wide, "Kronen"]
    cells = TableContent(titles, [False, *[True] * 9, False], [row] * 4)
    section = Section("run", tables=[Table("Varianz", cells)])
    html = render_html(Report("title", "made", [section], []))
    assert widths_beyond_tables(html, tmp_path, 1400) == [0]


def test_several_runs_stand_in_one_report_and_cite_a_work_once(report, run, scored, project):
    people = [crowns(name, seed) for seed, name in enumerate(("ann", "bob", "cleo"))]
    made, _ = scored(people[0], people[1])
    compared = run(
        "compareannotators",
        {"ANNOTATORS": people, "BOOTSTRAP_SAMPLES": 50},
        outputs=["AGREEMENT", "SUMMARY"],
    )
    page = report([*made, compared.layer("SUMMARY"), compared.layer("AGREEMENT")])
    words = text_of(page)
    assert "Agreement In brackets" not in words
    assert "Mean pairwise F1" in words
    assert page.count("@article{stewart2021") == page.count("@article{lampert2016") == 1


@pytest.mark.parametrize(("classes", "is_listed"), [({}, False), ({"CLASS_FIELD": "plot"}, True)])
def test_parameters_of_classes_are_listed_only_with_classes(
    classes, is_listed, report, run, project
):
    people = [crowns(name, seed) for seed, name in enumerate(("ann", "bob"))]
    given = {"ANNOTATORS": people, "BOOTSTRAP_SAMPLES": 50, **classes}
    done = run("compareannotators", given, outputs=["SUMMARY"])
    words = text_of(report([done.layer("SUMMARY")], PARTS=only("choices")))
    assert ("Scale of the classes" in words) == is_listed
    assert ("Unmarked ground is a class" in words) == is_listed


def test_measures_of_annotators_have_three_decimals_and_areas_one(report, run, project):
    people = [crowns(name, 1) for name in ("ann", "bob", "cleo")]
    people.append(layer_of("elsewhere", crowns_at([(x + 3, y + 3) for x, y in PLACES])))
    tables = ("AGREEMENT", "ANNOTATOR_TABLE", "SUMMARY")
    compared = run(
        "compareannotators", {"ANNOTATORS": people, "BOOTSTRAP_SAMPLES": 50}, outputs=tables
    )
    page = parsed_page(report([compared.layer(one) for one in tables], PARTS=only("tables")))
    rows = [["".join(cell.itertext()).strip() for cell in row] for row in page.iter("tr")]
    place = next(row.index("Outlier") for row in rows if "Outlier" in row)
    assert [next(row for row in rows if row[0] == one.name())[place] for one in people] == [
        "",
        "",
        "",
        "outlier",
    ]
    values = {row[0]: row[1] for row in rows}
    assert values["Number of annotators"] == "4"
    assert re.fullmatch(r"\d+\.\d", values["Area marked by anybody"])
    raw_agreement = "Raw agreement: chance that two annotators decide alike"
    # A share is in percent, as in the answer.
    assert re.fullmatch(r"\d+\.\d", values[raw_agreement])
    # The numbers of the answer are not repeated in the other table.
    assert re.fullmatch(r"0\.\d{3}", values["Mean pairwise F1"])
    assert [row[0] for row in rows].count("Mean pairwise F1") == 1


@pytest.mark.parametrize(
    ("name", "given", "outputs", "said"),
    [
        (
            "evaluateinstances",
            {"sides": 2},
            ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY"),
            "Worst targets",
        ),
        ("consensus", {"METHOD": 6}, ("CONSENSUS", "PERFORMANCE", "PRIOR_EFFECT"), "Half"),
        ("annotatorvariance", {}, ("CROWNS", "DELINEATIONS", "VARIANCE"), "Eq. 15"),
        (
            "tuneparameters",
            {"ALPHAS": "0.3", "OMEGAS": "0.5 0.7", "GAMMAS": "1:3:1"},
            ("GRID", "RECOMMENDED"),
            "grid",
        ),
        ("rankdetectors", {"detectors": 2}, ("AUCR", "CURVES", "RANKINGS"), "whole crowns"),
        (
            "compareannotators",
            {"BOOTSTRAP_SAMPLES": 50},
            ("SUMMARY", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "RATIO", "LINKAGE"),
            "agree with a mean F1 by area",
        ),
    ],
)
def test_every_algorithm_tells_its_runs(name, given, outputs, said, run, report, project):
    people = [crowns(one, seed) for seed, one in enumerate(("ann", "bob", "cleo"))]
    if given.pop("sides", 0):
        given = {"TARGETS": people[0], "PREDICTIONS": people[1]}
    elif given.pop("detectors", 0):
        given = {
            "DETECTORS": people[:2],
            "SCORE_FIELD": "score",
            "ANNOTATORS": people[2:],
            "BOOTSTRAP_SAMPLES": 50,
        }
    else:
        given = {**given, "ANNOTATORS": people}
    needed = {"rankdetectors": ("AUCR",), "compareannotators": ("AGREEMENT",)}.get(name, ())
    done = run(name, given, outputs=(*outputs, *needed))
    assert done.ok, done.refused or done.error
    page = report([done.layer(output) for output in outputs if output in done.results])
    check_figures(page)
    words = text_of(page)
    made = Provenance.from_json(done.results["PROVENANCE"])
    assert (
        words.partition(day_of(done))[0].count(made.display_text_of("algorithm")) == 1
    )  # the title
    assert "Methods" in words
    assert "References" in words
    if name != "consensus":
        assert said in words
    # Numbers of equations belong to the meaning of the numbers and to the methods.
    explained = "Meaning of the numbers"
    following = explained if explained in words else "What was compared"
    assert "Eq. " not in words[: words.rindex(following)]


def test_the_methods_name_choices_that_there_are(algorithms):
    template = (RESOURCES / "report_methods.html").read_text(encoding="utf-8")
    macros = re.findall(r"{% macro (\w+)\(run\) %}(.*?){% endmacro %}", template, re.DOTALL)
    known = {
        one.name(): {choice.name for choice in one.declared_parameters}
        for one in algorithms.algorithms()
    }
    assert len(set(dict(macros)) & set(known)) == 8
    for name, text in macros:
        named = set(re.findall(r'run\.(?:words|option)\("(\w+)"\)', text)) | set(
            re.findall(r'\("(\w+_method)"', text)
        )
        assert named <= known.get(name, set().union(*known.values())), name


def test_detectors_where_only_some_crowns_were_drawn_are_told_by_recall_without_an_empty_plot(
    report, run, project
):
    people = [crowns(one, seed) for seed, one in enumerate(("ann", "bob", "cleo"))]
    given = {
        "DETECTORS": people[:2],
        "SCORE_FIELD": "score",
        "ANNOTATORS": people[2:],
        "BOOTSTRAP_SAMPLES": 0,
    }
    done = run("rankdetectors", {**given, "ALL_DRAWN": False}, outputs=("AUCR", "CURVES"))
    words = text_of(
        report([done.layer("AUCR"), done.layer("CURVES")], PARTS=only("tables", "plots"))
    )
    assert "Whole crowns: recall ann " in words
    assert "Recall" in words
    assert "recall of areas, under all ground truths" in words
    assert "Precision and recall of whole crowns" not in words


def test_a_ranking_has_a_table_of_areas_and_one_of_crowns_without_empty_columns(
    report, run, project
):
    people = [crowns(one, seed) for seed, one in enumerate(("net", "ann", "bob"))]
    given = {"DETECTORS": people[:1], "SCORE_FIELD": "score", "ANNOTATORS": people[1:]}
    tables = ("AUCR", "CERTAINTY_TABLE")
    done = run("rankdetectors", {**given, "BOOTSTRAP_SAMPLES": 20}, outputs=tables)
    page = parsed_page(report([done.layer(one) for one in tables], PARTS=only("tables")))
    titles = {one.get("aria-label"): one for one in page.iter("div") if one.get("aria-label")}
    areas, ap = titles["Detector scores: AUCR"], titles["Detector scores: AP, all points"]
    headings = ["".join(cell.itertext()) for cell in next(areas.iter("tr"))]
    assert headings == ["Detector", "Ground truth", "Value", "Rank", "Skew (%)"]
    for table in (areas, ap):
        cells = ["".join(cell.itertext()).strip() for cell in table.iter("td")]
        assert "n/a" not in cells
        assert "" not in cells


def test_a_cloud_is_told(report, evaluate, project, tmp_path):
    xyz, target, prediction = labelled_cloud()
    done = evaluate(
        write_cloud(tmp_path / "plot_7.laz", xyz, {"tree": target, "found": prediction})
    )
    assert NAMES
    layers = [
        done.layer(name)
        for name in ("SUMMARY", "PARTITIONS", "MATCHED_TARGETS")
        if name in done.results
    ]
    assert "labelled point cloud" in text_of(report(layers))


def test_the_answer_on_instances_has_its_intervals(run, project):
    given = {"TARGETS": crowns("field"), "PREDICTIONS": crowns("boxes", 2)}
    done = run(
        "evaluateinstances", given, outputs=("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    )
    row = done.table("SUMMARY").iloc[0]
    mean, low, high = (row[f"mean_iou{end}"] for end in ("", "_low", "_high"))
    assert (
        f"Mean IoU {mean:.2f} ({low:.2f}–{high:.2f})"
        in Provenance.from_json(done.results["PROVENANCE"]).conclusion
    )


def test_a_report_on_annotators_states_the_area_that_was_used(run, report, project):
    people = [crowns(name, seed) for seed, name in enumerate(("ann", "bob"))]
    tables = ("SUMMARY", "ANNOTATOR_TABLE")
    done = run("compareannotators", {"ANNOTATORS": people, "BOOTSTRAP_SAMPLES": 50}, outputs=tables)
    layers = [done.layer(name) for name in tables]
    for part in ("choices", "compared"):
        words = text_of(report(layers, PARTS=only(part)))
        assert "Study areathe area that any annotator marked (" in words
        assert "Marked area" not in words.partition("Study area")[2]


def test_simulated_annotators_are_a_warning_before_the_answer(run, report, project):
    outputs = ("CROWNS", "DELINEATIONS", "VARIANCE")
    done = run("annotatorvariance", {"ANNOTATORS": [crowns("ann", 1)], "WARPS": 3}, outputs=outputs)
    words = text_of(report([done.layer(name) for name in outputs]))
    caveat = "There is only one annotator, 'ann', so others are simulated"
    assert words.count(caveat) == 1
    assert words.index(caveat) < words.index("typically differ by")


def test_of_many_plots_tables_have_the_worst_rows_without_equal_columns(report, run, project):
    """Two layers in 25 plots of two crowns; each layer misses a crown of some plots."""
    places = [(30 * plot + 10 * half, 0) for plot in range(25) for half in range(2)]
    plots = [f"p{number // 2:02}" for number in range(50)]
    layers = []
    for name, missed in (("field", []), ("a", [2, 3, 8]), ("b", [5])):
        kept = [number for number in range(50) if number not in missed]
        layers.append(
            layer_of(
                name,
                crowns_at(places, seed=1)[kept],
                fields="&field=plot:string",
                rows=[(plots[number],) for number in kept],
            )
        )
    done = run(
        "scorecrowns",
        {"TARGETS": layers[0], "DELINEATIONS": layers[1:], "PLOT_FIELD": "plot"},
        outputs=("SUMMARY",),
    )
    page = parsed_page(report([done.layer("SUMMARY")], PARTS=only("tables")))
    tables = [
        [["".join(cell.itertext()).strip() for cell in row] for row in table.iter("tr")]
        for table in page.iter("table")
    ]
    means = next(table for table in tables if table[0][:3] == ["Layer", "Plot", "Mean RC"])
    assert len(means) == 1 + 20
    assert [row[:3] for row in means[1:4]] == [
        ["a", "p01", "0.000"],
        ["a", "p04", "0.500"],
        ["b", "p02", "0.500"],
    ]
    assert "Targets" not in means[0]
    assert "Too small" not in means[0]
    # Few rows with many columns are exchanged with them.
    assert ["", "a, all plots", "b, all plots"] in [table[0] for table in tables]
    words = text_of(report([done.layer("SUMMARY")], PARTS=only("tables")))
    assert re.search(r"In all rows: Targets 2, [^.]*Too small 0\. The plots with the lowest", words)
    assert "30 more rows are in the table of the run." in words
    assert "50 more rows are in the table of the run." in words
    summary = done.table("SUMMARY")
    of_plots = summary[summary["plot"] != "all"]
    assert (of_plots["targets"] == 2).all()
    assert (of_plots["too_small"] == 0).all()


@pytest.mark.parametrize(
    ("algorithm", "parameter", "outputs"),
    [
        (
            "compareannotators",
            "ANNOTATORS",
            ("SUMMARY", "ANNOTATOR_TABLE", "ANNOTATOR_PAIRS", "LINKAGE", "DISAGREEMENTS"),
        ),
        ("rankdetectors", "DETECTORS", ("AUCR", "CURVES", "RANKINGS", "CERTAINTY_TABLE")),
        ("annotatorvariance", "ANNOTATORS", ("CROWNS", "DELINEATIONS", "VARIANCE", "EXCLUDED")),
        ("scorecrowns", "DELINEATIONS", _SCORED),
        ("consensus", "ANNOTATORS", ("CONSENSUS", "LOOK_AGAIN")),
    ],
)
def test_a_long_name_is_the_same_short_one_everywhere(
    algorithm, parameter, outputs, run, report, project
):
    """Only the lists of layers and parameters, and the command, have the whole name."""
    long = [f"{'crowns of the protected area, flight of August 2025, ' * 2}{end}" for end in "AB"]
    layers = [crowns(name, seed) for seed, name in enumerate([*long, "ann"], 1)]
    given = {parameter: layers}
    if algorithm == "scorecrowns":
        given["TARGETS"] = crowns("field", 9)
    elif algorithm == "rankdetectors":
        given |= {
            "ANNOTATORS": [crowns(f"{long[0]} of B", 7), crowns("bob", 8)],
            "BOOTSTRAP_SAMPLES": 20,
        }
        long.append(f"{long[0]} of B")
    elif algorithm == "compareannotators":
        given["BOOTSTRAP_SAMPLES"] = 20
    elif algorithm == "consensus":
        given["METHOD"] = 9  # crown by crown
    done = run(algorithm, given, outputs=outputs)
    assert done.ok, done.refused or done.error
    tables = [done.layer(name) for name in outputs]
    named = [name for name in PARTS.keys if name not in ("compared", "choices", "repeat")]
    page = report(tables, PARTS=only(*named))
    compared = [given["TARGETS"]] if "TARGETS" in given else []
    compared += [layer for value in given.values() if isinstance(value, list) for layer in value]
    names = display_names(layer.name() for layer in compared)
    cells = {"".join(cell.itertext()) for cell in parsed_page(page).iter("td")}
    drawn = {
        "".join(text.itertext())
        for text in parsed_page(page).iter("{http://www.w3.org/2000/svg}text")
    }
    words = text_of(page)
    for name in long:
        assert name not in page
        assert len(names[name]) <= 30
        assert names[name] in words
    if algorithm != "consensus":
        # In tables and diagrams, whose legends may have pairs of names.
        shown = {word for text in drawn for word in text.split(" – ")} | cells
        assert {names[name] for name in (*long, "ann") if name in names} <= shown
    whole = text_of(report(tables))
    assert whole.count("Long names are shortened; see What was compared.") == 1
    assert long[0] in whole


@pytest.mark.parametrize(
    ("limits", "highest", "n_notes"), [({}, 50, 0), ({"MAX_SKEW": 0.2}, 20, 1)]
)
def test_skews_beyond_the_limits_are_a_note_of_the_run_and_a_warning(
    limits, highest, n_notes, run, report, project
):
    """The crowns cover about a third of the area; a limit that is not given has its default."""
    given = {
        "DETECTORS": [crowns("near", 3), crowns("far", 4)],
        "ANNOTATORS": [crowns("ann", 1), crowns("bob", 2)],
        "BOOTSTRAP_SAMPLES": 0,
    }
    done = run("rankdetectors", {**given, **limits}, outputs=("AUCR",))
    assert 0.2 < done.table("AUCR")["skew"].min() < done.table("AUCR")["skew"].max() < 0.5
    words = text_of(report([done.layer("AUCR")])).replace("\N{NO-BREAK SPACE}", " ")
    scenes = f"over scenes of which crowns cover 10.0 to {highest}.0 %"
    assert words.count(f"The mean precision is {scenes}.") == 1
    assert words.count(f"The AUCR averages precision {scenes}, but the ground truths") == n_notes
    assert done.keys.count("ranking.beyond_skew_limits") == n_notes


def test_the_answer_on_annotators_has_its_intervals(run, project):
    people = [crowns(name, seed) for seed, name in enumerate(("ann", "bob", "cleo"))]
    done = run(
        "compareannotators", {"ANNOTATORS": people, "BOOTSTRAP_SAMPLES": 200}, outputs=["SUMMARY"]
    )
    answer, rows = (
        Provenance.from_json(done.results["PROVENANCE"]).conclusion,
        done.table("SUMMARY").set_index("statistic"),
    )
    for said, statistic in (
        ("mean F1", "mean_f1"),
        ("kappa", "fleiss_kappa"),
        ("mean error", "smyth_bound"),
    ):
        value, low, high = (rows.loc[statistic, column] for column in ("value", "low", "high"))
        assert f"{said} {value:.3f} ({low:.3f}–{high:.3f})" in answer


def test_layers_of_a_geopackage_find_the_rest_of_their_run(run, report, project, tmp_path):
    sides = []
    for seed, name in enumerate(("field", "boxes"), 1):
        write_layer(layer_of(name, crowns_at(PLACES, seed=seed)), tmp_path / "crowns.gpkg", name)
        sides.append(QgsVectorLayer(f"{tmp_path / 'crowns.gpkg'}|layername={name}", name, "ogr"))
    file = tmp_path / "results.gpkg"
    names = ("SCORED_TARGETS", "SCORED_DELINEATIONS")
    places = {name: f"ogr:dbname='{file}' table=\"{name.lower()}\" (geom)" for name in names}
    places["SUMMARY"] = f"ogr:dbname='{file}' table=\"summary\""
    run("scorecrowns", {"TARGETS": sides[0], "DELINEATIONS": sides[1:], **places}, outputs=())
    words = text_of(
        report([f"{file}|layername=summary"], PARTS=only("compared", "crowns"), CROWNS=1)
    )
    assert "Worst crowns" in words
    assert f"{tmp_path / 'crowns.gpkg'}|layername=field" in words


def test_a_layer_of_nobody_and_a_project_without_runs_are_refused(run, project, tmp_path):
    given = {"HTML": str(tmp_path / "report.html")}
    assert shows(run("report", given, outputs=()).error, "report.no_run")
    refused = run("report", {**given, "RUNS": [crowns("mine")]}, outputs=())
    assert shows(refused.error, "report.layer_without_run", layer="mine")
    assert not (tmp_path / "report.html").exists()


def test_without_a_file_to_write_it_is_refused(run, project):
    assert shows(run("report", {}, outputs=()).refused, "report.no_file")
    assert shows(
        run("report", {"HTML": "/tmp/report.txt"}, outputs=()).refused, "output.wrong_ending"
    )


def test_a_template_of_ones_own_is_used_and_escapes(run, scored, project, tmp_path):
    layers, _ = scored(crowns(EVIL), crowns("boxes", 2))
    own = tmp_path / "own.html"
    own.write_text("<p>{{ report.sections[0].compared[0][0] }}</p>", encoding="utf-8")
    given = {
        "RUNS": layers,
        "HTML": str(tmp_path / "report.html"),
        "TEMPLATE": str(own),
        "PARTS": only("compared"),
    }
    assert run("report", given, outputs=()).ok
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<p>&lt;b&gt;x&lt;/b&gt;&lt;script")


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ report.title", "The template own.html cannot be used (line 1): TemplateSyntaxError"),
        ("{{ report.title.__class__.__mro__ }}", "SecurityError"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{% include 'gone.html' %}", "TemplateNotFound"),
    ],
)
def test_a_template_that_cannot_be_used_is_told_and_nothing_is_written(
    template, said, run, usual, tmp_path
):
    (tmp_path / "own.html").write_text(template, encoding="utf-8")
    given = {"RUNS": usual[0], "PARTS": only("compared")}
    given |= {"HTML": str(tmp_path / "report.html"), "TEMPLATE": str(tmp_path / "own.html")}
    assert said in run("report", given, outputs=()).error
    assert not (tmp_path / "report.html").exists()


def test_crowns_in_degrees_and_crowns_in_pixels_have_maps(report, run, project):
    boxes = [
        f"POLYGON(({x} 29, {x + 4e-5} 29, {x + 4e-5} 29.00004, {x} 29.00004, {x} 29))"
        for x in (-82, -81.9999)
    ]
    for crs in ("EPSG:4326", "EPSG:2881"):
        sides = [layer_of(name, boxes, crs="EPSG:4326") for name in ("field", "boxes")]
        done = run("scorecrowns", {"TARGETS": sides[0], "DELINEATIONS": sides[1:]})
        assert done.ok, (crs, done.refused or done.error)
        made = [done.layer(name) for name in _SCORED]
        page = report(made, PARTS=only("map", "crowns"))
        assert page.count("data:image/jpeg") == 1 + 2


@pytest.mark.parametrize(("all_drawn", "label"), [(True, "false detection"), (False, "not judged")])
def test_the_map_of_scores_shows_delineations_without_a_target(
    report, scored, image, all_drawn, label
):
    """Those of the first layer, whose scores give the targets their colours."""
    extra = crowns_at([*PLACES[:4], (30, 30)])
    sides = [layer_of("field", crowns_at(PLACES[:4]))]
    sides += [layer_of("boxes", extra), layer_of("others", crowns_at(PLACES[:4]))]
    for layers, is_shown in ((sides, True), ([sides[0], sides[2], sides[1]], False)):
        made, _ = scored(*layers, ALL_DRAWN=all_drawn)
        assert (label in text_of(report(made, PARTS=only("map")))) == is_shown


def test_the_map_of_instances_shows_predictions_without_a_target(report, run, image):
    given = {
        "TARGETS": layer_of("field", crowns_at(PLACES[:4])),
        "PREDICTIONS": layer_of("boxes", crowns_at([*PLACES[:4], (30, 30)])),
    }
    outputs = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    done = run("evaluateinstances", given, outputs=outputs)
    assert done.ok, done.refused or done.error
    words = text_of(report([done.layer(name) for name in outputs], PARTS=only("map")))
    assert words.count("detected (true positive)") == words.count("false detection (false") == 1


def test_crowns_too_small_for_a_map_of_all_are_shown_where_the_image_is(report, scored, image):
    """Field crowns over kilometres, of which the image covers a part."""
    places = [*PLACES, *((7000 + east, 9000 + north) for east, north in PLACES)]
    layers, _ = scored(*(layer_of(name, crowns_at(places)) for name in ("field", "boxes")))
    page = report(layers, PARTS=only("map"))
    assert page.count("data:image/jpeg") == 1
    assert "The map shows only the extent of image image: on a map of all crowns" in text_of(page)
    QgsProject.instance().removeMapLayer(image.id())
    page = report(layers, PARTS=only("map"))
    assert "data:image/jpeg" not in page
    assert "There is no map: most crowns would be smaller than two pixels." in text_of(page)


def test_a_report_is_of_bounded_size_whatever_the_number_of_crowns(report, scored, image):
    places = [(10 * column, 10 * row) for row in range(15) for column in range(20)]
    sides = [
        layer_of(name, crowns_at(places, seed=seed)) for seed, name in enumerate(("field", "boxes"))
    ]
    layers, _ = scored(*sides)
    page = report(layers)
    assert page.count("data:image/jpeg") == 1 + 20
    assert len(page) < 1e6
    assert ">300 of 300<" in page


def shown_in(pdf):
    """Number of glyphs that the pages of a PDF show."""
    shown = 0
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            page = zlib.decompressobj().decompress(stream)
            shown += sum(len(glyphs) // 4 for glyphs in re.findall(rb"<([0-9a-fA-F]+)> Tj", page))
    return shown


def told(rows):
    """A report with so many rows in its first table."""
    picture = Picture(b"", "image/png", 1000, 900, "")
    cells = TableContent(["Name", "Value"], [False, True], [["word", "0.5"]] * rows)
    crowns = [CrownFigure(picture, "crown", [("IoU", "0.5")], "missing", "cause")] * 10
    section = Section(
        "title",
        ["answer"],
        tables=[Table("first", cells), Table("second", cells)],
        plots=[Figure("plot", [Panel(lambda axes: axes.plot([0, 1]), 3.4, 3.0, "line")])],
        map=picture,
        sheets=[Sheet("Worst", "about", crowns)],
        methods=["Method " * 50],
        choices=[("choice", "value")] * 20,
    )
    return Report("report", "made", [section], [])


def test_several_layers_are_answered_by_a_comparison_and_a_table_with_the_numbers_of_the_run(
    report, scored, project
):
    drawn = crowns_at([(x + 1, y) for x, y in PLACES], seed=2)
    layers, done = scored(crowns("field"), crowns("near", 1), layer_of("moved", drawn))
    page = parsed_page(report(layers, PARTS=only("plots", "tables")))
    summary = done.table("SUMMARY")
    rows = [["".join(cell.itertext()) for cell in row] for row in page.iter("tr")]
    drawings = [
        {"".join(text.itertext()).strip() for text in drawing.iter() if text.tag.endswith("}text")}
        for drawing in page.iter("{http://www.w3.org/2000/svg}svg")
    ]
    assert len(drawings) == 3 + 3 + 2 + 1
    for _, row in summary[summary["plot"] == "all"].iterrows():
        cells = next(cells for cells in rows if cells[0] == row["layer"])
        detected = f"{row['matched']} of {row['targets']}"
        false = f"{row['unmatched_delineations']} of {row['delineations']}"
        assert row["missed"] == 0  # in all layers, so that its column is left out
        assert cells[4:] == [detected, str(row["unmatched_targets"]), false]
        for score, cell, texts in zip(("randcrowns", "iou", "iou_crowns"), cells[1:4], drawings):
            mean, low, high = (row[f"{score}_{end}"] for end in ("mean", "low", "high"))
            number = f"{mean:.3f}" if low != low else f"{mean:.3f} ({low:.3f}–{high:.3f})"
            assert cell == number
            assert number in texts
    assert "near is better than all others" in " ".join(words_in(page))


def page_boxes(pdf):
    """Widths and heights of the pages of a PDF, points."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return {(round(float(width)), round(float(height))) for width, height in boxes}


def test_pages_are_a4_or_letter(qgis_app):
    assert page_boxes(render_pdf(told(1))) == {(595, 842)}
    assert page_boxes(render_pdf(told(1), page_size="letter")) == {(612, 792)}


def test_diagrams_are_vectors_in_a_pdf_except_those_with_hatches(qgis_app):
    def pictures(draw):
        figure = Figure("plot", [Panel(draw, 3.4, 3.0, "diagram")])
        return render_pdf(Report("t", "", [Section("t", plots=[figure])], [])).count(
            b"/Subtype /Image"
        )

    assert pictures(lambda axes: axes.bar([0], [1])) == 0
    assert pictures(lambda axes: axes.bar([0], [1], hatch="//")) > 0


@pytest.mark.parametrize("rows", [1, 9, 17, 25, 33])
def test_all_words_stand_on_the_pages_wherever_they_break(rows, qgis_app):
    report = told(rows)
    words = QTextDocumentFragment.fromHtml(render_paper_html(report, 672)[0]).toPlainText()
    assert shown_in(render_pdf(report)) >= len(re.sub(r"[\s\ufffc]", "", words))


def test_a_cancelled_pdf_ends_its_painting_in_the_thread_that_began_it(qgis_app):
    said = []

    def cancel(fraction):
        raise Cancelled

    before = qInstallMessageHandler(lambda kind, context, text: said.append(text))
    try:
        with pytest.raises(Cancelled):
            render_pdf(told(9), cancel)
        gc.collect()
    finally:
        qInstallMessageHandler(before)
    assert said == []


@pytest.mark.parametrize("rows", range(1, 60, 7))
def test_no_end_of_a_page_parts_a_title_from_what_follows_or_a_row_of_crowns(rows, qgis_app):
    page = QSizeF(660.0, 900.0)
    document = lay_out_pages(*render_paper_html(told(rows), 660), QFont("sans-serif", 9), page)
    layout, block, titles = document.documentLayout(), document.begin(), 0
    while block.isValid():
        if block.blockFormat().headingLevel() > 1:
            following = block.next() if block.next().text() != "about" else block.next().next()
            tops = [layout.blockBoundingRect(one).top() for one in (block, following)]
            assert tops[0] // page.height() == tops[1] // page.height(), block.text()
            titles += 1
        block = block.next()
    assert titles > 5
    for table in document.rootFrame().childFrames():
        box = layout.frameBoundingRect(table)
        if not isinstance(table, QTextTable):
            continue
        # A row of crowns, and a short table.
        if table.rows() - table.format().headerRowCount() <= 8:
            assert box.top() // page.height() == (box.bottom() - 1) // page.height()


@pytest.mark.parametrize("height", [3.0, 7.0, 30.0])
@pytest.mark.parametrize("n_panels", [1, 3])
def test_a_figure_is_on_the_page_of_its_title_and_caption(height, n_panels, qgis_app):
    """The figure is too high for the rest of the page, or even for a whole page."""
    page = QSizeF(660.0, 900.0)
    for rows in (1, 20, 30):
        panel = Panel(lambda axes: axes.plot([0, 1]), 6.0, height, "line")
        section = Section("run", plots=[Figure("figure", [panel] * n_panels, "caption")])
        section.answer_table = told(rows).sections[0].tables[0]
        html = render_paper_html(Report("title", "made", [section], []), 660, page_height=900)
        document = lay_out_pages(*html, QFont("sans-serif", 9), page)
        layout, title = document.documentLayout(), document.begin()
        while title.text() != "figure":
            title = title.next()
        diagram = title.next().next()
        tops = [layout.blockBoundingRect(one).top() for one in (title, title.next(), diagram)]
        bottom = layout.blockBoundingRect(diagram).bottom()
        assert title.next().text() == "caption"
        assert len({edge // page.height() for edge in (*tops, bottom - 1)}) == 1, (rows, tops)


def tops_of_rows(document, n_head):
    """Return the page of each row of each table of a document on pages."""
    layout, height = document.documentLayout(), document.pageSize().height()
    tables = [one for one in document.rootFrame().childFrames() if isinstance(one, QTextTable)]
    pages = []
    for table in tables:
        rows = range(n_head, table.rows())
        blocks = [table.cellAt(row, 0).firstCursorPosition().block() for row in rows]
        pages += [layout.blockBoundingRect(block).top() // height for block in blocks]
    return pages


@pytest.mark.parametrize("n_rows", [9, 20, 31, 45, 60])
def test_at_least_three_rows_of_a_table_are_on_a_page(n_rows, qgis_app):
    """Sentences of any length stand before the table, so that any row may end the page."""
    page = QSizeF(660.0, 900.0)
    cells = TableContent(["name", "value"], [False, True], [["a", f"{n}"] for n in range(n_rows)])
    n_divided = 0
    for n_sentences in range(0, 44, 3):
        section = Section("run", notes=["note"] * n_sentences, tables=[Table("title", cells)])
        html = render_paper_html(Report("title", "made", [section], []), 660)
        document = lay_out_pages(*html, QFont("sans-serif", 9), page)
        rows = tops_of_rows(document, n_head=1)
        assert len(rows) == n_rows
        counts = [rows.count(number) for number in sorted(set(rows))]
        assert min(counts) >= 3, (n_sentences, counts)
        n_divided += len(counts) > 1
    assert n_divided


def blank_line(axes):
    """Draw a line."""
    axes.plot([0, 1])


@pytest.mark.parametrize(("n_panels", "width"), [(1, 4.8), (4, 3.4)])
def test_a_figure_that_nearly_fits_on_a_page_is_smaller(n_panels, width, qgis_app):
    """Panels of one figure stay equally large, and none is smaller than 70 %."""
    page = QSizeF(660.0, 900.0)
    widths = {}
    for n_sentences in range(20, 46, 2):
        figure = Figure("figure", [Panel(blank_line, width, width, "line")] * n_panels, "caption")
        section = Section("run", [""], plots=[figure])
        section.answer = ["sentence"] * n_sentences
        html, pictures = render_paper_html(
            Report("title", "made", [section], []), 660, page_height=900
        )
        document = lay_out_pages(html, pictures, QFont("sans-serif", 9), page)
        title = document.begin()
        while title.text() != "figure":
            title = title.next()
        shown = set()
        block = title
        while block.isValid():
            fragment = block.begin()
            while not fragment.atEnd():
                if fragment.fragment().charFormat().isImageFormat():
                    shown.add(round(fragment.fragment().charFormat().toImageFormat().width()))
                fragment += 1
            block = block.next()
        assert len(shown) == 1
        top = document.documentLayout().blockBoundingRect(title).top()
        is_first_page = top < page.height()
        widths.setdefault(is_first_page, set()).update(shown)
    assert len(widths[False]) == 1  # on a new page, it has its whole size
    (whole,) = widths[False]
    assert 0.7 * whole - 1 <= min(widths[True]) < 0.95 * whole
    assert max(widths[True]) == whole


def test_parts_of_a_wide_table_begin_with_the_columns_that_name_its_rows_and_break_no_number(
    qgis_app,
):
    titles = ["Layer", "Plot", *(f"Recall at IoU {number}" for number in range(20))]
    cells = TableContent(
        titles,
        [False, False, *[True] * 20],
        [["boxes", "OSBS_029", *["0.853 (0.801–0.899)"] * 20]] * 9,
    )
    parts = panels(cells, 664)
    assert len(parts) > 2
    assert [place for part in parts for place, _ in part[2:]] == list(range(2, 22))
    assert all([place for place, _ in part[:2]] == [0, 1] for part in parts)
    assert all(sum(width for _, width in part) <= 672 for part in parts)
    sets = [
        [alpha, "0.5", gamma, *["0.853 (0.801–0.899)"] * 20]
        for alpha in ("0.3", "0.6")
        for gamma in ("1", "2")
    ]
    named = panels(TableContent(["alpha", "omega", "gamma", *titles[2:]], [True] * 23, sets), 664)
    assert all([place for place, _ in part[:3]] == [0, 1, 2] for part in named)
    page = render_paper_html(
        Report("report", "made", [Section("title", tables=[Table("table", cells)])], []), 672
    )
    document = lay_out_pages(*page, QFont("sans-serif", 9), QSizeF(672.0, 900.0))
    lines = [
        table.cellAt(1, 3).firstCursorPosition().block().layout().lineCount()
        for table in tables_of(document)
    ]
    assert lines == [1] * len(parts)


@pytest.mark.parametrize("page_width", [672.0, 695.0])
def test_columns_of_a_page_are_as_wide_as_planned_so_that_no_title_is_broken(page_width, qgis_app):
    """Qt scales the widths of columns by the resolution of the screen, here 100 dots an inch."""
    titles = ["Layer", "Class", "Produzentengenauigkeit", "Nutzergenauigkeit", "Kappa", "IoU"]
    interval = "0,912 (0,812–0,955)"
    row = ["annotator_2", "Pinus palustris", interval, interval, interval, interval]
    cells = TableContent(titles, [False, False, True, True, True, True], [row] * 3)
    section = Section("run", tables=[Table("table", cells)])
    page = render_paper_html(Report("title", "made", [section], []), page_width)
    document = lay_out_pages(*page, QFont("sans-serif", 9), QSizeF(page_width, 900.0))
    (table,) = tables_of(document)
    screen_dpi = QImage(1, 1, QImage.Format.Format_RGB32).logicalDpiX()
    widths = [int(width) for width in re.findall(r'<th width="(\d+)"', page[0])]
    planned = sum(widths) * 96 / screen_dpi
    width = document.documentLayout().frameBoundingRect(table).width()
    assert width == pytest.approx(planned, abs=len(titles))
    assert 600 < width <= page_width - 8
    for column in range(len(titles)):
        lines = table.cellAt(0, column).firstCursorPosition().block().layout()
        assert lines.lineCount() == 1


def test_narrow_columns_of_texts_leave_their_room_to_the_names(qgis_app):
    """Numbers as in a ranking: 4 columns of texts, of which only two are wide."""
    titles = ["Gezählt", "Maß", "Detektor", "Referenz", "Positivanteil", "Trefferquote", "Anteil"]
    row = [
        "Flächen",
        "AUCR",
        "detector5_1",
        "annotator5_plot_1",
        "0,867 (0,801–0,899)",
        "k. A.",
        "1",
    ]
    cells = TableContent(titles, [False] * 4 + [True] * 3, [row] * 3)
    room = 525
    (part,) = panels(cells, room)
    font = QFont("sans-serif")
    font.setPointSize(8)
    text_width = QFontMetricsF(font, QImage(1, 1, QImage.Format.Format_RGB32)).horizontalAdvance
    widths = dict(part)
    assert sum(widths.values()) <= room
    assert all(widths[column] > text_width(row[column]) + 6 for column in range(4))


def test_numbers_stay_on_one_line_where_a_table_has_room_for_some_of_them(qgis_app):
    titles = ["Umriss", "RandCrowns", "IoU", "Erkannt"]
    interval = "0,784 (0,769–0,799)"
    cells = TableContent(titles, [False] + [True] * 3, [["a", interval, interval, "149 von 175"]])
    whole = sum(width for _, width in panels(cells, 10_000)[0])
    (part,) = panels(cells, whole - 5)
    widths = dict(part)
    assert sum(widths.values()) <= whole - 5
    comfortable = dict(panels(cells, 10_000)[0])
    assert sum(widths[column] >= comfortable[column] for column in (1, 2, 3)) >= 2


def test_long_titles_have_two_lines_where_a_table_has_room(qgis_app):
    titles = ["Class", "Crowns", "Share of the matched targets of the class (%)", "AP, COCO"]
    cells = TableContent(titles, [False, True, True, True], [["oak", "2", "14", "0.195"]])
    section = Section("run", tables=[Table("table", cells)])
    page = render_paper_html(Report("title", "made", [section], []), 672)
    document = lay_out_pages(*page, QFont("sans-serif", 9), QSizeF(672.0, 900.0))
    (table,) = tables_of(document)
    lines = [
        table.cellAt(0, column).firstCursorPosition().block().layout().lineCount()
        for column in range(len(titles))
    ]
    assert lines == [1, 1, 2, 1]


def test_numbers_of_two_words_are_not_broken_if_the_table_fits(qgis_app):
    interval = "0,784 (0,769–0,799)"
    row = ["detector5_1", *[interval] * 3, "149 von 175", "17", "37 von 178"]
    titles = ["Umriss", "RandCrowns", "IoU", "IoUCrowns", "Erkannt", "Übrige", "Falsche"]
    cells = TableContent(titles, [False] + [True] * 6, [row] * 3)
    section = Section("run", tables=[Table("table", cells)])
    page = render_paper_html(Report("title", "made", [section], []), 562)
    document = lay_out_pages(*page, QFont("sans-serif", 9), QSizeF(562.0, 900.0))
    (table,) = tables_of(document)
    lines = [
        table.cellAt(1, column).firstCursorPosition().block().layout().lineCount()
        for column in range(len(titles))
    ]
    assert max(lines[1:4]) == 2
    assert lines[4:] == [1, 1, 1]


def test_a_smaller_map_saves_a_page(qgis_app):
    """The map is on the first page where it fits at 70 % of 380 pixels."""
    page = QSizeF(672.0, 900.0)
    font = QFont("sans-serif", 9)
    saved = set()
    for n_warnings in range(12, 24, 3):
        section = Section("run", ["answer"], warnings=["warning"] * n_warnings)
        section.map = Picture(b"", "image/png", 1000, 900, "")
        html, pictures = render_paper_html(Report("title", "made", [section], []), 672)
        assert 'class="fitted' in html
        whole = lay_out_pages(html.replace('class="fitted', 'class="whole'), pictures, font, page)
        saved.add(whole.pageCount() - lay_out_pages(html, pictures, font, page).pageCount())
    assert saved == {0, 1}


def test_a_smaller_text_saves_a_page(qgis_app):
    page = QSizeF(672.0, 900.0)
    saved = set()
    for n_notes in range(40, 60, 2):
        report = Report("title", "made", [Section("run", ["answer"], notes=["note"] * n_notes)], [])
        usual = lay_out_pages(*render_paper_html(report, 672), QFont("sans-serif", 9), page)
        saved.add(usual.pageCount() - lay_out_compactly(report, page).pageCount())
    assert saved == {0, 1}


def tables_of(document):
    """The tables that have a row of titles."""
    return [one for one in document.rootFrame().childFrames() if one.format().headerRowCount()]


def pictures_of_crowns(page):
    """Images of a page with crowns, in their order."""
    encoded = re.findall(r"data:image/(?:jpeg|png);base64,([A-Za-z0-9+/=]+)", page)
    return [QImage.fromData(base64.b64decode(text)) for text in encoded]


def share_of_width(image, is_wanted):
    """Share of the columns above the scale bar that have a pixel of a colour."""
    columns = [
        any(is_wanted(*image.pixelColor(x, y).getRgb()[:3]) for y in range(image.height() * 3 // 4))
        for x in range(image.width())
    ]
    return sum(columns) / len(columns)


@pytest.mark.parametrize(
    ("algorithm", "compared", "outputs"),
    [
        ("evaluateinstances", "PREDICTIONS", ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")),
        ("scorecrowns", "DELINEATIONS", _SCORED),
    ],
)
def test_pictures_show_both_outlines_of_layers_in_two_systems(
    report, run, project, algorithm, compared, outputs
):
    targets, drawn = crowns("field"), crowns("boxes", 2)
    feet_crs = QgsCoordinateReferenceSystem("EPSG:2236")
    to_feet = QgsCoordinateTransform(drawn.crs(), feet_crs, project)
    shapes = [feature.geometry() for feature in drawn.getFeatures()]
    assert not any(shape.transform(to_feet) for shape in shapes)
    feet = layer_of("boxes", [shape.asWkt(4) for shape in shapes], crs="EPSG:2236")
    given = {"TARGETS": targets, compared: [feet] if compared == "DELINEATIONS" else feet}
    done = run(algorithm, given, outputs=outputs)
    assert done.ok, done.refused or done.error
    page = report([done.layer(name) for name in outputs], PARTS=only("crowns"), CROWNS=3)
    pictures = pictures_of_crowns(page)
    assert pictures
    for picture in pictures[-3:]:  # typical crowns, which have a match
        assert share_of_width(picture, lambda r, g, b: r > 180 and g < 110 and b < 110) > 0.4
        assert share_of_width(picture, lambda r, g, b: max(r, g, b) < 90) > 0.4


#: Colours of two images in pixels.
_IMAGE_COLOURS = {"a.png": (0, 0, 255), "b.png": (0, 160, 0)}


def is_like(colour, tolerance=60):
    """Whether a pixel is of a colour: JPEG changes it."""
    return lambda *rgb: all(abs(x - y) < tolerance for x, y in zip(rgb, colour))


def test_each_crown_in_pixels_is_on_its_own_image_and_the_map_shows_one(
    report, run, project, tmp_path
):
    """The images lie on one another: the crown of the right half is on the lower one."""
    for name, colour in _IMAGE_COLOURS.items():
        picture = gdal.GetDriverByName("MEM").Create("", 100, 60, 3)
        for band, value in enumerate(colour, 1):
            picture.GetRasterBand(band).Fill(value)
        gdal.GetDriverByName("PNG").CreateCopy(str(tmp_path / name), picture)
        project.addMapLayer(QgsRasterLayer(str(tmp_path / name), name))
    boxes = [shapely.box(10, -40, 30, -20), shapely.box(60, -40, 80, -20)]
    fields = "&field=image:string"
    rows = [[name] for name in _IMAGE_COLOURS]
    sides = [layer_of(name, boxes, "", fields=fields, rows=rows) for name in ("drawn", "found")]
    outputs = ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    done = run("evaluateinstances", dict(zip(("TARGETS", "PREDICTIONS"), sides)), outputs=outputs)
    assert done.ok, done.refused or done.error
    made = [done.layer(name) for name in outputs]
    blue, green = (is_like(colour) for colour in _IMAGE_COLOURS.values())

    page = report(made, PARTS=only("crowns"), CROWNS=2)
    pictures = pictures_of_crowns(page)
    names = [f"Target {number}, {image}" for number, image in enumerate(_IMAGE_COLOURS, 1)]
    assert all(f'<span class="name">{name}</span>' in page for name in names)
    shown = [
        (share_of_width(picture, blue) > 0.5, share_of_width(picture, green) > 0.5)
        for picture in pictures
    ]
    assert set(shown) == {(True, False), (False, True)}

    # The upper image is the one that was added last.
    page = report(made, PARTS=only("map"))
    assert "The map shows only image b.png; the crowns" in page
    (drawn_map,) = pictures_of_crowns(page)[:1]
    assert share_of_width(drawn_map, green) > 0.5
    assert share_of_width(drawn_map, blue) == 0
    outline = share_of_width(drawn_map, lambda *rgb: not green(*rgb) and min(rgb) < 200)
    assert outline > 0.8, "the map is around the only crown of the image"


@pytest.mark.parametrize("algorithm", ["scorecrowns", "evaluateinstances"])
def test_verdicts_are_on_the_pictures_and_the_rejected_crowns_in_a_list(
    report, run, project, tmp_path, algorithm
):
    shapes = crowns_at([(0, 0), (30, 0), (60, 0)])
    rows = [["north"], ["south"], ["south"]]
    drawn, found = (
        layer_of(name, kept, fields="&field=plot:string", rows=rows[: len(kept)])
        for name, kept in (("drawn", shapes), ("found", shapes[:2]))
    )
    is_score = algorithm == "scorecrowns"
    outputs = _SCORED if is_score else ("MATCHED_TARGETS", "MATCHED_PREDICTIONS", "SUMMARY")
    given = {"TARGETS": drawn, "DELINEATIONS" if is_score else "PREDICTIONS": found}
    if is_score:
        given["DELINEATIONS"] = [found]
    file = tmp_path / "results.gpkg"
    stored = {name: f"ogr:dbname='{file}' table=\"{name.lower()}\" (geom)" for name in outputs[:2]}
    stored["SUMMARY"] = f"ogr:dbname='{file}' table=\"summary\""
    done = run(algorithm, {**given, "PLOT_FIELD": "plot", **stored}, outputs=())
    assert done.ok, done.refused or done.error
    layers = [f"{file}|layername=summary"]
    crown = dict.fromkeys(VERDICT_COLUMNS) | {"layer": "drawn", "delineations": "found"}
    crown |= {"side": "target", "reviewer": "Ann", "time": "2026-01-01"}
    verdicts = VerdictFile(file)
    verdicts.add({**crown, "feature_id": 3, "verdict": "rejected", "comment": "no <b>tree</b>"})
    verdicts.add({**crown, "feature_id": 2, "verdict": "accepted", "comment": ""})
    page = report(layers, PARTS=only("crowns", "review"), CROWNS=3)
    assert "1 accepted, 1 rejected" in page
    sheets = re.findall(r'<ul class="crowns">.*?</ul>', page, re.DOTALL)
    cards = [card for sheet in sheets for card in sheet.split("</li>")]
    told = {number: card for card in cards for number in re.findall(r"Target (\d)", card)[:1]}
    assert "Verdict: rejected. no &lt;b&gt;tree&lt;/b&gt;" in told["3"]
    assert "Verdict: accepted." in told["2"]
    assert "Verdict" not in told["1"]
    (table,) = [
        one for one in parsed_page(page).iter("div") if one.get("aria-label") == "Rejected crowns"
    ]
    cells = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
    assert cells == [
        ["Crown", "Plot", "Comment", "Reviewer"],
        ["Target 3", "south", "no <b>tree</b>", "Ann"],
    ]
    assert "Rejected crowns" not in report(layers, PARTS=only("crowns"), CROWNS=3)


def test_a_long_list_of_rejected_crowns_is_cut():
    columns = {"side": "delineation", "verdict": "rejected", "changed": False, "reviewer": "Ann"}
    crowns = pd.DataFrame({"feature_id": range(30), **columns, "comment": ""})
    table = rejected_table([JudgedLayer("found", crowns, pd.DataFrame())])
    assert len(table.cells.rows) == 20
    assert table.cells.rows[0] == ["Delineation 0", "Ann"]
    assert table.note == "Page Review lists the other rejected crowns: 10."
    unchanged = crowns["feature_id"] < 5
    table = rejected_table([JudgedLayer("found", crowns.assign(changed=~unchanged), crowns)])
    assert len(table.cells.rows) == 5
    assert table.note == ""


def test_scored_crowns_of_several_plots_name_theirs(report, run, project):
    shapes = crowns_at([(0, 0), (30, 0)])
    rows = [["north"], ["south"]]
    drawn, found = (
        layer_of(name, shapes, fields="&field=site:string", rows=rows)
        for name in ("drawn", "found")
    )
    outputs = ("SCORED_TARGETS", "SCORED_DELINEATIONS", "SUMMARY")
    given = {"TARGETS": drawn, "DELINEATIONS": [found]}
    for plot_field, plots in (("site", [", north", ", south"]), ("", ["", ""])):
        done = run("scorecrowns", {**given, "PLOT_FIELD": plot_field}, outputs=outputs)
        assert done.ok, done.refused or done.error
        page = report([done.layer(name) for name in outputs], PARTS=only("crowns"), CROWNS=2)
        for number, plot in enumerate(plots, 1):
            assert f'<span class="name">Target {number}{plot}</span>' in page


@pytest.mark.parametrize(("n_yes", "named"), [(8, ["b9"]), (2, ["a1", "a2"])])
def test_an_area_of_many_annotators_names_the_smaller_group(report, run, n_yes, named):
    annotators = [
        layer_of(f"{'a' if number <= n_yes else 'b'}{number}", [*crowns_at([(0, 0)]), *more])
        for number in range(1, 10)
        for more in [crowns_at([(30, 0)]) if number <= n_yes else []]
    ]
    done = run("compareannotators", {"ANNOTATORS": annotators}, outputs=("DISAGREEMENTS",))
    assert done.ok, done.refused or done.error
    page = report([done.layer("DISAGREEMENTS")], PARTS=only("crowns"), CROWNS=1)
    (crown,) = re.findall(r'<ul class="crowns">.*?</ul>', page, re.DOTALL)
    names = [layer.name() for layer in annotators]
    assert [name for name in names if re.search(rf"\b{name}\b", crown)] == named


def test_slivers_between_annotators_do_not_hide_the_map(report, run):
    """Crowns of 6 m on 500 m are readable, the areas between their outlines are not."""
    places = [(100 * column, 100 * row) for column in range(6) for row in range(6)]
    people = [layer_of(name, crowns_at(places, seed=seed)) for seed, name in enumerate("abcd")]
    done = run("compareannotators", {"ANNOTATORS": people}, outputs=("AGREEMENT", "SUMMARY"))
    assert done.ok, done.refused or done.error
    page = report([done.layer("AGREEMENT")], PARTS=only("map"))
    assert page.count("data:image/jpeg") == 1
    assert "There is no map" not in page


def test_warnings_are_before_the_answer_on_both_pages(qgis_app):
    section = Section("run", answer=["The answer."], warnings=["A warning."], caveats=["A caveat."])
    report = Report("title", "made", [section], [])
    for page in (render_html(report), render_paper_html(report, 660)[0]):
        assert page.index("A warning.") < page.index("A caveat.") < page.index("The answer.")


def test_the_title_above_pictures_is_that_of_their_only_sheet(qgis_app):
    picture = Picture(b"", "image/png", 18, 18, "crown")
    crown = CrownFigure(picture, "Target 1", [], "", "")
    sheets = [Sheet(title, "about", [crown]) for title in ("Largest disagreements", "Others")]
    for shown, titles in ((sheets[:1], 1), (sheets, 3)):
        page = render_html(Report("title", "made", [Section("run", sheets=shown)], []))
        headings = re.findall(r"<h[23] [^>]*>([^<]*)</h[23]>", page)
        assert len(headings) == titles
        assert "Largest disagreements" in headings
        assert headings[-1] == shown[-1].title


ENGLISH = ("Detected", "Not detected (not reached)", "Not detected", "False detections")
GERMAN = ("Erkannt", "Nicht erkannt (nicht erreicht)", "Nicht erkannt", "Fehldetektionen")


@pytest.mark.parametrize("counts", [ENGLISH, GERMAN])
@pytest.mark.parametrize("name", ["annotator_2", "crowns_of_the_forest_inventory_" * 4])
def test_the_table_of_the_answer_stays_in_one_part_on_a_page(name, counts, qgis_app):
    titles = ["Layer", "RandCrowns", "IoU", "IoUCrowns", *counts]
    intervals = ["0.936 (0.821–0.979)"] * 3
    numbers = ["1.500 von 1.500", "0", "1", "4 von 33"]
    cells = TableContent(titles, [False, *[True] * 7], [[name, *intervals, *numbers]])
    (part,) = panels(cells, 664)
    assert [place for place, _ in part] == list(range(8))
    assert sum(width for _, width in part) <= 664


def test_each_symbol_of_a_legend_has_a_line_with_its_label(qgis_app):
    """Qt may break a line between the pictures and texts of a paragraph."""
    symbol = Picture(b"", "image/png", 18, 18, "")
    labels = [f"RandCrowns 0.{number}" for number in range(5)]
    legend = [LegendEntry(None, "Targets"), *(LegendEntry(symbol, label) for label in labels)]
    section = Section("run", map=symbol, legend=[LegendEntry(symbol, "image"), *legend])
    html, _ = render_paper_html(Report("title", "made", [section], []), 672)
    lines = re.findall(r"<p><img [^>]*>&nbsp;([^<]*)</p>", html)
    assert lines == ["image", *labels]
    assert html.index("image</p>") < html.index("<b>Targets</b>") < html.index(labels[0])


def test_the_square_of_an_entry_is_on_the_line_of_its_name(qgis_app):
    """Sentences of any length stand before the entries, so that any of them may end a line."""
    colours = [("#e69f00", f"person {number} (dashed)") for number in range(1, 9)]
    for n_words in range(8):
        sheet = Sheet("Worst", "about " * n_words, [], colours)
        report = Report("title", "made", [Section("run", sheets=[sheet])], [])
        html, pictures = render_paper_html(report, 400)
        document = lay_out_pages(html, pictures, QFont("sans-serif"), QSizeF(400, 900))
        lines = []
        block = document.begin()
        while block.isValid():
            layout = block.layout()
            for number in range(layout.lineCount()):
                line = layout.lineAt(number)
                start = line.textStart()
                lines.append(block.text()[start : start + line.textLength()].strip())
            block = block.next()
        entries = " ".join(line for line in lines if "■" in line)
        assert entries.count("(dashed)") == entries.count("■") == 8
        assert not [line for line in lines if line.endswith("■") or line.startswith("(dashed")]
