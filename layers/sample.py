"""Simulated sample plot: a copy of its files in the QGIS profile, and layers of a project."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsFillSymbol,
    QgsLayerTreeGroup,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsSimpleFillSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)

from randcrowns.core.errors import InputError
from randcrowns.core.sample import (
    DELINEATIONS,
    SAMPLE_CRS,
    SAMPLE_SEED,
    TRUE_CROWNS,
    SampleFiles,
    sample_files,
)
from randcrowns.layers.localization import tr

#: Outline colours that are distinct with any colour vision, also on green (Okabe and Ito).
_COLOURS = {
    "annotator_1": "#e69f00",
    "annotator_2": "#56b4e9",
    "annotator_3": "#cc79a7",
    "annotator_4": "#f0e442",
    "field_polygons": "#0072b2",
    "detector": "#d55e00",
    "detector_2": "#009e73",
    "detector_3": "#999999",
}
#: Dotted second outline of the true crowns.
_DOTS = {"outline_color": "#ffffff", "outline_style": "dot", "outline_width": "0.7"}
#: Version of the plot's files. It changes with the plot's layers, so that files of an older version
#: are not used.
_EDITION = 4
#: Number of bands of the image.
_BANDS = 3
#: Layers that are visible when the plot is loaded, besides the image.
_VISIBLE_LAYERS = {TRUE_CROWNS, "annotator_1", "annotator_2", "annotator_3", "annotator_4"}
#: Custom property of every layer of a sample plot, with the plot's folder as value.
SAMPLE_PROPERTY = "randcrowns/sample"
#: Name endings of the files in which SQLite keeps changes that are not in the database yet.
_JOURNAL_ENDINGS = ("-wal", "-journal", "-shm")


def sample_folder() -> Path:
    """Return the folder of the sample plot within the current QGIS profile."""
    profile = Path(QgsApplication.qgisSettingsDirPath())
    return profile / "randcrowns" / f"sample_{_EDITION}_seed_{SAMPLE_SEED}"


def copy_plot(folder: str | Path) -> SampleFiles:
    """Copy the files of the sample plot, so that they can be changed.

    Args:
        folder: folder of the copy; it is created, and existing files are replaced.

    Returns:
        The paths of the copied files.

    Raises:
        InputError: if a file is missing, or cannot be written.
    """
    _copy_files(sample_files(), Path(folder))
    return sample_files(folder)


def _copy_files(files: Iterable[Path], folder: Path) -> None:
    """Copy files of the sample plot into a folder, all of them or none.

    Args:
        files: files that are installed with the plugin.
        folder: folder of the copies; it is created, and existing files are replaced.

    Raises:
        InputError: if a file is missing, or cannot be written.
    """
    for file in files:
        if not file.is_file():
            raise InputError(
                "sample.incomplete",
                "The plugin lacks its file {file}. Install the plugin again.",
                file=file,
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            # The permissions are not copied: an installed file may be protected.
            copies = [Path(shutil.copyfile(file, Path(temporary) / file.name)) for file in files]
            for copy in copies:
                target = folder / copy.name
                copy.replace(target)
                # SQLite would add the changes of the replaced database to the new one.
                for ending in _JOURNAL_ENDINGS:
                    Path(f"{target}{ending}").unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            "sample.not_written",
            "The sample plot cannot be written to {folder}: {error}. Choose another folder.",
            folder=folder,
            error=error,
        ) from error


def load_plot(project: QgsProject, folder: str | Path | None = None) -> QgsLayerTreeGroup:
    """Add the sample plot to a project, as a group at the top of the layer tree.

    A plot that is already in the project stays as it is. The CRS of an empty project is set.

    Args:
        project: the project.
        folder: folder of the plot's files, which are copied there if they are missing or broken;
            by default :func:`sample_folder`.

    Returns:
        The group with the plot's layers.

    Raises:
        InputError: if the files cannot be written or read.
    """
    folder = sample_folder() if folder is None else Path(folder)
    existing_group = _find_group(project, folder)
    if existing_group is not None:
        return existing_group

    files = sample_files(folder)
    layers = _open_layers(files)
    if any(_is_broken(layer) for layer in layers):
        layers.clear()  # Windows cannot replace files that are open
        layers = _open_layers(copy_plot(folder))
    elif not files.cloud.is_file():
        _copy_files([sample_files().cloud], folder)
    for layer in layers:
        if _is_broken(layer):
            raise InputError(
                "sample.unreadable",
                "The layer {layer} of the sample plot in {folder} cannot be read: it is empty or "
                "lacks its coordinate system, although it was just written. Is the disk full, or "
                "QGIS's installation damaged?",
                layer=layer.name(),
                folder=folder,
            )
        _describe(layer, folder)

    if not project.mapLayers():
        project.setCrs(layers[-1].crs())
    return _add_plot_group(project, layers)


def _add_plot_group(project: QgsProject, layers: Sequence[QgsMapLayer]) -> QgsLayerTreeGroup:
    """Add the layers of the sample plot to a project, as a group at the top of the layer tree.

    Args:
        project: the project.
        layers: the layers, the image last.
    """
    image = layers[-1]
    group = project.layerTreeRoot().insertGroup(
        0, tr("Sample plot (simulated, seed {seed})", seed=SAMPLE_SEED)
    )
    project.addMapLayers(layers, False)
    for layer in layers:
        node = group.addLayer(layer)
        node.setExpanded(False)
        node.setItemVisibilityChecked(layer.name() in _VISIBLE_LAYERS or layer is image)
    return group


def _open_layers(files: SampleFiles) -> list[QgsMapLayer]:
    """Return the layers of a plot's files with their symbols, the image last."""
    layers: list[QgsMapLayer] = []
    for name in (TRUE_CROWNS, *DELINEATIONS):
        layer = QgsVectorLayer(f"{files.crowns}|layername={name}", name, "ogr")
        _set_symbols(layer)
        layers.append(layer)
    layers.append(QgsRasterLayer(str(files.image), "image"))
    return layers


def _is_broken(layer: QgsMapLayer) -> bool:
    """Return True if a layer of the plot is unreadable, incomplete or in another CRS."""
    if not layer.isValid() or layer.crs() != QgsCoordinateReferenceSystem(SAMPLE_CRS):
        return True
    if isinstance(layer, QgsVectorLayer):
        n_crowns = sum(1 for feature in layer.getFeatures() if not feature.geometry().isEmpty())
        return n_crowns == 0 or n_crowns != layer.featureCount()
    # Reading a few pixels of the first band shows whether the file is complete.
    block = layer.dataProvider().block(1, layer.extent(), 8, 8)
    return layer.bandCount() != _BANDS or not block.isValid()


def _set_symbols(layer: QgsVectorLayer) -> None:
    """Set the outlines of a layer: a colour per annotator, white dots on dark for true crowns."""
    style = {"style": "no", "outline_width_unit": "MM", "outline_width": "0.5"}
    symbol = QgsFillSymbol.createSimple(
        {**style, "outline_color": _COLOURS.get(layer.name(), "#333333")}
    )
    if layer.name() == TRUE_CROWNS:
        symbol.appendSymbolLayer(QgsSimpleFillSymbolLayer.create({**style, **_DOTS}))
    if layer.isValid():
        layer.setRenderer(QgsSingleSymbolRenderer(symbol))


def _describe(layer: QgsMapLayer, folder: Path) -> None:
    """Set the metadata of a layer, and mark it as a layer of the sample plot in a folder."""
    metadata = layer.metadata()
    metadata.setTitle(tr("{layer} (simulated, seed {seed})", layer=layer.name(), seed=SAMPLE_SEED))
    metadata.setAbstract(
        tr("Simulated by RandCrowns from seed {seed}: no tree here is real.", seed=SAMPLE_SEED)
    )
    layer.setMetadata(metadata)
    layer.setCustomProperty(SAMPLE_PROPERTY, str(folder))


def _find_group(project: QgsProject, folder: Path) -> QgsLayerTreeGroup | None:
    """Return the group of the sample plot in a folder, or None if the project lacks the plot."""
    for layer in project.mapLayers().values():
        if layer.customProperty(SAMPLE_PROPERTY) == str(folder):
            node = project.layerTreeRoot().findLayer(layer.id())
            if node is not None and isinstance(node.parent(), QgsLayerTreeGroup):
                return node.parent()
    return None


def sample_clouds(project: QgsProject) -> list[Path]:
    """Return the existing point cloud files of the sample plots in a project, sorted."""
    marks = [layer.customProperty(SAMPLE_PROPERTY) for layer in project.mapLayers().values()]
    folders = sorted({str(mark) for mark in marks if mark})
    files = [sample_files(folder).cloud for folder in folders]
    return [file for file in files if _is_file(file)]


def _is_file(path: Path) -> bool:
    """Return True if a path is a file; False for an invalid name, which projects may contain."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
