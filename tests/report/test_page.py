"""The page: numbers as in the tables, valid HTML, and names that stay texts in every part."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache

import html5lib
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.code import ROOT
from support.score_tables import crowns_of, run_of

from randcrowns.core.errors import Cancelled, InputError
from randcrowns.report.colours import relative_luminance
from randcrowns.report.content import (
    CrownFigure,
    Figure,
    LegendEntry,
    Panel,
    Part,
    Picture,
    Report,
    Section,
    Sheet,
    Table,
    TableContent,
)
from randcrowns.report.language import clean_text
from randcrowns.report.references import CitedWork
from randcrowns.report.render import css_text, render_html
from randcrowns.report.score_content import (
    answer_sentences,
    answer_table,
    problem_figures,
    score_figures,
)

NUMBER = re.compile(r"\d\.\d{3}(?: \(\d\.\d{3}–\d\.\d{3}\))?")
HOSTILE = (
    "</script><script>alert(1)</script>",
    "</style><b>x</b>",
    'javascript:alert(1)"onload="alert(1)',
    "{{ 7 * 7 }}{% raw %}",
    "\u202eoak\u2066 \u200f",
    "]]>--><!--",
    "$\\frac{$ \\ %",
    "\x00\x07\ud800\ufffe",
    "oak\r\nash\r",
    "x" * 10_000,
)


def parse(page):
    """The page as a tree; an error for HTML that is not valid."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)


def text_of(element):
    return "".join(element.itertext())


def scored_report(names=("a", "b"), n_plots=8, values=None):
    """A report on several layers with all figures; ``values`` are 40 scores."""
    values = np.linspace(0.5, 0.9, 40) if values is None else values
    plots = np.repeat([f"plot {number}" for number in range(n_plots)], 40 // n_plots)
    problems = ["shifted"] * 4 + ["none"] * 36
    layers = {
        name: crowns_of(values - 0.1 * number, plots, problems) for number, name in enumerate(names)
    }
    run = run_of(layers, unmatched=3)
    section = Section(
        "run",
        answer_sentences(run),
        answer_table(run),
        plots=score_figures(run),
        problems=problem_figures(run),
    )
    return run, Report("title", "made", [section], [])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_numbers_of_the_page_are_those_of_the_summary(seed):
    random = np.random.default_rng(seed)
    names = tuple(f"layer {number}" for number in range(2 + seed))
    values = random.uniform(0.4, 1.0, 40)
    run, report = scored_report(names, n_plots=[5, 8, 10][seed], values=values)
    page = parse(render_html(report))
    summary = run.summary
    shown = [
        [text_of(cell) for cell in row] for table in page.iter("table") for row in table.iter("tr")
    ]
    for layer, row in run.overall.iterrows():
        cells = next(cells for cells in shown if cells[0] == layer)
        means = [f"{row[f'{score}_mean']:.3f}" for score in ("randcrowns", "iou", "iou_crowns")]
        assert [cell.split(" ")[0] for cell in cells[1:4]] == means
        assert cells[4:] == ["40 of 40", "0", "3 of 43"]
    known = {
        f"{value:.3f}"
        for column in summary
        if column.endswith(("_mean", "_low", "_high"))
        for value in summary[column].dropna()
    }
    texts = [text_of(text).strip() for text in page.iter("{http://www.w3.org/2000/svg}text")]
    numbers = [
        number
        for text in texts
        if NUMBER.fullmatch(text)
        for number in re.findall(r"\d\.\d{3}", text)
    ]
    assert len(numbers) > 20
    assert set(numbers) <= known


def test_a_printed_page_ends_neither_after_a_heading_and_its_sentence_nor_in_a_short_table():
    _, report = scored_report()
    (section,) = report.sections
    section.further = [Part("Strata", ["They cannot be told apart."], tables=[table_of(8)])]
    section.tables = [table_of(9)]
    text = render_html(report)
    page = parse(text)
    leads = [text_of(one) for one in page.iter("p") if one.get("class") == "lead"]
    assert leads == ["They cannot be told apart."]
    areas = [area.get("class").split() for area in page.iter("div") if area.get("role") == "group"]
    assert ["short" in classes for classes in areas] == [True, True, False]
    printed = text.partition("@media print {")[2]
    assert re.search(r"\.lead, [^{]*\{ break-after: avoid; \}", printed)
    assert re.search(r"\.short, [^{]*\{ break-inside: avoid; \}", printed)


def table_of(n_rows):
    """A table with a column of numbers."""
    return Table("Numbers", TableContent(["Name"], [False], [["1"]] * n_rows))


def value_in_browser(page, expression, folder, width=768):
    """Value of an expression of JavaScript on a page of a width, as text."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no chromium to show the page")
    file = folder / "page.html"
    script = f"<script>document.title = {expression}</script></body>"
    file.write_text(page.replace("</body>", script), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900"]
    shown = subprocess.run(
        [browser, *flags, "--dump-dom", file.as_uri()], capture_output=True, check=True, timeout=300
    ).stdout.decode()
    return re.search("<title>(.*?)</title>", shown)[1]


def lines_of(page, selector, folder):
    """Largest number of lines of the elements of a selector, at 768 pixels."""
    lines = (
        "(() => { const range = document.createRange();"
        f"return Math.max(...[...document.querySelectorAll({selector!r})].map((element) => {{"
        "range.selectNodeContents(element);"
        "return new Set([...range.getClientRects()].map((one) => one.top)).size; })); })()"
    )
    return int(value_in_browser(page, lines, folder))


@pytest.mark.parametrize("width", [500, 768, 900, 1024])
def test_tables_with_many_columns_are_not_cut_on_a_tablet(tmp_path, width):
    """Tables with eight and twelve columns were scrolled at 768 to 1024 pixels."""
    _, report = scored_report()
    tables = []
    for n_columns in (8, 12):
        titles = ["Beschriftung", *(f"Schwellenwert {number}" for number in range(1, n_columns))]
        rows = [["annotator_1", *["0.123 (0.100–0.150)"] * (n_columns - 1)]] * 3
        cells = TableContent(titles, [False] + [True] * (n_columns - 1), rows)
        tables.append(Table(f"Columns {n_columns}", cells))
    report.sections[0].tables = tables
    cut = (
        "[...document.querySelectorAll('.scrolled')]"
        ".filter((one) => one.scrollWidth > one.clientWidth + 1)"
        ".map((one) => one.getAttribute('aria-label')).join() || 'none'"
    )
    assert value_in_browser(render_html(report), cut, tmp_path, width=width) == "none"


def test_the_values_of_a_block_are_in_one_column_on_a_narrow_page(tmp_path):
    """ "Detected 34 of 35" and "Not detected 1" stood in the middle, other values at the edge."""
    _, report = scored_report()
    edges = (
        "(() => { const cells = document.querySelectorAll('.answer + .scrolled td');"
        "const edges = [...cells].map((cell) => Math.round(cell.getBoundingClientRect().right));"
        "return `${cells.length} ${new Set(edges).size}`; })()"
    )
    n_cells, n_edges = value_in_browser(render_html(report), edges, tmp_path, width=500).split()
    assert int(n_cells) > 10
    assert n_edges == "1"


def test_a_word_of_ten_letters_in_the_second_column_is_not_broken(tmp_path):
    """At 768 pixels, rankings of detectors wrote their German row of references as "Referenze n"."""
    _, report = scored_report()
    lists = ["annotator_2, 0.5-GT, 0.75-GT, STAPLE", "annotator_4, Any-GT, Excl-0.5-GT"]
    rows = [["Flächen", "Referenzen", *lists, "annotator_1", "annotator_3"]]
    titles = ["Gezählt", "Platz", *(f"Rangfolge {number}" for number in range(1, 5))]
    report.sections[0].tables = [Table("Rankings", TableContent(titles, [False] * 6, rows))]
    selector = "[aria-label=Rankings] tbody td:nth-child(2)"
    assert lines_of(render_html(report), selector, tmp_path) == 1


def test_a_name_of_an_annotator_is_not_broken_in_a_wide_table(tmp_path):
    """Thresholds of detectors wrote "annotator5_0 1" beside columns of numbers."""
    _, report = scored_report()
    interval = "0.685 (0.655–0.714)"
    row = ["detector5_1", "annotator5_01", "0.100", "122", "56", "31", *[interval] * 3, "0.747"]
    titles = ["Detector", "Truth", "IoU", "TP", "FP", "FN", "Precision", "Recall", "F1", "AP"]
    content = TableContent(titles, [False, False, *[True] * 8], [row, row])
    report.sections[0].tables = [Table("Thresholds", content)]
    selector = "[aria-label=Thresholds] tbody td:nth-child(2)"
    assert lines_of(render_html(report), selector, tmp_path) == 1


def test_an_option_of_the_command_is_not_broken_at_its_hyphens(tmp_path):
    _, report = scored_report()
    (section,) = report.sections
    section.command = f"randcrowns evaluate {'--class-field a ' * 30}--plot-field plot"
    page = render_html(report)
    assert next(text_of(one) for one in parse(page).iter("code")) == section.command
    assert lines_of(page, "pre span", tmp_path) == 1
    # Without the rule of the page, one of the options stands on two lines.
    assert lines_of(page.replace(".option {", ".other {"), "pre span", tmp_path) == 2


def test_the_tag_of_a_problem_has_the_colour_of_figures_on_a_dark_page():
    """Black, as of "low overlap", would not be visible; the style replaces it by that of texts."""
    picture = Picture(b"", "image/png", 10, 10, "crown")
    crown = CrownFigure(picture, "crown", [("IoU", "0.5")], "low overlap", "", "#000000")
    section = Section("run", sheets=[Sheet("Worst", "about", [crown])])
    page = render_html(Report("title", "made", [section], []))
    assert 'style="--tag: var(--figure-000000, #000000)"' in page
    assert "--figure-000000: var(--ink);" in page


def test_two_tables_may_have_one_title():
    _, report = scored_report()
    (section,) = report.sections
    section.tables = [section.answer_table, section.answer_table]
    page = parse(render_html(report))
    # Groups, unlike landmarks, need no names of their own.
    areas = [area for area in page.iter("div") if "scrolled" in (area.get("class") or "")]
    assert [area.get("role") for area in areas] == ["group"] * 3
    assert not next(page.iter("section")).get("aria-label")


def test_headings_have_no_gaps_and_links_of_the_contents_lead_to_them():
    page = parse(render_html(scored_report()[1]))
    levels = [int(one.tag[1]) for one in page.iter() if re.fullmatch("h[1-6]", str(one.tag))]
    assert levels[0] == 1
    assert all(later <= before + 1 for before, later in zip(levels, levels[1:]))
    ids = [one.get("id") for one in page.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {link.get("href")[1:] for link in page.iter("a")} <= set(ids)


def test_of_many_sentences_those_of_one_kind_stand_together():
    """The sentence on the classes of the first layer was in the box, the others in a list."""
    few = Section("run", [f"Sentence {number}." for number in range(4)])
    assert (few.lead_sentences, few.further_sentences) == (few.answer, [])
    many = Section("run", ["a is best.", "Tests.", *(f"{name}: classes." for name in "abc")])
    page = parse(render_html(Report("title", "made", [many], [])))
    (box,) = (part for part in page.iter("div") if part.get("class") == "answer")
    assert [text_of(sentence) for sentence in box.iter("p")] == many.answer[:2]
    assert [text_of(sentence) for sentence in page.iter("li")][-3:] == many.answer[2:]


def test_a_contents_list_is_there_from_four_parts_on():
    section = Section("run", methods=["m"], choices=[("a", "b")], command="c")
    few = Report("t", "m", [section], [])
    assert not list(parse(render_html(few)).iter("nav"))
    more = Report("t", "m", [section], [CitedWork("ash2020", "Ash", "", "@book{}")])
    (contents,) = parse(render_html(more)).iter("nav")
    assert [text_of(link) for link in contents.iter("a")] == [
        "Methods",
        "All parameters",
        "Command that repeats it",
        "References",
    ]


def hostile_report(name):
    """A report with a name in every part."""
    picture = Picture(b"", "image/png", 10, 10, name)
    table = Table(name, TableContent([name, name], [False, True], [[name, name]]), name, 3)
    means = scored_report((name, f"{name} 2"))[1].figures[0]
    figures = [replace(means, title=name, caption=name, panels=means.panels[:1])]
    crown = CrownFigure(picture, name, [(name, name)], name, name, "#d55e00", verdict=name)
    section = Section(
        name,
        answer=[name],
        answer_table=table,
        warnings=[name],
        plots=figures,
        map=picture,
        legend=[LegendEntry(picture, name), LegendEntry(None, name)],
        map_notes=[name],
        sheets=[Sheet(name, name, [crown])],
        notes=[name],
        review=[name],
        rejected=table,
        further=[Part(name, [name], [], [table])],
        tables=[table],
        compared=[(name, name)],
        methods=[name],
        choices=[(name, name)],
        command=name,
        unrepeatable=[name],
        edited=[name],
    )
    return Report(name, name, [section, Section(name)], [CitedWork("k", name, "", name)], name)


def elements_of(page):
    """Names of elements and attributes, as counts do not depend on a name."""
    parsed = parse(re.sub(r";base64,[A-Za-z0-9+/]+={0,2}", ";base64,", page))
    tags = [str(one.tag) for one in parsed.iter()]
    attributes = {str(name) for one in parsed.iter() for name in one.attrib}
    return parsed, tags, attributes


@cache
def plain_elements():
    """Elements of the report with a harmless name."""
    return elements_of(render_html(hostile_report("oak")))


@settings(max_examples=12)
@given(st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=40)))
@example(HOSTILE[0])
@example(HOSTILE[7])
@example("|")
def test_a_name_stays_text_in_every_part(name):
    _, plain_tags, plain_attributes = plain_elements()
    parsed, found_tags, attributes = elements_of(render_html(hostile_report(name)))
    # The line may be broken before each "|" of the source of a layer.
    tags = [tag for tag in found_tags if tag != "wbr"]
    assert sorted(set(tags)) == sorted(set(plain_tags))
    assert [tag for tag in tags if "svg" not in tag and tag != "style"] == [
        tag for tag in plain_tags if "svg" not in tag and tag != "style"
    ]
    assert attributes <= plain_attributes
    shown = clean_text(name)
    title = next(parsed.iter("h1"))
    # HTML turns carriage returns into line feeds.
    assert text_of(title) == shown.replace("\r\n", "\n").replace("\r", "\n")


def test_a_text_for_css_ends_neither_its_string_nor_the_style_sheet():
    escaped = str(css_text("</style>\"'\\\n}"))
    assert not set("<>\"'\n}/") & set(escaped)


def test_a_template_that_fails_is_named_with_its_line(tmp_path):
    template = tmp_path / "own.html"
    template.write_text("{{ report.title }}\n{{ report.title", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        render_html(Report("t", "m", [], []), str(template))
    assert caught.value.key == "report.invalid_template"
    assert caught.value.values["line"] == 2


def test_a_cancel_ends_the_page_between_its_figures():
    fractions = []

    def cancel(fraction):
        fractions.append(fraction)
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        render_html(scored_report()[1], progress=cancel)
    assert fractions[-1] < 1


def test_pictures_with_white_ground_are_dimmed_on_a_dark_page():
    _, report = scored_report()
    page = render_html(report)
    start = page.index("prefers-color-scheme: dark")
    dark = page[start : page.index("* { box-sizing", start)]
    assert ".map img, .crowns img { filter: brightness(.72); }" in dark


def test_a_warning_is_legible_and_its_box_visible_on_a_dark_page():
    template = (ROOT / "resources" / "report.html").read_text(encoding="utf-8")
    dark = template[template.index("prefers-color-scheme: dark") :]
    luminances = {}
    for name in ("page", "warn", "warn-page"):
        colour = re.search(rf"--{name}: #(\w{{6}})", dark)[1]
        channels = [int(colour[start : start + 2], 16) / 255 for start in (0, 2, 4)]
        luminances[name] = relative_luminance(*channels) + 0.05
    assert luminances["warn"] / luminances["warn-page"] > 7  # WCAG 2.2, enhanced contrast
    assert luminances["warn-page"] / luminances["page"] > 1.5


@pytest.mark.parametrize(("width", "n_rows"), [(1400, 2), (768, 3)])
def test_figures_of_one_diagram_are_next_to_each_other_where_there_is_room(width, n_rows, tmp_path):
    def line(axes):
        axes.plot([0, 1])

    panel = Panel(line, 3.4, 2.0, "line")
    figures = [Figure("wide", [panel] * 3), Figure("left", [panel]), Figure("right", [panel])]
    page = render_html(Report("title", "made", [Section("run", plots=figures)], []))
    tops = "[...document.querySelectorAll('.shown')].map(shown => shown.offsetTop)"
    expression = f"new Set({tops}).size"
    assert value_in_browser(page, expression, tmp_path, width) == str(n_rows)


def test_intervals_of_a_wide_table_are_all_below_their_numbers(tmp_path):
    """Short intervals would be next to their numbers, long ones of the same column below."""
    titles = ["name", *(f"column {number}" for number in range(9))]
    rows = [
        ["short", *["0.5 (0.4–0.6)"] * 9],
        ["long", *["0.12345 (0.12345–0.23456)"] * 9],
    ]
    cells = TableContent(titles, [False, *[True] * 9], rows)
    section = Section("run", tables=[Table("table", cells)])
    page = render_html(Report("title", "made", [section], []))
    heights = "[...document.querySelectorAll('td.number')].map(cell => cell.offsetHeight)"
    assert value_in_browser(page, f"new Set({heights}).size", tmp_path, 1400) == "1"
    # Without the rule of the page, both kinds are in a column.
    page = page.replace(".broad .parts .whole {", ".other {")
    assert value_in_browser(page, f"new Set({heights}).size", tmp_path, 1400) == "2"
