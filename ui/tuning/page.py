"""Page Parameters: find alpha, omega and gamma for which scores depend little on the annotator."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsVectorLayer

from randcrowns.algorithms.common_parameters import ANNOTATORS, CORNER_STYLE, LENGTHS, OWN
from randcrowns.algorithms.parameter_types import Parameter
from randcrowns.algorithms.provenance import PROVENANCE, Provenance
from randcrowns.algorithms.run_history import read_runs
from randcrowns.algorithms.tuning.schema.outputs import (
    BEST_VARIANCE,
    CROWNS,
    DELINEATIONS,
    EXCLUDED,
    GALLERY_FILE,
    GRID,
    RECOMMENDED,
    VARIANCE_OUTPUTS,
)
from randcrowns.algorithms.tuning.schema.parameters import (
    EXAMPLES,
    EXTENT,
    FIELD_TARGETS,
    IMAGE,
    PLOT_FIELD,
    PRESET,
    TUNING_PARAMETERS,
    VARIANCE_PARAMETERS,
)
from randcrowns.algorithms.tuning.schema.report_content import PRINT_LAYOUT
from randcrowns.core.errors import RandCrownsError
from randcrowns.core.scoring.parameters import RandCrownsParameters
from randcrowns.layers.localization import error_message, message_texts, tr
from randcrowns.layers.styles.crown_view import CrownViewer, OutlineLayer, create_excluded_view
from randcrowns.ui.services.layer_info import vector_layer
from randcrowns.ui.services.run_outcome import Failed, Outcome, Succeeded, temporary_destinations
from randcrowns.ui.services.settings import Settings
from randcrowns.ui.shell.print_layouts import ShownRun
from randcrowns.ui.shell.running_page import RunningPage, WatchedLayers
from randcrowns.ui.tuning.form import TuningForm, input_layer_ids
from randcrowns.ui.tuning.panel import TuningPanel
from randcrowns.ui.tuning.results import ExperimentResults, Lengths, SearchResults, add_layers
from randcrowns.ui.widgets.map_highlight import MapHighlight

#: Algorithm of the experiment at one set of parameters.
_VARIANCE_ALGORITHM = "randcrowns:annotatorvariance"
#: Keys of the runs at the selected set: the experiment, and the gallery.
_EXPERIMENT_RUN = "crowns at a set"
_GALLERY_RUN = "gallery"


class ParametersPage(RunningPage[TuningForm, TuningPanel]):
    """Page that runs the grid search and, for each selected set, the experiment at that set.

    Args:
        iface: The interface of the QGIS window.
    """

    key = "parameters"
    algorithm = "randcrowns:tuneparameters"
    algorithm_parameters = TUNING_PARAMETERS
    target_parameter = FIELD_TARGETS
    crown_parameters = (ANNOTATORS,)
    outputs = (RECOMMENDED, GRID, BEST_VARIANCE)
    required_outputs = (RECOMMENDED, GRID)
    adds_layers = False
    print_content = PRINT_LAYOUT
    cancelled_message = tr("The search was cancelled; no layer was changed.")

    def __init__(self, iface: Any) -> None:
        empty = tr(
            "There is no polygon layer in this project yet. Add the crowns as several people drew "
            "them, or try the sample data."
        )
        super().__init__(iface, TuningForm(), TuningPanel(), empty)
        self.highlight = MapHighlight(iface.mapCanvas(), self)
        #: Computes what is drawn of a pair at the selected set; None without results.
        self._viewer: CrownViewer | None = None
        #: True to select the worst crown as soon as the experiment has ended.
        self._shows_worst = False
        #: True if results at the selected set may include edits made since the search.
        self._may_include_edits = False
        #: Folder of the temporary files.
        self._folder = tempfile.mkdtemp(prefix="randcrowns_")
        self.results.variance_map.set_selected.connect(self._go_to_set)
        self.results.variance_map.use_requested.connect(self._use_set)
        self.results.pair_chosen.connect(self._show_pair)
        self.results.excluded_chosen.connect(self._show_excluded)
        self.results.layers_button.clicked.connect(self._add_layers)
        self.results.gallery_requested.connect(self._create_gallery)
        self.results.gallery.save_requested.connect(self._save_gallery)
        self.project_layers.changed.connect(self.results.reload_images)
        self.load_parameters()

    def close_down(self) -> None:
        """Stop all work, and delete the temporary files."""
        super().close_down()
        shutil.rmtree(self._folder, ignore_errors=True)

    def settings_to_run(self) -> Settings:
        """Return the settings for a run; stop the runs at the selected set."""
        self.runs.stop(_EXPERIMENT_RUN, _GALLERY_RUN)
        return super().settings_to_run()

    def watched_layers(self, settings: Settings) -> WatchedLayers:
        """Return the layers and fields of a run whose changes outdate its results."""
        layer_ids = input_layer_ids(settings)
        plot_field = settings[PLOT_FIELD]
        fields = dict.fromkeys(layer_ids, (plot_field,)) if plot_field else {}
        return WatchedLayers(layer_ids, fields)

    def show_results(self, outcome: Succeeded, settings: Settings) -> str:
        """Show the results of a search, and start the experiment at the recommended set.

        Args:
            outcome: The results.
            settings: Settings of the run.

        Returns:
            Sentences about the result.
        """
        search = SearchResults(outcome, settings)
        self.results.show_search(search)
        self.results.gallery.reload_images()
        if search.recommended is not None:
            self._start_experiment(search.recommended)
        self._may_include_edits = False
        return search.findings

    def show_staleness(self, *_: object) -> None:
        """Mark the results as outdated if a layer or a parameter has changed since the search.

        Once edits are undone, results at the selected set that may include them are computed
        again.
        """
        super().show_staleness()
        selected_set = self.results.variance_map.selected_set
        if self.watch.reason:
            run_keys = self.runs.side_run_keys
            is_running = _EXPERIMENT_RUN in run_keys or _GALLERY_RUN in run_keys
            self._may_include_edits = self._may_include_edits or is_running
        elif self._may_include_edits and selected_set is not None:
            self._start_experiment(selected_set)

    def clear_results(self) -> None:
        """Remove the results and their drawings; stop the runs at the selected set."""
        self.highlight.clear()
        self.runs.stop(_EXPERIMENT_RUN, _GALLERY_RUN)
        self.results.search = None
        self.results.experiment = None
        self._viewer = None
        self.results.gallery.image_box.set_options(())

    # The crowns at one set

    def _go_to_set(self, alpha: float, omega: float, gamma: float) -> None:
        """Start the experiment at a set that the user has selected; show its worst crown."""
        self._shows_worst = True
        self._start_experiment((alpha, omega, gamma))

    def _start_experiment(self, lengths: Lengths) -> None:
        """Start the experiment at a set of parameters in the background."""
        search = self.results.search
        if search is None:
            return
        self.runs.stop(_EXPERIMENT_RUN, _GALLERY_RUN)
        self._may_include_edits = bool(self.watch.reason)
        self.results.experiment = None
        self.highlight.clear()
        project = QgsProject.instance()
        input_layers = [project.mapLayer(layer_id) for layer_id in input_layer_ids(search.settings)]
        if None in input_layers:
            self.results.show_placeholder(
                tr("An input layer is no longer in the project. Search again.")
            )
            return
        self.results.show_placeholder(tr("Scoring the crowns…"))
        parameters = {
            **_experiment_parameters(search.settings, lengths),
            **temporary_destinations(VARIANCE_OUTPUTS),
        }
        self.runs.start(
            _VARIANCE_ALGORITHM,
            parameters,
            lambda outcome: self._show_experiment(outcome, lengths),
            key=_EXPERIMENT_RUN,
        )

    def _show_experiment(self, outcome: Outcome, lengths: Lengths) -> None:
        """Show the results at a set of parameters, or the error message.

        Args:
            outcome: Outcome of the run.
            lengths: The set of parameters.
        """
        if isinstance(outcome, Failed):
            self.results.show_placeholder(outcome.message)
        if not isinstance(outcome, Succeeded):
            return
        experiment = ExperimentResults(outcome, lengths)
        self._viewer = None
        try:
            self._viewer = self._create_viewer(experiment.layer(CROWNS), lengths)
        except RandCrownsError as error:
            self.messages.warning(error_message(error))
        self.results.show_experiment(experiment)
        if self._shows_worst and len(experiment.examples):
            self.results.examples_table.view.go_to_frame_row(0)
        self._shows_worst = False

    def _create_viewer(self, targets: QgsVectorLayer, lengths: Lengths) -> CrownViewer | None:
        """Return the viewer that draws crowns with a set of parameters; None without a search.

        Raises:
            RandCrownsError: if the targets or their extent cannot be read.
        """
        if self.results.search is None:
            return None
        settings = self.results.search.settings
        area = settings[EXTENT]
        parameters = RandCrownsParameters(*lengths, offsets=settings[CORNER_STYLE])
        return CrownViewer.for_run(targets, parameters, area.rectangle, vector_layer(area.layer))

    def _show_pair(self, pair: int) -> None:
        """Draw a pair with its regions on the map; -1 to draw nothing."""
        experiment = self.results.experiment
        if pair < 0 or experiment is None or self._viewer is None:
            self.highlight.clear()
            return
        features = experiment.find_features(pair)
        with self.messages.show_errors():
            view = self._viewer.create_view(
                experiment.layer(CROWNS),
                features.target,
                experiment.layer(DELINEATIONS),
                features.delineation,
                self.highlight.map_crs(),
            )
            if view is not None:
                self.highlight.show_view(view)

    def _show_excluded(self, row: int) -> None:
        """Draw an excluded crown and its best matches on the map, and describe them.

        Args:
            row: Row of the crown in the table; -1 to draw nothing.
        """
        experiment = self.results.experiment
        if row < 0 or experiment is None:
            self.highlight.clear()
            return
        excluded_layer = OutlineLayer(experiment.layer(EXCLUDED), "annotator", "crown_id")
        # Its matches are searched among the crowns of all annotators, excluded ones included.
        target_layer = OutlineLayer(experiment.layer(CROWNS), "target_annotator", "target_id")
        delineation_layer = OutlineLayer(
            experiment.layer(DELINEATIONS), "delineation_annotator", "delineation_id"
        )
        # The rows of the table are the features of the layer in their order.
        feature_ids = [feature.id() for feature in excluded_layer.layer.getFeatures()]
        with self.messages.show_errors():
            excluded_crown = create_excluded_view(
                excluded_layer,
                feature_ids[row],
                (excluded_layer, target_layer, delineation_layer),
                self.highlight.map_crs(),
            )
            if excluded_crown is not None:
                self.highlight.show_view(excluded_crown.view)
                self.results.show_excluded(row, excluded_crown.candidates)

    def _add_layers(self) -> None:
        """Add the outlines to the project; errors are shown in the message bar."""
        if self.results.experiment is None:
            return
        with self.messages.show_errors():
            add_layers(self.results.experiment, self.form.result_file_field.path())
            self.messages.success(tr("The layers are in the layer tree."))

    def shown_run(self) -> ShownRun | None:
        """Return the experiment at the displayed set; add its layers to the project if needed.

        Raises:
            InputError: if the layers cannot be written.
        """
        experiment = self.results.experiment
        if experiment is None:
            return None
        record = Provenance.from_json(experiment.outcome.outputs[PROVENANCE.id])
        if not _project_layers_of(record):
            add_layers(experiment, self.form.result_file_field.path())
        return ShownRun(record, _project_layers_of(record))

    def _use_set(self, alpha: float, omega: float, gamma: float) -> None:
        """Open page Score with a set of parameters, and the plots and the extent of the search."""
        if self.results.search is None:
            return
        search_settings = self.results.search.settings
        # Page Score guesses the plots and the extent if the search had none.
        set_parameters = [
            parameter
            for parameter in (PLOT_FIELD, EXTENT)
            if search_settings[parameter] != parameter.default
        ]
        kept_settings = search_settings.subset([CORNER_STYLE, *set_parameters])
        score_settings = kept_settings.with_values(_set_values((alpha, omega, gamma)))
        self.page_requested.emit("score", score_settings.to_stored())

    # The gallery

    def _create_gallery(self) -> None:
        """Start to create the gallery of the displayed set in the background."""
        path = str(Path(self._folder) / "gallery.png")
        parameters = self._gallery_parameters(path)
        if not parameters:
            return
        self._may_include_edits = self._may_include_edits or bool(self.watch.reason)
        self.results.gallery.show_busy()
        self.runs.start(
            _VARIANCE_ALGORITHM,
            parameters,
            lambda outcome: self._show_gallery(outcome, path),
            key=_GALLERY_RUN,
        )

    def _show_gallery(self, outcome: Outcome, path: str) -> None:
        """Show the gallery and the messages about it, or the error message.

        Args:
            outcome: Outcome of the run.
            path: Path of the image file.
        """
        if isinstance(outcome, Succeeded):
            self.results.gallery.show_picture(path)
            for sentence in message_texts(outcome.messages_of("gallery")):
                self.messages.warning(sentence)
        elif isinstance(outcome, Failed):
            self.results.gallery.clear(outcome.message)

    def _save_gallery(self, path: str) -> None:
        """Start to save the gallery of the displayed set, as PNG or SVG.

        Args:
            path: Path of the file; its extension determines the format.
        """
        parameters = self._gallery_parameters(path)
        if not parameters:
            self.messages.warning(
                tr("There is no gallery to save yet. Select a set of parameters first.")
            )
            return
        self.runs.start(
            _VARIANCE_ALGORITHM,
            parameters,
            lambda outcome: self._report_saved(outcome, path),
            key=f"file {path}",
        )

    def _report_saved(self, outcome: Outcome, path: str) -> None:
        """Show a message that the gallery was saved, if it was."""
        if isinstance(outcome, Succeeded):
            self.messages.success(tr("Gallery saved as {file}.", file=path))

    def _gallery_parameters(self, path: str) -> dict[str, Any]:
        """Return the Processing parameters that create the gallery of the displayed set.

        Args:
            path: Path of the image file.

        Returns:
            The parameters; {} if no set is displayed.
        """
        experiment = self.results.experiment
        search = self.results.search
        gallery = self.results.gallery
        if experiment is None or search is None:
            return {}
        settings = search.settings.with_values(
            {EXAMPLES: gallery.count_box.value(), IMAGE: gallery.image_id()}
        )
        return {**_experiment_parameters(settings, experiment.lengths), GALLERY_FILE.id: path}


def _project_layers_of(record: Provenance) -> Mapping[str, str]:
    """Return the layers of a run in the project: id of an output -> id of its layer."""
    for run in read_runs(QgsProject.instance()):
        if run.record.id == record.id:
            return run.layers
    return {}


def _set_values(lengths: Lengths) -> dict[Parameter[Any], Any]:
    """Return the values of the parameters that specify one set."""
    return {PRESET: OWN, **dict(zip(LENGTHS, lengths))}


def _experiment_parameters(settings: Settings, lengths: Lengths) -> dict[str, Any]:
    """Return the Processing parameters of the experiment at one set of parameters.

    Args:
        settings: Settings of the search.
        lengths: The set of parameters.
    """
    return settings.with_values(_set_values(lengths)).to_parameters(VARIANCE_PARAMETERS)
