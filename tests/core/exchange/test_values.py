"""Numbers and addresses that Python refuses give a message, or stand for their name."""

from __future__ import annotations

from pathlib import Path

from support.errors import raises

from randcrowns.core.exchange import read_label_studio, read_labelme, read_yolo


def test_whole_numbers_of_thousands_of_digits_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"shapes": [' + 5000 * "1" + "]}")
    with raises("json.long_number", path="a.json"):
        read_labelme(tmp_path / "a.json")
    (tmp_path / "a.txt").write_text(400 * "9" + " 0.5 0.5 0.1 0.1")
    with raises("yolo.not_yolo", path="a.txt", row=1):
        read_yolo(tmp_path / "a.txt")


def test_an_address_that_is_not_valid_is_reduced_to_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"data": {"image": "http://[b/plot.png"}, "annotations": []}]')
    assert [image.name for image in read_label_studio(path).images] == ["plot.png"]
