from __future__ import annotations

import subprocess
import sys

import laspy
import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext, QgsProject
from support.clouds import labelled_cloud, write_cloud
from support.errors import raises
from support.shown import shows

from randcrowns.core.errors import Cancelled
from randcrowns.core.sample import PREDICTION_ATTRIBUTE, TARGET_ATTRIBUTE
from randcrowns.layers.cloud.header import find_cloud_file, read_header
from randcrowns.layers.cloud.points import read_cloud
from randcrowns.layers.sample import load_plot, sample_clouds

pytestmark = pytest.mark.usefixtures("qgis_app")
CONTEXT = QgsCoordinateTransformContext()


@pytest.fixture
def cloud(tmp_path):
    xyz, target, prediction = labelled_cloud()
    return write_cloud(tmp_path / "plot.laz", xyz, {"tree": target, "found": prediction})


def test_the_header_tells_points_attributes_and_system(cloud):
    head = read_header(cloud)
    assert head.n_points == 200
    assert head.crs.authid() == "EPSG:32617"
    assert [attribute.name for attribute in head.attributes if attribute.is_extra] == [
        "tree",
        "found",
    ]
    assert all(attribute.is_integer for attribute in head.attributes if attribute.is_extra)


def test_the_system_can_be_told_by_keys(tmp_path):
    header = laspy.LasHeader(version="1.2", point_format=1)
    keys = laspy.vlrs.known.GeoKeyDirectoryVlr()
    keys.geo_keys = [
        laspy.vlrs.known.GeoKeyEntryStruct(key, 0, 1, value)
        for key, value in ((1024, 1), (3072, 32633))
    ]
    keys.geo_keys_header.number_of_keys = 2
    header.vlrs.append(keys)
    path = tmp_path / "keys.las"
    laspy.LasData(header).write(str(path))
    assert read_header(path).crs.authid() == "EPSG:32633"


@pytest.mark.parametrize(
    ("key", "value", "metres"),
    [
        *(
            (4099, 9001, 1.0),
            (4099, 9002, 0.3048),
            (4099, 9003, 1200 / 3937),
            (4096, 6360, 1200 / 3937),
        ),
        *(
            (4099, 9005, 0.3047972654),
            (4099, 9041, 0.3047994715),
        ),  # Clarke's foot, Sears's foot of 1922
    ],
)
def test_the_unit_of_heights_can_be_told_by_keys(tmp_path, key, value, metres):
    header = laspy.LasHeader(version="1.2", point_format=1)
    keys = laspy.vlrs.known.GeoKeyDirectoryVlr()
    keys.geo_keys = [
        laspy.vlrs.known.GeoKeyEntryStruct(number, 0, 1, found)
        for number, found in ((3072, 32617), (key, value))
    ]
    keys.geo_keys_header.number_of_keys = 2
    header.vlrs.append(keys)
    laspy.LasData(header).write(str(tmp_path / "keys.las"))
    assert read_header(tmp_path / "keys.las").z_unit == pytest.approx(metres, rel=1e-9)


def test_a_point_beyond_all_maps_is_told_by_its_number(tmp_path):
    xyz = [[0.0, 0.0, 0.0], [1000.0, 2000.0, 0.0], [3e11, 0.0, 0.0]]
    labels = {"tree": [0, 0, 0], "found": [0, 0, 0]}
    path = write_cloud(tmp_path / "far.las", xyz, labels, scale=1000.0, corner=(0.0, 0.0, 0.0))
    with raises("cloud.beyond_earth", file="far.las", number=3):
        read_cloud(path, "tree", "found", CONTEXT)


@pytest.mark.parametrize(("label", "told"), [(2**24 - 1, False), (2**24, True)])
def test_a_label_that_its_type_cannot_tell_from_the_next_is_told(tmp_path, label, told):
    labels = {"tree": np.array([0, label], dtype=np.float32), "found": np.array([0, 1])}
    read = read_cloud(
        write_cloud(tmp_path / "a.las", np.zeros((2, 3)), labels), "tree", "found", CONTEXT
    )
    assert read.target.tolist() == [0, label]
    warnings = [message for message in read.messages if message.key == "cloud.blurred"]
    values = [(message.values["name"], message.values["number"]) for message in warnings]
    assert values == ([("tree", 16777216)] if told else [])


def test_everything_is_read_as_it_was_written(cloud):
    xyz, target, prediction = labelled_cloud()
    read = read_cloud(cloud, "tree", "found", CONTEXT)
    np.testing.assert_allclose(read.xyz - [500000, 3000000, 0], xyz, atol=0.00051)
    np.testing.assert_array_equal(read.target, target)
    np.testing.assert_array_equal(read.prediction, prediction)
    assert read.target.dtype == np.int32
    assert read.messages == ()


def test_degrees_are_worked_on_in_metres_and_back(tmp_path):
    xyz = np.array([[0.0, 0.0, 1.0], [0.001, 0.0, 2.0], [0.0, 0.001, 3.0]])
    labels = {"tree": np.arange(3), "found": np.arange(3)}
    path = write_cloud(
        tmp_path / "degrees.las", xyz, labels, wkt="", scale=1e-7, corner=(-82.0, 29.0, 0.0)
    )
    read = read_cloud(path, "tree", "found", CONTEXT, crs=QgsCoordinateReferenceSystem("EPSG:4326"))
    assert read.working_crs.crs.authid() == "EPSG:32617"
    assert np.hypot(*(read.xyz[1] - read.xyz[0])[:2]) == pytest.approx(97, abs=2)
    np.testing.assert_allclose(read.to_file_crs(read.xyz[:, :2]), xyz[:, :2] + [-82, 29], atol=1e-6)
    assert shows(str(read.messages[0]), "input.degrees")


def test_cancel_is_heeded_between_chunks(tmp_path):
    n = 500_000
    path = write_cloud(
        tmp_path / "long.las",
        np.zeros((n, 3)),
        {"tree": np.zeros(n, int), "found": np.zeros(n, int)},
    )
    told = []

    def progress(fraction):
        told.append(fraction)
        raise Cancelled

    with pytest.raises(Cancelled):
        read_cloud(path, "tree", "found", CONTEXT, progress=progress)
    assert told == [pytest.approx(0.8 * 0.4)]  # two of five chunks, of the reading


def test_a_label_that_is_no_whole_number_is_refused_in_its_chunk(tmp_path):
    n, told = 500_000, []
    labels = {"tree": np.zeros(n), "found": np.zeros(n, int)}
    labels["tree"][250_000] = 0.5
    path = write_cloud(tmp_path / "long.las", np.zeros((n, 3)), labels)
    with raises("cloud.not_whole"):
        read_cloud(path, "tree", "found", CONTEXT, progress=told.append)
    assert told == [pytest.approx(0.8 * 0.4)]


def test_sources_of_layers_lead_to_their_file(cloud):
    assert find_cloud_file(str(cloud)) == cloud
    index = cloud.parent / "ept_plot"
    index.mkdir()
    (index / "ept.json").write_text("{}")
    assert find_cloud_file(str(index / "ept.json")) == cloud
    with raises("cloud.not_a_cloud"):
        find_cloud_file(str(cloud.parent / "other" / "ept.json"))


def test_the_sample_cloud_comes_with_the_sample_plot(tmp_path, qgis_new_project):
    project = QgsProject.instance()
    assert sample_clouds(project) == []
    load_plot(project, tmp_path)
    (path,) = sample_clouds(project)
    head = read_header(path)
    assert head.crs.authid() == "EPSG:32617"
    read = read_cloud(path, TARGET_ATTRIBUTE, PREDICTION_ATTRIBUTE, CONTEXT)
    assert read.target.max() == 48
    (west, south), (east, north) = read.xyz[:, :2].min(axis=0), read.xyz[:, :2].max(axis=0)
    image = next(
        layer for layer in project.mapLayers().values() if layer.name() == "image"
    ).extent()
    assert image.xMaximum() < west < east < image.xMaximum() + 60
    assert image.yMinimum() - 5 < south < north < image.yMaximum() + 5


def test_the_reader_imports_no_second_proj():
    program = (
        "import sys\n"
        "from randcrowns.layers.cloud.header import require_laspy\n"
        "print(require_laspy().__name__, 'pyproj' in sys.modules)\n"
        "import pyproj\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["laspy", "False"]
