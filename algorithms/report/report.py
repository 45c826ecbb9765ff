"""randcrowns:report - runs told on a page that can be quoted."""

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
    """What a report is made of besides: the runs."""

    runs: list[TakenRun] = field(default_factory=list)


@dataclass(frozen=True)
class _Told:
    report: Report
    remarks: Sequence[Remark]


class MakeReport(CrownAlgorithm):
    entry = REPORT
    help = (
        tr(
            "Presents runs on a page that holds all its pictures: the answer in sentences, what was compared and how, "
            "tables with intervals, plots, a map, the worst and the most typical crowns."
        ),
        *REPORT_CHOICES,
        tr(
            "A template gets <i>report</i>; nothing of it is taken for HTML. Begin from a copy of the plugin's own."
        ),
    )
    parties = (RUNS,)
    choices, outputs = REPORT_CHOICES, REPORT_OUTPUTS
    shares = (0.1, 0.8)

    def check(self, given: Given) -> None:
        if not any(output in given for output in REPORT_OUTPUTS):
            raise InputError("Choose a file for the report, as HTML, PDF or both.")
        template = given[TEMPLATE]
        if template and not Path(template).is_file():
            raise InputError("There is no template {file}; choose another.", file=template)

    def take(self, given: Given) -> ReportJob:
        return ReportJob.of(given, runs=take_runs(given))

    def read(self, job: ReportJob, progress: Progress) -> list[RunTables]:
        return [read_tables(taken, share) for taken, share in steps(job.runs, progress)]

    def compute(self, job: ReportJob, read: list[RunTables], progress: Progress) -> _Told:
        sections, told = [], []
        for (taken, tables), share in steps(list(zip(job.runs, read)), progress):
            section, remarks = section_of(taken, tables, job, share)
            sections.append(section)
            told += remarks
        cited = {source.key: source for section in sections for source in section.cited}
        now = datetime.now().astimezone().isoformat(" ", "minutes")
        made = tr("Made {time} with {versions}", time=now, versions=versions())
        title = job[TITLE] or titles(job.runs)
        return _Told(Report(title, made, sections, list(cited.values())), told)

    def tables(
        self, job: ReportJob, read: list[RunTables], found: _Told, progress: Progress
    ) -> Made:
        files: dict[Output, MadeFile] = {}
        if HTML in job.wanted:
            files[HTML] = html_page(found.report, job[TEMPLATE]).encode()
        progress(0.3)
        if PDF in job.wanted:
            files[PDF] = pdf_pages(found.report, part_of(progress, 0.3, 1.0))
        said, one = "{count} runs: {titles}.", "{titles}."
        names = [taken.run.title for taken in job.runs]
        return Made(
            {},
            files=files,
            headline=[info("headline.report", said, one=one, count=len(names), titles=names)],
        )
