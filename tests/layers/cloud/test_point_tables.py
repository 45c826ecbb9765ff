"""PLY, text, NPY, NPZ and folders of point clouds, written with the libraries made for them."""

from __future__ import annotations

import tracemalloc
import zipfile

import laspy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransformContext
from support.clouds import WKT, labelled_cloud, write_cloud
from support.errors import assert_message, raises

from randcrowns.core.errors import MissingLibraryError
from randcrowns.core.instances import point_tables
from randcrowns.layers import libraries
from randcrowns.layers.cloud.header import find_cloud_file, read_header
from randcrowns.layers.cloud.points import read_cloud

pytestmark = pytest.mark.usefixtures("qgis_app")
CONTEXT = QgsCoordinateTransformContext()


@pytest.fixture
def made():
    xyz, target, prediction = labelled_cloud()
    return np.round(xyz, 3), target, prediction


def read(path, target="tree", prediction="found"):
    crs = QgsCoordinateReferenceSystem("EPSG:32617")
    return read_cloud(find_cloud_file(str(path)), target, prediction, CONTEXT, crs=crs)


def assert_read(path, made, target="tree", prediction="found"):
    cloud = read(path, target, prediction)
    np.testing.assert_allclose(cloud.xyz, made[0], atol=1e-6)
    np.testing.assert_array_equal(cloud.target, made[1])
    np.testing.assert_array_equal(cloud.prediction, made[2])
    return cloud


def structured(made, names=("x", "y", "z", "tree", "found"), kinds=("f8", "f8", "f8", "i4", "i4")):
    xyz, target, prediction = made
    table = np.empty(len(xyz), dtype=list(zip(names, kinds)))
    for name, values in zip(names, (*xyz.T, target, prediction)):
        table[name] = values
    return table


def write_ply(path, table, **options):
    plyfile = pytest.importorskip("plyfile")
    plyfile.PlyData([plyfile.PlyElement.describe(table, "vertex")], **options).write(str(path))


@pytest.mark.parametrize(
    "options", [{"text": True}, {"byte_order": "<"}, {"byte_order": ">"}], ids=str
)
@pytest.mark.parametrize("names", [("x", "y", "z", "tree", "found")])
def test_ply(tmp_path, made, options, names):
    write_ply(tmp_path / "a.ply", structured(made, names), **options)
    assert_read(tmp_path / "a.ply", made)


def test_ply_of_cloudcompare(tmp_path, made):
    names = ("x", "y", "z", "scalar_tree", "scalar_found")
    write_ply(tmp_path / "a.ply", structured(made, names, ("f8", "f8", "f8", "f4", "f4")))
    assert_read(tmp_path / "a.ply", made)
    assert [attribute.name for attribute in read_header(tmp_path / "a.ply").attributes] == [
        "tree",
        "found",
    ]


def test_ply_without_the_library_names_the_command(tmp_path, made, monkeypatch):
    write_ply(tmp_path / "a.ply", structured(made))
    monkeypatch.setattr(libraries, "_usable", set())
    monkeypatch.setitem(__import__("sys").modules, "plyfile", None)
    with pytest.raises(MissingLibraryError) as caught:
        read_header(tmp_path / "a.ply")
    assert "plyfile" in str(caught.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
@pytest.mark.parametrize("ending", ["txt", "csv", "xyz"])
@pytest.mark.parametrize("start", ["", "//", "# ", "\ufeff"])
def test_text_with_a_heading(tmp_path, made, delimiter, ending, start):
    heading = start + delimiter.join(("X", "Y", "Z", "tree", "found"))
    rows = np.column_stack(made)
    path = tmp_path / f"a.{ending}"
    np.savetxt(
        path, rows, fmt="%.10g", delimiter=delimiter, header=heading, comments="", encoding="utf-8"
    )
    assert_read(path, made)


def test_text_of_cloudcompare_with_the_number_of_points(tmp_path, made):
    rows = "\n".join(",".join(f"{value:.10g}" for value in row) for row in np.column_stack(made))
    (tmp_path / "a.txt").write_text(f"//X,Y,Z,tree,found\n{len(made[0])}\n{rows}\n")
    assert_read(tmp_path / "a.txt", made)


def test_text_with_decimal_commas(tmp_path, made):
    rows = "\n".join(
        ";".join(f"{value:.6f}".replace(".", ",") for value in row) for row in np.column_stack(made)
    )
    (tmp_path / "a.csv").write_text(f"x;y;z;tree;found\n{rows}\n")
    assert_read(tmp_path / "a.csv", made)


def test_text_without_a_heading_is_refused(tmp_path, made):
    np.savetxt(tmp_path / "a.txt", np.column_stack(made))
    with raises("cloud.no_heading", file="a.txt"):
        read_header(tmp_path / "a.txt")


def test_text_without_z_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,tree\n1,2,3\n")
    with raises("cloud.no_coordinates", axis="z"):
        read_header(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("a.ply", b"ply\nformat ascii 1.0\nelement vertex 9\n"), ("a.npy", b"\x93NUMPY\x01")),
        *(("a.npz", b"PK\x03\x04"), ("a.csv", b"x,y,z\n1,2,oak\n")),
    ],
)
def test_damaged_files_are_told(tmp_path, name, content):
    if name.endswith("ply"):
        pytest.importorskip("plyfile")
    (tmp_path / name).write_bytes(content)
    with raises("cloud.unreadable", file=name):
        read_header(tmp_path / name)


def declare_rows(content: bytes, kind: str) -> bytes:
    """Return a file of 27 points whose header declares 2 to the power of 31 of them."""
    short, long = (b"element vertex 27", b"element vertex 2147483648")
    if kind != "ply":
        # The header of numpy has spaces at its end, so that its length can stay.
        short, long = b"(27,), }         ", b"(2147483648,), } "
    assert short in content
    return content.replace(short, long)


@pytest.mark.parametrize("kind", ["npy", "npz", "ply"])
def test_files_that_declare_more_rows_than_they_have_take_no_memory(tmp_path, made, kind):
    table = structured(made)[:27]
    path = tmp_path / f"a.{kind}"
    if kind == "ply":
        write_ply(path, table, text=True)
    elif kind == "npy":
        np.save(path, table)
    else:
        np.savez(path, table)
    assert len(read(path).xyz) == 27
    if kind == "npz":
        with zipfile.ZipFile(path) as archive:
            (array,) = (archive.read(name) for name in archive.namelist())
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("arr_0.npy", declare_rows(array, kind))
    else:
        path.write_bytes(declare_rows(path.read_bytes(), kind))
    tracemalloc.start()
    with raises("cloud.unreadable", file=path.name):
        read_header(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_coordinates_of_several_numbers_per_point_are_refused(tmp_path):
    kinds = [("x", "f8"), ("y", "f8"), ("z", "f8", 8), ("tree", "i4")]
    np.save(tmp_path / "a.npy", np.zeros(5, dtype=kinds))
    with raises("cloud.unreadable", file="a.npy"):
        read_header(tmp_path / "a.npy")


def test_pickled_objects_are_not_loaded(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{"x": 1}], dtype=object), allow_pickle=True)
    with raises("cloud.unreadable"):
        read_header(tmp_path / "a.npy")


def test_npy_with_fields_and_without(tmp_path, made):
    np.save(tmp_path / "a.npy", structured(made))
    assert_read(tmp_path / "a.npy", made)
    np.save(tmp_path / "b.npy", np.column_stack(made))
    assert_read(tmp_path / "b.npy", made, "column_4", "column_5")


@pytest.mark.parametrize("coordinates", ["points", "xyz", "coords"])
def test_npz_as_treelearn_writes(tmp_path, made, coordinates):
    xyz, target, prediction = made
    np.savez(tmp_path / "a.npz", **{coordinates: xyz, "tree": target, "found": prediction[:, None]})
    assert_read(tmp_path / "a.npz", made)
    np.savez(
        tmp_path / "b.npz",
        **dict(zip("xyz", xyz.T)),
        tree=target.astype(float),
        found=prediction,
        extent=np.zeros(4),
    )
    assert_read(tmp_path / "b.npz", made)


@settings(max_examples=20, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            *(st.floats(4e5, 6e5, allow_nan=False),) * 3,
            st.integers(-1, 2**31),
            st.integers(-1, 9),
        ),
        min_size=1,
        max_size=20,
    ),
    kind=st.sampled_from(["npy", "npz", "csv", "ply"]),
)
def test_every_format_gives_the_same_points(tmp_path_factory, rows, kind):
    table = np.array(rows)
    xyz, target, prediction = table[:, :3], table[:, 3].astype(int), table[:, 4].astype(int)
    path = tmp_path_factory.mktemp("same") / f"a.{kind}"
    fields = structured(
        (xyz, target, prediction), kinds=("f8", "f8", "f8", "f8" if kind == "ply" else "i8", "i4")
    )
    if kind == "npy":
        np.save(path, fields)
    elif kind == "npz":
        np.savez(path, **{name: fields[name] for name in fields.dtype.names})
    elif kind == "ply":
        write_ply(path, fields)
    else:
        lines = "\n".join(",".join(map(repr, row)) for row in fields.tolist())
        path.write_text(f"x,y,z,tree,found\n{lines}\n")
    assert_read(path, (xyz, target, prediction))


@pytest.mark.parametrize("kind", ["las", "laz", "ply", "csv", "npy"])
def test_a_folder_with_one_file_per_tree(tmp_path, made, kind):
    xyz, target, prediction = made
    for tree in (-1, 0, 1, 2):
        name = "ground" if tree < 0 else f"plot3_tree_{tree + 9}"
        part = target == tree
        path = tmp_path / f"{name}.{kind}"
        fields = structured((xyz[part], target[part], prediction[part]))
        if kind in ("las", "laz"):
            attributes = {"tree": target[part], "found": prediction[part]}
            write_cloud(path, xyz[part], attributes, corner=(0.0, 0.0, 0.0))
        elif kind == "ply":
            write_ply(path, fields)
        elif kind == "npy":
            np.save(path, fields)
        else:
            header = ",".join(fields.dtype.names)
            np.savetxt(path, np.column_stack([fields[n] for n in fields.dtype.names]), "%.9g", ",",
                       header=header, comments="")  # fmt: skip
    (tmp_path / "readme.md").write_text("no points")
    cloud = read(tmp_path, point_tables.TREE_OF_FILE, "found")
    order = np.concatenate([np.flatnonzero(target == tree) for tree in (-1, 0, 1, 2)])
    expected = np.where(target < 0, -1, target + 9)[order]
    np.testing.assert_array_equal(cloud.target, expected)
    np.testing.assert_array_equal(cloud.prediction, prediction[order])
    message = next(message for message in cloud.messages if message.key == "cloud.folder")
    assert_message(message, "cloud.folder", files=3, without=1)


def test_a_folder_without_points_is_refused(tmp_path):
    with raises("cloud.empty_folder"):
        find_cloud_file(str(tmp_path))


def test_files_of_a_folder_in_two_systems_are_refused(tmp_path, made):
    xyz, target, _ = made
    write_cloud(tmp_path / "1.las", xyz, {"tree": target})
    write_cloud(tmp_path / "2.las", xyz, {"tree": target}, wkt=WKT.replace("32617", "32618"))
    header = laspy.open(str(tmp_path / "2.las")).header
    assert header.point_count == 200
    with raises("cloud.several_systems"):
        read_header(tmp_path)


def test_a_heading_of_thousands_of_equal_names_is_read_in_linear_time(tmp_path):
    # Searching for a free number from the start for each name takes hours.
    n_names = 3_000
    path = tmp_path / "cloud.txt"
    path.write_text("x y z tree found" + " a" * n_names + "\n1 2 3 4 5" + " 0" * n_names + "\n")
    cloud = read(path, "tree", f"a_{n_names}")
    assert cloud.xyz.tolist() == [[1, 2, 3]]
    assert (cloud.target.tolist(), cloud.prediction.tolist()) == ([4], [0])


def test_a_heading_of_too_many_names_is_refused(tmp_path):
    (tmp_path / "cloud.txt").write_text("x y z" + " a" * 9_998 + "\n1 2 3\n")
    with raises("cloud.too_many_columns", count=10_001, limit=10_000):
        read(tmp_path / "cloud.txt")
