"""The runs of a page: a menu of them, the last one shown again in a project that is opened, two compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
from qgis.core import QgsApplication, QgsMapLayer, QgsProcessingContext, QgsProject, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QMenu

from randcrowns.algorithms.base import CrownAlgorithm
from randcrowns.algorithms.choice import Given
from randcrowns.algorithms.output import Output
from randcrowns.algorithms.record import RECORD, Record
from randcrowns.algorithms.runs import Run, runs_of, time_of
from randcrowns.core.errors import InputError
from randcrowns.core.remarks import note, some
from randcrowns.layers.styles.tree import show_run_group
from randcrowns.layers.words import day_of, plain, reason, tr
from randcrowns.ui.services.background import Background, read_rows
from randcrowns.ui.services.replacing import Replaced, follow_results, replace_run
from randcrowns.ui.services.result_file import Succeeded
from randcrowns.ui.services.settings import Settings, recall
from randcrowns.ui.shell.split import F, R, SplitPage

#: Most runs in the menu.
_MOST = 25
#: Key of what results say that are shown again.
AGAIN = "run.again"
_READ_BACK = "Results of {time}, shown again; edits of the layers since then are not noticed."
_ABSENT = "It read layers that the project does not have, so what they hold is not drawn: {layers}."


class PageWithRuns(SplitPage[F, R]):
    """A page whose runs are listed and can be shown again."""

    #: Outputs without which a run cannot be shown again; none where runs are not.
    needed: Sequence[Output] = ()
    #: Whether its results are layers of the project; else they are tables in its file, or nowhere but here.
    on_map = True
    #: Whether two runs can be compared crown by crown.
    compares = False

    #: Id of the algorithm that it runs.
    algorithm = ""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Ids of the algorithms whose runs the page shows."""
        return (self.algorithm,)

    def settings(self) -> Settings:
        """All that is chosen on the page."""
        return self.form.settings()

    def settings_of_run(self, run: Run, settings: Settings) -> Settings:
        """The settings of a run, of which those of its algorithm are known."""
        return settings

    def show_again(self, outcome: Succeeded, settings: Settings) -> None:
        """Show what a run made earlier."""
        raise NotImplementedError

    def reading(self, outcome: Succeeded, settings: Settings) -> Callable[[], Any]:
        """The work that reads what is shown of a run; it may be done beside the window."""
        return lambda: None

    def compare(self, before: Run, after: Run, read: Sequence[Any]) -> None:
        """Show how each crown changed from one run to another, as read of both, or raise a RandCrownsError."""


class RunHistory(QObject):
    """The runs of a page. Whatever a project or a GeoPackage holds, the page opens."""

    def __init__(self, page: PageWithRuns[Any, Any]) -> None:
        super().__init__(page)
        self._page = page
        #: How what is shown was made; None before a run.
        self.shown: Record | None = None
        self._pending = False
        self._replaced: Replaced | None = None
        self._held: list[Run] = []
        self._algorithms: dict[str, CrownAlgorithm | None] = {}
        self._reading: Background | None = None
        self.menu = QMenu(page)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill)
        button = page.run_bar.runs_button
        button.setMenu(self.menu)
        button.setVisible(bool(page.needed))
        if not QgsProject.instance().isDirty():
            follow_results()

    def algorithm(self, name: str) -> CrownAlgorithm | None:
        """The algorithm of that id, looked for among all of QGIS's and made once."""
        if name not in self._algorithms:
            made = QgsApplication.processingRegistry().createAlgorithmById(name)
            self._algorithms[name] = made if isinstance(made, CrownAlgorithm) else None
        return self._algorithms[name]

    def runs(self, problems: list[str] | None = None) -> list[Run]:
        """Those that the page can show, the last one first."""
        kept = runs_of(QgsProject.instance(), [self._page.form.kept_in.path()], problems)
        known = {run.record.id for run in kept}
        found = [*(run for run in self._held if run.record.id not in known), *kept]
        ours = [run for run in found if run.algorithm in self._page.algorithms]
        return sorted(ours, key=lambda run: run.time, reverse=True)

    def take(self, record: Record, layers: Mapping[str, QgsMapLayer]) -> None:
        """This is shown from now on; what the project does not get is held here."""
        self.shown = record
        self.stop()
        if not self._page.on_map:
            self._held = [run for run in self._held if run.record.id != record.id]
            self._held.append(Run(record, {}, record.files, held=dict(layers)))

    def forget(self) -> None:
        """Another project is there: its last run is shown once the page is looked at."""
        self.shown, self._pending, self._replaced, self._held = None, True, None, []
        self.stop()
        if self._page.isVisible():
            self.look()

    def look(self) -> None:
        """The page is looked at: show the last run of the project's layers, where it has one that was not shown yet."""
        if not self._pending or not self._page.needed:
            return
        self._pending = False
        if (
            self.shown is None
            and (last := next(filter(self._is_there, self.runs()), None)) is not None
        ):
            self._show(last)

    def _is_there(self, run: Run) -> bool:
        """Whether the project has its results: layers, fields of one, or for some pages tables in its file."""
        fields = run.in_fields is not None and run.in_fields.is_there(QgsProject.instance())
        return bool(run.layers) or fields or (not self._page.on_map and bool(run.places))

    def show(self, run: Run) -> None:
        """Show a run again, with its choices in the form; its layers are added where the project has none of them."""
        self._show(run, asked=True)

    def last(self) -> Run | None:
        """The last run of the algorithm of which the project has layers."""
        return next(
            (run for run in self.runs() if run.layers and run.algorithm == self._page.algorithm),
            None,
        )

    def replace(self, last: Run) -> None:
        """Take the layers of a run out of the project, in favour of those of the run that is shown."""
        if self.shown is None or last.record.id == self.shown.id:
            return
        self._replaced = replaced = replace_run(last, self.shown.title, self.shown.inputs)
        said = tr("The layers of the last run were replaced.")
        if replaced.kept:
            stay = tr(
                "{layers} stay: edited, styled or read by the new run.", layers=some(replaced.kept)
            )
            said = f"{said} {stay}"
        if replaced.layers:
            self._page.messages.offer(said, tr("Bring back"), self.bring_back)

    def bring_back(self) -> None:
        """Put the layers that were replaced last into the project again."""
        if self._replaced is not None:
            self._replaced.bring_back()

    def compare(self, run: Run) -> None:
        """Compare what is shown with another run, crown by crown."""
        page = self._page
        shown = next(
            (one for one in self.runs() if self.shown and one.record.id == self.shown.id), None
        )
        if shown is None:
            page.messages.warning(tr("The layers of the run that is shown are gone; run again."))
            return
        before, after = sorted((shown, run), key=lambda one: one.time)
        with page.messages.telling():
            outcomes = [self.outcome(one) for one in (before, after)]
            works = [
                page.reading(*side) for side in zip(outcomes, map(self.settings, (before, after)))
            ]
            rows = sum(outcome.rows for outcome in outcomes)
            self._read(
                rows, lambda: [work() for work in works], partial(self._compare, before, after)
            )

    def _compare(self, before: Run, after: Run, read: Any) -> None:
        with self._page.messages.telling():
            if isinstance(read, Exception):
                raise read
            self._page.compare(before, after, read)

    def outcome(self, run: Run, asked: bool = False) -> Succeeded:
        """What a run made, read back.

        Args:
            asked: layers are added to the project, where it has none of the run.

        Raises:
            InputError: if a table that the page needs is gone.
        """
        project, layers = QgsProject.instance(), {}
        algorithm = self.algorithm(run.algorithm)
        for output in () if algorithm is None else algorithm.outputs:
            layer = run.layer(output.id, project)
            rows = run.record.rows.get(output.id, 0)
            if (
                isinstance(layer, QgsVectorLayer)
                and rows
                and not layer.featureCount()
                and run.in_fields is None
            ):
                layer = None  # a temporary layer is empty in a project that is opened again
            if layer is None and output in self._page.needed and not rows:
                layer = output.table(pd.DataFrame(columns=output.names)).in_memory(output.label)
            if layer is not None:
                layers[output.id] = layer
        self._check(run, layers)
        outputs = {**run.record.results, RECORD.id: run.record.to_json()}
        outputs |= {
            key: one.id() if one.providerType() == "memory" else one.source()
            for key, one in layers.items()
        }
        told, absent = [note(AGAIN, _READ_BACK, time=time_of(run))], run.absent_inputs(project)
        if absent:
            told.append(note("run.absent", _ABSENT, layers=some(absent)))
        return Succeeded(outputs, layers, "", (*run.remarks, *told), added=asked and not run.layers)

    def _check(self, run: Run, layers: Mapping[str, QgsMapLayer]) -> None:
        there = [name for name, layer in layers.items() if not sip.isdeleted(layer)]
        gone = [output.label for output in self._page.needed if output.id not in there]
        if gone:
            said = "The run of {time} cannot be shown again, for {tables} are gone: temporary, removed or emptied."
            if run.in_fields is not None:
                said = "The run of {time} cannot be shown again: its fields are gone, or hold other values since."
            raise InputError(said, time=time_of(run), tables=some(gone))

    def settings(self, run: Run) -> Settings:
        """The choices of a run; what it was not asked for is as it is in the form."""
        page, algorithm = self._page, self.algorithm(run.algorithm)
        chosen = page.settings()
        if algorithm is None:
            return chosen
        ran, now = run.parameters(QgsProject.instance()), chosen.to_parameters(algorithm.choices)
        other = [
            choice
            for choice in algorithm.choices
            if any(ran.get(name) != now.get(name) for name in choice.ids)
        ]
        return page.settings_of_run(
            run, chosen.replaced(Settings.of_run(other, given_in_project(algorithm, ran)))
        )

    def _show(self, run: Run, asked: bool = False) -> None:
        page = self._page
        try:
            outcome, settings = self.outcome(run, asked), self.settings(run)
        except InputError as error:
            page.messages.warning(reason(error))
            return
        if asked or not recall(page.key):  # nobody chose anything else
            page.form.show_settings(settings)
        if asked:
            show_run_group(QgsProject.instance(), [layer.id() for layer in outcome.layers.values()])
        page.form.fold()
        with page.messages.telling():
            work = page.reading(outcome, settings)
            self._read(outcome.rows, work, partial(self._show_read, run, outcome, settings))

    def _show_read(self, run: Run, outcome: Succeeded, settings: Settings, read: Any) -> None:
        with self._page.messages.telling():
            self._check(run, outcome.layers)
            self._page.show_again(replace(outcome, read=read), settings)

    def _read(self, rows: int, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        self.stop()
        self._reading = read_rows(rows, work, then)

    def stop(self) -> None:
        """What is being read is not shown."""
        if self._reading is not None:
            self._reading.stop()

    def _fill(self) -> None:
        self.menu.clear()
        problems: list[str] = []
        runs = self.runs(problems)
        for run in runs[:_MOST]:
            action = self._entry(self.menu, run)
            action.triggered.connect(partial(self.show, run))
            action.setCheckable(True)
            action.setChecked(self.shown is not None and self.shown.id == run.record.id)
        more = (
            tr("{count} earlier runs are in the files", count=len(runs) - _MOST)
            if len(runs) > _MOST
            else ""
        )
        for line in (
            *([] if runs else [tr("No run of this page yet")]),
            *filter(None, [more]),
            *problems,
        ):
            self.menu.addAction(_as_label(line)).setEnabled(False)
        others = [
            run for run in runs[:_MOST] if self.shown is not None and run.record.id != self.shown.id
        ]
        if self._page.compares and others:
            self.menu.addSeparator()
            inner = self.menu.addMenu(tr("Compare what is shown with"))
            inner.setToolTipsVisible(True)
            for run in others:
                self._entry(inner, run).triggered.connect(partial(self.compare, run))

    @staticmethod
    def _entry(menu: QMenu, run: Run) -> Any:
        action = menu.addAction(_as_label(f"{day_of(run.time)} · {run.title}"))
        action.setToolTip(plain("\n".join(filter(None, [run.headline, run.record.line]))))
        return action


def given_in_project(algorithm: CrownAlgorithm, parameters: dict[str, Any]) -> Given:
    """What an algorithm is given by these parameters."""
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    return Given(algorithm, parameters, context)


def _as_label(line: str) -> str:
    return line.replace("&", "&&")
