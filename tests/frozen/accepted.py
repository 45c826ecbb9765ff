"""Changes of frozen behaviour that are meant, each with the reason why nothing that works stops
working.
"""

from __future__ import annotations

__all__ = [
    "ACCEPTED",
    "ACCEPTED_COLUMNS",
    "ACCEPTED_IN_PROJECTS",
    "ACCEPTED_IN_RUNS",
    "ACCEPTED_ROUNDING",
    "CAME",
]

#: Ids, columns and keys of settings that have another name now are in
#: :mod:`randcrowns.core.old_names`. Frozen values are compared under the current names
#: (:mod:`frozen.current_names`): stored data is read through the same table, so nothing is lost.
#: The names below are current ones.

#: (algorithm, parameter or "output NAME", attribute) -> reason. An empty attribute stands for all
#: of a parameter that
#: came or went, an empty parameter for the algorithm itself (its attributes "parameters" and
#: "outputs" are the orders).
ACCEPTED: dict[tuple[str, str, str], str] = {}

#: Algorithm -> its outputs of text that came beside REMARKS, and those that went.
_TEXTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "scorecrowns": (("WARNING",), ()),
    "targetregions": (("WARNING",), ()),
    "compareannotators": (("WARNING",), ("COLOURS", "NOTES", "OUTSIDE")),
    "consensus": (("WARNING",), ("NOTES", "EMPTY")),
    "rankdetectors": (("WARNING",), ("FIRST_PLACES", "CROWN_VERDICT", "NOTES", "CROWN_NOTES")),
    "evaluateinstances": ((), ("HEIGHTS",)),
    "evaluatepointcloud": ((), ("HEIGHTS",)),
    "annotatorvariance": ((), ()),
    "tuneparameters": ((), ()),
}
for _algorithm, (_came, _went) in _TEXTS.items():
    ACCEPTED[_algorithm, "", "outputs"] = (
        "all algorithms end with the three outputs that remarks are told in"
    )
    ACCEPTED[_algorithm, "output PROVENANCE", ""] = (
        "how the run was made; the columns made_... of summaries are not frozen"
    )
    ACCEPTED[_algorithm, "output MESSAGES", ""] = (
        "all remarks, for programs; REPORT and WARNING say them in words"
    )
    ACCEPTED.update(
        {(_algorithm, f"output {name}", ""): "every algorithm has it" for name in _came}
    )
    ACCEPTED.update(
        {
            (_algorithm, f"output {name}", ""): "it is among the remarks, under a key"
            for name in _went
        }
    )
    ACCEPTED[_algorithm, "", "group_id"] = (
        "the toolbox shows groups; programs call algorithms by their own ids"
    )

for _algorithm in ("importcrowns", "exportcrowns", "exportlayers"):
    ACCEPTED[_algorithm, "", ""] = "crowns from and to the files of other programs: it came later"
ACCEPTED["report", "", ""] = "runs told on a page that can be quoted: it came later"
ACCEPTED["explore", "", ""] = "the run in one file for people without QGIS: it came later"
_DRAWN = "whether all crowns were drawn; on as it was without the choice"
for _algorithm in ("scorecrowns", "evaluateinstances"):
    ACCEPTED[_algorithm, "", "parameters"] = f"ALL_DRAWN came: {_DRAWN}"
    ACCEPTED[_algorithm, "ALL_DRAWN", ""] = _DRAWN
_TREE = "outputs are declared in the order of the layer tree"
_PIXEL = "no pixel is larger than 1,000 km; the dock's limit is now the toolbox's"
for _algorithm in ("compareannotators", "consensus"):
    ACCEPTED[_algorithm, "", "parameters"] = _TREE
    ACCEPTED[_algorithm, "RESOLUTION", "maximum"] = _PIXEL
ACCEPTED["compareannotators", "AGREEMENT", "optional"] = (
    "it may be left out; asked for by default, as it was"
)
for _end in ("minimum", "maximum"):
    ACCEPTED["consensus", "PRIOR_VALUE", _end] = (
        "STAPLE needs a share between 0 and 1; 0 and 1 are refused at once, also where no prior is asked for"
    )
ACCEPTED["rankdetectors", "", "parameters"] = _TREE
ACCEPTED["rankdetectors", "RESOLUTION", "maximum"] = _PIXEL
ACCEPTED["rankdetectors", "PLOT_FIELD", "advanced"] = (
    "the plot changes the result, so it stands among the first choices"
)
ACCEPTED["rankdetectors", "output CROWN_PROBABILITY", ""] = (
    "whole crowns have bootstrap samples of their own"
)
for _name in ("TOLERANCE", "TILE_SIDE"):
    ACCEPTED["rankdetectors", _name, "maximum"] = "no length on the ground is longer than 1,000 km"
for _name in ("ALPHA", "OMEGA", "GAMMA"):
    ACCEPTED["rankdetectors", _name, "maximum"] = (
        "larger ones were refused after the run began; now before it"
    )
_SAMPLES = "1,000 bootstrap samples are the default of every algorithm; it was 500 here"
ACCEPTED["rankdetectors", "BOOTSTRAP_SAMPLES", "default"] = _SAMPLES
ACCEPTED["rankdetectors", "BAND", "maximum"] = "no raster has a million bands"
for _name in ("EXTENT", "EXTENT_LAYER"):
    ACCEPTED["rankdetectors", _name, "advanced"] = (
        "the study area is one declaration with that of comparing annotators"
    )

ACCEPTED["evaluateinstances", "HEIGHT_FIELD", "dataType"] = (
    "fields of numbers are offered; others were refused already"
)
ACCEPTED["evaluateinstances", "output UNIT", ""] = (
    "crowns in pixels are evaluated too; nothing given before changes"
)
ACCEPTED["evaluatepointcloud", "MIN_HEIGHT_FP", "maximum"] = "no tree is 1,000 m high"
for _name in ("NO_TREE_ID", "PREDICTION_NO_TREE_ID"):
    for _end in ("minimum", "maximum"):
        ACCEPTED["evaluatepointcloud", _name, _end] = (
            "that of 32 bits; numbers beyond were refused already"
        )

for _algorithm in ("annotatorvariance", "tuneparameters"):
    ACCEPTED[_algorithm, "", "parameters"] = f"{_TREE}, after all that is chosen"
for _name in ("DRAWN_CROWNS", "output DRAWN_CROWNS"):
    ACCEPTED["annotatorvariance", _name, ""] = (
        "crowns by annotator and plot; the other outputs did not change"
    )
for _length in ("ALPHA", "OMEGA", "GAMMA"):
    ACCEPTED["annotatorvariance", _length, "maximum"] = (
        "larger ones were refused after the run began; now before it"
    )
ACCEPTED["tuneparameters", "ALPHAS", "default"] = "the same values, written 0.1:1:0.1"

for _algorithm in ("scorecrowns", "targetregions"):
    ACCEPTED[_algorithm, "", "parameters"] = (
        "an area's polygons stand before its rectangle, in every algorithm"
    )
    for _name in ("ALPHA", "OMEGA", "GAMMA"):
        ACCEPTED[_algorithm, _name, "maximum"] = (
            "more than a million was refused once the run began; now before it"
        )
ACCEPTED["scorecrowns", "SEARCH_RADIUS", "maximum"] = (
    "no crown is searched for farther than 1,000 km away"
)
for _end in ("minimum", "maximum"):
    ACCEPTED["scorecrowns", "SCORE_THRESHOLD", _end] = (
        "the dock's range, 1e9: no detector's score is beyond it"
    )

_RASTERS = "rasters may stand for polygons, with pixels of images without a georeference; nothing given before changes"
for _algorithm, _masks in (
    ("compareannotators", ("EXTENT_RASTER", "EXCLUDED_RASTER")),
    ("consensus", ("EXTENT_RASTER", "EXCLUDED_RASTER")),
    ("rankdetectors", ("EXTENT_RASTER", "TRAINING_RASTER")),
):
    ACCEPTED[_algorithm, "ANNOTATORS", "layerType"] = _RASTERS
    ACCEPTED.update(
        {(_algorithm, name, ""): _RASTERS for name in (*_masks, "MARK_VALUE", "output UNIT")}
    )
_VALUES = "what the values of annotators' rasters are; automatic reads as before"
for _algorithm in ("compareannotators", "consensus", "rankdetectors"):
    ACCEPTED.update(
        {(_algorithm, name, ""): _VALUES for name in ("VALUES", "MARK_BAND", "MARK_COLOUR")}
    )
_SEVERAL = "several images or plots in one table; empty, nothing changes"
for _algorithm in ("compareannotators", "consensus"):
    ACCEPTED.update({(_algorithm, name, ""): _SEVERAL for name in ("IMAGES", "PLOT_FIELD")})
ACCEPTED["rankdetectors", "IMAGES", ""] = _SEVERAL
ACCEPTED.update(
    {("consensus", name, ""): _RASTERS for name in ("CONSENSUS_RASTER", "output CONSENSUS_RASTER")}
)

#: Pattern of the names of columns -> reason why they came, or hold other values than when they were
#: frozen.
ACCEPTED_COLUMNS = {
    r"(randcrowns|iou|iou_crowns|\w+_variance|precision|recall|f1|pq|mean_iou)_(low|high)": (
        "intervals over plots, which cover what they say; none for fewer than five plots"
    ),
    "low|high": "intervals of agreement with Student's t; none of the lowest and the highest F1",
    "unlike|p_unlike": "annotators who are unlike the others beyond chance",
    r"(recall|precision)_\w+_(low|high)": "recall and precision at thresholds have intervals",
    r"(\w+_)?rc_(problem|cause)": "what is wrong with each crown, and why",
    r"cc[oi]_(low|high|p)": "intervals and p-values of CCO and CCI",
    r"ap|ap50|ap75|ar_1|ar_10|ar_100": "COCO's average precision and recall",
    "crown_recall": "recall of whole crowns, which is what is left where only some crowns were drawn",
    "crown_recall_iou": "recall at an IoU of 0.5, which is given with recall by RandCrowns",
    "resampled": "every table with intervals says what they are over",
    "species": "the crowns of the sample's detectors have a species",
}

#: Pattern of the places whose numbers moved by less than 1e-9 -> reason.
ACCEPTED_ROUNDING = {
    r"/(AGREEMENT|DISAGREEMENTS)/columns/area/values": "faces of many annotators are found rectangle by rectangle",
    r"/columns/(distance|\w+_dist)/values": (
        "a rectangle's centroid is the middle of its bounds, which UTM coordinates do not round"
    ),
    r"/REGIONS/(columns|geometry)/\w+/values": "the edge is found with one buffer less, to 1e-9 of the area as before",
}

#: Sample runs with round offsets, whose numbers moved by less than 1e-6: tau is solved to 2e-7 of
#: the area of the certain part, so that most targets need one offset less.
ACCEPTED_MOVED = (
    "regions",
    "regions in an image",
    "score own values",
    "variance of field targets",
)

#: Sample run -> pattern of the places in its outputs that differ from when it was frozen; the
#: reason stands beside it.
ACCEPTED_IN_RUNS = {
    # One prediction was the match of several targets: a polygon is counted once.
    "instances for_ai_net_coverage": (
        r"/(F1|PQ|PRECISION|RECALL):|/SUMMARY/columns/(tp|fp|fn|precision|recall|f1|pq|sq|rq)/"
        r"|/MATCHED_\w+/columns/(match_id|status)/|/MATCHED_PREDICTIONS/columns/(iou|precision|recall)/"
    ),
    # The same polygons in another order: their edges are merged before polygons are made of them.
    "consensus unanimous": r"/CONSENSUS/",
    # The prior of the consensus has a row of its own among those tried.
    "consensus staple by number": r"/CONSENSUS/|/PRIOR_EFFECT/",
    **dict.fromkeys(("consensus staple", "consensus staple in pixels"), r"/PRIOR_EFFECT/"),
    # Two targets equally far from the median variance stand in the order of the table, not in that
    # of rounding.
    "variance of warped copies": r"/CROWNS/columns/place/",
    # The contrast of grey has a row beside that of lightness.
    "compare with the image": r"/IMAGE_TABLE/",
    # Rows of whole crowns stand beside those of areas, as a column says; AUCR is called value in
    # both. AP is named by its definition.
    **dict.fromkeys(
        ("rank", "rank in pixels", "rank a raster", "rank by area"),
        r"/CERTAINTY_TABLE/|/AUCR/columns/measure/",
    ),
    # Only some crowns were drawn: unmatched detections are not judged, so AP, precision and
    # rankings are n/a.
    "rank by crowns": (
        r"/CERTAINTY_TABLE/|/CURVES/|/RANKINGS/|/KENDALL_TAU/columns/kendall_tau/|/AUCR/columns/(measure|not_judged|rank|reason|value)/"
    ),
}

_BAND, _PRIOR = (
    "a band that no raster has is passed over: the band shown is taken",
    "the toolbox's, 1e-6 to 1 - 1e-6",
)
_LEVEL = "the toolbox's, 0 to 1"
_WIDER, _TENTHS = (
    "the dock's limit is the toolbox's",
    "the dock shows tenths; it showed whole numbers",
)
_ROLE = "where the project kept no layer that is there, the layer with scores is compared with the targets"
_ALIKE = "where the project kept no layer that is there, all delineation layers that look alike are ticked"
_UNKNOWN = "an unknown preset is the default; the lengths are the same"
#: (frozen project, place in what its pages hand over) -> reason why it is another value than when
#: it was frozen.
ACCEPTED_IN_PROJECTS: dict[tuple[str, str], str] = {
    **{
        (_project, "/score[0]/parameters/DELINEATIONS"): _ALIKE
        for _project in ("partly", "spoiled")
    },
    ("spoiled", "/instances[0]/parameters/PREDICTIONS"): _ROLE,
    (
        "highest",
        "/annotators",
    ): "what the algorithm would refuse cannot be run; its reason stands beside the button",
    ("lowest", "/annotators[0]/parameters/GREEN"): _BAND,
    ("lowest", "/annotators[0]/parameters/BLUE"): _BAND,
    ("spoiled", "/detectors[0]/parameters/BOOTSTRAP_SAMPLES"): _SAMPLES,
    (
        "spoiled",
        "/annotators[0]/parameters/BOOTSTRAP_SAMPLES",
    ): "a whole number kept with decimals is cut, not forgotten",
    ("lowest_consensus", "/annotators[1]/parameters/LEVEL"): _LEVEL,
    ("highest_consensus", "/annotators[1]/parameters/LEVEL"): _LEVEL,
    ("lowest_consensus", "/annotators[1]/parameters/PRIOR_VALUE"): _PRIOR,
    ("highest_consensus", "/annotators[1]/parameters/PRIOR_VALUE"): _PRIOR,
    (
        "rounded_consensus",
        "/annotators[1]/parameters/PRIOR_VALUE",
    ): "six decimal places in place of three",
    (
        "highest",
        "/instances[0]/parameters/NUM_PARTITIONS",
    ): "the dock's most partitions are the toolbox's, 1,000",
    (
        "highest",
        "/instances[0]/parameters/MIN_HEIGHT_FP",
    ): "dock and toolbox take up to 1,000 m, the dock took 200 m",
    ("highest", "/detectors[0]/parameters/BAND"): _WIDER,
    ("highest", "/detectors[0]/parameters/RESOLUTION"): _WIDER,
    ("highest", "/detectors[0]/parameters/TOLERANCE"): _WIDER,
    **{
        ("highest", f"/score[0]/parameters/{_name}"): _WIDER
        for _name in ("ALPHA", "OMEGA", "GAMMA", "SEARCH_RADIUS")
    },
    ("spoiled", "/score[0]/parameters/PRESET/key"): _UNKNOWN,
    ("spoiled", "/score[0]/parameters/PRESET/position"): _UNKNOWN,
    **{
        ("highest", f"/parameters[0]/parameters/{name}"): _WIDER
        for name in ("ALPHAS", "OMEGAS", "GAMMAS")
    },
    **{
        ("highest", f"/parameters[0]/parameters/WARP_{name}"): _WIDER
        for name in ("ROTATION", "TRANSLATION")
    },
    **{
        (project, f"/parameters[0]/parameters/{name}"): _TENTHS
        for project in ("rounded", "rounded_below_1")
        for name in ("MAX_EXCLUDED", "WARP_ROTATION")
    },
}

for _name in ("MERGED_FROM", "SPLIT_FROM", "SHIFTED_FROM", "TOO_LARGE_FROM", "TOO_SMALL_FROM"):
    ACCEPTED["scorecrowns", _name, ""] = (
        "from where on something is wrong with a crown; the scores stay as they were"
    )

#: Pattern of places in what the pages of any project hand over -> reason why there is something, or
#: something else.
CAME = {
    r"/annotators\[\d\]/parameters/CONSENSUS_RASTER": "a consensus of pixels is a raster as well as polygons",
    r"/instances\[\d\]/parameters/(MIN_PRECISION_FP|MIN_HEIGHT_FP|INCLUDE_UNMATCHED|METRICS|CLASSES)": (
        "polygons have the choices of clouds, which a project kept for both"
    ),
    r"/instances\[\d\]/parameters/(SCORE_FIELD|POINTS|THRESHOLDS)": "average precision and point recall came",
    r"/detectors\[\d\]/parameters/GROUND_TRUTH_LAYERS": "ground truths made before; none as it was without the choice",
    r"/detectors\[\d\]/parameters/(COCO|THRESHOLDS)": "COCO's numbers came",
    r"/parameters\[\d\]/parameters/DRAWN_CROWNS": "crowns by annotator and plot are counted",
    r"/parameters\[\d\]/parameters/(GRID|RECOMMENDED|VARIANCE)": "tables of a search are kept, to be shown again",
    r"/(detectors|annotators)\[\d\]/parameters/(STAPLE_)?PRIOR/": (
        "the prior of the source stands first and is the default; what a project keeps is its key"
    ),
}

_ANSWERS = "opened by default is only what answers; the toolbox offers the others unticked"
ACCEPTED["compareannotators", "ANNOTATOR_PAIRS", "createByDefault"] = _ANSWERS
for _name in ("CERTAINTY_TABLE", "CORRELATIONS", "KENDALL_TAU", "CURVES"):
    ACCEPTED["rankdetectors", _name, "createByDefault"] = _ANSWERS
for _algorithm_name, _output in (
    ("evaluateinstances", "MATCHED_TARGETS"),
    ("evaluatepointcloud", "MATCHED_TARGETS"),
    ("rankdetectors", "AUCR"),
    ("scorecrowns", "SCORED_TARGETS"),
):
    ACCEPTED[_algorithm_name, _output, "optional"] = "a run for its numbers alone needs no layer"
for _name in ("GRID", "VARIANCE"):
    ACCEPTED["tuneparameters", _name, "createByDefault"] = _ANSWERS
ACCEPTED["scorecrowns", "PAIRING", "number of options"] = "the paper's minimum score came, last"
for _name in (
    "PRIOR_VALUE",
    "ASSIGN_CONSENSUS",
    "SIMPLE_RULE",
    "SIMPLE_FACTOR",
    "MAX_ITERATIONS",
    "CURVATURE",
    "CLIPPED",
):
    ACCEPTED["rankdetectors", _name, ""] = (
        "the parameters that STAPLE, SIMPLE and LSML have for a consensus"
    )
ACCEPTED["rankdetectors", "STAPLE_PRIOR", "number of options"] = (
    "a number as prior, as for a consensus"
)
ACCEPTED["rankdetectors", "ANNOTATOR_FIELD", ""] = "an annotator field, as for comparing annotators"
ACCEPTED["rankdetectors", "THIN", ""] = "lines of one pixel; off as it was without the choice"
for _name in ("SCORE_FIELD", "POINTS", "THRESHOLDS"):
    ACCEPTED["evaluateinstances", _name, ""] = (
        "average precision and point recall came; nothing that was there depends on it"
    )
for _name in ("AP", "AP50", "AP75", "AR_1", "AR_10", "AR_100", "POINT_RECALL", "THRESHOLDS"):
    ACCEPTED["evaluateinstances", f"output {_name}", ""] = "average precision and point recall came"
for _algorithm in ("evaluateinstances", "rankdetectors"):
    ACCEPTED[_algorithm, "IGNORED", ""] = "areas to ignore; none as it was without the choice"
for _algorithm in ("compareannotators", "consensus", "rankdetectors"):
    ACCEPTED[_algorithm, "REVIEWED", ""] = "reviewed areas; everywhere as it was without the choice"
ACCEPTED["rankdetectors", "POINTS", ""] = "point recall of detectors; none without field points"
ACCEPTED["rankdetectors", "GROUND_TRUTH_LAYERS", ""] = (
    "ground truths made before; none as it was without the choice"
)
for _name in ("COCO", "THRESHOLDS"):
    ACCEPTED["rankdetectors", _name, ""] = ACCEPTED["rankdetectors", f"output {_name}", ""] = (
        "COCO's numbers came"
    )
for _name in ("INCLUDE_UNMATCHED", "MIN_PRECISION_FP", "MIN_HEIGHT_FP", "METRICS"):
    ACCEPTED["evaluateinstances", _name, ""] = (
        "polygons have the choices of clouds; by default nothing changes"
    )
ACCEPTED["evaluateinstances", "output METRICS", ""] = (
    "the documented row of metrics, of polygons too"
)
for _name in (
    "LABELLED_ATTRIBUTE",
    "TARGET_CLASS_ATTRIBUTE",
    "PREDICTION_CLASS_ATTRIBUTE",
    "CLASS_NAMES",
    "CLASS_AGGREGATES",
    "CLASSES",
):
    ACCEPTED["evaluatepointcloud", _name, ""] = (
        "labelled points and classes came; nothing is read without"
    )
for _name in (
    "FURTHER_NO_TREE_IDS",
    "PREDICTION_FURTHER_NO_TREE_IDS",
    "EXCLUDED_POINTS",
    "PREDICTION_INPUT",
    "MAX_PARTNER_DISTANCE",
):
    ACCEPTED["evaluatepointcloud", _name, ""] = (
        "values for no tree, points to leave out and predictions of another file came; "
        "nothing changes without"
    )
ACCEPTED["evaluatepointcloud", "output CLASSES", ""] = "metrics of classes"
for _name in ("TARGET_ATTRIBUTE", "PREDICTION_ATTRIBUTE"):
    ACCEPTED["evaluatepointcloud", _name, "optional"] = (
        "a cloud with classes alone has no attributes of trees"
    )
ACCEPTED["evaluatepointcloud", "", "parameters"] = (
    "labelled points and classes came, among what is rarely chosen"
)
for _algorithm in ("evaluateinstances", "evaluatepointcloud"):
    for _name in ("DETECTION_METHOD", "SEGMENTATION_METHOD"):
        ACCEPTED[_algorithm, _name, "number of options"] = (
            "the methods of DeepForest and of StarDist came, last"
        )
_CLASSES = "classes and strata of crowns came; without a class field nothing changes"
for _algorithm, _other in (
    ("evaluateinstances", "PREDICTION_CLASS_FIELD"),
    ("scorecrowns", "DELINEATION_CLASS_FIELD"),
):
    for _name in (
        "CLASS_FIELD",
        _other,
        "CLASS_GROUPS",
        "WITHIN_CLASSES",
        "SUMMARISE_BY",
        "STRATA_FIELD",
        "STRATA_BREAKS",
    ):
        ACCEPTED[_algorithm, _name, ""] = _CLASSES
    for _output in ("CONFUSION", "CLASS_METRICS", "CLASS_SUMMARY", "STRATA", "STRATA_TESTS"):
        ACCEPTED[_algorithm, f"output {_output}", ""] = _CLASSES
        ACCEPTED[_algorithm, _output, ""] = _CLASSES
CAME[
    r"/(instances|score)\[\d\]/parameters/(CLASS_FIELD|(PREDICTION|DELINEATION)_CLASS_FIELD|CLASS_GROUPS"
    r"|WITHIN_CLASSES|SUMMARISE_BY|STRATA_FIELD|STRATA_BREAKS|CONFUSION|CLASS_METRICS|CLASS_SUMMARY"
    r"|STRATA|STRATA_TESTS)"
] = _CLASSES
_CROWNS = "a consensus crown by crown came, as the last method; nothing given before changes"
for _name in (
    "VOTE_RULE",
    "OUTLINE",
    "MATCH_IOU",
    "CLASS_FIELD",
    "CLASS_GROUPS",
    "LOOK_AGAIN",
    "output LOOK_AGAIN",
):
    ACCEPTED["consensus", _name, ""] = _CROWNS
_CLASS_RULE = "the class of a crown by STAPLE came; by votes, as before, it is the default"
for _name in ("CLASS_RULE", "CLASS_PERFORMANCE", "output CLASS_PERFORMANCE"):
    ACCEPTED["consensus", _name, ""] = _CLASS_RULE
CAME[r"/annotators\[\d\]/parameters/(CLASS_RULE|CLASS_PERFORMANCE)"] = _CLASS_RULE
ACCEPTED["consensus", "METHOD", "number of options"] = f"{_CROWNS}; then Cooke's weights"
_COOKE = "Cooke's weights came, as the last method; nothing given before changes"
for _name in ("ANSWERS", "CALIBRATION_CUTOFF"):
    ACCEPTED["consensus", _name, ""] = _COOKE
CAME[r"/annotators\[\d\]/parameters/(ANSWERS|CALIBRATION_CUTOFF)"] = _COOKE
_COOKE_TRUTH = "Cooke's weights came as the last ground truth; the default has none of it"
for _name in ("ANSWERS", "CALIBRATION_CUTOFF"):
    ACCEPTED["rankdetectors", _name, ""] = _COOKE_TRUTH
ACCEPTED["rankdetectors", "CONSENSUS_METHODS", "number of options"] = _COOKE_TRUTH
CAME[r"/detectors\[\d\]/parameters/(ANSWERS|CALIBRATION_CUTOFF)"] = _COOKE_TRUTH
CAME[
    r"/annotators\[\d\]/parameters/(VOTE_RULE|OUTLINE|MATCH_IOU|CLASS_FIELD|CLASS_GROUPS|LOOK_AGAIN)"
] = _CROWNS
for _name in ("LOOK_AGAIN", "output LOOK_AGAIN"):
    ACCEPTED["rankdetectors", _name, ""] = (
        "places that detectors mark and no annotator does; the other outputs did not change"
    )
CAME[r"/detectors\[\d\]/parameters/LOOK_AGAIN"] = "places that no annotator marked are listed"
_OWN_SPREAD = "scores by the spread of each target's outlines came; without a field nothing changes"
ACCEPTED["scorecrowns", "SPREAD_FIELD", ""] = _OWN_SPREAD
_WARPED = "scores against warped targets; none without a number of them"
for _name in ("WARPED_TARGETS", "WARPED_SCORES", "output WARPED_SCORES"):
    ACCEPTED["scorecrowns", _name, ""] = _WARPED
CAME[r"/score\[\d\]/parameters/(WARPED_TARGETS|WARPED_SCORES)"] = _WARPED
CAME[r"/score\[\d\]/parameters/SPREAD_FIELD"] = _OWN_SPREAD
_DETECTORS_CLASSES = "average precision by class came; without a class field nothing changes"
for _name in (
    "CLASS_FIELD",
    "DETECTOR_CLASS_FIELD",
    "CLASS_GROUPS",
    "CLASS_PRECISION",
    "output CLASS_PRECISION",
):
    ACCEPTED["rankdetectors", _name, ""] = _DETECTORS_CLASSES
CAME[
    r"/detectors\[\d\]/parameters/(CLASS_FIELD|DETECTOR_CLASS_FIELD|CLASS_GROUPS|CLASS_PRECISION)"
] = _DETECTORS_CLASSES
_ANNOTATORS_CLASSES = "classes of annotators are compared; none as it was without a class field"
_CLASS_OUTPUTS = ("CLASS_AGREEMENT", "CLASS_CONFUSION")
for _name in (
    "CLASS_FIELD",
    "CLASS_GROUPS",
    "CLASS_SCALE",
    "UNMARKED_CLASS",
    *_CLASS_OUTPUTS,
    *(f"output {name}" for name in _CLASS_OUTPUTS),
):
    ACCEPTED["compareannotators", _name, ""] = _ANNOTATORS_CLASSES
CAME[r"/annotators\[\d\]/parameters/(CLASS_AGREEMENT|CLASS_CONFUSION)"] = _ANNOTATORS_CLASSES
