"""Parameters and outputs of randcrowns:report."""

from __future__ import annotations

from qgis.core import QgsProcessing

from randcrowns.algorithms.layer_parameters import (
    FileParameter,
    LayerListParameter,
    RasterParameter,
)
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import (
    IntegerParameter,
    MultiOptionParameter,
    Option,
    OptionParameter,
    TextParameter,
)
from randcrowns.layers.localization import tr

RUNS = LayerListParameter(
    "runs",
    tr("Runs"),
    tr(
        "A layer or table of each run to report. All other results of these runs are found from "
        "it. Default: the project's last run."
    ),
    optional=True,
    kind=QgsProcessing.SourceType.TypeMapLayer,
)
TITLE = TextParameter(
    "title",
    tr("Title"),
    tr("Report title. Default: the algorithm and its layers."),
    optional=True,
)
PARTS = MultiOptionParameter(
    "parts",
    tr("Parts"),
    tr("Parts of the report besides the conclusion."),
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
            tr("Messages about the input and the results of the run."),
        ),
        Option("compared", tr("What was compared"), tr("The layers that were read.")),
        Option(
            "methods",
            tr("Methods and citations"),
            tr("A methods paragraph for a paper, with BibTeX."),
        ),
        Option("tables", tr("Tables"), tr("Tables of the results, with 95 % intervals.")),
        Option("plots", tr("Figures"), tr("Figures of the results.")),
        Option("map", tr("Map and legend"), tr("The run's layers over the image.")),
        Option(
            "crowns",
            tr("Worst and typical crowns"),
            tr("Small maps of crowns over the image, with problem and scores."),
        ),
        Option("choices", tr("All parameters"), tr("Parameters, versions and date of the run.")),
        Option(
            "repeat",
            tr("Command that repeats it"),
            tr("A qgis_process command for a terminal."),
        ),
        Option(
            "review",
            tr("Verdicts of reviewers"),
            tr("Verdicts on crowns of the run, as saved on page Review."),
        ),
    ),
)
CROWNS = IntegerParameter(
    "crowns",
    tr("Crowns of each kind"),
    tr("Number of worst crowns and of typical crowns to show."),
    10,
    maximum=50,
)
IMAGE = RasterParameter(
    "image",
    tr("Image"),
    tr("Image below the crowns. Default: the rasters that are visible on the map."),
    optional=True,
    advanced=True,
)
TEMPLATE = FileParameter(
    "template",
    tr("Template"),
    tr(
        "Your own Jinja2 template for the HTML file. Default: the plugin's template, "
        "resources/report.html."
    ),
    optional=True,
    advanced=True,
    filter=tr("Jinja2 templates (*.html *.j2 *.jinja);;All files (*)"),
)
PAGE_SIZE = OptionParameter(
    "page_size",
    tr("Page size"),
    tr("Size of the pages of the PDF file."),
    options=(
        Option("a4", "A4", tr("210 by 297 mm.")),
        Option("letter", "Letter", tr("8.5 by 11 inches.")),
    ),
    advanced=True,
)
#: Parameters in the order of the dialog.
REPORT_CHOICES = (RUNS, PARTS, TITLE, CROWNS, IMAGE, PAGE_SIZE, TEMPLATE)

HTML = Output("HTML", tr("Report (HTML)"), tr("One file that contains all its pictures."), "html")
PDF = Output(
    "PDF",
    tr("Report (PDF)"),
    tr("The same content on A4 or Letter pages."),
    "pdf",
    is_written_by_default=False,
)
#: Outputs in the order of the dialog.
REPORT_OUTPUTS = (HTML, PDF)
