"""What the user chooses for a report, and what comes of it."""

from __future__ import annotations

from qgis.core import QgsProcessing

from randcrowns.algorithms.choice import Option, SomeOf, Text, Whole
from randcrowns.algorithms.layer_choice import File, Layers, Raster
from randcrowns.algorithms.output import Output
from randcrowns.layers.words import tr

RUNS = Layers(
    "runs",
    tr("Runs"),
    tr(
        "A layer or table of each run that the report is about; all that these runs made is found by them. Default: "
        "the project's last run."
    ),
    optional=True,
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
TITLE = Text(
    "title",
    tr("Title"),
    tr("Of the report. Default: what was run, with which layers."),
    optional=True,
)
PARTS = SomeOf(
    "parts",
    tr("Parts"),
    tr("What the report holds beside the answer."),
    default=(
        "warnings",
        "compared",
        "methods",
        "tables",
        "plots",
        "map",
        "crowns",
        "choices",
        "repeat",
        "review",
    ),
    options=(
        Option(
            "warnings",
            tr("Warnings and notes"),
            tr("What the run said of its input and its numbers."),
        ),
        Option("compared", tr("What was compared"), tr("The layers that were read.")),
        Option(
            "methods", tr("Methods and citations"), tr("How it is done, for a paper, with BibTeX.")
        ),
        Option("tables", tr("Tables"), tr("With 95 % intervals.")),
        Option("plots", tr("Plots"), tr("Those of the page.")),
        Option("map", tr("Map and legend"), tr("The run's layers over the image.")),
        Option(
            "crowns",
            tr("Worst and typical crowns"),
            tr("As small maps over the image, with problem and scores."),
        ),
        Option("choices", tr("All choices"), tr("What was chosen, versions and date.")),
        Option("repeat", tr("Command that repeats it"), tr("For a terminal: qgis_process.")),
        Option(
            "review",
            tr("Verdicts of reviewers"),
            tr("What page Review kept of the crowns of the run."),
        ),
    ),
)
CROWNS = Whole(
    "crowns",
    tr("Crowns of each kind"),
    tr("How many of the worst, and as many typical ones."),
    10,
    most=50,
)
IMAGE = Raster(
    "image",
    tr("Image"),
    tr("Drawn below the crowns. Default: the rasters that the map shows."),
    optional=True,
    advanced=True,
)
TEMPLATE = File(
    "template",
    tr("Template"),
    tr(
        "A Jinja2 template of your own for the HTML file. Default: the plugin's, resources/report.html."
    ),
    optional=True,
    advanced=True,
    filter=tr("Jinja2 templates (*.html *.j2 *.jinja);;All files (*)"),
)
#: In the order of the dialog.
REPORT_CHOICES = (RUNS, PARTS, TITLE, CROWNS, IMAGE, TEMPLATE)

HTML = Output("HTML", tr("Report (HTML)"), tr("One file that holds all its pictures."), "html")
PDF = Output("PDF", tr("Report (PDF)"), tr("The same as pages."), "pdf", by_default=False)
REPORT_OUTPUTS = (HTML, PDF)
