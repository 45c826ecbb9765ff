"""Help texts of the algorithms: a paragraph for each group of parameters."""

from __future__ import annotations

from randcrowns.algorithms.base import tr

__all__ = ["REGION_HELP", "SCORE_HELP", "paragraphs"]

SCORE_HELP = (
    (
        "Scores every target crown against the delineation that belongs to it: RandCrowns (Stewart et al. "
        "2021), IoU, and IoUCrowns. The three belong together: a high RandCrowns alone is no proof of a good "
        "crown."
    ),
    (
        "<b>Layers.</b> Polygons in any known coordinate system; lengths are metres on the ground. Degrees are "
        "worked on in the UTM zone, feet are converted, unlike systems meet in the target's. Crowns that are "
        "not valid are repaired, empty ones skipped; all of it is listed in the log by feature id."
    ),
    (
        "<b>Preset and lengths.</b> Alpha is how far inside the target the certain crown begins, omega how far "
        "outside the crown may still reach, gamma the area ratio of what is surely not crown to what surely is."
        " A target narrower than twice alpha cannot be scored: no value, status target_too_small. The preset "
        "IDTReeS 2020 gives the scores of that competition's toolbox; it needs the 20 x 20 m bounds of each "
        "plot, as the image extent (one plot) or as a layer with one polygon per plot. With a group field, all "
        "targets of a group belong to the plot that most of them lie in."
    ),
    (
        "<b>Pairing.</b> Nearest centroid is what the paper recommends for global scores. A target without a "
        "delineation scores 0 with status unmatched; one whose delineation misses what is surely crown scores 0"
        " with status missed."
    ),
    (
        "<b>Groups and detector scores.</b> A group field gives a summary per plot. A score field and threshold"
        " leave out a detector's unsure crowns."
    ),
    (
        "<b>Extent.</b> Nothing exists outside the image: regions and delineations are cut to it, targets "
        "outside it are left out and counted."
    ),
    (
        "<b>Outputs.</b> Scored targets keep their geometry, fields and coordinate system. Nothing is written "
        "when the run is cancelled or fails."
    ),
)

REGION_HELP = (
    (
        "For every target crown, four polygons: <b>a</b>, surely crown; <b>o</b>, up to where the crown may "
        "reach; <b>e</b>, the outer edge; <b>b</b>, between o and e, surely not crown."
    ),
    (
        "<b>Preset and lengths.</b> Metres on the ground, whatever the layer's units: alpha inwards, omega "
        "outwards; gamma is the area of b over the area of a. A target narrower than twice alpha has no regions"
        " a and b."
    ),
    ("<b>Extent.</b> The regions are cut to it; targets outside it are left out and counted."),
)


def paragraphs(texts: tuple[str, ...]) -> str:
    """The texts as HTML in the user's language."""
    return "".join(f"<p>{tr(text)}</p>" for text in texts)
