"""The simulated sample plot: repeatable, plausible, and refusing what it cannot make."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from sample import SamplePlot, read_parameters, simulate_plot
from scipy import ndimage
from support.errors import raises

from randcrowns.core.sample import DELINEATIONS, SAMPLE_CRS, SAMPLE_SEED

#: As shipped, but quick to draw: the pixels are so large that there is next to no image.
BARE = read_parameters({"pixel": 4.0})
#: A quarter of the plot.
SMALL = read_parameters({"pixel": 0.5, "size": 20.0})
PEOPLE = ["annotator_1", "annotator_2", "annotator_3", "annotator_4"]


@pytest.fixture(scope="module")
def shipped() -> SamplePlot:
    return simulate_plot(SAMPLE_SEED)


@pytest.fixture(scope="module")
def plots(shipped: SamplePlot) -> list[SamplePlot]:
    return [shipped, *(simulate_plot(seed, BARE) for seed in (3, 11))]


def _bytes_of(plot: SamplePlot) -> list[bytes]:
    layers = [plot.crowns, *(drawing.geometry for drawing in plot.drawings.values())]
    return [shapely.to_wkb(geometry) for layer in layers for geometry in layer]


def test_same_seed_gives_the_same_bytes() -> None:
    one, other = simulate_plot(23, SMALL), simulate_plot(23, SMALL)
    assert _bytes_of(one) == _bytes_of(other)
    assert np.array_equal(one.image, other.image)
    assert np.array_equal(one.drawings["detector"].score, other.drawings["detector"].score)
    assert _bytes_of(one) != _bytes_of(simulate_plot(24, SMALL))


def test_the_shipped_plot_is_the_one_that_the_guides_show(shipped: SamplePlot) -> None:
    """Compare with the shipped numbers: a change of any tree, colour or habit changes one."""
    plot = shipped
    layers = {
        "crowns": plot.crowns,
        **{name: drawing.geometry for name, drawing in plot.drawings.items()},
    }
    assert {
        name: (len(some), round(shapely.area(some).sum(), 1)) for name, some in layers.items()
    } == {
        "crowns": (35, 1300.0),
        "annotator_1": (32, 1938.6),
        "annotator_2": (33, 2245.5),
        "annotator_3": (34, 1392.3),
        "annotator_4": (31, 1804.6),
        "field_polygons": (23, 1096.1),
        "detector": (37, 1698.5),
        "detector_2": (38, 2128.6),
        "detector_3": (33, 1179.3),
    }
    scores = [plot.drawings[name].score.sum() for name in ("detector", "detector_2", "detector_3")]
    assert scores == pytest.approx([25.12, 24.662, 18.82], abs=0.01)
    assert (plot.height.sum(), plot.conifer.sum()) == (pytest.approx(368.0), 9)
    assert plot.image.mean(axis=(0, 1)) == pytest.approx([118.315, 125.891, 94.930], abs=0.02)
    assert plot.image.std() == pytest.approx(36.926, abs=0.02)


def test_the_geometry_does_not_depend_on_the_pixel(shipped: SamplePlot) -> None:
    assert _bytes_of(shipped) == _bytes_of(simulate_plot(SAMPLE_SEED, BARE))


def test_a_labeler_draws_the_same_whoever_else_draws() -> None:
    def reordered(keep: int) -> SamplePlot:
        habits = [{"name": f"person_{n}", "noise": 0.3, "miss": 0.1} for n in range(keep)]
        return simulate_plot(4, read_parameters({"pixel": 4.0, "size": 20.0, "labelers": habits}))

    few, many = reordered(2), reordered(3)
    assert all(
        shapely.equals_exact(few.drawings[name].geometry, many.drawings[name].geometry).all()
        for name in few.drawings
    )


def test_the_name_says_that_it_is_simulated_and_from_which_seed() -> None:
    assert (
        simulate_plot(23, read_parameters({"size": 4.0, "pixel": 4.0})).name
        == "simulated plot, seed 23"
    )


def test_shipped_plot_is_40_metres_at_10_centimetres(shipped: SamplePlot) -> None:
    parameters = read_parameters()
    assert (parameters.size, parameters.pixel) == (40.0, 0.1)
    assert parameters.crs == SAMPLE_CRS == "EPSG:32617"
    assert tuple(labeler.name for labeler in parameters.labelers) == DELINEATIONS
    image = shipped.image
    assert image.shape == (400, 400, 3)
    assert image.dtype == np.uint8
    assert all(
        40 < image[..., band].mean() < 190 and image[..., band].std() > 20 for band in range(3)
    )


def test_crowns_are_as_many_and_as_large_as_in_the_paper(plots: list[SamplePlot]) -> None:
    numbers = [len(plot.crowns) for plot in plots]
    area = np.concatenate([shapely.area(plot.crowns) for plot in plots])
    assert min(numbers) >= 25
    assert max(numbers) <= 60
    assert len(plots[0].crowns) >= 30  # the plot people see
    assert 30 < area.mean() < 45
    assert 15 < area.std() < 32


def test_every_geometry_is_valid_and_inside_the_plot(plots: list[SamplePlot]) -> None:
    for plot in plots:
        west, north = plot.parameters.upper_left
        area = shapely.box(west, north - 40, west + 40, north)
        for layer in [plot.crowns, *(drawing.geometry for drawing in plot.drawings.values())]:
            assert shapely.is_valid(layer).all()
            assert (shapely.get_type_id(layer) == 3).all()
            assert shapely.covers(area, layer).all()
            coordinates = shapely.get_coordinates(layer)
            assert np.array_equal(coordinates, np.round(coordinates, 2))


def test_true_crowns_do_not_overlap_as_seen_from_above(plots: list[SamplePlot]) -> None:
    for plot in plots:
        assert shapely.area(plot.crowns).sum() == pytest.approx(
            shapely.area(shapely.union_all(plot.crowns)), abs=0.5
        )


def test_people_and_detector_draw_boxes_that_overlap_and_the_field_crew_outlines(
    plots: list[SamplePlot],
) -> None:
    for plot in plots:
        for name in [*PEOPLE, "detector"]:
            boxes = plot.drawings[name].geometry
            assert np.allclose(shapely.area(boxes), shapely.area(shapely.envelope(boxes)))
            assert shapely.area(boxes).sum() > 1.05 * shapely.area(shapely.union_all(boxes))
        outlines = plot.drawings["field_polygons"].geometry
        assert (
            shapely.area(outlines) < 0.95 * shapely.area(shapely.envelope(outlines))
        ).mean() > 0.9


def test_habits_show_in_the_drawings(plots: list[SamplePlot]) -> None:
    def mean_area(name: str) -> float:
        return float(
            np.mean(np.concatenate([shapely.area(plot.drawings[name].geometry) for plot in plots]))
        )

    assert mean_area("annotator_2") > mean_area("annotator_1") > mean_area("annotator_3")
    drawn = {
        name: sum(len(plot.drawings[name].geometry) for plot in plots) for name in plots[0].drawings
    }
    assert drawn["field_polygons"] < 0.85 * sum(len(plot.crowns) for plot in plots)


def _only(habits: dict[str, object]) -> tuple[SamplePlot, np.ndarray]:
    plot = simulate_plot(
        5, read_parameters({"pixel": 4.0, "size": 20.0, "labelers": [{"name": "one", **habits}]})
    )
    return plot, plot.drawings["one"].geometry


def test_a_faultless_labeler_draws_every_crowns_box() -> None:
    plot, drawn = _only({})
    assert {g.bounds for g in drawn} == {g.bounds for g in plot.crowns}


def test_each_habit_does_what_it_says() -> None:
    plot, exact = _only({})
    assert len(_only({"miss": 1.0})[1]) < 0.2 * len(exact)
    assert len(_only({"merge": 1.0})[1]) < 0.75 * len(exact)
    large = shapely.area(exact) > 35
    assert len(_only({"split": 1.0})[1]) == len(exact) + large.sum()
    assert len(_only({"false_positives": 9})[1]) == len(exact) + 9
    grown = _only({"grow": 0.5})[1]
    assert len(grown) == len(exact)
    west, north = plot.parameters.upper_left
    edge = shapely.box(west, north - 20, west + 20, north)
    sides = shapely.bounds(plot.crowns) + np.array([-0.5, -0.5, 0.5, 0.5])
    expected = shapely.bounds(shapely.intersection(shapely.box(*sides.T), edge))
    assert np.allclose(
        np.sort(shapely.bounds(grown), axis=0), np.sort(expected, axis=0), atol=0.011
    )


def test_scores_rise_with_the_fit(plots: list[SamplePlot]) -> None:
    score = np.concatenate([plot.drawings["detector"].score for plot in plots])
    fit = np.concatenate(
        [
            (
                shapely.area(shapely.intersection(boxes[:, None], truth[None]))
                / shapely.area(shapely.union(boxes[:, None], truth[None]))
            ).max(axis=1)
            for plot in plots
            for boxes, truth in [
                (plot.drawings["detector"].geometry, shapely.envelope(plot.crowns))
            ]
        ]
    )
    assert ((score >= 0.05) & (score <= 0.99)).all()
    assert 0.7 < np.corrcoef(score, fit)[0, 1] < 0.999
    assert all(plot.drawings[name].score is None for plot in plots for name in PEOPLE)


def test_the_image_shows_the_crowns_where_they_are(shipped: SamplePlot) -> None:
    """Looked at in squares of 4 x 4 pixels."""
    plot = shipped
    west, north = plot.parameters.upper_left
    columns, rows = np.meshgrid(np.arange(100), np.arange(100))
    points = shapely.points(west + 0.4 * (columns + 0.5), north - 0.4 * (rows + 0.5))
    owner = np.zeros((100, 100), dtype=int)
    for number, crown in enumerate(plot.crowns, start=1):
        shapely.prepare(crown)
        owner[shapely.contains(crown, points)] = number
    red, green, blue = plot.image.reshape(100, 4, 100, 4, 3).mean(axis=(1, 3)).transpose(2, 0, 1)
    greenness = green - (red + blue) / 2
    assert greenness[owner > 0].mean() > greenness[owner == 0].mean() + 5
    # Two crowns seldom have the same colour, so the image has edges at the crowns' borders.
    within = ndimage.labeled_comprehension(
        green, owner, np.arange(1, len(plot.crowns) + 1), np.std, float, 0
    )
    assert within.mean() < 0.95 * green.std()
    # The same picture upside down or mirrored fits worse.
    assert greenness[::-1][owner > 0].mean() < greenness[owner > 0].mean() - 1
    assert greenness[:, ::-1][owner > 0].mean() < greenness[owner > 0].mean() - 1


def test_the_smallest_and_emptiest_plots_can_be_made() -> None:
    plot = simulate_plot(0, read_parameters({"size": 2.0, "pixel": 0.5}))
    assert plot.image.shape == (4, 4, 3)
    bare = simulate_plot(
        0,
        read_parameters({"crowns_per_hectare": 1e-6, "pixel": 1.0, "labelers": [{"name": "one"}]}),
    )
    assert len(bare.drawings["one"].geometry) == len(bare.crowns) <= 1


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_seeds_that_are_no_whole_number_are_refused(seed: object) -> None:
    with raises("seed.invalid"):
        simulate_plot(seed, SMALL)  # type: ignore[arg-type]
