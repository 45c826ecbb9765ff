"""Values that mean no tree, points to leave out, and unusual attributes of real LAS files.

The right answer of each file is counted by hand: three trees of 40 points, of which the first is
found whole (recall 1/3), the second is cut in half and the third is missed.
"""

from __future__ import annotations

import laspy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qgis.core import QgsCoordinateTransformContext
from support.clouds import (
    declare_no_data,
    labelled_cloud,
    rename_in_record,
    write_chunks_of_size_zero,
    write_cloud,
)
from support.errors import assert_message

from randcrowns.core.instances.no_tree_values import NoTreeValues
from randcrowns.layers.cloud.header import read_header
from randcrowns.layers.cloud.points import read_cloud

pytestmark = pytest.mark.usefixtures("qgis_app")
CONTEXT = QgsCoordinateTransformContext()
#: Format of the number for no data by kind of type.
FORMS = {"u": "<Q", "i": "<q", "f": "<d"}


def read_targets(path, **options):
    cloud = read_cloud(path, "tree", "found", CONTEXT, **options)
    return cloud.target.tolist(), cloud.messages


@pytest.mark.parametrize("ending", ["las", "laz"])
@pytest.mark.parametrize(
    ("kind", "number"),
    [
        *(("i1", -7), ("i2", 9999), ("i4", 2**31 - 1), ("i4", -(2**31)), ("i8", 77)),
        *(("u1", 255), ("u2", 9999), ("u4", 2**32 - 1), ("f4", -9999.0), ("f8", 1e300)),
    ],
)
def test_declared_no_data_is_no_tree(tmp_path, ending, kind, number):
    values = np.array([1, 1, 2, number, number], dtype=kind)
    path = write_cloud(
        tmp_path / f"a.{ending}", np.zeros((5, 3)), {"tree": values, "found": np.arange(5)}
    )
    declare_no_data(path, "tree", FORMS[np.dtype(kind).kind], number)
    targets, messages = read_targets(path)
    assert targets == [1, 1, 2, -1, -1]
    key = "cloud.no_number" if kind.startswith("f") else "cloud.no_data"
    assert [(message.key, message.values["count"]) for message in messages] == [(key, 2)]


def test_a_number_without_the_bit_is_a_tree(tmp_path):
    values = np.array([1, 7, 7], dtype="i4")
    path = write_cloud(tmp_path / "a.las", np.zeros((3, 3)), {"tree": values, "found": values})
    declare_no_data(path, "tree", "<q", 7)
    data = bytearray(path.read_bytes())
    data[data.find(b"tree".ljust(32, b"\0")) - 1] &= 0xFE
    path.write_bytes(bytes(data))
    assert read_targets(path)[0] == [1, 7, 7]


def test_zero_is_a_tree_where_an_unsigned_type_declares_another_number(tmp_path):
    values = np.array([0, 0, 1, 1, 65535], dtype="u2")
    path = write_cloud(tmp_path / "a.las", np.zeros((5, 3)), {"tree": values, "found": values})
    declare_no_data(path, "tree", "<Q", 65535)
    assert read_targets(path)[0] == [0, 0, 1, 1, -1]


@pytest.mark.parametrize("kind", ["i2", "i4", "i8"])
@pytest.mark.parametrize("side", ["max", "min"])
def test_the_largest_and_smallest_number_of_a_signed_type_are_no_tree(tmp_path, kind, side):
    extreme = getattr(np.iinfo(kind), side)
    values = np.array([1, 2, extreme], dtype=kind)
    path = write_cloud(tmp_path / "a.las", np.zeros((3, 3)), {"tree": values, "found": values})
    targets, messages = read_targets(path)
    assert targets == [1, 2, -1]
    assert_message(messages[0], "cloud.largest_number", count=1, number=extreme)


def test_the_largest_float_is_no_tree(tmp_path):
    values = np.array([1, 2, np.finfo("f4").max, -np.finfo("f4").max], dtype="f4")
    path = write_cloud(tmp_path / "a.las", np.zeros((4, 3)), {"tree": values, "found": values})
    assert read_targets(path)[0] == [1, 2, -1, -1]


def test_one_point_with_the_largest_number_does_not_make_the_ground_a_tree(tmp_path):
    values = np.array([0] * 50 + [1] * 10 + [2] * 10 + [65535], dtype="u2")
    path = write_cloud(tmp_path / "a.las", np.zeros((71, 3)), {"tree": values, "found": values})
    targets, messages = read_targets(path)
    assert targets == [-1] * 50 + [1] * 10 + [2] * 10 + [-1]
    assert [message.values["number"] for message in messages[:2]] == [65535, 0]


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_further_values_are_replaced_whatever_the_type(tmp_path_factory, data):
    kind = data.draw(st.sampled_from(["i2", "i4", "u2", "u4", "f4", "f8"]))
    labels = data.draw(st.lists(st.integers(1, 60), min_size=1, max_size=30))
    further = data.draw(st.lists(st.integers(1, 60), max_size=4))
    path = tmp_path_factory.mktemp("further") / "a.las"
    values = np.array(labels, dtype=kind)
    write_cloud(path, np.zeros((len(labels), 3)), {"tree": values, "found": values})
    no_tree = NoTreeValues((-1, *sorted(further)))
    targets, _ = read_targets(path, no_tree=(no_tree, NoTreeValues((-1,))))
    assert targets == [-1 if label in further else label for label in labels]


def test_scaled_ids_that_are_off_by_rounding_are_read(tmp_path):
    header = laspy.LasHeader(version="1.4", point_format=6)
    parameters = [
        laspy.ExtraBytesParams(name, "int32", scales=np.array([0.1]), offsets=np.array([0.7]))
        for name in ("tree", "found")
    ]
    header.add_extra_dims(parameters)
    cloud = laspy.LasData(header)
    cloud.x = np.zeros(1000)
    stored = np.arange(1000) * 10 - 7
    for name in ("tree", "found"):
        cloud.points.array[name] = stored
    cloud.write(str(tmp_path / "a.las"))
    assert (np.asarray(laspy.read(str(tmp_path / "a.las"))["tree"]) % 1 != 0).any()
    from qgis.core import QgsCoordinateReferenceSystem

    targets, _ = read_targets(tmp_path / "a.las", crs=QgsCoordinateReferenceSystem("EPSG:32617"))
    assert targets == list(range(1000))


@pytest.mark.parametrize("ending", ["las", "laz"])
def test_points_with_values_are_left_out(tmp_path, ending):
    xyz, target, prediction = labelled_cloud()
    classes = np.where(np.arange(200) % 4 == 0, 7, 5).astype("u1")
    withheld = (np.arange(200) % 5 == 0).astype("u1")
    attributes = {
        **{"tree": target, "found": prediction},
        **{"classification": classes, "withheld": withheld},
    }
    path = write_cloud(tmp_path / f"a.{ending}", xyz, attributes)
    cloud = read_cloud(
        path, "tree", "found", CONTEXT, left_out={"classification": [7.0], "withheld": [1.0]}
    )
    kept = (classes != 7) & (withheld == 0)
    np.testing.assert_array_equal(cloud.target, target[kept])
    np.testing.assert_array_equal(cloud.prediction, prediction[kept])
    assert len(cloud.xyz) == kept.sum()
    assert_message(cloud.messages[0], "cloud.left_out", count=int((~kept).sum()))


@pytest.mark.parametrize("ending", ["las", "laz"])
def test_attributes_with_one_name_are_told_apart(tmp_path, ending):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / f"a.{ending}", xyz, {"tree": target, "other": prediction})
    rename_in_record(path, "other", "tree")
    with pytest.raises(ValueError, match="occurs more than once"):
        laspy.read(str(path))
    head = read_header(path)
    assert [attribute.name for attribute in head.attributes if attribute.is_extra] == [
        "tree",
        "tree_2",
    ]
    cloud = read_cloud(path, "tree", "tree_2", CONTEXT)
    np.testing.assert_array_equal(cloud.target, target)
    np.testing.assert_array_equal(cloud.prediction, prediction)
    assert_message(cloud.messages[0], "cloud.same_name", name="tree", other="tree_2")


def test_an_extra_attribute_named_like_a_standard_one(tmp_path):
    xyz, target, prediction = labelled_cloud()
    path = write_cloud(tmp_path / "a.las", xyz, {"tree": target, "other": prediction})
    rename_in_record(path, "other", "classification")
    cloud = read_cloud(path, "tree", "classification_2", CONTEXT)
    np.testing.assert_array_equal(cloud.prediction, prediction)


def test_chunks_of_size_zero_are_of_variable_size(tmp_path):
    """LAStools writes 0 in COPC files; LASzip reads it as the number for variable sizes."""
    pytest.importorskip("lazrs")
    xyz, target, prediction = labelled_cloud()
    path = write_chunks_of_size_zero(tmp_path, xyz, {"tree": target, "found": prediction})
    cloud = read_cloud(path, "tree", "found", CONTEXT)
    np.testing.assert_array_equal(cloud.target, target)
    np.testing.assert_array_equal(cloud.prediction, prediction)


@pytest.mark.parametrize("ending", ["las", "laz"])
@pytest.mark.parametrize("point_format", [3, 6])
def test_withheld_points_are_counted_and_noted_until_they_are_left_out(
    tmp_path, ending, point_format
):
    attributes = {
        "tree": np.array([1, 1, 2, 2], np.int32),
        "found": np.zeros(4, np.int32),
        "withheld": np.array([0, 1, 0, 1], np.uint8),
    }
    path = write_cloud(
        tmp_path / f"a.{ending}", np.zeros((4, 3)), attributes, point_format=point_format
    )
    targets, messages = read_targets(path)
    assert targets == [1, 1, 2, 2]
    (message,) = messages
    assert_message(message, "cloud.withheld", file=path.name, count=2, share=0.5)
    targets, messages = read_targets(path, left_out={"withheld": [1.0]})
    assert targets == [1, 2]
    assert [message.key for message in messages] == ["cloud.left_out"]
    _, messages = read_targets(path, left_out={"withheld": [5.0]})
    assert messages == ()
