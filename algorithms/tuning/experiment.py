"""Steps that variance and tuning have in common: checks, reading, tables and conclusions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from qgis.core import QgsCoordinateReferenceSystem

from randcrowns.algorithms.common_parameters import (
    ANNOTATORS,
    check_annotators,
    find_unused_plot_field,
    take_named_snapshots,
)
from randcrowns.algorithms.crown_algorithm import CrownAlgorithm
from randcrowns.algorithms.output_types import Output
from randcrowns.algorithms.parameter_types import RunParameters, RunSettings
from randcrowns.algorithms.tuning.schema import parameters
from randcrowns.algorithms.tuning.schema.outputs import (
    CROWNS,
    DELINEATIONS,
    DRAWN,
    EXCLUDED,
    GALLERY,
    VARIANCE,
)
from randcrowns.core.arrays import Objects
from randcrowns.core.crowns import Crowns
from randcrowns.core.messages import Message
from randcrowns.core.progress import Progress
from randcrowns.core.scoring.parameters import PRESETS, RandCrownsParameters
from randcrowns.core.status import ALL_PLOTS
from randcrowns.core.tuning.checks import check_annotator_count, check_crowns_to_copy
from randcrowns.core.tuning.conclusion import origin_message, simulation_message
from randcrowns.core.tuning.experiment import count_crowns
from randcrowns.core.tuning.variance import (
    AnnotatorVariance,
    numbered_pairs,
    numbered_targets,
    pair_delineations,
    select_pairs,
)
from randcrowns.core.tuning.wrong_pairs import simulate_annotators
from randcrowns.layers.raster.grid import RasterSnapshot
from randcrowns.layers.vector.geometry import to_map_geometries
from randcrowns.layers.vector.read import LayerRequest, LayerSnapshot
from randcrowns.layers.vector.study_site import StudySite, read_study_site
from randcrowns.layers.vector.tables import FeatureTable


@dataclass(frozen=True)
class ExperimentSettings(RunSettings):
    """Settings of a run, read on the main thread."""

    #: Layers of the annotators by their displayed names.
    annotators: dict[str, LayerSnapshot]
    #: Parameters of the score; ignored by a grid search.
    lengths: RandCrownsParameters = PRESETS["image_boxes"]
    #: Image behind the gallery; None without one, or if no gallery is requested.
    image: RasterSnapshot | None = None
    #: Name of a plot field that the layers share although it is not selected; empty for none.
    unused_plots: str = ""


@dataclass(frozen=True)
class ExperimentInputs:
    """Crowns of all layers in one coordinate reference system in metres."""

    targets: Crowns | None  #: targets drawn in the field, or None.
    annotators: list[Crowns]  #: crowns of each annotator, warped copies included.
    site: StudySite  #: study site that the crowns were read from.
    crs: QgsCoordinateReferenceSystem  #: coordinate reference system of the first layer.
    messages: list[Message]  #: messages on the layers.
    #: Message that introduces the conclusion if warped copies were used; else empty.
    origin_messages: tuple[Message, ...] = ()

    @property
    def layers(self) -> list[Crowns]:
        """Crowns of all layers; targets drawn in the field come first."""
        targets = [] if self.targets is None else [self.targets]
        return [*targets, *self.annotators]


class ExperimentAlgorithm(CrownAlgorithm):
    """Base class of algorithms that compare annotators.

    Each annotator in turn is the target; or the targets were drawn in the field.
    """

    #: Number of annotators that are required without field targets; one less with them.
    minimum_annotators = 3
    title_layers = (parameters.FIELD_TARGETS, ANNOTATORS)

    def validate_early(self, run_parameters: RunParameters) -> None:
        """Raise InputError if no annotator is selected."""
        if ANNOTATORS not in run_parameters:
            check_annotator_count(0, has_field_targets=False, n_copies=0)

    def validate(self, run_parameters: RunParameters) -> None:
        """Raise InputError if the annotators are too few, repeated or selected in another role."""
        layers = run_parameters[ANNOTATORS]
        check_annotators(
            run_parameters, layers, *parameters.FIELD_TARGETS.ids, *parameters.EXTENT.ids_of_layers
        )
        check_annotator_count(
            len(layers),
            parameters.FIELD_TARGETS in run_parameters,
            run_parameters[parameters.WARPS],
            self.minimum_annotators,
        )

    def read_settings(self, run_parameters: RunParameters) -> ExperimentSettings:
        """Return the settings of a run with snapshots of all layers."""
        targets = run_parameters.layer(parameters.FIELD_TARGETS)
        layers = list(run_parameters[ANNOTATORS])
        reserved_names = [ALL_PLOTS]
        if targets is not None:
            reserved_names.append(targets.name())
            layers.insert(0, targets)
        annotators = take_named_snapshots(run_parameters[ANNOTATORS], reserved_names)
        unused = find_unused_plot_field(
            run_parameters, parameters.PLOT_FIELD, layers[0], layers[1:]
        )
        return ExperimentSettings.from_parameters(
            run_parameters, annotators=annotators, unused_plots=unused
        )

    def read_layers(self, settings: ExperimentSettings, progress: Progress) -> ExperimentInputs:
        """Read the crowns of all layers, and make warped copies of a single annotator.

        Args:
            settings: settings of the run.
            progress: called with the fraction done.

        Raises:
            InputError: if a layer cannot be read, or a single annotator has no crowns.
        """
        site = _read_experiment_site(settings, progress)
        annotators = [layer.crowns for layer in site.layers]
        # Targets of the field, if any, are the first layer.
        field_targets = None
        if settings[parameters.FIELD_TARGETS] is not None:
            field_targets = annotators.pop(0)
        inputs = ExperimentInputs(
            targets=field_targets,
            annotators=annotators,
            site=site,
            crs=site.layers[0].request.snapshot.crs,
            messages=site.messages,
        )
        if len(annotators) != 1:
            return inputs

        annotator = annotators[0]
        check_crowns_to_copy(annotator)
        n_copies = settings[parameters.WARPS]
        if not n_copies:
            return inputs
        warped_copies = simulate_annotators(
            annotator,
            n_copies,
            scale_sd=settings[parameters.WARP_SCALE],
            rotation_sd=settings[parameters.WARP_ROTATION],
            shift_sd=settings[parameters.WARP_TRANSLATION],
        )
        return replace(
            inputs,
            annotators=[annotator, *warped_copies],
            messages=[*site.messages, simulation_message(annotator.name, n_copies)],
            origin_messages=(origin_message(annotator.name, n_copies),),
        )


def _read_experiment_site(settings: ExperimentSettings, progress: Progress) -> StudySite:
    """Read the targets of the field, if any, and then the annotators.

    Messages about an unused plot field that the first layer shares with another are added to the
    messages of the site.

    Raises:
        InputError: if a layer cannot be read.
    """
    snapshots = dict(settings.annotators)
    targets = settings[parameters.FIELD_TARGETS]
    if targets is not None:
        # Names of annotators never equal the reserved name of the targets.
        snapshots = {targets.name: targets, **snapshots}
    requests = [
        LayerRequest(
            snapshot,
            name=name,
            group_field=settings[parameters.PLOT_FIELD],
            unused_plot_field=settings.unused_plots,
        )
        for name, snapshot in snapshots.items()
    ]
    site = read_study_site(
        requests, settings.transform_context, settings[parameters.EXTENT], progress=progress
    )

    first_layer, *other_layers = site.layers
    for layer in other_layers:
        message = first_layer.unused_plots_message(layer)
        if message is not None:
            site.site_messages.append(message)
    return site


def variance_tables(
    result: AnnotatorVariance, inputs: ExperimentInputs, n_examples: int
) -> dict[Output, FeatureTable]:
    """Return all tables and layers of randcrowns:annotatorvariance.

    Args:
        result: the variances.
        inputs: the crowns that they were computed from.
        n_examples: maximum number of examples of each kind.
    """
    experiment = result.experiment
    working_crs = inputs.site.working_crs

    def create_layer(output: Output, rows: pd.DataFrame, shapes: Objects) -> FeatureTable:
        """Return the table of an output with a shape (n,) in working coordinates per row."""
        return output.create_table(
            rows, to_map_geometries(shapes, working_crs, inputs.crs), inputs.crs
        )

    excluded_shapes = _select_excluded_shapes(experiment.excluded, inputs)
    delineations = pair_delineations(experiment)
    return {
        VARIANCE: VARIANCE.create_table(result.summary),
        GALLERY: GALLERY.create_table(gallery_pairs(result, n_examples)),
        DRAWN: DRAWN.create_table(count_crowns(inputs.layers, experiment)),
        CROWNS: create_layer(CROWNS, numbered_targets(result, n_examples), experiment.targets),
        DELINEATIONS: create_layer(DELINEATIONS, numbered_pairs(result), delineations),
        EXCLUDED: create_layer(EXCLUDED, experiment.excluded, excluded_shapes),
    }


def gallery_pairs(result: AnnotatorVariance, number: int) -> pd.DataFrame:
    """Return the rows of :func:`numbered_pairs` in the gallery, at most ``number`` of each kind."""
    return select_pairs(numbered_pairs(result), number)


def _select_excluded_shapes(excluded: pd.DataFrame, inputs: ExperimentInputs) -> Objects:
    """Return the polygon (n,) of each excluded crown (``annotator``, ``crown_id``)."""
    shape_of_crown = {
        (layer.name, crown_id): shape
        for layer in inputs.layers
        for crown_id, shape in zip(layer.ids.tolist(), layer.geometry)
    }
    crowns = zip(excluded["annotator"], excluded["crown_id"])
    return np.array([shape_of_crown[crown] for crown in crowns], dtype=object)
