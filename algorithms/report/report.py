"""randcrowns:report: a report on one or several runs, as HTML and PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from randcrowns.algorithms.base import CrownAlgorithm, Made
from randcrowns.algorithms.catalogue import REPORT
from randcrowns.algorithms.choice import Given, Job
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.outputs import MadeFile
from randcrowns.algorithms.record import versions
from randcrowns.algorithms.report.choices import (
    HTML,
    PDF,
    REPORT_CHOICES,
    REPORT_OUTPUTS,
    RUNS,
    TEMPLATE,
    TITLE,
)
from randcrowns.algorithms.report.content import Report, read_tables, section_of
from randcrowns.algorithms.report.pages import html_page, pdf_pages
from randcrowns.algorithms.report.runs import TakenRun, take_runs, titles
from randcrowns.algorithms.showing import RunTables
from randcrowns.core.errors import InputError
from randcrowns.core.progress import Progress, part_of, steps
from randcrowns.core.remarks import Remark, info
from randcrowns.layers.words import tr


@dataclass(frozen=True)
class ReportJob(Job):
    """Settings of a report, read on the main thread."""

    runs: list[TakenRun] = field(default_factory=list)  #: runs to report.


@dataclass(frozen=True)
class _FinishedReport:
    """Report with the messages that arose while it was made."""

    report: Report  #: content of the report.
    remarks: Sequence[Remark]  #: messages on parts that could not be made.


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
    parties = (RUNS,)
    choices, outputs = REPORT_CHOICES, REPORT_OUTPUTS
    shares = (0.1, 0.8)

    def check(self, given: Given) -> None:
        """Raise InputError if no file is requested or the template does not exist."""
        if not any(output in given for output in REPORT_OUTPUTS):
            raise InputError("Choose a file for the report, as HTML, PDF or both.")
        template = given[TEMPLATE]
        if template and not Path(template).is_file():
            raise InputError("There is no template {file}; choose another.", file=template)

    def take(self, given: Given) -> ReportJob:
        """Return the settings of the report with copies of the layers of all runs."""
        return ReportJob.of(given, runs=take_runs(given))

    def read(self, job: ReportJob, progress: Progress) -> list[RunTables]:
        """Read the tables of all runs."""
        return [read_tables(taken, share) for taken, share in steps(job.runs, progress)]

    def compute(self, job: ReportJob, read: list[RunTables], progress: Progress) -> _FinishedReport:
        """Make the content of the report, with all its pictures."""
        sections = []
        messages: list[Remark] = []
        for (taken, tables), share in steps(list(zip(job.runs, read)), progress):
            section, section_messages = section_of(taken, tables, job, share)
            sections.append(section)
            messages += section_messages
        sources_by_key = {source.key: source for section in sections for source in section.cited}
        now = datetime.now().astimezone().isoformat(" ", "minutes")
        report = Report(
            title=job[TITLE] or titles(job.runs),
            made=tr("Made {time} with {versions}", time=now, versions=versions()),
            sections=sections,
            cited=list(sources_by_key.values()),
        )
        return _FinishedReport(report, messages)

    def tables(
        self,
        job: ReportJob,
        read: list[RunTables],
        found: _FinishedReport,
        progress: Progress,
    ) -> Made:
        """Return the requested files; a report has no tables."""
        files: dict[Output, MadeFile] = {}
        if HTML in job.wanted:
            files[HTML] = html_page(found.report, job[TEMPLATE]).encode()
        progress(0.3)
        if PDF in job.wanted:
            files[PDF] = pdf_pages(found.report, part_of(progress, 0.3, 1.0))
        names = [taken.run.title for taken in job.runs]
        headline = info(
            "headline.report",
            "{count} runs: {titles}.",
            one="{titles}.",
            count=len(names),
            titles=names,
        )
        return Made({}, files=files, headline=[headline])
