"""randcrowns:report: a report on one or several runs, as HTML and PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from randcrowns.algorithms.algorithm_catalogue import REPORT
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm, RunResults
from randcrowns.algorithms.destinations import FileContent
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import RunParameters, RunSettings
from randcrowns.algorithms.provenance import software_versions
from randcrowns.algorithms.report.content import make_section, read_tables
from randcrowns.algorithms.report.pages import render_html, render_pdf
from randcrowns.algorithms.report.runs import ReportedRun, collect_runs, default_title
from randcrowns.algorithms.report.schema.parameters import (
    HTML,
    PAGE_SIZE,
    PDF,
    REPORT_CHOICES,
    REPORT_OUTPUTS,
    RUNS,
    TEMPLATE,
    TITLE,
)
from randcrowns.algorithms.report_content import RunOutputs
from randcrowns.core.errors import InputError
from randcrowns.core.messages import Message, info
from randcrowns.core.progress import Progress, iterate_with_progress, subprogress
from randcrowns.layers.localization import format_date, tr
from randcrowns.report.content import Report
from randcrowns.report.words import made_sentence


@dataclass(frozen=True)
class ReportSettings(RunSettings):
    """Settings of a report, read on the main thread."""

    runs: list[ReportedRun] = field(default_factory=list)  #: runs to report.


@dataclass(frozen=True)
class _FinishedReport:
    """Report with the messages that arose while it was made."""

    report: Report  #: content of the report.
    messages: Sequence[Message]  #: messages on parts that could not be made.


class MakeReport(CrownAlgorithm):
    """Algorithm that makes a report on runs."""

    entry = REPORT
    help = (
        tr(
            "Presents runs on a page that contains all its pictures: the conclusion in sentences, "
            "inputs and methods, tables with intervals, plots, a map, the worst and the most "
            "typical crowns."
        ),
        *REPORT_CHOICES,
        tr(
            "A template receives the variable <i>report</i>, whose texts are escaped. Begin with a "
            "copy of the plugin's own template."
        ),
    )
    title_layers = (RUNS,)
    declared_parameters = REPORT_CHOICES
    outputs = REPORT_OUTPUTS
    progress_shares = (0.1, 0.8)

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise InputError if no file is requested or the template does not exist."""
        if not any(output in run_parameters for output in REPORT_OUTPUTS):
            raise InputError(
                "report.no_file", "Choose a file for the report, as HTML, PDF or both."
            )
        template = run_parameters[TEMPLATE]
        if template and not Path(template).is_file():
            raise InputError(
                "report.no_template", "There is no template {file}; choose another.", file=template
            )

    def read_settings(self, run_parameters: RunParameters) -> ReportSettings:
        """Return the settings of the report with copies of the layers of all runs."""
        return ReportSettings.from_parameters(run_parameters, runs=collect_runs(run_parameters))

    def read_layers(self, settings: ReportSettings, progress: Progress) -> list[RunOutputs]:
        """Read the tables of all runs.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.
        """
        return [
            read_tables(reported_run, share)
            for reported_run, share in iterate_with_progress(settings.runs, progress)
        ]

    def compute(
        self, settings: ReportSettings, inputs: list[RunOutputs], progress: Progress
    ) -> _FinishedReport:
        """Make the content of the report, with all its pictures.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            progress: called with the fraction done.
        """
        sections = []
        messages: list[Message] = []
        for number, share in iterate_with_progress(range(len(settings.runs)), progress):
            section, section_messages = make_section(
                settings.runs[number], inputs[number], settings, share
            )
            sections.append(section)
            messages += section_messages
        # A source that several sections cite is listed once.
        sources_by_key = {}
        for section in sections:
            for source in section.cited:
                sources_by_key[source.key] = source
        now = datetime.now(timezone.utc)
        report = Report(
            title=settings[TITLE] or default_title(settings.runs),
            made=made_sentence(now, software_versions()),
            sections=sections,
            cited=list(sources_by_key.values()),
            made_day=format_date(now),
        )
        return _FinishedReport(report, messages)

    def build_results(
        self,
        settings: ReportSettings,
        inputs: list[RunOutputs],
        findings: _FinishedReport,
        progress: Progress,
    ) -> RunResults:
        """Return the requested files; a report has no tables.

        Args:
            settings: settings of the run.
            inputs: result of :meth:`read_layers`.
            findings: result of :meth:`compute`.
            progress: called with the fraction done.
        """
        files: dict[Output, FileContent] = {}
        if HTML in settings.requested_outputs:
            html_progress = subprogress(progress, 0.0, 0.5)
            files[HTML] = render_html(findings.report, settings[TEMPLATE], html_progress).encode()
        progress(0.5)
        if PDF in settings.requested_outputs:
            pdf_progress = subprogress(progress, 0.5, 1.0)
            files[PDF] = render_pdf(findings.report, pdf_progress, settings[PAGE_SIZE])
        names = [reported_run.run.title for reported_run in settings.runs]
        headline = info(
            "headline.report",
            "{count} runs: {titles}.",
            one="{titles}.",
            count=len(names),
            titles=names,
        )
        return RunResults({}, files=files, headline=[headline])
