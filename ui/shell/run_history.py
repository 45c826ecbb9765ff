"""Earlier runs of a page: listed in a menu, shown again, and compared with each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
from qgis.core import QgsApplication, QgsMapLayer, QgsProcessingContext, QgsProject, QgsVectorLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QInputDialog, QMenu

from randcrowns.algorithms.crown_algorithm import CrownAlgorithm
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import Parameter, RunParameters
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.algorithms.run_history import Run, format_start, read_runs
from randcrowns.algorithms.run_names import name_of, rename_run
from randcrowns.algorithms.short_names import MAX_NAME_LENGTH
from randcrowns.core.errors import InputError
from randcrowns.core.messages import abbreviate, note
from randcrowns.layers.localization import error_message, escape_rich_text, format_day, tr
from randcrowns.layers.styles.tree import show_groups_of
from randcrowns.ui.services.background import BackgroundTask, run_read
from randcrowns.ui.services.replaced_layers import ReplacedLayers, replace_run, watch_result_layers
from randcrowns.ui.services.run_outcome import Succeeded
from randcrowns.ui.services.settings import Settings, read_parameters
from randcrowns.ui.shell.split_page import F, R, SplitPage

#: Maximum number of runs in the menu.
_MAX_MENU_RUNS = 25
#: Key of the message that results are read back from an earlier run.
READ_BACK_KEY = "run.again"
_READ_BACK = "These are the results of {time}. Later edits of the layers are not detected."
_MISSING_INPUTS = (
    "The project does not have these layers, which the run has read. They cannot be drawn: "
    "{layers}."
)


class PageWithRuns(SplitPage[F, R]):
    """A page whose runs are listed and can be shown again.

    See :class:`SplitPage` for the arguments.
    """

    #: Outputs without which a run cannot be shown again; empty if no runs are listed.
    required_outputs: Sequence[Output] = ()
    #: True if the results are layers of the project, else tables of its file or only in memory.
    adds_layers = True
    #: True if two runs can be compared crown by crown.
    can_compare = False

    #: Id of the algorithm that the page runs.
    algorithm = ""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Ids of the algorithms whose runs the page can show."""
        return (self.algorithm,)

    def settings(self) -> Settings:
        """Return the current settings of the page."""
        return self.form.settings()

    def settings_of_run(self, run: Run, settings: Settings) -> Settings:
        """Return the settings of a run, including those that are no parameters of its algorithm.

        Args:
            run: The run.
            settings: Settings of the run, which other methods have read from its parameters.
        """
        return settings

    def show_earlier_run(self, outcome: Succeeded, settings: Settings) -> None:
        """Show the results of an earlier run.

        Args:
            outcome: The results, read back.
            settings: Settings of the run.
        """
        raise NotImplementedError

    def show_run_alone(self) -> None:
        """Hide the crown layers on the map that do not belong to the displayed run."""
        raise NotImplementedError

    def make_reader(self, outcome: Succeeded, settings: Settings) -> Callable[[], Any]:
        """Return the function that reads what the page shows of a run.

        Args:
            outcome: The results of the run.
            settings: Settings of the run.

        Returns:
            A function that may be called in a worker thread. What it returns is
            ``Succeeded.read``.
        """
        return lambda: None

    def show_comparison(self, before: Run, after: Run, both_results: Sequence[Any]) -> None:
        """Show how each crown changed from one run to another.

        Args:
            before: The earlier run.
            after: The later run.
            both_results: Results of both runs in this order, see :meth:`make_reader`.

        Raises:
            RandCrownsError: if the runs cannot be compared.
        """


class RunHistory(QObject):
    """The runs of a page, their menu, and the functions to show and compare them.

    Unreadable projects and GeoPackages do not raise exceptions here: the page opens whatever
    they contain.

    Args:
        page: The page; its button "Runs" gets the menu.
    """

    def __init__(self, page: PageWithRuns[Any, Any]) -> None:
        super().__init__(page)
        self._page = page
        #: Record of the run that the page shows; None if it shows none.
        self.shown_record: Provenance | None = None
        #: True until the last run of a newly opened project was shown.
        self._is_last_run_pending = False
        #: Layers that the last run has replaced.
        self._replaced: ReplacedLayers | None = None
        #: Runs whose results are in memory only.
        self._runs_in_memory: list[Run] = []
        #: Id of an algorithm -> algorithm, None if it is not one of this plugin.
        self._algorithms: dict[str, CrownAlgorithm | None] = {}
        #: Background task that reads results; None before the first.
        self._reading: BackgroundTask | None = None
        self.menu = QMenu(page)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill_menu)
        button = page.run_bar.runs_button
        button.setMenu(self.menu)
        button.setVisible(bool(page.required_outputs))
        if not QgsProject.instance().isDirty():
            watch_result_layers()

    def algorithm(self, name: str) -> CrownAlgorithm | None:
        """Return the algorithm with an id, or None if this plugin has none.

        The algorithm is cached, because QGIS searches the algorithms of all providers.
        """
        if name not in self._algorithms:
            algorithm = QgsApplication.processingRegistry().createAlgorithmById(name)
            is_own = isinstance(algorithm, CrownAlgorithm)
            self._algorithms[name] = algorithm if is_own else None
        return self._algorithms[name]

    def runs(self, problems: list[str] | None = None) -> list[Run]:
        """Return the runs that the page can show, the last one first.

        Args:
            problems: A sentence for each unreadable file is appended to this list.
        """
        page = self._page
        result_file = page.form.result_file_field.path()
        stored_runs = read_runs(QgsProject.instance(), [result_file], problems)
        stored_ids = {run.record.id for run in stored_runs}
        unstored_runs = [run for run in self._runs_in_memory if run.record.id not in stored_ids]
        runs = [run for run in (*unstored_runs, *stored_runs) if run.algorithm in page.algorithms]
        return sorted(runs, key=lambda run: run.time, reverse=True)

    def set_shown_run(self, record: Provenance, layers: Mapping[str, QgsMapLayer]) -> None:
        """Register the run that the page shows now.

        Args:
            record: Record of the run.
            layers: Id of an output -> its layer. The layers are stored here if the page does not
                add them to the project.
        """
        self.shown_record = record
        self.stop()
        if not self._page.adds_layers:
            run = Run(record, layers={}, stored_sources=record.files, unsaved_layers=dict(layers))
            others = [other for other in self._runs_in_memory if other.record.id != record.id]
            self._runs_in_memory = [*others, run]

    def reset(self) -> None:
        """Forget the runs of the previous project.

        The last run of the new project is shown when the page is visible, at once if it is.
        """
        self.shown_record = None
        self._is_last_run_pending = True
        self._replaced = None
        self._runs_in_memory = []
        self.stop()
        if self._page.isVisible():
            self.show_last_run()

    def show_last_run(self) -> None:
        """Show the last run of a newly opened project, unless this was done before.

        Called when the page becomes visible. Runs without results in the project are ignored.
        """
        if not self._is_last_run_pending or not self._page.required_outputs:
            return
        self._is_last_run_pending = False
        if self.shown_record is not None:
            return
        for run in self.runs():  # the last one first
            if self._has_results(run):
                self._start_to_show(run, is_requested=False)
                return

    def show(self, run: Run) -> None:
        """Show a run again, and its settings in the form.

        Its layers are added to the project if the project has none of them.
        """
        self._start_to_show(run, is_requested=True)

    def last_run(self) -> Run | None:
        """Return the last run of the page's algorithm with layers in the project, or None."""
        for run in self.runs():
            if run.layers and run.algorithm == self._page.algorithm:
                return run
        return None

    def remove_replaced_run(self, last: Run) -> None:
        """Remove the layers of the previous run, which the displayed run replaces.

        A message offers to bring the layers back.

        Args:
            last: The previous run.
        """
        if self.shown_record is None or last.record.id == self.shown_record.id:
            return
        replaced = replace_run(last, self.shown_record.title, self.shown_record.inputs)
        self._replaced = replaced
        if not replaced.layers:
            return
        if replaced.kept_names:
            text = tr(
                "The layers of the last run were replaced, except {layers}: edited, styled or "
                "read by the new run.",
                layers=abbreviate(replaced.kept_names),
            )
        else:
            text = tr("The layers of the last run were replaced.")
        self._page.messages.warn_with_button(text, tr("Bring back"), self.restore_replaced_layers)

    def restore_replaced_layers(self) -> None:
        """Add the layers to the project again that were replaced last."""
        if self._replaced is not None:
            self._replaced.restore()

    def compare(self, run: Run) -> None:
        """Compare the displayed run with another one, crown by crown.

        Errors are shown in the message bar.

        Args:
            run: The other run.
        """
        page = self._page
        shown_runs = [candidate for candidate in self.runs() if self._is_shown(candidate)]
        if not shown_runs:
            page.messages.warning(tr("The layers of the displayed run were removed. Run again."))
            return

        before, after = shown_runs[0], run
        if after.time < before.time:
            before, after = after, before
        with page.messages.show_errors():
            outcome_before = self.read_back(before)
            outcome_after = self.read_back(after)
            read_before = page.make_reader(outcome_before, self.settings_of(before))
            read_after = page.make_reader(outcome_after, self.settings_of(after))
            self._start_reading(
                row_count=outcome_before.row_count + outcome_after.row_count,
                read=lambda: [read_before(), read_after()],
                on_read=partial(self._show_comparison, before, after),
            )

    def read_back(self, run: Run, is_requested: bool = False) -> Succeeded:
        """Return the results of an earlier run, read back from the project or from files.

        Args:
            run: The run.
            is_requested: True to add its layers to the project if the project has none of them.

        Returns:
            The outcome that the run had, without its log. Two messages are added: that the results
            are read back, and which inputs of the run the project lacks.

        Raises:
            InputError: if a table that the page needs does not exist any more.
        """
        layers = self._open_results(run)
        self._check_tables(run, layers)
        outputs = {**run.record.results, PROVENANCE.id: run.record.to_json()}
        for output_id, layer in layers.items():
            is_temporary = layer.providerType() == "memory"
            outputs[output_id] = layer.id() if is_temporary else layer.source()
        messages = [*run.messages, note(READ_BACK_KEY, _READ_BACK, time=format_start(run))]
        missing_inputs = run.missing_inputs(QgsProject.instance())
        if missing_inputs:
            messages.append(note("run.absent", _MISSING_INPUTS, layers=abbreviate(missing_inputs)))
        return Succeeded(
            outputs,
            layers,
            log="",
            messages=tuple(messages),
            add_to_project=is_requested and not run.layers,
        )

    def _open_results(self, run: Run) -> dict[str, QgsMapLayer]:
        """Return the layers and tables of a run that exist, by the ids of their outputs."""
        algorithm = self.algorithm(run.algorithm)
        declared_outputs = [] if algorithm is None else algorithm.outputs
        layers = {output.id: self._open_result(run, output) for output in declared_outputs}
        return {output_id: layer for output_id, layer in layers.items() if layer is not None}

    def settings_of(self, run: Run) -> Settings:
        """Return the settings of a run; values that it does not record are those of the form."""
        page = self._page
        current_settings = page.settings()
        algorithm = self.algorithm(run.algorithm)
        if algorithm is None:
            return current_settings
        run_values = run.parameters(QgsProject.instance())
        current_values = current_settings.to_parameters(algorithm.declared_parameters)

        def is_changed(parameter: Parameter[Any]) -> bool:
            """Return True if any value of a parameter differs from that of the form."""
            return any(run_values.get(name) != current_values.get(name) for name in parameter.ids)

        changed_parameters = list(filter(is_changed, algorithm.declared_parameters))
        run_settings = Settings.from_run(changed_parameters, run_parameters(algorithm, run_values))
        return page.settings_of_run(run, current_settings.with_values(run_settings))

    def stop(self) -> None:
        """Stop reading results, which are then not shown."""
        self._page.run_bar.end_reading()
        if self._reading is not None:
            self._reading.stop()

    def _has_results(self, run: Run) -> bool:
        """Return True if the project has results of a run.

        Results are layers, fields of a layer or, on pages whose results are not on the map,
        tables of the project's file.
        """
        if run.layers:
            return True
        if run.field_results is not None and run.field_results.exists(QgsProject.instance()):
            return True
        return not self._page.adds_layers and bool(run.stored_sources)

    def _open_result(self, run: Run, output: Output) -> QgsMapLayer | None:
        """Return the layer or table of an output of a run, or None if there is none.

        A required output without rows is returned as an empty temporary table.
        """
        layer = run.layer(output.id, QgsProject.instance())
        row_count = run.record.rows.get(output.id, 0)
        if row_count == 0:
            if layer is None and output in self._page.required_outputs:
                empty_table = output.create_table(pd.DataFrame(columns=output.field_names))
                return empty_table.to_memory_layer(output.label)
            return layer
        # Temporary layers have lost their features when a project is opened again.
        is_emptied = isinstance(layer, QgsVectorLayer) and not layer.featureCount()
        return None if is_emptied and run.field_results is None else layer

    def _check_tables(self, run: Run, layers: Mapping[str, QgsMapLayer]) -> None:
        """Raise InputError if a table is missing that the page needs to show a run.

        Args:
            run: The run.
            layers: Id of an output -> its layer; deleted layers count as missing.
        """
        missing_labels = []
        for output in self._page.required_outputs:
            layer = layers.get(output.id)
            if layer is None or sip.isdeleted(layer):
                missing_labels.append(output.label)
        if not missing_labels:
            return
        if run.field_results is not None:
            raise InputError(
                "runs.fields_gone",
                "The run of {time} cannot be shown again: its fields were removed, or their "
                "values were changed.",
                time=format_start(run),
            )
        raise InputError(
            "runs.tables_gone",
            "The run of {time} cannot be shown again. These tables were temporary, removed or "
            "emptied: {tables}.",
            time=format_start(run),
            tables=abbreviate(missing_labels),
        )

    def _start_to_show(self, run: Run, is_requested: bool) -> None:
        """Show the settings of a run in the form, and its results as soon as they are read.

        Errors are shown in the message bar.

        Args:
            run: The run.
            is_requested: True if the user has selected the run. Otherwise no layers are added,
                and the form does not show the settings of the run if the project has stored
                other ones.
        """
        page = self._page
        try:
            outcome = self.read_back(run, is_requested)
            settings = self.settings_of(run)
        except InputError as error:
            page.messages.warning(error_message(error))
            return
        if is_requested or not read_parameters(page.key):
            page.form.set_settings(settings)
        if is_requested:
            layer_ids = [layer.id() for layer in outcome.layers.values()]
            show_groups_of(QgsProject.instance(), layer_ids)
        page.form.collapse()
        with page.messages.show_errors():
            read_results = page.make_reader(outcome, settings)
            on_read = partial(self._show_results, run, outcome, settings, is_requested)
            self._start_reading(outcome.row_count, read_results, on_read)

    def _show_results(
        self, run: Run, outcome: Succeeded, settings: Settings, is_requested: bool, page_data: Any
    ) -> None:
        """Show a run whose results were read.

        Args:
            run: The run.
            outcome: Its outputs and layers.
            settings: Its settings.
            is_requested: True if the user has selected the run. The map then shows it alone.
            page_data: The results, or the exception if reading failed.
        """
        with self._page.messages.show_errors():
            # Layers may have been removed while the results were read.
            self._check_tables(run, outcome.layers)
            self._page.show_earlier_run(replace(outcome, page_data=page_data), settings)
            if is_requested:
                self._page.show_run_alone()

    def _show_comparison(self, before: Run, after: Run, page_data: Any) -> None:
        """Show the comparison of two runs whose results were read.

        Args:
            before: The earlier run.
            after: The later run.
            page_data: The results of both runs in a list, or the exception if reading failed.
        """
        with self._page.messages.show_errors():
            if isinstance(page_data, Exception):
                raise page_data
            self._page.show_comparison(before, after, page_data)

    def _start_reading(
        self, row_count: int, read: Callable[[], Any], on_read: Callable[[Any], object]
    ) -> None:
        """Read results, in the background if they are large; stop reading other results.

        Args:
            row_count: Number of rows to read.
            read: Reads the results.
            on_read: Called with what ``read`` returns, or with the exception that it raises.
        """
        self.stop()
        run_bar = self._page.run_bar

        def end_reading(outcome: Any) -> None:
            """Release the run bar, and pass on what was read."""
            run_bar.end_reading()
            on_read(outcome)

        run_bar.begin_reading()
        self._reading = run_read(row_count, read, end_reading)

    def _fill_menu(self) -> None:
        """Fill the menu with the runs, notices, and what can be done with the displayed run."""
        self.menu.clear()
        problems: list[str] = []
        runs = self.runs(problems)
        listed_runs = runs[:_MAX_MENU_RUNS]
        for run in listed_runs:
            action = self._add_entry(self.menu, run)
            action.triggered.connect(partial(self.show, run))
            action.setCheckable(True)
            action.setChecked(self._is_shown(run))

        notices = [] if runs else [tr("No run of this page yet")]
        unlisted_count = len(runs) - len(listed_runs)
        if unlisted_count > 0:
            notices.append(tr("{count} earlier runs are in the files", count=unlisted_count))
        for notice in (*notices, *problems):
            self.menu.addAction(_menu_text(notice)).setEnabled(False)

        if self.shown_record is not None:
            self._add_actions_of_shown_run(listed_runs)

    def _add_actions_of_shown_run(self, listed_runs: Sequence[Run]) -> None:
        """Add the actions that rename the displayed run and compare it with the other runs.

        Args:
            listed_runs: The runs that the menu lists.
        """
        self.menu.addSeparator()
        rename_action = self.menu.addAction(tr("Rename what is shown…"), self._ask_for_name)
        rename_action.setToolTip(
            tr("Give this run another name, in lists, in the layer tree and in reports.")
        )
        other_runs = [run for run in listed_runs if not self._is_shown(run)]
        if other_runs and self._page.can_compare:
            self._add_comparison_menu(other_runs)

    def _add_comparison_menu(self, other_runs: Sequence[Run]) -> None:
        """Add a submenu that compares the displayed run with one of the other runs."""
        self.menu.addSeparator()
        submenu = self.menu.addMenu(tr("Compare what is shown with"))
        submenu.setToolTipsVisible(True)
        for run in other_runs:
            self._add_entry(submenu, run).triggered.connect(partial(self.compare, run))

    def _ask_for_name(self) -> None:
        """Ask for a new name of the displayed run."""
        if self.shown_record is None:
            return
        name, is_accepted = QInputDialog.getText(
            self._page,
            tr("RandCrowns"),
            tr("Name of this run, at most {count} letters:", count=MAX_NAME_LENGTH),
            text=name_of(self.shown_record),
        )
        if is_accepted:
            self.rename(name)

    def rename(self, name: str) -> None:
        """Give the displayed run another name; an empty name changes nothing."""
        if self.shown_record is not None:
            self.shown_record = rename_run(self.shown_record, name, QgsProject.instance())

    def _is_shown(self, run: Run) -> bool:
        """Return True if a run is the one that the page shows."""
        return self.shown_record is not None and self.shown_record.id == run.record.id

    @staticmethod
    def _add_entry(menu: QMenu, run: Run) -> Any:
        """Add an action with the day and title of a run to a menu, and return the action."""
        action = menu.addAction(_menu_text(f"{format_day(run.time)} · {run.title}"))
        lines = [line for line in (run.conclusion, run.record.one_line_text) if line]
        action.setToolTip(escape_rich_text("\n".join(lines)))
        return action


def run_parameters(algorithm: CrownAlgorithm, parameters: dict[str, Any]) -> RunParameters:
    """Return the parameter values of a run with the layers of the current project.

    Args:
        algorithm: The algorithm.
        parameters: Processing parameters.
    """
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    return RunParameters(algorithm, parameters, context)


def _menu_text(line: str) -> str:
    """Return a text for a menu, in which a single "&" would mark a shortcut key."""
    return line.replace("&", "&&")
