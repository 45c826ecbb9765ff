"""Files in which single numbers are damaged: told at once, whatever the numbers say."""

from __future__ import annotations

import struct
from contextlib import suppress

import numpy as np
import pytest
from qgis.core import QgsCoordinateTransformContext
from support.clouds import labelled_cloud, write_cloud
from support.errors import assert_message, raises
from support.steps import at_most

from randcrowns.core.errors import InputError
from randcrowns.layers.cloud.header import find_cloud_file, read_header
from randcrowns.layers.cloud.points import read_cloud

#: A whole file takes so many; what a damaged one says of itself is millions.
CALLS = 20_000

pytestmark = pytest.mark.usefixtures("qgis_app")


@pytest.fixture(params=["las", "laz"])
def cloud(request, tmp_path):
    xyz, target, prediction = labelled_cloud()
    return write_cloud(
        tmp_path / f"plot.{request.param}", xyz, {"tree": target, "found": prediction}
    )


def points_at(path):
    return struct.unpack_from("<I", path.read_bytes(), 96)[0]


def damage(path, place, form, *values):
    data = bytearray(path.read_bytes())
    struct.pack_into(form, data, place, *values)
    path.write_bytes(bytes(data))


def told_at_once(path, key, **values):
    with at_most(CALLS), raises("cloud.unreadable", file=path.name) as caught:
        read_cloud(path, "tree", "found", QgsCoordinateTransformContext())
    assert_message(caught.value.values["why"], key, **values)


def test_a_whole_file_passes(cloud):
    told = []
    assert (
        len(
            read_cloud(
                cloud, "tree", "found", QgsCoordinateTransformContext(), progress=told.append
            ).xyz
        )
        == 200
    )
    assert told == sorted(told)
    assert (told[0] > 0, told[-1]) == (True, 1)


@pytest.mark.parametrize("number", [100, 2_000_000, 2**32 - 1])
def test_more_header_records_than_have_room(cloud, number):
    damage(cloud, 100, "<I", number)
    with at_most(CALLS), raises("cloud.unreadable") as caught:
        read_header(cloud)
    assert_message(caught.value.values["why"], "cloud.too_many_records", number=number)


def test_more_extended_records_than_have_room(cloud):
    damage(cloud, 235, "<QI", points_at(cloud), 2**31)
    told_at_once(cloud, "cloud.too_many_extended_records", number=2**31)


def test_a_header_that_is_cut_off(cloud):
    cloud.write_bytes(cloud.read_bytes()[:150])
    told_at_once(cloud, "cloud.no_header")


@pytest.mark.parametrize("cloud", ["las"], indirect=True)
def test_points_that_are_cut_off(cloud):
    cloud.write_bytes(cloud.read_bytes()[:-1])
    with raises("cloud.ends_early", found=199, expected=200):
        read_header(cloud)


def test_as_many_chunks_as_the_points_need_pass(tmp_path):
    n = 100_001  # of 50,000 points each
    labels = {"tree": np.zeros(n, int), "found": np.zeros(n, int)}
    assert read_header(write_cloud(tmp_path / "long.laz", np.zeros((n, 3)), labels)).n_points == n


@pytest.mark.parametrize("cloud", ["laz"], indirect=True)
class TestCompressed:
    @pytest.mark.parametrize("number", [3, 2**32 - 1])
    def test_more_chunks_than_have_room(self, cloud, number):
        table = struct.unpack_from("<q", cloud.read_bytes(), points_at(cloud))[0]
        damage(cloud, table + 4, "<I", number)
        told_at_once(cloud, "cloud.too_many_chunks", number=number)

    def test_the_table_of_chunks_is_elsewhere(self, cloud):
        damage(cloud, points_at(cloud), "<q", 2**60)
        told_at_once(cloud, "cloud.no_chunk_table")

    @pytest.mark.parametrize("number", [2**22 + 1, 2**31])
    def test_a_huge_chunk(self, cloud, number):
        damage(cloud, cloud.read_bytes().find(b"laszip encoded") + 52 + 12, "<I", number)
        told_at_once(cloud, "cloud.chunks_too_large", number=number)

    def test_the_largest_chunk_and_more_items_than_have_room_pass(self, cloud):
        record = cloud.read_bytes().find(b"laszip encoded") + 52
        damage(cloud, record + 12, "<I", 2**22)
        damage(cloud, record + 32, "<H", 500)
        assert read_header(cloud).n_points == 200

    def test_a_part_of_a_chunk_that_would_take_all_memory(self, cloud):
        first_part = points_at(cloud) + 8 + 30 + 8 + 4
        damage(cloud, first_part, "<I", 2**32 - 1)
        told_at_once(cloud, "cloud.wrong_chunk_size", number=1, all=1)

    def test_more_layers_of_a_chunk_than_have_room(self, cloud):
        """A size of extra bytes beyond the file made lazrs take 1 GB for their layers."""
        items = cloud.read_bytes().find(b"laszip encoded") + 52 + 34
        n_items = struct.unpack_from("<H", cloud.read_bytes(), items - 2)[0]
        assert struct.unpack_from("<H", cloud.read_bytes(), items + 6 * (n_items - 1))[0] == 14
        damage(cloud, items + 6 * (n_items - 1) + 2, "<H", 52_488)
        told_at_once(cloud, "cloud.wrong_chunk_size", number=1, all=1)

    def test_what_lazrs_gives_up_on(self, cloud):
        item_sizes = cloud.read_bytes().find(b"laszip encoded") + 52 + 34
        damage(cloud, item_sizes, "<HHHHHH", 14, 0, 3, 14, 0, 3)
        with at_most(CALLS), raises("cloud.unreadable", file=cloud.name):
            read_cloud(cloud, "tree", "found", QgsCoordinateTransformContext())


def test_text_of_a_system_with_damage_in_its_middle(cloud):
    damage(cloud, cloud.read_bytes().find(b"PROJCS") + 40, "<B", 0)
    with raises("cloud.no_crs"):
        read_cloud(cloud, "tree", "found", QgsCoordinateTransformContext())


@pytest.mark.parametrize("seed", range(6))
def test_files_with_random_damage_are_read_or_told(cloud, seed):
    whole = cloud.read_bytes()
    rng = np.random.default_rng(seed)
    for _ in range(40):
        data = bytearray(whole)
        for place in rng.integers(4, [375, 2600, len(whole)]):
            data[place : place + rng.integers(1, 8)] = bytes(
                rng.integers(0, 256, 1, dtype=np.uint8)
            ) * int(rng.integers(1, 8))
        cloud.write_bytes(bytes(data[: len(whole)]))
        with at_most(CALLS), suppress(InputError):
            read_cloud(cloud, "tree", "found", QgsCoordinateTransformContext())


@pytest.mark.parametrize("name", ["a" * 300 + ".las", "nothing\0.laz"])
def test_names_that_no_file_can_have(name):
    with raises("cloud.no_file"):
        find_cloud_file(name)
