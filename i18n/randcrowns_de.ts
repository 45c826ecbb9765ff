<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>RandCrowns</name>
    <message>
        <location filename="../algorithms/report/pages.py"/>
        <source> (line {line})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source> (pairs {least} to {most})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source> In this order: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/runs.py"/>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source> and areas say little</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source> of {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/record.py"/>
        <source> vs </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/masks.py"/>
        <source>'{character}' is no character of a run-length encoding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>'{first}' and '{other}' are both given; choose one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{first}' and '{other}' cannot both be written to {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>'{label}' is given, but no layer is a raster; leave it empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../core/comparison.py"/>
        <source>'{layer}' alone has {plots} ({count:,} crowns)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/comparison.py"/>
        <source>'{layer}' and the targets name the plot in field '{field}', which is not chosen: {count:,} of {all:,} pairs that were compared are of two plots. Choose it as the plot, so that only crowns of one plot are compared.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/shell/comparing.py"/>
        <source>'{layer}' is compared with them now: the two layers changed places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>'{name}' cannot be had with rasters of several images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>'{name}' cannot be had with several images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>'{name}' is in no coordinate system that is defined; set one for the image, or for the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>'{name}' must be a number, but it is {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>'{name}' must be a whole number of at most nine digits, but it is {value:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>'{name}' must be at least {least:g}, but it is {value:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>'{name}' must be at most {most:g}, but it is {value:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{name}' must end in .html, but it is {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{name}' must end in .pdf, but it is {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{name}' must end in .png or .svg, but it is {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>'{option}' is off: crowns that match no target are not judged, and {undefined} are n/a.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{output}' cannot be kept in a {ending} file; choose .gpkg, .shp or .geojson.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{output}' cannot be written as {asked}: QGIS has no such format here; choose .gpkg or another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{output}' is a table without geometry, which QGIS cannot keep in a {ending} file; choose .gpkg, .csv or .xlsx.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>'{output}' would overwrite layer '{layer}', which is read in this run; choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>'{part}' is no class: write a name and numbers, such as vegetation=3+4+5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>'{part}' is no class: write a name and one number, such as tree=5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>'{text}' is no range of {name}; write first:last:step, such as 0.1:1.0:0.1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>'{text}' is no value of {name}; write numbers, or first:last:step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/layer_checklist.py"/>
        <source>(the layer is one annotator)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <source>, without each annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>0 to 1 (Stewart et al. 2021, Eq. 14).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>0, or 1 for files that count as VOC's own devkit: xmin and ymin are then taken as one less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>1 for an annotator whose polygons count, 0 for a discarded one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>1 for an outlier: the mean of 1 - F1 with the others is above the mean of all annotators plus one standard deviation. It does not mean that the drawings are wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>1 for the clearest case of its kind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>1 for yes and 0 for no, annotator by annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>1 is best.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>1 is best; ties share a rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>1 where the consensus marks, 0 where it does not, 255 outside; requires rasters or a pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>1 where the pairing gave the delineation to the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>1: the same ranking, -1: the reverse.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>2 x shared / (marked by one + marked by the other) (Eq. 6).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/results.py"/>
        <source>95 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>95 % interval, over plots where there are several, otherwise over single crowns; none for fewer than {least} of them, and none where all of them are at 0 or 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>95 % intervals over {units}; none for fewer than {least} of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>95 % of the points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <source>; no study area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <source>; one consensus without each of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>&lt;b&gt;1 annotator&lt;/b&gt; marked &lt;b&gt;{marked:,.1f} {unit}²&lt;/b&gt;&lt;br&gt;{area}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank.py"/>
        <source>&lt;b&gt;AUCR&lt;/b&gt; is the area under the P̄-recall curve, &lt;b&gt;AP&lt;/b&gt; the average precision over whole crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>&lt;b&gt;Annotators.&lt;/b&gt; Three or more layers; or two and targets drawn in the field; or one, of which warped copies are made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>&lt;b&gt;Grid.&lt;/b&gt; The scores of the grid are interpolated, within 0.001 of direct ones; the best set is scored again directly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>&lt;b&gt;Layers.&lt;/b&gt; Polygons in any known coordinate system; lengths are metres on the ground. Invalid polygons are repaired, empty ones skipped; the log lists both by feature id.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>&lt;b&gt;Matching.&lt;/b&gt; One method for detection and one for segmentation. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>&lt;b&gt;Polygons overlap&lt;/b&gt;, and the methods assume that instances do not. For detection each target and each prediction is therefore matched once at most: of the pairs that satisfy the method's rule the one with the highest IoU first. What a prediction covers besides shows as a merge.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>&lt;b&gt;Scored targets&lt;/b&gt; keep their geometry, fields and coordinate system; unmatched ones score 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>&lt;b&gt;Sizes&lt;/b&gt; are numbers of points. The height of a tree is that of its highest point above its lowest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>&lt;b&gt;Variance.&lt;/b&gt; The variance of a target's scores over its delineations, averaged over the targets (Eq. 15), for RandCrowns, IoU and IoUCrowns, with a 95 % interval, over plots where there are several, otherwise over crowns. A variance requires two delineations per target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>&lt;b&gt;{people}&lt;/b&gt; &amp;nbsp;mean F1 &lt;b&gt;{mean}&lt;/b&gt;{pairs} &amp;nbsp;Fleiss' kappa &lt;b&gt;{kappa}&lt;/b&gt;&lt;br&gt;{area}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/layers.py"/>
        <source>A GeoPackage holds everything in one file, with every style and with how it was made: QGIS shows it as it is shown here, with or without this plugin. Rasters are not among it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>A Jinja2 template of your own for the HTML file. Default: the plugin's, resources/report.html.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>A LAS, LAZ or COPC file in which every point has the ids of its trees.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>A LAS, LAZ or COPC file, or a point cloud layer that is read from one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>A consensus of pixels has no faces to join; turn its raster into polygons instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>A contour that moves to the likeliest place (Li et al. 2011); requires pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/lengths.py"/>
        <source>A crown of about 6 x 5 m. Yellow: surely crown. Grey: not judged, outlines may differ here. Mint: surely not crown. Red: the target's outline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>A crown takes part when all annotators drew it: any two of its delineations are each other's best match by IoU, with at least this IoU (0 to 1). The other crowns are excluded and listed with the reason.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>A crown with this RandCrowns or more counts as found, for precision, recall and F1 beside those at IoU 0.4 and 0.5; one below it has a problem.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>A delineation is too large when its area is more than so many times the target's.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>A delineation is too small when its area is less than this share of the target's.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>A delineation of the target's size is shifted when the centroids are farther apart: in widths of the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>A delineation that covers this share of another target too has merged the two.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>A delineation without a target, where only some crowns were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>A delineation without a target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>A detection within this distance of the ground truth is right: a marked pixel takes the highest score within the distance, and unmarked pixels that near to a marked one are ignored. Requires pixels, and is a number of these on images without a georeference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank.py"/>
        <source>A detector's score depends on the annotator it is compared with. This ranks detectors under every annotator and every ground truth that the annotators make together (Lampert et al. 2016), and says how certain the first place is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>A double click on a row, or Enter, goes to its crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>A file cannot be read or written ({why}); check the disk's space and rights, or choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>A file cannot be read or written: its database is damaged or in use, or its disk is full. Choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A file of XML per image, with boxes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A file of annotations, a folder of them, a pattern such as plots/*.xml, or several with {separator} between them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A file of text per image; names of classes from data.yaml.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A file per image (.json): polygons, rectangles, points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A file per image and layer, with boxes only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A file per layer; not every GDAL can write it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/importing.py"/>
        <source>A file that is broken is refused with its name, and nothing is imported. Single annotations that cannot be used are skipped; the summary counts them and says why. Results of COCO need their ground truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A ground truth, or results together with it (.json): boxes, polygons, masks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>A layer or table of each run that the report is about; all that these runs made is found by them. Default: the project's last run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>A layer that was read is no longer in the project; search again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>A layer with the scores of a run of page Score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>A match needs a score above 0 and up to 1, not {threshold:g}; try 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>A number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/tolerance.py"/>
        <source>A pixel of {pixel_height:g} x {pixel_width:g} m has no size; give both sides in metres.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>A place is marked when at least this share marked it, 0 to 1; 0 means anybody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>A polygon is needed, not {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>A polygon of the study area holds several plots of field '{field}': all was counted as one. Give the study area that field for rows per plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/printing.py"/>
        <source>A print layout with map, numbers and plot on a page for each: an atlas, to be exported as PDF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>A rectangle, or the extent of a layer. With polygons as well, what both share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>A region of the target: 'a' surely crown, 'o' up to where it may reach, 'e' outer edge, 'b' surely not crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>A row per annotator, against the consensus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>A row per annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>A row per file: what it was taken for, what was read, and what was skipped and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>A row per set of parameters: variance, wrong pairs, verdict, rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>A row shows its crown on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>A row shows its prediction (black) and the target (red).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>A row shows its target on the map (red) and the prediction (black).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/broken_runs.py"/>
        <source>A run was broken off while it wrote {files}, and left what it had made. Put right, all is as before that run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/masks.py"/>
        <source>A run-length encoding breaks off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/masks.py"/>
        <source>A run-length encoding has runs longer than any image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/sample/cloud.py"/>
        <source>A sample cloud needs a tree and ten points for each, not {n_trees} trees and {n_points} points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/review/sampling.py"/>
        <source>A sample of {size} crowns is too small: it needs one of each of {strata} strata.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>A set is refused when a larger share of the targets is narrower than twice alpha and has no score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>A set is refused when deliberately wrong pairs (neighbours, shifted, shrunk and enlarged copies) reach this RandCrowns (0 to 1) on average: where wrong pairs score high, a low variance means nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>A set that scores everything near one has no variance either (Fig. 3). So a set is refused, with the reason, where wrong pairs score high, right pairs no higher, or more than half of the right ones 0. The others are ranked over the same targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>A share of the area, 0 to 1; 0.1 in the source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>A share of the area, 0 to 1; 0.5 in the source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>A sheet of small maps, as PNG or SVG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>A table (.csv) per layer, with boxes and outlines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>A table merged from tiles has no map; read the tiles again and use rows_of.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>A target's certain crown lies {alpha} inside its outline, and its crown may reach {omega} beyond it; the certain background has {gamma} times the area of the certain crown (preset: {preset}). Each target was paired by: {pairing}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>A template gets &lt;i&gt;report&lt;/i&gt;; nothing of it is taken for HTML. Begin from a copy of the plugin's own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/tolerance.py"/>
        <source>A tolerance in metres needs a raster (rows and columns), not {ndim} dimensions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>A tolerance requires pixels: give a pixel size, about a quarter of the tolerance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>A variance needs two delineations per target: give at least three annotators, or two beside a layer of targets, or warped copies of a drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>A variance requires two delineations per target: choose at least three annotators, or two and targets drawn in the field, or only one, of which warped copies are made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>A vote table merged from tiles has no map: rank the detectors on one that has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>A weight is below 0 or not a number: weights are areas or counts, 0 or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>A {name} positive rate is outside 0 to 1: rates are fractions, not percentages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/polygons.py"/>
        <source>AP and AR take the 100 surest predictions of each plot, as COCO does; {count:,} come after them. The thresholds side by side take all.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>AP is n/a: the predictions have no field with a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>AP: scores of field {field}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>AUCR (Lampert et al. 2016) or AP, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>AUCR, area under the P̄-recall curve, 0 to 1 (Lampert et al. 2016); the darker, the better its rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>AUCR, or average precision over the annotators (crowns); not resampled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>AUCR: area under P̄ over recall; AP: average precision.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>About areas: choose them above to see it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Acceptable mean error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Add as layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Add verdicts…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Adds a simulated plot: an image, its crowns drawn by several people, a detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Adds targets, delineations and excluded crowns, with all numbers, to the project as layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>After less before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <location filename="../ui/detectors/panel.py"/>
        <source>Agreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Agreement and the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Agreement correlations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Agreement map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Agreement map as a raster too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Agreement raster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/agreement/showing.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <source>Agreement ratio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Agreement summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/record.py"/>
        <source>Algorithm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <location filename="../resources/report.html"/>
        <location filename="../resources/report_paper.html"/>
        <source>All choices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>All crowns in the area were drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>All crowns were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>All delineations, each with the target it fits best, or none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>All ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/importing.py"/>
        <source>All layers and tables of this run: one GeoPackage with their styles, XLSX, CSV, GeoJSON, GeoParquet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>All layers with their styles, which QGIS shows without this plugin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>All numbers with 95 % intervals.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>All remarks (JSON)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>All values of {name} must be from 0 to {most:,.0f}, but there is {text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>All values of {name} must be numbers from 0 to {most:,.0f}, but there are {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>All values of {name} must be numbers, but they are {values}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>All {count:,} polygons lie in the excluded areas, so nothing can be compared; exclude less of it.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>All {count:,} polygons lie outside the study area or in the excluded areas, so nothing can be compared; exclude less of it.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Alpha of the best set (m)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>Alpha, omega and gamma were chosen on a grid as the set with the lowest variance among those with which wrong pairs score low enough, right pairs high enough, and few crowns are too small.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>An earlier run on the same targets: better, worse, new, gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>An earlier run was broken off while it wrote {files}; what it left was removed, and nothing of it is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>An earlier run was broken off while it wrote {files}; what stood there before could not be put back, and is kept in the folder {folder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>An outlier differs from the others; this does not mean that the drawings are wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>An outline cannot be worked on ({why}); run 'Check validity' and 'Fix geometries' on the layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>An unmatched prediction that is lower above the ground is uncertain: it is no false positive. The ground of a cloud comes from a cloth simulation filter; of polygons the height field counts, which the predictions must have too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>An unmatched prediction with a smaller share of its points, or of its area, on targets is uncertain: it is no false positive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Annotations (*.csv *.xml *.json *.txt *.shp *.gpkg *.geojson);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Annotations in the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Annotations read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Annotations skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>Annotator '{name}' has the name of a ground truth; give it another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Annotator of the crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Annotator of the delineation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Annotator of the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Annotator of the targets; all: of every annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Annotator or cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Annotator variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Annotator {number} has the shape {shape}, annotator 1 has {other_shape}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Annotator {number}: decisions must be yes or no (bool, or integers), not {dtype}. Compare probabilities with a threshold first, and give missing pixels in the mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Annotator: {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/catalogue.py"/>
        <location filename="../algorithms/choices.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Annotators and tiles (plots or images, where several are counted) are resampled with replacement, and the detectors are ranked in each bootstrap sample: a stand-in for other scenes and other annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Annotators in the new cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Annotators of the two, in the order of the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Annotators who did not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Annotators who marked it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Annotators {names} marked nothing inside {where}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Annotators' rasters mark the pixels with this value in their first band; no data is never marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Anybody (any-GT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Area marked by all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Area marked by anybody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Area marked by at least so many annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area marked by so many or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area marked inside the study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area marked without this annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Area of the delineation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Area of the outline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Area of the region that is surely no crown over area of the region that surely is; no unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Area of the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Area on the ground.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <location filename="../ui/tuning/plots.py"/>
        <source>Area ratio (gamma)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Area ratio (gamma) {gamma:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Area ratio (gamma): the map shows one value at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Area ratio, no unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Area that STAPLE marks along its prior; make a STAPLE consensus to see it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area that at least 1, 2, … annotators marked (Eq. 3).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area that both marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area that only the first marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Area that only the second marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Area under the P̄-recall curve (areas), average precision (crowns), rank and skew per ground truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Areas and crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Areas can be compared with at most {most} annotators, not {number}; choose fewer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Areas only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Areas or crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Areas to ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Areas: AUCR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/units.py"/>
        <source>Areas: {area:,.0f} m², overlaid exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} and {second} tie (AUCR {value}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} and {second} tie (average precision {value}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} {value}, {second} {other} (AUCR).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} {value}, {second} {other} (AUCR). {best} can be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} {value}, {second} {other} (AUCR). {best} cannot be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} {value}, {second} {other} (average precision).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} {value}, {second} {other} (average precision). {best} can be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Areas: {best} {value}, {second} {other} (average precision). {best} cannot be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/units.py"/>
        <source>Areas: {pixels:,} pixels of {width:g} x {height:g} {unit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/importing.py"/>
        <source>As COCO, DeepForest or Pascal VOC, with the images cut out where wanted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>As point2tree, kept if the IoU is at least 0.5 (Puliti et al. 2023).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>As published, LSML also marks {pixels:,} pixels that nobody marked, here clipped; {of:,} are marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>As small maps over the image, with problem and scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>As the method estimates it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>As they look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Assigned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>At least one annotator marked nothing: the F1 with an annotator who marked something is 0, and the positive predictive value is undefined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>At least one annotator must be left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>At least so many.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>At most {most} annotators can be compared, but field '{field}' names {count}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/choices.py"/>
        <source>At most {most} annotators can be compared, but {count} layers were chosen.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <location filename="../ui/agreement/form.py"/>
        <source>At most {most} annotators can be compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>At the scene's own balance of crown and other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>At the skew of the study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Attribute '{name}' of {file} has the number {highest}; numbers of trees can be at most {largest}. Number them from 1 on, or choose another attribute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Attribute '{name}' of {file} has trees with id {first}, below the id for no tree ({invalid}); change that id, it seems to be {first}. Each attribute may have its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Attribute '{name}' of {file} has trees with id {first}, below the id for no tree ({invalid}); change that id, it seems to be {first}. Each attribute may have its own. {of_zero:.0%} have 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Attribute '{name}' of {file} must hold the number of an instance, a whole number, but it holds {value:g}; choose another attribute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Attribute of the points with the id of their predicted tree. Not needed where classes alone are compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Attribute of the points with the id of their target tree. Not needed where classes alone are compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Attribute of the points with their predicted class, for table Classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Attribute of the points with their true class, for table Classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Attribute that says what is labelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Automatic: the pixels of the first raster; polygons alone are overlaid exactly, without pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Average over the targets (Eq. 15).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Average precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Average precision and recall of whole crowns as COCO has them, per detector and annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/showing.py"/>
        <source>Average precision as COCO has it follows Lin et al. (2014). The certainty of a ranking is that of bootstrap samples of annotators and places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Average precision as COCO has it: over IoU 0.50:0.05:0.95, at most 100 predictions a plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Average precision at this IoU, mean over the ground truths; all detections count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Average precision at this IoU, of all predictions with a score (101 recalls).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Average precision is that of COCO (Lin et al. 2014), where the predictions have a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Average precision over whole crowns, 0 to 1; the darker, the better its rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Average precision where a match needs another IoU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Average precision: mean over {number} annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Average recall over IoU 0.50:0.05:0.95 with the surest prediction of each plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Average variance of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>Average variance over {count:,} shared crowns: RandCrowns {randcrowns:.3g}, IoU {iou:.3g}, IoUCrowns {iou_crowns:.3g}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Beats next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Below the folder that was chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Best first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Between 0 and 1; read only when the prior is 'A number'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Between 1 and {most} annotators can be compared, not {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Black, the best match by each of the others: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Blocks in which somebody marked anything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>Blocks of {side:g} m are smaller than a pixel ({pixel:g} m); choose larger ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Blocks resampled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../core/agreement/blocks.py"/>
        <source>Blocks with a side of {side:g} {unit} are too small for this study area: there would be about {count:.3g} of them, more than {most:,}; choose larger ones.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Blocks with pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Blue band of the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Bootstrap samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Bootstrap samples that gave it a value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/place.py"/>
        <source>Both an image extent and an extent layer are given: what both share is taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Boxes are told by their outline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Brightness and contrast are those of the red, green and blue band; by default the bands that the layer is shown with, usually the first three.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Brightness, each band, and contrast (Michelson) of CIELAB lightness and of grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>Bring back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>By</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>By distance to the trunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>By height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>COCO metrics</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/rank.py"/>
        <source>COCO's AP and AR take the 100 surest detections of each plot; of {detector} {count:,} come after them. The thresholds side by side take all.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>COCO's ground truth and results give pycocotools the average precision that pages Detectors and Instances show, where every crown is a box. Of other outlines pycocotools compares the boxes, or pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>COCO's results need a score for each prediction; choose the score field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>COCO, DeepForest and Pascal VOC hold crowns in pixels of images, so they need the images; each crown goes to the image that its middle lies on. The files name the images; those that are cut out stand beside them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>CPU time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <location filename="../ui/services/libraries.py"/>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>Cancelled; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Cancelling…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/table.py"/>
        <source>Cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Cell of the outlines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/detectors/panel.py"/>
        <source>Certainty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Certainty (1 - significance level)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../ui/review/table.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>Changed since {verdict} by {who}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Check at least one delineation layer first; a second polygon layer is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check every layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check it to compare it with the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Check it to compare the detectors with it as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Check it to compare the detectors with this annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Check it to rank it as a detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/layer_checklist.py"/>
        <source>Check it to score it against the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check no layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check the annotators' layers, one per annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>Choose a file for the report, as HTML, PDF or both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Choose a row to show the annotator and the consensus on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Choose a set first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Choose at least one annotator's polygon layer or raster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Choose at least one detector: a raster, or a polygon layer with a score field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Choose at least one ground truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Choose at least one layer of delineations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/layers.py"/>
        <source>Choose at least one layer or table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Choose the annotators' layers, at least one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Choose the attributes with the ids of the trees, or those with the classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Choose the layers of at least one annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/image.py"/>
        <source>Choose three of the image's {bands} bands for red, green and blue, not {rgb}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Chooses alpha, omega and gamma by the variance between annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Class attribute: predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Class attribute: targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Class of the crown, as the file has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../ui/instances/panel.py"/>
        <source>Classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Classes require two attributes: the true class and the predicted one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Classes taken as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Click a cell of the map, or a set of the table, to look at its crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Click a cell to look at its crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Click a cell to see on the map: {detector} {truth}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Click a number to select those crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Clipped, our default. As published, LSML can drift to places that no annotator marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>Clusters of annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Cohen's kappa with the consensus: agreement beyond chance, up to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Colours of the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <location filename="../resources/report_parts.html"/>
        <source>Command that repeats it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Comment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Comment, kept with the verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Common variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Compare annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Compare each annotator with the others only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Compare the annotators of field {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>Compare what is shown with</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/form.py"/>
        <source>Compare {count:,} annotators</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/form.py"/>
        <source>Compare {count} rasters of several images</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/page.py"/>
        <source>Compared {count:,} annotators; the layers are in group '{group}'.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>Comparing annotators needs at least two of them, but there are {n}; for one drawing, make warped copies of it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../ui/agreement/consensus.py"/>
        <location filename="../ui/detectors/form.py"/>
        <source>Consensus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Consensus raster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Consensus: {method}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}: it is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}: {area:,.1f} {unit}².</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Consensus: {method}: {marked:,.1f} {unit}², {beyond:,.1f} {unit}² of it marked by nobody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}; field 'left_out' names the annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Coordinate system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Coordinate system of the images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <location filename="../ui/widgets/parts.py"/>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Copy answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/parts.py"/>
        <source>Copy as {form}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Copy the line, to paste it into a terminal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Copy the rows selected, or all, as they are shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Copy: {answer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Corners of the regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Correlation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Correlation of the number of annotators with the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Correlation of the score with the number of annotators: where anybody marked (CCO) and everywhere (CCI).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Correlation of the scores with the number of annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Correlations with the image; choose an image under More.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Counted area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>Counted in {pixels:,} pixels of {size:g} {unit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Counts and metrics with 95 % intervals: a row for all, then a row per plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Counts, means and intervals per delineation layer and plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Crowds of COCO (iscrowd): predictions there are neither right nor wrong. None is made where there are none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Crown id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Crown {number}: {scores}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/exchange/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/review/page.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>Crowns are matched by iou or randcrowns, not by '{score}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>Crowns are no longer scored while they are drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>Crowns cannot be scored while they are drawn: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Crowns drawn at random: the share that you accept then holds for the whole layer, with its interval.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Crowns exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Crowns imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Crowns matched by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Crowns of each kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where metres in {crs} are up to {off:.0f} % off those on the ground; score regions apart to have exact lengths.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where metres in {crs} are up to {off:.0f} % off those on the ground; score regions apart, or remove crowns that lie in the wrong place (as at 0, 0).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Crowns of the annotator that count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Crowns of the first in which the second drew several.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Crowns of the first without a match.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Crowns of the run's layers are scored as they are added, changed and deleted, undo and redo too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Crowns of the second in which the first drew several.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Crowns of the second without a match.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Crowns only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>Crowns that all annotators ({annotators}) delineated were scored against each annotator's crown in turn, or against targets of the field; the variance of a score is that over the delineations of a target, averaged over the targets (Stewart et al. 2021, Eq. 15).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Crowns that not all annotators drew or that lie outside the image extent, with the reason.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Crowns that the detector found, judged or not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Crowns with a score below it are skipped and counted; crowns without a score stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Crowns with an IoU above 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Ctrl+Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../ui/detectors/panel.py"/>
        <source>Curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Curves and the band that the ground truths span.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Cut out the images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Dark is good: the score hardly depends on who drew the target. Hatched /: wrong pairs score too high; hatched \: right pairs score too low; crosses: too many crowns are too small for alpha; star and dots: the recommended sets. Click a cell to look at its crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Decides which prediction the IoU, precision and recall of a target are measured with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Decides which targets are found: precision, recall, F1 and panoptic quality.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Delineated crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Delineation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Delineation area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Delineation by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Delineation id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Delineation layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/choosing.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <source>Delineations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Delineations given to no target, where only some crowns were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Delineations given to no target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Delineations given to no target: unmatched, or not judged where only some were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Delineations with a lower score, or without one, are excluded and counted. Read only with a score field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Delineations with scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <source>Dendrogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>Dendrogram of the annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Detection at thresholds of the score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Detections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Detector scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <location filename="../algorithms/detectors/choices.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Detectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Detectors under every ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <source>Disagreements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Distance at which it was made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Distance at which the last partition of a tree ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Distance between the centroids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/detectors/page.py"/>
        <source>Done; {count:,} tables are in group '{group}'.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Draw the crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/plot.py"/>
        <source>Drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Drawing the crowns…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Drawn below the crowns. Default: the rasters that the map shows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Drawn by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Each annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Each compared with the consensus of half or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Each file by itself; the summary says what it was taken for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Each target gets the delineation of highest IoU. The paper's experiments.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Each target gets the delineation with the nearest centroid; of several at the same distance the lowest score counts. The paper's recommendation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Each target's best prediction at any overlap; one may serve several targets (Xiang et al. 2024).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Each target's best prediction, kept if their IoU is above 0.5 (Kirillov et al. 2019).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Each target's best prediction, kept if their IoU is at least 0.5 (Xiang et al. 2024).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <source>Effect of STAPLE's prior</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Effect of the prior</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Effective blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Empty images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>End of the interval with the certainty required; tiles count, not places. Empty with too few tiles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Eq. 10.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Eq. 11.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Eq. 12.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Eq. 13.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Estimates the truth and everybody's sensitivity and specificity together (Warfield et al. 2004).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Evaluate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Evaluate crown instances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Evaluate point cloud instances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Evaluate the cloud</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>Every alpha of the grid excludes more than {most:g}% of the targets, which are narrower than twice alpha, or have no more than their edge within the image extent; try smaller values of alpha.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>Every alpha of the grid excludes more than {most:g}% of the targets, which are narrower than twice alpha; try smaller values of alpha.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Every class of RandCrowns has its share (ends at 0.25, 0.5, 0.75, 0.9).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Every column needs as many values as there are features.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Every crown is as likely.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Every crown of the files, in the coordinate system of the first image that has one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Every crown of the list has a verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>Every crown that all drew lies outside the image extent. Choose the extent of the image on which these crowns were drawn, or none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Every delineation with the three scores against its target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Every detector under every ground truth, shaded by rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/summary.py"/>
        <source>Every instance needs a plot: there are {n_targets} targets and {n_predictions} predictions, but {target_plots} and {prediction_plots} plots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Every level of agreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Every pair is scored and the best kept. One large delineation can then serve many targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Every pair that was scored, with the four terms, as a line between the centroids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Every place of the study area, by pixels or exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Every place; and whole crowns for detectors that are polygons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Every plot has its share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/partitions.py"/>
        <source>Every point needs a z; target {target} has one that is not a finite number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>Every point needs finite coordinates; {number} points have none, the first is number {first}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>Every prediction needs a score: there are {n_predictions}, but {scores} scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Every prediction with its status, its target, and IoU, precision and recall with that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>Every target and every prediction needs the number of its plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>Every target must lie in a plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/matching.py"/>
        <source>Every target needs a height; that of target number {number} is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Every target with its status, its match, IoU, precision and recall.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Every target with the mean and the variance of its scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>Every unmarked pixel is within the tolerance of a marked one, so none is left to judge; make it smaller.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Everybody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Everybody marked the whole study area, so chance-corrected agreement is undefined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/broken_runs.py"/>
        <source>Everything is as before the run that was broken off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Examples of each kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Excluded areas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Excluded crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Expected {patterns} values, one per pattern, got {shape}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/importing.py"/>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Export crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/shell/importing.py"/>
        <source>Export crowns…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Export layers and tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/importing.py"/>
        <source>Export results…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/importing.py"/>
        <source>Export the results of this page, or the crowns that they are of.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>F1 and the shared area count area; panoptic quality (PQ) asks whether the same polygons were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>F1 at {score} #</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <source>F1 of every two annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>F1 of every two annotators by area (Lampert et al. 2016, Eq. 6): mean, lowest and highest.
95 % intervals from {blocks:,.0f} resampled blocks, {marked:,.0f} of them with marks: mean F1 {f1}; Fleiss' kappa {kappa}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>F1 of every two; click a cell to show the two on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>F1, shared area, and agreement crown by crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Faces by the number of annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>False negative pairs (d)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>False negatives: targets that were not found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>False positive pairs (c)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>False positive rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>False positives: unmatched predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Feature id in the delineation layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/table.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Feature id in the target layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Feature id of the crown in its layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Feature id of the delineation in its layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Feature id of the target in its layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Feature id of the target that it fits best.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Feature {number} of layer '{layer}' could not be changed; the layer was left as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Fewer than ten blocks contain anything marked, so there are no intervals; choose smaller blocks, but larger than a crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>Field '{field}' has no height for the targets {ids}; fill it in, or leave the height field empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>Field '{field}' holds no numbers, so it cannot be the height.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Field '{name}' cannot be added to layer '{layer}': {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Field '{name}' of layer '{layer}' holds {kind}, which the result is not; delete or rename it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>Field names in a shapefile have at most 10 characters; in {file}, {changed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Field of the annotators and the detectors with the plot, or the image. Crowns match only within their plot; areas are counted together, with rows per plot, and plots are resampled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Field of the annotators with the plot: only crowns of one plot are compared, and the intervals are over plots. Layers without the field are compared by place alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Field of the annotators' polygons with the plot, or the image, that each is of: plots are counted together, with rows per plot, and resampled for the intervals. Empty: one place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Field of the delineations with a detector's score. Every crown of a layer without the field is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Field of the targets with the plot of each crown. Where the other layer has it too, plots are kept apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Field of the targets with the plot of each crown: the summary gets a row per plot, and the intervals are over plots. Where a delineation layer has the field too, only crowns of one plot are paired.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Field of the targets with the plot of each crown: the summary has a row per plot, and the intervals are over plots. Where the predictions have the field too, only crowns of one plot are compared, so plots must be spelled alike in both layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Field points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Field polygons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Field prefix of each delineation layer (JSON)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Field that names the annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Field with the plot of each crown, by which images are cut out. A prediction without one belongs to the plot of the target that it shares most with, or that is nearest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Fields of the target layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>Fields that a GeoPackage cannot hold beside others were renamed; in {file}, {changed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>Fields whose names the format cannot hold were renamed; in {file}, {changed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/importing.py"/>
        <source>Files of annotations hold crowns in pixels of an image. They come to the map by the georeference of that image. Where no image has one, crowns are in pixels, and lie on the image as QGIS shows it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud.py"/>
        <source>File…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Filter (not all crowns are listed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Filter: words, ids, a status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>First</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>First ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Fleiss' kappa</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Folder of the images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>For a terminal: qgis_process.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>For at least one annotator the sum of sensitivity and specificity is below 1: STAPLE takes these polygons for the opposite of the truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>For each annotator a consensus of the others' polygons, so that no annotator is compared with their own; field 'left_out' names the annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>For edges, cracks and other lines: ground truths and detections are thinned to one pixel (Lampert et al. 2016, IV-C), detections at up to {steps} thresholds. The tolerance that goes with it is {share:.2%} of the diagonal of the pixels, unless one is given. Requires pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/target_regions.py"/>
        <source>For every target crown four polygons: &lt;b&gt;a&lt;/b&gt;, surely crown; &lt;b&gt;o&lt;/b&gt;, up to where the crown may reach; &lt;b&gt;e&lt;/b&gt;, the outer edge; &lt;b&gt;b&lt;/b&gt;, between o and e, surely not crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>For layers of this size there is a command that works tile by tile, on a cluster too: {command}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>For one layer with the polygons of several annotators: each value of this field is an annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Forgives the edge that nobody can draw exactly (Stewart et al. 2021).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/tuning/results.py"/>
        <source>Found on {count:,} shared crowns.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>From 0, outwards or upwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>From 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>From files of DeepForest, COCO, Pascal VOC, YOLO or LabelMe; they can be dropped here as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>From the earlier run to the later one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>From the ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>From the lowest point of each tree upwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>From the trunk outwards, seen from above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>From {count:,} warped copies of {name} (no measurement):</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Gallery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Gallery as a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>Gallery saved as {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Gamma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Gamma of the best set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>GeoPackage (*.gpkg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Goes through these crowns on page Review, from the row chosen on, with a verdict on each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Green band of the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Ground truth and results, as pycocotools reads them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Ground truth: {truth}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/units.py"/>
        <source>Ground truths and detections were thinned to lines of one pixel; tolerance: {distance:.3g} {unit}, {share:.2%} of the diagonal. The certainty is over tiles, not over annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/units.py"/>
        <source>Ground truths and detections were thinned to lines of one pixel; tolerance: {distance:.3g} {unit}. The certainty is over tiles, not over annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Ground truths made before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Grown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Gwet's AC1 (high for rare classes in any case)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Half of the annotators agree on nothing or on everything, so there is no contour to move: the result is what half of the annotators marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Half or more (0.5-GT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/output.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Harmonic mean of precision and recall.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Headline numbers with 95 % intervals.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Height at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Height field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Height of the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Height of the second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Height, where the tallest target chooses first: highest point above the lowest (the file does not say the unit of z; taken: {unit}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Height, where the tallest target chooses first: highest point above the lowest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Held by QGIS when the step ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/dock.py"/>
        <source>Help: the guide's page on this page (F1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Highest IoU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Highest RandCrowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Highest pairwise F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/scoring/form.py"/>
        <source>How</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>How far inside the target's outline the certain crown begins, metres on the ground. Crowns narrower than twice this length cannot be scored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>How far outside the target's outline a delineation may reach without penalty, metres on the ground.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>How far several people who drew the same place agree, and where they differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>How it is done, for a paper, with BibTeX.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_model.py"/>
        <source>How it was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/record.py"/>
        <source>How it was made (JSON)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>How likely each rank is for other annotators and places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>How many crowns are drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>How many decisions become one. LSML moves over pixels and requires a pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>How many of the worst, and as many typical ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>How much LSML straightens its outline, without unit; 0 as published.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>How much RandCrowns, IoU and IoUCrowns depend on who drew the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>How much does a score depend on who drew the target? Each annotator in turn is the target, and the others are scored against it (Stewart et al. 2021, Section IV-A); with targets drawn in the field, every annotator is scored against these (Section IV-B).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>How much of the area STAPLE expects to be marked. It decides how much it marks, and with that which detector is best; of two annotators, it alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>How rasters are named where they are of several images, such as {image}_{annotator}; a detector stands in place of the annotator. All are counted together, with rows per image, and images are resampled. Empty: one image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>How similar the rankings under every two ground truths are, -1 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>How strictly annotators are discarded; no unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>How the consensus was made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/record.py"/>
        <source>How the run was made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>How the target's corners look where it is grown: the paper's boxes keep square corners.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>IDTReeS 2020 toolbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../ui/review/table.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/tuning/results.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Id for IoU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Id of its prediction in the matching for detection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Id of its target in the matching for detection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Id of the prediction it is measured with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Id of the prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Id of the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>Identical delineations, so the variance is too low: {pairs}. Are they copies?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/choices.py"/>
        <location filename="../algorithms/exchange/outputs.py"/>
        <location filename="../algorithms/images.py"/>
        <location filename="../algorithms/output.py"/>
        <location filename="../algorithms/report/choices.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Image '{image}' has no raster of {missing}; add it, or take the image off the annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Image '{image}' has no raster {file} beside that of '{name}'; add it, or leave '{label}' empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Image '{image}' has rasters of annotators or of detectors alone; each image needs both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Image '{layer}' has {count} band(s), so band {band} cannot be {name}; choose one from 1 to {count}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Image '{layer}' holds numbers of colours in a table, not brightness; run 'PCT to RGB' on it and use the result.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>Image '{name}' covers none of the crowns of the gallery; they are drawn on white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Image '{name}' has data in {share} % of the study area; the correlations are of that part alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>Image '{name}' is not read from a file; save it as a GeoTIFF and use that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Image '{name}': no correlation with {rows}: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Image '{name}': no interval and no p-value for {rows}: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Image behind the gallery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Image boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Image extent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/images.py"/>
        <source>Image {image} cannot be cut: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Images '{first}' and '{other}' have {bands} and {other_bands} bands; they must have as many.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Images '{first}' and '{other}' lie in different coordinate systems; bring them to one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Images that it names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Images without crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Import and export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Import crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Import crowns…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Import summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Imported crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Imported points</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/importing.py"/>
        <source>Importing {count:,} files…</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>In OSGeo4W Setup they are called {names}. Without it: {said}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>In brackets: 95 % interval.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>In how many blocks the number of annotators varies, as if it varied alike in all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>In longitude and latitude (RFC 7946), a file per layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>In the means per partition and in table Metrics, with IoU and recall 0; otherwise they are excluded there. The mean IoU of the summary always counts them, as 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Install</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Install libraries…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Installed. Start QGIS again to use it: {names} is still loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Installed; everything can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Installing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>Install…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Instances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>Instead of polygons: the pixels that are neither 0 nor no data in the first band.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Intervals and p-values of the correlations count the blocks in which the number of annotators varies, not pixels: neighbouring pixels are alike, so p-values that count pixels would be far too small.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Intervals are 95 % confidence intervals, over plots where there are several, otherwise over instances.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>Intervals are 95 % intervals from resampled blocks of the study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Intervals come from resampling blocks of the study area: neighbouring pixels are alike, so intervals that count pixels would be far too narrow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/blocks.py"/>
        <source>Intervals need tiles, polygons or a grid of pixels; this vote table has no places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Intervals over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>IoU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>IoU, precision and recall of every class of the points, and of classes taken as one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>IoUCrowns of a delineation, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>IoUCrowns: IoU without the uncertain rim of the target, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>It came first in {first:.1f} % of samples, {rival} in {rival_first:.1f} %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>It has no score inside the study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>It lies at the edge of the grid ({names}), so look at its crowns before you use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>It moves a contour over pixels: give a pixel size to have it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>It read layers that the project does not have, so what they hold is not drawn: {layers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Its area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Its polygons, with the method and its parameters in every row and in the layer's metadata.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Its score is the same everywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Jinja2 templates (*.html *.j2 *.jinja);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>Keep the new layers in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Kendall's tau</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>Kept with the verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Kept with the verdict; Enter goes back to the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Key of the number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Krippendorff's alpha (nominal)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>LSML is as published, not clipped: of {of:,} pixels marked nobody marked {pixels:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>LSML is not in the bootstrap samples: its contour takes too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/lsml.py"/>
        <source>LSML needs decisions on a pixel grid: annotators x rows x columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>LSML requires a pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus.py"/>
        <source>LSML requires a pixel size: set it under More, and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>LSML stops after so many rounds, 1,000 as published, or when it is stable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>LSML: clipped to where any annotator marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>LSML: most rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>LSML: weight of the curvature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Labelled at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>Largest disagreements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Largest distance between the centroids of a target and its delineation, for the pairings by nearest centroid. Automatic: half the diagonal of each target's bounding box.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Largest loss first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Largest mean error of the annotators that you accept, 0 to 0.5 (a share of the study area). There is no common limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Largest spread first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>Last verdict: {verdict} by {who}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/tree.py"/>
        <source>Layer '{layer}' ({crs}) has no place on a map in {there}; choose another coordinate system for the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' already has the fields {fields}, which RandCrowns did not write; rename them, or let the results go to a new layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' cannot be edited (it is read-only); let the results go to a new layer instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' cannot be edited: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/staged.py"/>
        <source>Layer '{layer}' cannot be kept in {file}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/runs.py"/>
        <source>Layer '{layer}' does not say by which run it was made; choose a layer or table that a run made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' gives several crowns one id ({ids}), as a view or a virtual layer does that joins tables. Nothing was written into its fields: let the results go to a new layer, or export the layer first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' gives several crowns one id, as a view that joins tables does; ids in the results are rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' had {expected} crowns when the run began, but {read} were read: it was changed or filtered meanwhile, or its file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' has no field '{field}'; all its crowns were kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' has no field '{field}'; its crowns count to the group of the nearest target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/map_highlight.py"/>
        <source>Layer '{layer}' has no field '{missing}' any more; run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>Layer '{layer}' has no outline with a number in '{field}' to show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/place.py"/>
        <source>Layer '{layer}' has no usable polygons to take as the extent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/points.py"/>
        <source>Layer '{layer}' holds no points; choose a layer of points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{layer}' is in degrees; it is worked on in metres, in {zone}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>Layer '{layer}' is in edit mode: save its edits, or undo (Ctrl+Z). Scored {crowns}; {fields} (first: {first}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{layer}' is in {crs}, whose metre is {east:.2f} m (east) by {north:.2f} m (north) on the ground there; it is worked on in {zone}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' is in {crs}; it was brought to {working}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{layer}' is in {unit}; it is worked on in metres.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' was changed during the run: {count} crowns are no longer those that were scored (features {ids}), as they were redrawn, or numbered anew after a deletion. Nothing was written; run again, or let the results go to a new layer.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}': {count:,} crowns have nothing in field '{field}'; they are a group of their own, excluded from the groups' rows of the summary.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>Layer '{layer}': {count:,} crowns were not exported, since they lie on none of the images.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}': {count:,} polygons have nothing in field '{field}' and are excluded.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>Layer '{layer}': {what} (features {ids}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/vector/points.py"/>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{name}' cannot be read; check that its file or database is still there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{name}' has no coordinate system, so its metres are not known; set one in the layer's properties and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Layer '{name}' has no field '{field}' that names the annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Layer '{name}' has no field '{field}' to group by.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Layer '{name}' has no field '{field}' with the plot; add it, or leave the field empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Layer '{name}' has no numeric field '{field}' with scores; name its field, or remove the layer from the detectors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/layers.py"/>
        <source>Layer '{name}' holds no features that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Layer '{name}' holds no polygons that can be read; crowns must be polygons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{name}' holds no polygons; crowns must be polygons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Layer '{name}' is both a detector and an annotator; it can only be one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Layer '{name}' is chosen as an annotator and as '{role}', and can only be one of them: take it off the annotators, or choose another layer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{name}' is in {crs}, but other layers lie in pixel coordinates, without a coordinate system; georeference those, or use layers that were drawn on the image as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{name}' is in {crs}, whose coordinates are distances from the middle of the earth, no places on a map; save it in a map projection in metres and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Layer '{name}' is no raster and has no polygons, so it cannot be a detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Layer '{name}' is no raster: name its field with the image under '{label}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Layer '{name}': {number:,} different scores beyond {exact:,} became {left:,}, since larger whole numbers are rounded. Use smaller ones; only the order of the scores counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Layer {name} cannot take new fields; choose new layers instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Layer {name} has no crowns; pick another target layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>Layer {name} is being removed: crowns are no longer scored while they are drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Layer, or value of the field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Layers and tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Layers and tables exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Least IoU of a match.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Least p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>Leaving one annotator out needs at least two annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <location filename="../ui/agreement/consensus.py"/>
        <source>Leaving one annotator out requires at least two annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Line of a table, or number of the annotation in its file, from 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Lines of one pixel require pixels: give a pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Load sample data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Lower bound of the annotators' mean error, as a share of the study area, whatever the truth is (Smyth 1996; Eq. 1). 95 % interval: {interval}. The acceptable limit is your choice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Lower end of the 95 % interval.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Lower skew limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Lowest IoU first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Lowest IoUCrowns first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Lowest RandCrowns first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Lowest pairwise F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>Made {time} with {versions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Make a report of this run, as HTML or PDF: answer, methods, tables, plots, map, crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus.py"/>
        <source>Make consensus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Make consensus of annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Make report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus.py"/>
        <source>Makes a new layer; no other layer is changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <source>Makes one polygon layer from what several people drew of the same place: by voting, or by the estimation methods STAPLE (Warfield et al. 2004), SIMPLE (Langerak et al. 2010) and LSML (Li et al. 2011). Polygons may be crowns or anything else. Those of the result are the connected places that are marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Makes the regions that RandCrowns judges a crown by.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/report.html"/>
        <location filename="../resources/report_paper.html"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Map and legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Map as shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>Map of the run's layers over the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Margin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Marked area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Marked area (m², or px² without a georeference)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Marked area that no annotator marked (m², or px² without a georeference)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Marked blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Marked by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Marked by any annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Marked by nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>Marked by {yes}; not by {no}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Match trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Matched predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Matched targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>Matches predicted crowns with target crowns: how many were found (precision, recall, F1, panoptic quality), and how well each was segmented (IoU, precision, recall, by area).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Matches predicted crowns with target crowns: precision, recall, F1, panoptic quality, IoU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Matches the predicted trees of a labelled point cloud with its target trees.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Matches the predicted trees of a labelled point cloud with the target trees: how many were found (precision, recall, F1, panoptic quality), how well each was segmented (IoU, precision, recall), and which parts of the trees, by distance to the trunk and by height. With the attributes of the classes, and with those alone too, table Classes has IoU, precision and recall of every class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Matching for detection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Matching for segmentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Matching threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Maximum share too small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Mean F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Mean F1 with each of the others, 0 to 1 (Eq. 6).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Mean IoU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Mean IoU of all targets; a target without a prediction counts as 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Mean IoU of the first delineation layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Mean IoUCrowns of the first delineation layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Mean RandCrowns of the first delineation layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Mean RandCrowns of the right pairs, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Mean RandCrowns of the wrong pairs, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Mean RandCrowns of this kind of wrong pairs, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Mean and average variance of each score per target annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Mean and standard deviation (n - 1) of the kept annotators' overlap (Dice) with the vote. Our default.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Mean decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Mean distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Mean distance above which an annotator is an outlier.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Mean metrics by distance to the trunk (xy) and by height above the lowest point (z).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Mean of 1 - F1 with the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Mean of the targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Mean over count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Mean over the delineations, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Mean over the pairs, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Mean over the targets, 0 to 1; in brackets: {interval}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Mean pairwise F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Mean precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Mean recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Mean scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>Mean {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Mean {score}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Mean {score} of the crown over all delineation layers, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Mean {score} of the targets, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Mean ± standard deviation of their skew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Means are over the targets; a target that was missed or has no delineation scores 0, and one too small to have a certain crown is excluded and counted. Intervals are 95 % confidence intervals, over plots where there are several, otherwise over crowns (plots: {plots}). All crowns in the area were drawn: {drawn}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Means over the targets: missed and unmatched ones are 0; those without a score are excluded and counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Median {score}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Median {score} of the targets, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Memory more than at the start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Merged from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Merges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/report_parts.html"/>
        <source>Methods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Methods and citations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Metres, or the value of the height field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Metrics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Metrics by distance to the trunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Metrics by distance to the trunk (xy) and by height above the lowest point (z), for each target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Metrics by height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Metrics of detection and segmentation as pointtree names them, one row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Metrics per partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>Metrics with intervals, for all and per plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Minimum IoU of one crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Minimum IoU or RandCrowns of a crown that counts as found, 0.01 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Minimum score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Missed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/report/page.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/tuning/form.py"/>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus.py"/>
        <source>More about the consensus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Most pairs of each kind in the gallery (the paper shows four), and most crowns marked as worst and as typical.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Name of its layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Name, or number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Names and numbers, such as: ground=2 tree=5. Default: every class of the points, by its number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Names and numbers, such as: vegetation=3+4+5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Nearest centroid (recommended)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Negative predictive value: share of the unmarked area that is no consensus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Neighbours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Neither of the two annotators marked anything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Neither {file} nor its coordinate system says the unit of its heights; they are taken to be in {unit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>New layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>New layers of every page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreements.py"/>
        <source>Next place (down key in the table).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>No</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/guide.py"/>
        <source>No browser could be opened; the guide is in {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus.py"/>
        <source>No consensus of results that are out of date: {why} Run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>No crown is selected in layer {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>No crown was drawn by all of {names} (matches of IoU at least {min_iou:g} that are each other's best). Check that the layers show the same place, or lower the least IoU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>No delineation serves two targets; the assignment with the largest total RandCrowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>No delineation, or none that reaches what is surely crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>No ground truth marks anything, so the skew limits cannot be found: type them instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>No other annotator has a crown there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>No other detector has crowns to count, so there is nothing to rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>No outline of layer '{layer}' has a plot; choose its field and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>No pixel has a score from every detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/units.py"/>
        <source>No pixel's centre lies inside the study area; choose smaller pixels or a larger area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>No plot is on both sides: {where}: not found, or unmatched. Where only the spelling differs, make the plots' names alike, or leave the field empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>No plots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <location filename="../layers/vector/read.py"/>
        <source>No polygon has anything in field '{field}', so there is no annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/printing.py"/>
        <source>No print layout of this page shows an earlier run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/page.py"/>
        <source>No problem.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>No raster is of {names}, so the polygons with that in field '{field}' do not count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/result_file.py"/>
        <source>No results can be kept in {file} ({why}); choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/runs.py"/>
        <source>No run of RandCrowns is known here; run something first, or choose a layer that a run made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>No run of this page yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>No run of this project is known yet: run something on another page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>No set of the grid can be chosen: those that keep wrong pairs below {limit:g} miss most of the right pairs, or score them no higher than wrong ones. Try smaller values of alpha, and check that the layers lie on each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>No set of the grid keeps wrong pairs below {limit:g}: the lowest mean is {lowest}. Try smaller values of gamma or omega, or raise the threshold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>No study area was chosen, so only what somebody marked is counted. Choose a study area: Smyth's bound, specificity, negative predictive value and the kappas mean little without one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>No study area was chosen: the image's rectangle was taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>No study area was chosen: the rectangle of the first raster was taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>No target and prediction overlap; do both layers have the right coordinate system?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>No two annotators marked the same place: STAPLE cannot distinguish good annotators, and its result depends on its start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>No unit has both a score and a ground truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>No unit of the study area has a score from every detector, so nothing can be ranked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>No variance: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>No versions of these libraries fit Python {python} and numpy {numpy} of this QGIS; a newer QGIS brings newer ones. The log says which.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank.py"/>
        <source>No {truth}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>No.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Nobody marked anything in the study area, so agreement is undefined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <location filename="../ui/agreement/form.py"/>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>None of its crowns has a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <location filename="../algorithms/detectors/units.py"/>
        <source>None of the annotators' layers has a polygon that can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>None of the delineation layers has a field '{field}' with scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank.py"/>
        <source>None of the ground truths chosen can be made. {whys}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>None of the {count:,} polygons reaches into the study area, so nothing can be compared; choose another study area, or check the layers' coordinate systems.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Not judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Not marked by</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/importing.py"/>
        <source>Not recognised as files of annotations, and passed over: {files}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>Nothing here to evaluate yet. Add two polygon layers (targets and predictions) or a labelled point cloud (LAS, LAZ, COPC), or try the sample data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Nothing is cut.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/units.py"/>
        <source>Nothing is left of the study area but training areas and areas to ignore; choose a larger one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/place.py"/>
        <source>Nothing is left of the study area; exclude less of it, or choose a larger one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Nothing is scored yet. Score crowns on page Score, then review them here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>Nothing is written when the run is cancelled or fails.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Nothing or everything is marked, so STAPLE has nothing to estimate: the probability is the share of annotators who marked a place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>Number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Number by which the tallest target chooses first (point2tree, for_instance). Default: the area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Number of annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/compare.py"/>
        <source>Number of annotators (of {count}: {names}) who marked each pixel; 255 is outside.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Number of annotators it was made from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Number of annotators per pixel, 255 outside of the study area; requires a pixel size or an image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Number of annotators per pixel, in pixels of the size above or the image's own; 255 outside the study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Number of annotators who did not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Number of annotators who marked it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Number of parts of equal width by distance to the trunk, and by height.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Number of points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Number of predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Number of targets it was given to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Number of targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Number of the band of raster detectors that holds the score, from 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Number of the first pixel (VOC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Number of the pair in the layer of delineations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Number of the shared crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Number of the target in the layer of targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Numbers that are defined in fewer than 100 bootstrap samples have no interval; choose more bootstrap samples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Numeric field of the polygon detectors with their score; rasters need none. Polygons without a score are excluded and counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Numeric field of the predictions with their score, for average precision. Default: the field whose name begins with score, conf or prob; without one there is no average precision.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Numeric field of the predictions with their score. Default: one whose name begins so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Of RandCrowns (Eq. 15), average over targets with a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Of delineations without a target: extra, or not judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Of no correlation, two-sided; tiles count, not places. Significant below 1 - certainty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Of no correlation; blocks count, not pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Of several images, or plots, the one; rows of all come first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Of the coordinates, where the file names none. For local coordinates in metres any system in metres will do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Of the kept annotators' overlap (Dice) with the vote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Of the report. Default: what was run, with which layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Of the study area, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Of the whole layer {share:.0%} would be accepted (95 % interval {low:.0%} to {high:.0%}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Of these, crowns that are neither right nor wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Of these, imported as areas to ignore.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Of these, imported as crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Of these, imported as points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Of these, not imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Omega</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Omega of the best set (m)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>On average an annotator marked less than a tenth of the study area: raw agreement and Gwet's AC1 are then high whatever the annotators do. Compare them with Fleiss' kappa and the pairwise F1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>On average an annotator marked more than nine tenths of the study area: raw agreement, Gwet's AC1 and the pairwise F1 are then high whatever the annotators do. Compare them with Fleiss' kappa.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>On the map: {detector} {truth}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>One annotator requires at least {number} warped copies, or choose more annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>One consensus without each annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>One file that holds all its pictures.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>One ground truth, or the band that all of them span with its median.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>One layer of polygons from what several people drew of the same place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/tuning/form.py"/>
        <source>One layer only: {count:,} warped copies of it stand for other annotators (see More).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>One or more polygon layers, each scored against the targets on its own; each gets fields named after it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>One to one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>One to one with the largest total IoU; pairs with an IoU above 0.5 are kept (Henrich et al. 2024).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Only STAPLE gives probabilities; switch the probability raster off, or choose STAPLE.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Only crowns of this plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Only crowns with a lower score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Only crowns with this problem.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Only first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Only second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Only some crowns were drawn, but by area what nobody drew counts as no crown: go by the recall of whole crowns, or choose a study area in which all were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Only some crowns were drawn, so average precision is n/a{areas}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <location filename="../ui/detectors/results.py"/>
        <source>Only some crowns were drawn: detections that match none are not judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>Only the crowns selected were scored: run with all of them to have them scored while drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Only votes of the same annotators, in pixels of one size, make one table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Only what somebody marked is counted, or the image's rectangle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>Only {count} shared crowns: delineate more before you rely on these numbers.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Outlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Outlier threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Outliers and the dendrogram require at least three annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Outlines are drawn around one point per square cell of this side. The metrics do not depend on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>Outlines in metres; alpha and omega are metres, gamma is a ratio of areas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/tuning/form.py"/>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Over all cores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Over the delineations of the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Over whole crowns nothing could be ranked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Own values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Own window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>P(rank #)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>Packages of this system come first; pip installs the rest {where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Pairing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <source>Pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/score.py"/>
        <source>Pairs need as many targets as delineations, but there are {targets} and {delineations}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Pairs of annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Pairs on which RandCrowns and IoU disagree most, agree, or are both low.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Pairs that share nothing of the certain crown, and score 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Panoptic quality, crown by crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Panoptic quality: mean IoU of the matched pairs times F1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/catalogue.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Parameters and pairing are those of the IDTReeS 2020 competition.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Parameters of the method.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Part of it that nobody else marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Part of the run; the last row is all of it but the writing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../ui/instances/panel.py"/>
        <source>Partitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Partitions end at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Partitions of each tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Partitions per axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <location filename="../ui/report/page.py"/>
        <source>Parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>Pascal VOC holds boxes only: {count:,} crowns were written as their boxes.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Pearson correlation of score and number of annotators, where anybody marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Pearson, with the number of annotators, -1 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Penalised mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Performance of the annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Pick a layer of targets and a layer of predictions first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Pick a point cloud first: a LAS, LAZ or COPC file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Pick a target layer first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/plot.py"/>
        <source>Picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Pixel size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Pixels of the image around the crowns where it is cut out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Pixels of {pixel:g} m cannot be made; give a size above 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>Pixels of {size:g} m are larger than the study area ({width:.6g} x {height:.6g} m); choose smaller ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>Pixels of {size:g} {unit} miss {what}; choose smaller ones, or 0 for exact areas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Place of the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Place of the second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>Place {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>Place {rank}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/places.py"/>
        <source>Places need the polygons' overlay; this vote table comes from pixels or tiles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Places of the study area, or whole crowns found and missed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Places on which all agree are settled beforehand and excluded from the estimation. By default they stay in it and are not fixed, as in the source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Places where annotators differ, the largest first, with who marked them and who did not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>Places where annotators differ, the largest first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/choosing.py"/>
        <source>Plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>Plot '{plot}' is called '{name}' in the summary, where '{plot}' is the row of all plots.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Plot saved as {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <location filename="../resources/report.html"/>
        <source>Plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Plots outside the study area do not count: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/cutting.py"/>
        <source>Plots {plots} lie on several images; of each the part on every image was cut out by itself.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Plots: {field}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>Point at a cell for its value; click it to see the two on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <location filename="../ui/instances/form.py"/>
        <source>Point cloud</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>Point cloud file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Point clouds (*.las *.laz);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>Point clouds: time and memory of each step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>Point clouds: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Point recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Points measured in the field, as of stems: how many lie in a predicted crown is the point recall.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Points of the class in both over points of it in either.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Points of the files, as of stems; none is made where there are no points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Points where it is not 0 are labelled, for 'Labelled at least'. Default: those of a target tree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Points with this id belong to no target tree. It is below all ids of trees, often -1 or 0. In an attribute that cannot be negative, -1 stands for its largest number where points have that, and otherwise for 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Polygon layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Polygon layer with the crowns of a detector; none is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Polygon layer with the crowns taken as true.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Polygon layer with the crowns that a method predicted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Polygon layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Polygon layers of the same place, one per person.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Polygon layers or rasters of the same place, one per annotator; or one polygon layer with a field that names the annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Polygon layers or rasters that are ground truths as they are, such as a consensus made on page Annotators or elsewhere; of a raster all but 0 and no data is marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Polygon layers or rasters, one per person: each is a ground truth, and together they make the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>Polygon layers: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Polygons are overlaid exactly, or centres of pixels of this side counted: equal within the error of a pixel. With rasters among the annotators 0 means the pixels of the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Polygons in which a detector was trained; nothing in them is counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Polygons in which predictions are neither right nor wrong; COCO's ground truth has them as crowds (iscrowd).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Polygons inside the study area that are excluded, such as clouds or training areas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>Polygons that were not valid were repaired before the comparison.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Polygons, such as COCO's crowds (iscrowd), in which an unmatched prediction is neither right nor wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Polygons, such as COCO's crowds (iscrowd). A detected crown that takes no target is neither right nor wrong where as much of it lies on one of them as a match needs; by area nothing in them is counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Polygons, such as COCO's crowds (iscrowd). An unmatched prediction is neither right nor wrong where as much of it lies on one of them as a match needs IoU (AP, thresholds), or half of it (uncertain).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Positive predictive value: share of the marked area that is consensus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/output.py"/>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Precision and recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/showing.py"/>
        <source>Precision and recall of whole crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Precision at {score} #</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Precision averaged over the skew limits, along recall (Eq. 7).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Precision averaged over the skew limits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Predicted attribute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Predicted crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Prediction that IoU, precision and recall are of.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../ui/instances/panel.py"/>
        <source>Predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Predictions in which several targets lie by more than half.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Previous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreements.py"/>
        <source>Previous place (up key in the table).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/printing.py"/>
        <source>Print layout: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <source>Prior</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Probability of each rank over the bootstrap samples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Probability raster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Probability with which no detector is called better that is not, over all pairs of detectors, and with which the intervals of CCO and CCI hold. A correlation is significant where its p-value is below 1 - this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/choosing.py"/>
        <location filename="../ui/review/table.py"/>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/broken_runs.py"/>
        <source>Put right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Puts the crowns of DeepForest, COCO, Pascal VOC, YOLO and LabelMe files on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>Python libraries that are needed cannot be used here:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>P̄</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>P̄ and recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/showing.py"/>
        <source>P̄ and recall of areas, under all ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>P̄ is the precision averaged over scenes in which crowns cover between these two shares of the area (Lampert et al. 2016, Eq. 7).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>P̄, precision and false positive rate along recall, per ground truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>QGIS cannot do it itself here: copy the line into {where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>ROC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>RandCrowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0 to 0.25</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.25 to 0.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.5 to 0.75</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.75 to 0.9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.9 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>RandCrowns and IoU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>RandCrowns and IoU of every pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>RandCrowns and IoU of every target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>RandCrowns below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>RandCrowns is off, since its results would be wrong: another plugin loaded the library shapely first, and in a way that mixes it up with QGIS's own geometry library. Switch that plugin off (Plugins &gt; Manage and Install Plugins; it is one that works with shapely or geopandas), then start QGIS again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>RandCrowns less that of the earlier run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>RandCrowns of a delineation, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>RandCrowns over IoU, as PNG or SVG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>RandCrowns panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>RandCrowns preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>RandCrowns requires Python libraries that are not installed: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>RandCrowns requires lengths in metres, but the layers lie in pixel coordinates; match crowns by IoU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>RandCrowns review: {word}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>RandCrowns threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>RandCrowns without true negatives, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>RandCrowns, 0 to 1 (Stewart et al. 2021, Eq. 14).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>RandCrowns, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/dock.py"/>
        <source>RandCrowns: help on the page on show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>RandCrowns: libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/dock.py"/>
        <source>RandCrowns: run the page on show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/side_by_side.py"/>
        <source>RandCrowns: side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Random sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <location filename="../ui/detectors/form.py"/>
        <source>Rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Rank by common variance among the sets that can be chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Rank detectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/detectors/form.py"/>
        <source>Rank {count:,} detectors</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/detectors/form.py"/>
        <source>Rank {count} rasters of several images</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Ranking #</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <location filename="../core/detectors/faces.py"/>
        <source>Ranking needs at least one annotator and one detector; pick both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>Ranking needs at least one detector and one ground truth; pick both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>Ranking needs at least one detector; pick one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../ui/detectors/panel.py"/>
        <source>Rankings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Ranks detectors under every ground truth that several annotators make.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/marks.py"/>
        <source>Raster '{first}' sets the pixels ({width:g} x {height:g} {unit}); aligned to them: {others}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' cannot be opened; check that its file is still there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' cannot be read: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' cannot be read; check that its file is still there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' covers too much of the earth to be worked on in metres; clip it to the study area first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' does not say where its pixels lie; georeference it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Raster '{name}' has complex numbers in band {band}, and those have no order; save their magnitude as a raster and use that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Raster '{name}' has no field '{field}': name the images of rasters by a pattern, under '{label}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' has {bands} band(s), so band {band} cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Raster '{name}' has {bands} band(s), so band {band} cannot hold its score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Raster '{name}' has {bands} bands; band {band} holds its score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' is not read from a file; save it as a GeoTIFF and use that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/marks.py"/>
        <source>Raster '{raster}' has no georeference as other layers have; georeference it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Raster band</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Rasters hold no crowns and are not counted: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Rasters hold no crowns to count; count areas, or choose polygon layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Rasters that the crowns are on; COCO, DeepForest and Pascal VOC need them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Rasters were resampled to pixels of {size:g} m (nearest neighbour).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Rasters with a score per pixel, or polygon layers with a score field. Higher means more certain; only the order of the scores counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <source>Ratio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Raw agreement: chance that two annotators decide alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Read only of images that say where they lie but not in which system, as one with a world file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Read the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>Reading the layers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>Reading the layers… {percent:.0f} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/output.py"/>
        <source>Recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Recall along the false positive rate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Recall at this IoU, mean over the ground truths; all detections count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Recall at {score} #</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Recall over whole crowns: the share of the annotator's crowns that it finds, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Recognition quality: F1 of the crowns, matched above IoU 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Recognition quality: F1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Recommended sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Red band of the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>Red: the target; other colours: its delineations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Red: {annotator} {id}, excluded: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Red: {target} {target_id}. Black: {drawn} {drawn_id}. RandCrowns {randcrowns}, IoU {iou}, IoUCrowns {iou_crowns}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/report_parts.html"/>
        <source>References</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Refused because</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Regions of each target: a surely crown, o where it may reach, e outer edge, b surely not crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Regions of target crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Reject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>Replace the layers of the last run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Report (HTML)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Report (PDF)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Resampled ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Resamples of annotators and tiles or plots. A certainty of 95 % requires at least 20, one of 99 % 100.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Resamples of blocks for the 95 % intervals.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Result in words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>Results of {time}, shown again; edits of the layers since then are not noticed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Review</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/review/page.py"/>
        <source>Reviewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>Reviewers' verdicts: {told}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Review…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Rounds of the estimation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Rows with all of these words; Plot="a 1" asks for just that in a column.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <location filename="../ui/report/page.py"/>
        <location filename="../ui/report/run_list.py"/>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>SD {score}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>SIMPLE: Dice with the consensus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>SIMPLE: discard annotators below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>SIMPLE: factor a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>STAPLE's prior</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>STAPLE's prior without this annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>STAPLE's probability of every pixel, -1 outside of the study area; requires a pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>STAPLE: keep what all agree on fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>STAPLE: prior</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>STAPLE: prior as a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>STAPLE: the marked area along the prior.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud.py"/>
        <source>Sample cloud (simulated)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>Sample plot added; all of it is simulated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>Sample plot added; all of it is simulated. Page Instances offers its point cloud.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Sample size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Save as A4 pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Save as one file for a browser.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Save gallery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Save plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Save report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save table…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Save the plot as PNG or SVG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/session.py"/>
        <source>Save the project first: verdicts are kept in the GeoPackage beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Save the sheet as PNG or SVG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save the table as CSV or XLSX (Ctrl+C copies the rows selected).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/report_parts.html"/>
        <source>Save these layers first, as they were; the command cannot read them: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/plot.py"/>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Scatter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Scatter plot as a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <location filename="../algorithms/exchange/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Score crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <location filename="../algorithms/exchange/choices.py"/>
        <location filename="../algorithms/instances/choices.py"/>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Score field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Score only the crowns selected in the target layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Score the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Score threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>Score tree crown delineations against target crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Score while drawing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Score with this set on page Score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/form.py"/>
        <source>Score {count:,} layers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>Score: field {field}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Scored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Scored copies and the regions, in a group of their own. Your layers stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Scored delineations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Scored layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Scored targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/results.py"/>
        <source>Scored {count:,} crowns; the layers are in group '{group}'.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Scored; the image extent leaves less room outside the crown than gamma asks for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Scores as that competition's toolbox gives them, on pixels of 0.1 m, with its own pairing; requires the bounds of each plot, 20 x 20 m, as the image extent. With a plot field, all targets of a plot belong to the polygon that most of them lie in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>Scores every set of a grid of alpha, omega and gamma by the variance of RandCrowns between annotators (Stewart et al. 2021, Table III): a low variance means that the score hardly depends on who drew the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>Scores every target crown against its delineation: RandCrowns (Stewart et al. 2021), IoU and IoUCrowns. Read the three together: a high RandCrowns alone is no proof of a good crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Scores tree crown delineations against target crowns with RandCrowns, IoU and IoUCrowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>Scoring the crowns…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>Scoring was cancelled; no layer was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Search again first: these results are old.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Search radius</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/tuning/form.py"/>
        <source>Search {count:,} sets</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Second ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Segmentation quality: mean IoU of the matched crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Segmentation quality: mean IoU of the matched pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Selected targets only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Sensitivity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Sets of alpha, omega and gamma. Image boxes and field polygons: the values chosen in the paper (Stewart et al. 2021, IV-A and IV-B). The lengths and the ratio below are read only with 'Own values'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/form.py"/>
        <source>Sets to try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Several delineations lie in the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Several images: names of the rasters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>Several of the images are called {name}, by which the files could not tell them apart; rename them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare.py"/>
        <source>Several people drew the same place. How far do they agree, where do they differ, and who is an outlier? The measures are those of Lampert, Stumpf and Gançarski (2016), with chance-corrected coefficients and agreement crown by crown beside them. Polygons may be crowns or anything else; overlapping ones of one annotator count once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Share (0 to 1) of right pairs that miss the certain crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Share of bootstrap samples in which the best by area beat the second; a tie is half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Share of the annotator's crowns that any detection matches, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Share of the annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Share of the area expected to be marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Share of the area marked by anybody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Share of the bootstrap samples in which it took this rank.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Share of the bootstrap samples won against the next row's.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Share of the consensus that this annotator marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Share of the delineations with it on a target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Share of the distance at which the last partition ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Share of the field points that lie in a prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Share of the points of the class that are predicted so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Share of the points predicted so that are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Share of the predictions that have a target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Share of the predictions, but for uncertain ones, that have a target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Share of the study area that the ground truth marks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/output.py"/>
        <source>Share of the targets that were found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Share of the targets with that {score} or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Share of what is no consensus that was left unmarked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Shared area over joint area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <location filename="../layers/expressions.py"/>
        <location filename="../ui/review/table.py"/>
        <source>Shared area over the area of both, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Shared size over the size of both, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Shared size over the size of the prediction, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Shared size over the size of the target, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Shifted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Shifted from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_bar.py"/>
        <source>Show an earlier run again, or compare two runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/printing.py"/>
        <source>Show this run in the print layouts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Shown behind the crowns on the sheet of small maps; without one they are drawn on white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Shrunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Side of a block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Side of a tile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Side of the window around each pixel in which the image's contrast is measured; an odd number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Simulated annotators, who draw every crown a little differently: what if? Read only with one annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Skew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Skew limits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank.py"/>
        <source>Skew limits from the ground truths: {low:.3f} to {high:.3f}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Small: few false positives away from what anybody marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Smaller places are counted, but not listed among the disagreements.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Smallest disagreement to list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Smyth's bound &lt;b&gt;n/a&lt;/b&gt;: it requires two annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Smyth's bound &lt;b&gt;n/a&lt;/b&gt;: nobody marked anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Smyth's bound &lt;b&gt;{bound}&lt;/b&gt;, {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Smyth's bound on the mean error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Smyth's lower bound on the mean error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>Some plots are on one side only: {where}: not found, or unmatched. Where only the spelling differs, make the plots' names alike, or leave the field empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Some scores are infinite.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>Some values of {name} are masked; give only those to try.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>Something went wrong that should not have ({kind}: {why}). Nothing was written; please report it with the details in the log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Specificity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Split from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Spreadsheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Square</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Square for boxes, round for polygons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Square metres for areas, otherwise no unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Standard deviation of the angle. Boxes are not rotated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Standard deviation of the logarithm of the scale along x and y; 0.1 is about 10 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Standard deviation of the shift along x and y, metres on the ground.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Standard deviation of {score} (n - 1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Statistic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Status of the score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Steps of Ward's clustering on 1 - F1: annotators count from 0, then the clusters as they were made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Strata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/review/sampling.py"/>
        <source>Strata, reviewed and accepted need one value per crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: a rectangle ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: all that was drawn and found ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the image's rectangle ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the marked pixels of '{layer}' ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the marked pixels of '{layer}' inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the pixels of the rasters ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the polygons of '{layer}' ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the polygons of '{layer}' inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the rectangle around all annotators' polygons ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: the rectangle of the first raster ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: what somebody marked ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Study area: what the annotators drew, a rectangle around it in each plot ({size:,.0f} {unit}²).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Sum of RandCrowns over scored targets plus unmatched delineations: every false positive costs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/agreement/panel.py"/>
        <location filename="../ui/instances/panel.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <source>Summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Switch off where only some crowns were drawn, as in most field work: a detected crown that matches none of the annotator's is then not judged, since it may be right; precision and AP are n/a, recall stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Switch off where only some crowns were drawn, as in most field work: a prediction without one may be right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Switch off where only some crowns were drawn, as in most field work: unmatched delineations are then not judged, and precision, F1 and the penalised mean are n/a.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Switch off where only some crowns were drawn, as in most field work: unmatched predictions are then not judged, and precision, F1 and panoptic quality are n/a.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Table saved as {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/verdicts.py"/>
        <source>Table {table} of {path} cannot be opened; choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/verdicts.py"/>
        <source>Table {table} of {path} has no column '{missing}', so it holds no verdicts; rename it, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>Table, headline and map follow what is drawn; the run's layers stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Tables (.csv) with image_path and boxes, outlines as text, or points; columns go by their names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/comparing.py"/>
        <source>Take the targets as what is compared with them, and the other layer as the targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Takes in the verdicts of another reviewer's GeoPackage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>Takes the layers of this page's last run out of the project when the new ones are there; what you edited or styled stays, as do the tables in the file. They can be brought back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Target area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Target attribute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Target by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Target crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Target crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Target id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>Target layer '{layer}' has a detector's scores (field '{field}'); targets are the crowns taken as true. Swap the layers if it is the detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Target {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <location filename="../algorithms/scoring/showing.py"/>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>Target {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/instances/panel.py"/>
        <source>Targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Targets and predictions are the same attribute, '{name}'; choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>Targets and predictions are the same layer, which says nothing of how good the predictions are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Targets and predictions are the same layer; pick another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/summary.py"/>
        <source>Targets and predictions must both have plots, or neither of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Targets drawn in the field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Targets in which several predictions lie by more than half.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Targets narrower than twice alpha, without a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Targets that were found: each prediction once, the highest IoU first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Targets that were not found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Targets with a delineation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Targets with a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Targets with variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Tells runs on a page that can be quoted: the answer, how it was made, tables, plots, maps; HTML and PDF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>Tells runs on a page that holds all its pictures: the answer in sentences, what was compared and how, tables with intervals, plots, a map, the worst and the most typical crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>That of an image that follows the number of annotators exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>The 95 % quantile of the distances, as pointtree computes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/export.py"/>
        <source>The GDAL of this QGIS cannot write {driver}; choose another format, such as GeoPackage.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>The GeoPackage file that keeps the layers; empty: a file beside the project. Each run adds tables of its own and leaves the others alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>The IDTReeS 2020 preset needs the bounds of each plot's image (20 x 20 m): choose the image, or a layer with one polygon per plot, as 'Image extent'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>The agreement map is no longer in the project; run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare.py"/>
        <source>The agreement raster requires a pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/runner.py"/>
        <source>The algorithm {name} is not there: is the plugin switched on in Processing?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>The annotator whose polygons were excluded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>The annotator's colour in every plot and on the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The area of a pixel must be a number above 0, not {area:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>The areas the score is made of, as in Figure 1 of the paper: (a² + b²) / (a² + b² + c² + d²).
covered (a): surely crown, and in the delineation
not covered (d): surely crown, but not in the delineation
outside (c): surely not crown, but in the delineation
free (b): surely not crown, and not in the delineation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>The areas to ignore were not exported: of these formats only COCO has a word for them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>The attributes, a file per layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>The attributes, a sheet per layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>The best set scored directly, per target annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>The best sets that can be chosen, in order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>The bounds of the plot have no area; they are xmin, ymin, xmax, ymax.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>The bounds of the plot must be four numbers: xmin, ymin, xmax, ymax.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>The certainty is unknown: no bootstrap samples were made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/metrics.py"/>
        <source>The classes of aggregate '{name}' must be a list of numbers, not {numbers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>The cloth simulation filter found no ground in the cloud, so there are no tree heights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>The confidence must be one plain number per detection: pick a numeric field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/measures.py"/>
        <source>The consensus has the shape {shape}; expected one value for each of {patterns} patterns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The consensus is empty without {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/measures.py"/>
        <source>The consensus must be True or False for each pattern, not {dtype}; compare probabilities with a threshold first, such as &gt;= 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>The consensus of the annotators {annotators} was made by: {method} (Lampert et al. 2016; STAPLE: Warfield et al. 2004; SIMPLE: Langerak et al. 2010; LSML: Li et al. 2011). {made}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>The consensus that an annotator is compared with is then made without their own polygons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The consensus that annotators are compared with covers the whole study area: specificity is undefined, and Cohen's kappa is 0 or undefined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The consensus that annotators are compared with is empty: sensitivity is undefined, and Cohen's kappa is 0 or undefined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The contour vanished or became undefined; the last defined one is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>The coordinate system '{crs}' is not defined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The coordinate system of layer '{name}' ('{crs}') is not defined: it does not say where on earth the coordinates lie; set one in the layer's properties and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>The coordinates must be numbers, not {dtype}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>The coordinates must have three columns (x, y, z); their shape is {shape}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The coordinates of layer '{name}' are no place on earth in {crs}; check the layer's coordinate system in its properties.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The coordinates of layer '{name}' cannot be brought from {crs} to {to}; check the layer's coordinate system in its properties.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>The crown as up to four delineation layers have it, in small maps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The crown before it in the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The crown is right as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The crown is wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The crown was wrong, and you have corrected it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>The crowns of layer '{layer}' have no place in the coordinate system of image '{image}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>The crowns of {file} cannot be brought from {crs} to {to}; import it by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The decisions must be a stack, or a list with an array per annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The delineation covers another target too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The delineation does not touch what is surely crown: score 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The delineation has the target's size, but lies elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The delineation is much larger than the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The delineation is much smaller than the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>The delineations of the annotators {annotators} were compared place by place inside the study area (Lampert et al. 2016): F1 of every two annotators (Eq. 6) and their clusters by Ward's method on 1 - F1, the agreement ratio (Eq. 3), Smyth's lower bound on their mean error (Smyth 1996; Eq. 1), and agreement beyond chance (Fleiss 1971).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>The delineations {delineations} were scored against the target crowns {targets} with RandCrowns (Stewart et al. 2021), intersection over union (IoU) and IoUCrowns, which leaves the uncertain rim of the target out. All areas are those of the polygons, in square metres.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>The detector's score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>The detector's score; none in a ground truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/showing.py"/>
        <source>The detectors {detectors} were ranked under every ground truth that the annotators {annotators} make (Lampert et al. 2016): by area with the area under the curve of P̄ over recall (AUCR, Eq. 7), and over whole crowns with average precision.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>The detectors; last the ground truths that rank them so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>The disk is full: {file} cannot be written. Free some space and run again, or choose a file on another disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>The distinct rankings of the detectors, and the ground truths that give each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>The distinct rankings, and the ground truths that give each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The estimation did not converge within the largest number of rounds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/place.py"/>
        <source>The extent and the extent layer have nothing in common; leave one of them out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/place.py"/>
        <source>The extent cannot be brought to {working}: it is too large, or not in {crs}; give a smaller one around the crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <location filename="../layers/vector/place.py"/>
        <source>The extent has no area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/place.py"/>
        <source>The extent is larger than any map; give one in metres or degrees around the crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>The extent must be a polygon, or four numbers: xmin, ymin, xmax, ymax.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/place.py"/>
        <source>The extent must be four numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The factor a must be 0 or more, not {a:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The feature has no usable outline: no score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>The file {file} is damaged; choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/staged.py"/>
        <source>The file {path} cannot be replaced; is it open in another program?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/export.py"/>
        <source>The file {path} cannot be written ({why}); is the disk full?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/result_file.py"/>
        <source>The file's path must not have an apostrophe (') in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>The file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>The files are written into it, over files of the same names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/importing.py"/>
        <source>The files hold no crowns that can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>The files hold {number:,} annotations, more than {most:,}; raise the score threshold, or import fewer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/marks.py"/>
        <source>The first band is taken of annotators' rasters with several: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>The folder {folder} for '{name}' is not there; make it or choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>The grid has {sets:,} sets of parameters, more than {most:,}; take larger steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The grid would have {rows:,} x {columns:,} pixels, more than {most:,}; choose a smaller study area or larger pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The ground truth '{method}' cannot be made again for drawn annotators; choose of {methods}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The ground truth marks everything, so there can be no false alarm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The ground truth marks nothing, so there is nothing to detect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>The ground truth that is made of the annotators of each bootstrap sample; LSML would take too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>The ground truths all mark the same share of the area ({skew:.3g}), so the skew limits cannot be found: type them instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/guide.py"/>
        <source>The guide is not in this copy of the plugin ({file} is missing). Install the plugin's zip, which has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>The heights of {file} are in units of {unit:.4g} m; they are worked on in metres.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>The id of points without an instance ({invalid_id}) must be below the lowest instance id ({lowest}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>The id of uncertain predictions ({uncertain_id}) must not be above the id of points without an instance ({invalid_id}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>The image behind the gallery cannot be found or opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The image does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare.py"/>
        <source>The image has too many pixels in the study area for its correlations; choose a smaller study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>The image must be a whole number of pixels wide, at least 1, not {image_size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/image.py"/>
        <source>The image must have rows and columns, and bands before them; its shape is {shape}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>The image on which the polygons were drawn, to correlate agreement with its brightness and contrast. Of several images told by the names of rasters it is one; the others lie beside its file, named alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>The image that the crown is on, as the file names it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The image's brightness and contrast are those of bands {bands} (red, green, blue).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The image's brightness and contrast are those of its first band.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/units.py"/>
        <source>The images have pixels of different sizes; give a pixel size, or resample them to one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The images have too many pixels together for correlations with them; compare fewer at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>The images say where they lie, but not in which coordinate system; choose it, or set the layer's.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/importing.py"/>
        <source>The import was cancelled; nothing was added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>The installation failed; the log says why. Nothing of QGIS was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>The intervals come from resampling square blocks of the study area; blocks should be larger than a crown. Automatic: an eighth of the longer side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/parameters.py"/>
        <source>The kind of offsets must be one of {kinds}, not '{kind}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>The largest distance, as pointtree documents.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>The largest place is 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>The last run has {rows:,} rows: the button Runs shows it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>The last verdict on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/form.py"/>
        <source>The last {name} is below the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The layer compared with the targets has {times:.0f} times as many crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choice.py"/>
        <location filename="../algorithms/layer_choice.py"/>
        <source>The layer for '{name}' cannot be found or opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>The layer is in degrees, but lengths are metres: transform() the outlines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>The layer of disagreements is no longer in the project; run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>The layer to write to was removed from the project; the results were not written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>The layer with these scores was removed: run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>The layer {layer} of the sample plot cannot be read from {folder}, written anew: it is empty, or without its coordinate system. Is the disk full, or QGIS's installation damaged?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>The layers are in group '{group}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The layers lie in pixel coordinates without a coordinate system: lengths are in pixels, areas in px².</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>The layers lie in pixel coordinates, without a coordinate system, so '{name}' cannot be {value}; leave it at 0, or georeference the images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The layers name {plots:,} plots in field '{field}', which is not chosen as the plot: nothing is counted or resampled by plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>The layers of the last run were replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>The layers of the run that is shown are gone; run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/vector.py"/>
        <source>The layers of {path} are in several coordinate systems; import them one by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>The layers that were read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/systems.py"/>
        <source>The layers' coordinate systems differ ({named}); bring all layers to one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>The layout {template} cannot be read; install the plugin again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/printing.py"/>
        <source>The layouts of earlier runs of this page get its map, tables, words and plot; how they look stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>The least IoU of a match must lie between 0 and 1, but it is {min_iou}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The level of agreement must lie between 0 and 1, not {share:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>The limit '{name}' must be a number from {least} to {most}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>The limit for wrong pairs must lie above 0 and not above 1, but it is {limit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>The lower and the upper skew limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>The lowest IoU first, of equal ones the largest; {colours}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>The lowest RandCrowns first; red: target, black: delineation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>The lowest RandCrowns of all delineations nearest to a target: one poor delineation costs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>The lowest ids must be the same, but targets start with {targets} and predictions with {predictions}; number both from the same id on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>The map has no coordinate system: set one in the project's properties, or choose another study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The mask has the shape {shape}, the decisions {other_shape}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The mask must be True or False at every unit (True excludes it), not {dtype}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>The mean score of all delineations nearest to a target, divided by their number: splitting costs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>The memory does not suffice for {resamples:,} resamples; take fewer, such as 1,000.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>The memory does not suffice; take a smaller area, fewer layers or a coarser pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>The method and its parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>The method in a few words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>The name of raster '{name}' does not fit the pattern '{pattern}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The next crown of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The number of annotators varies in few blocks: even an image equal to it would have p = {p:.2f} here, so a p-value of that size does not mean that the correlation is weak.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/variance.py"/>
        <source>The number of crowns to pick must be a whole number of at least 1, not {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/wrong_pairs.py"/>
        <source>The number of warped copies must be a whole number of at least 1, not {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>The outline is no polygon with an area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>The output '{name}' cannot be written to {where}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>The output '{name}' requires a pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>The paper's way for boxes (mitre).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>The paper's way for polygons drawn in the field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>The part of each image that the crowns are on is written as an image of its own (GeoTIFF, in folder images); with a plot field, the part of each plot. Otherwise the files name the images, which stay where they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>The pattern '{pattern}' must hold {{image}} and {{annotator}} once each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>The picture shows {shown} of the {all} values of gamma; the table has them all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/output.py"/>
        <source>The pixels cannot be turned into polygons: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>The pixels of raster '{first}' are counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>The pixels of the rasters; without a raster the rectangle around all annotators' polygons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>The points must be a one-dimensional array of shapely points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>The polygons of a layer, for example one per plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>The polygons of every annotator alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>The predicted trees lie up to {distance:,.1f} km apart, too far for heights above the terrain from {points:,} points; remove points that lie far from the others, cut the cloud into plots, or leave the smallest tree height at 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>The predicted trees of the labelled point cloud were matched with its target trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>The predictions have no field '{field}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>The predictions {predictions} were matched with the targets {targets}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The prior decides how much STAPLE marks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>The prior decides how much is marked: with {value:.3g} ({prior}) {share:.2%} of the study area, with {other_value:.3g} ({other}) {other_share:.2%}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>The prior must be 'any', 'mean' or a number between 0 and 1, not '{prior}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>The prior must lie between 0 and 1, both excluded, not {prior:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>The program could not be started; copy the line into a terminal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>The project has no file yet, so the new layers are temporary: save the project, or choose a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/printing.py"/>
        <source>The project has no layer '{layer}' of this run: it was not made, or was removed; run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The published method can mark places that no annotator marked; the clipped one cannot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The published threshold for discarding annotators differs between sources; mean minus one standard deviation of the kept annotators' overlap is our default.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>The range '{range}' of {name} ends at {reached:g}: no step leads to {last:g}, so it is not tried.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>The range '{text}' of {name} has more than {many:,} values; take a larger step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>The range '{text}' of {name} leads nowhere: the step must be above 0 and the last not below the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/output.py"/>
        <source>The raster {path} cannot be written ({reason}); make room, or choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>The rectangle of a raster layer of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>The report was cancelled; no file was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>The required certainty is {level:g}; give a share between 0.5 and 1, such as {usual:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>The result depends on where the contour starts, here at what half of the annotators marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>The results cannot be shown ({kind}: {why}). Run again; should it happen again, please report it with the details in the log tab RandCrowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/runner.py"/>
        <source>The results were written, but {place} cannot be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The rule must be one of {rules}, not '{rule}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>The run '{run}' has no delineation layer '{name}'; show one that both runs have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/runner.py"/>
        <source>The run did not finish; the log tab RandCrowns says more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>The run of {time} cannot be shown again, for {tables} are gone: temporary, removed or emptied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>The run of {time} cannot be shown again: its fields are gone, or hold other values since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>The run that is shown does not have this crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/running.py"/>
        <source>The run was cancelled; no layer was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>The run's layers over the image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>The same as pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>The same at an IoU of 0.50.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>The same at an IoU of 0.75.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>The same for the predicted attribute. Default: as for the targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>The same layer stands twice among the annotators ({names}); choose it once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>The same number of annotators marked every place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>The same of the best by whole crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>The same over targets that every set can score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>The same over the whole study area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>The same seed draws the same crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>The same with the 10 surest predictions of each plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>The same with the 100 surest predictions of each plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>The sample data could not be made: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>The sample plot cannot be written to {folder}: {error}. Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/sample/plot.py"/>
        <source>The sample plot's seed is {seed}; give a whole number from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The score is below the threshold, for none of these reasons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>The score that decides whether a detected crown is the annotator's crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>The score threshold must be a number, but it is {threshold}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>The scores are in fields of the target layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/live.py"/>
        <source>The scores of IDTReeS 2020 are of whole plots: run again after drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/pairing.py"/>
        <source>The search radius must be a number of metres above 0, not {search_radius}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>The search was cancelled; no layer was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>The seed of random numbers must be 0 or more, not {seed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/parameters.py"/>
        <source>The segments per quarter circle must be a whole number of at least 1, not {quad_segs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/metrics.py"/>
        <source>The share must be 0 or more and below 1, not {share:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>The share of crowns that may be excluded must be from 0 to below 1, but it is {most_excluded}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>The share of the area that any annotator marked, as Lampert et al. (2016) have it; marks more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>The share of the area that the annotators marked on average, as ITK has it; marks less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>The share of the whole layer that is accepted is known once every stratum has a verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/blocks.py"/>
        <source>The side of a block must be at least one pixel, but it is {block_side:g} pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/blocks.py"/>
        <source>The side of a block must be positive, not {side:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>The skew limits {low} and {high} cannot be used: the fraction of positives must rise from the lower to the upper limit, both between 0 and 1. Try 0.1 and 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The stack has {n_annotators} annotators, the table {other_n_annotators}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The study area and the raster have no pixel in common; check where both lie.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The study area has no width or no height; choose one with an area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The study area has shape {shape}, the score {other_shape}: give both the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/geometry/overlay.py"/>
        <source>The study area is empty; choose a polygon with an area.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/styles.py"/>
        <source>The style {file} cannot be read ({message}); install the plugin again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>The system's package {pip} comes first; it installs them {where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/variance.py"/>
        <source>The table has no column {missing}; take one that annotator_variance made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>The table of pairs does not belong to {targets} targets; give the number it was made with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>The table of pairs has no column {missing}: score the crowns first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>The table of pairs names delineation {detection}, but there are confidences for {confidences} only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>The tallest target takes the best prediction that is still free, at any overlap (Wielgosz et al. 2023).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The target has a delineation and a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The target has no delineation: score 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The target is narrower than twice alpha, so nothing is surely crown: no score, excluded from the means.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>The target layer has no field '{field}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>The target layer is among the delineations: scored against itself, it scores 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>The target layer was removed while it was scored, so no field could be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The target lies outside the image extent: no score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>The targets with their own fields, and for each delineation layer the three scores, status and match.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The targets' plots hold only {inside:.0%} of the crowns compared with them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/pages.py"/>
        <source>The template {file} cannot be used{where}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>The terrain needs finite coordinates; some points have none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>The threshold of a match is not a number; give one, such as 0.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/tolerance.py"/>
        <source>The tolerance is {distance:g} m; it must be 0 or more metres.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>The tolerance of {tolerance:g} {unit} is less than a pixel ({width:g} x {height:g} {unit}) and does nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/importing.py"/>
        <source>The toolbox is switched off; switch the plugin Processing on (Plugins &gt; Manage and Install Plugins).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/offsets.py"/>
        <source>The true negative outer boundary could not be found; is a target's geometry degenerate?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>The true positive rates have shape {shape}, the false positive rates {other_shape}: give one of each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>The two runs are on other targets, '{first}' and '{other}', so no crown of the one is in the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The units of the coordinate system of layer '{name}' are not known; save the layer in a system in metres and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>The values of {name} have commas: '{text}'. Write decimals with a point and spaces between numbers, such as 0.5 0.7.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>The values to try: from the first to the last by a step; the last only where a step leads to it. As text: numbers with spaces between them, or first:last:step, such as 0.1:1.0:0.1. Default: the grid of the paper (Table III).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>The variance over alpha and omega for each gamma, as PNG or SVG; refused sets are hatched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/verdicts.py"/>
        <source>The verdict was not kept in {path} ({why}); free it, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>The votes have shape {shape}, the score {other_shape}: give both the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/image.py"/>
        <source>The votes have the shape {shape}, the image {other_shape}; bring them to one grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The weights have shape {shape}, the score {other_shape}: give one weight per unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The weights of a vote table must be numbers of 0 or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>The window for the contrast ({window:,} pixels) is larger than image '{name}' ({width:,} x {height:,}); choose a smaller one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>The window for the contrast must be an odd number of pixels, such as 7, but it is {window}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/image.py"/>
        <source>The window must be an odd number of pixels, such as 7, not {window}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>The worst crowns first, the rim counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>The worst crowns first, the rim left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>The worst crowns first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>The {name} ids must follow one another without gaps; {n_missing} between {first} and {last} are missing ({missing}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>The {name} labels must be at most {most}; the largest is {largest}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>The {name} labels must be one row of numbers, one per point; their shape is {shape}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>The {name} labels must be whole numbers (an integer type), not {dtype}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/scoring/parameters.py"/>
        <source>The {name} must be a number from 0 to {most:,.0f}, but it is {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/wrong_pairs.py"/>
        <source>The {name} of warped copies must be a number of at least 0, not {amount}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>There are no plots: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/printing.py"/>
        <source>There are no results to print; run first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>There are no tiles to count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>There are no values of {name} to try; give at least one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/values.py"/>
        <source>There are no values of {name} to try; write some, such as 0.1:1.0:0.1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>There are {detections} detections but {shares} shares of them that are to be ignored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>There are {n_annotators} annotators but {names} names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>There are {n_predictions} predictions, but {shares} shares of them that are ignored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>There are {patterns} patterns but weights of shape {shape}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>There are {points} points but {n_points} labels; each point needs one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>There are {resamples} resamples and {thresholds} thresholds; give at least one of each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>There are {resamples} resamples; give at least one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>There are {targets} target labels but {predictions} predicted ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>There are {targets} targets but {ignored} marks of what cannot be scored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>There are {times:.0f} times as many targets as crowns compared with them; targets are the crowns taken as true. Swap the layers if '{layer}' is the detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>There is no annotator to compare with the targets; add at least one layer of delineations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/places.py"/>
        <source>There is no annotator {annotator}; the first is 0, the last {last}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>There is no coordinate system '{name}'; choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>There is no file of annotations in {given}; choose a file, a folder or a pattern as *.csv.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>There is no file {path}; choose a LAS, LAZ or COPC file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/importing.py"/>
        <source>There is no folder {folder} for the images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/result_file.py"/>
        <source>There is no folder {folder} for the results; make it, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>There is no gallery to save yet: choose a set of parameters first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>There is no ground truth '{method}'; choose of {methods}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>There is no other detector to compare it with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/pointtree.py"/>
        <source>There is no partition '{partition}'; choose one of {axes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreements.py"/>
        <source>There is no place where the annotators differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>There is no place with a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/page.py"/>
        <source>There is no polygon layer and no raster in this project yet. Add what annotators drew and what detectors found (polygons with a score field, or rasters), or try the sample data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>There is no polygon layer and no raster in this project. Add what several annotators drew of the same place, one layer per annotator, or try the sample data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>There is no polygon layer in this project yet. Add one with the crowns, or try the sample data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>There is no polygon layer in this project yet. Add the crowns as several people drew them, or try the sample data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>There is no region '{region}'; choose a, o, e or b.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/crowns.py"/>
        <source>There is no target crown that could be found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>There is no template {file}; choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/status.py"/>
        <source>There is no {kind} '{name}'; choose one of {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>There is no {side} instance {id}, but {of} is matched with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/page.py"/>
        <source>There is nothing to show: nothing is marked, or the layer is gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>There is only one annotator, '{name}', so others are simulated: {count:,} warped copies of the delineations.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>There is only one annotator: agreement and the comparison with a consensus require at least two.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>There must be at least one partition and at most {most:,}, not {n_partitions}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/matching.py"/>
        <source>There must be one height per target ({n_targets}); there are {heights}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/parts.py"/>
        <source>These results are out of date: {why} Run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>They are packages of this system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Thin to lines of one pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/thinning.py"/>
        <source>Thinning needs a raster (rows and columns), not {ndim} dimensions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>This crown has no outline, or is no longer in its layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>This crown is no longer in its layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/matching.py"/>
        <source>This matching method takes the tallest target first, so it needs the targets' heights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>This requires Python libraries that cannot be used here: {names}. The RandCrowns panel offers to install them; or type in a terminal, then start QGIS again: {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Those of the page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Those on which the delineation layers differ most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Those whose IoU, precision and recall lie nearest to the medians; {colours}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Those whose RandCrowns fell most since the run compared with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Those whose three scores lie nearest to the medians of all; red: target, black: delineation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Three quarters (0.75-GT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Threshold for wrong pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <location filename="../ui/instances/panel.py"/>
        <source>Thresholds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Thresholds side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Tile {number} has {n_annotators} annotators, those before it {other_n_annotators}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/faces.py"/>
        <source>Tiles of {side:g} m cannot be made here; give a side that makes at most {most:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>Tiles of {side} pixels cannot be made; give a side of at least one pixel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Tiles should be wider than a crown; whole crowns are resampled by plots where these are known. Automatic: an eighth of the side of a square as large as the study area, and at least the median crown's diameter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../algorithms/record.py"/>
        <location filename="../ui/instances/panel.py"/>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Time and memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Time and memory of each step but the writing of the outputs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Tolerance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Too large from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Too small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Too small from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Training areas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Trees require two attributes: the id of the target and of the predicted tree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>True negative inner boundary (omega)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>True negative inner boundary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>True negative pairs (b)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>True positive boundary (alpha)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>True positive boundary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>True positive pairs (a)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>True positive rate, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>True positives: targets that were found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>Try another threshold or a wider grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Tune parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Two annotators are named '{twice}'; give each a name of their own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Two attributes of a labelled point cloud are compared; sizes are numbers of points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Two numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/images.py"/>
        <source>Two of the rasters of several images have the same name; rename one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Two or more delineations with this share of their own area in one target have split it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Two polygon layers are compared; sizes are areas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>Typical crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Typical crowns{of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Typical targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Uncertain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Unit of lengths and, squared, of areas: m, or px of images without a georeference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Unit of the value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Units that the intervals count: plots or crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Unmatched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Unmatched predictions that are no false positives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Unmatched predictions where not all were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>Unmatched predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Unmatched targets count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Unmatched, first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Unmatched, second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Unreviewed only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Upper end of the 95 % interval.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Upper skew limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Use these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Value of marked pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Value of the plot field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Value of the plot field; all: every target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Value of the plot field; all: everything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Value that means no tree: predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>Value that means no tree: targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>Variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Variance of RandCrowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>Variance of RandCrowns at the gamma of the best set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Variance of the crown's {score} over all delineation layers (Stewart et al. 2021, Eq. 15).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Variance over the grid as a picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Variance {score}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <location filename="../ui/review/table.py"/>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Verdicts of another reviewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Verdicts of reviewers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/record.py"/>
        <source>Version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Votes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Votes, discards those who overlap least with the outcome, votes again (Langerak et al. 2010).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>Wall-clock time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Ward's clustering of the annotators on 1 - F1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>Ward's distance on 1 - F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Ward's distance on 1 - F1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Warnings and notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Warped copies of a single annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Warped copies: rotation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Warped copies: scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Warped copies: shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Web page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/tuning/form.py"/>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>What a run made, or any other vector layers and tables of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>What all annotators marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>What at least 1, 2, … of the annotators marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>What at least one annotator marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>What at least this share of the annotators marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>What became of the crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>What each has its share of the sample.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>What half of the annotators or more marked; ties are marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>What half or more of the annotators marked who are no outliers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>What is counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>What is found where a match needs another IoU, from 0.10 to 0.95, per detector and annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>What is found where a match needs another IoU, from 0.10 to 0.95.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>What is written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>What is wrong with a delineation, the first that applies of: missing, shifted, too large, too small, low overlap; or none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>What is wrong with the crown, the first that applies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>What is wrong with the crown, the first that applies; or none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>What is wrong with the crown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>What it was taken for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>What makes the results useless or doubtful, if anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>What page Review kept of the crowns of the run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/staged.py"/>
        <source>What stood in {files} before could not be put back; it is kept in the folder {folder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/broken_runs.py"/>
        <source>What stood in {files} before the run could not be put back; it is kept in {folders}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>What the annotators could see. Regions and delineations are cut to it, and targets outside it are excluded and counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>What the annotators make together: a multipolygon per ground truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>What the detectors are compared with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>What the detectors are compared with: each annotator, and what the annotators make together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>What the files are; found out from their beginning unless chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>What the map shows when Run is pressed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>What the number is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>What the pages of the dock begin with in a project that keeps no choices yet. The algorithms of the toolbox have their own defaults.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <location filename="../ui/shell/running.py"/>
        <source>What the project keeps for page {page} cannot be read; the page has its defaults.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>What the report holds beside the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>What the run said of its input and its numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>What three quarters of the annotators or more marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>What was chosen, versions and date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <location filename="../resources/report.html"/>
        <location filename="../resources/report_paper.html"/>
        <source>What was compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/base.py"/>
        <source>What was odd about the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>Where annotators differ, the largest first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Where anyone marked: its score is the same everywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Where anyone marked: some scores are infinite.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Where anyone marked: the same number of annotators marked every place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Where anyone marked: there is no place with a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Where it stands in a drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>Where the annotators looked: what nobody marked there counts as no crown. Without a study area: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>Where the images are that the files name, or in folders in it. Default: beside the files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>Whether one detector is better than another cannot be said:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Whether the best detector can be called better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Whether the set can be chosen (offered), or why not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Whether the tables and curves are about areas or about whole crowns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Whether the target can be scored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Which crowns come first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>Which delineation belongs to which target. The IDTReeS preset has a pairing of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Which delineation layer the line, the table and the plot are about.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Which is better by area is unknown: no pixel has a score from every detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/table.py"/>
        <source>Who gave it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns and areas disagree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns are compared with annotators that are polygons; these are rasters: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/choices.py"/>
        <source>Whole crowns found or missed, per annotator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Whole crowns: average precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>Whole crowns: recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: recall {each} ({score} of at least {threshold:g}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} and {second} tie (AUCR {value}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} and {second} tie (average precision {value}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (AUCR).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (AUCR). {best} can be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (AUCR). {best} cannot be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (average precision).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (average precision). {best} can be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (average precision). {best} cannot be called better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>Whole run but writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Whom SIMPLE discards in each round. The published threshold differs between sources; ours is first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Whose crowns are judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/outputs.py"/>
        <source>Why annotations were skipped, with their rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Why n/a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Why the crown is excluded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Why the pair is in the gallery.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Why the set cannot be chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Why there is no number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <source>Why there is no value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Why there is no variance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/table.py"/>
        <source>Why, in a sentence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Width of region b.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Width of the true negative region.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Window for the contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>With 95 % intervals.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>With one annotator it would be that annotator's own drawing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>With pixels of {pixel:g} m the grid would have {down:.3g} x {across:.3g} of them, more than {most:,}; choose a smaller study area or larger pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/lengths.py"/>
        <source>With these values nothing of it is surely crown: it would be too small to score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>With two annotators SIMPLE ends with the polygons of one of them, those of the larger area unless they tie; which of the two is right cannot be estimated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>With two annotators, Smyth's bound is half the share of the area on which they differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>With two annotators, the prior alone decides whether STAPLE keeps what both marked or what either marked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>With two annotators, whatever either of them marked is in the consensus, so positive predictive value is 1 by construction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/notes.py"/>
        <source>With two annotators, whatever either of them marked is in the consensus, so specificity and positive predictive value are 1 by construction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Without</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>Without a target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>Without a verdict, or changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Without outliers (Excl-0.5-GT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>Without this layer each annotator in turn is the target, and the others are scored against them. With it, its crowns alone are the targets, and every annotator is scored against them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/choices.py"/>
        <source>Worst and typical crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>Worst crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <source>Worst crowns{of}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>Worst targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Writes targets and predictions as COCO, DeepForest, Pascal VOC, GeoJSON, GeoPackage or tables.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Writes the scores beside the target layer's own fields, as one step that can be undone; the layer is left in edit mode for you to save or discard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/catalogue.py"/>
        <source>Writes what a run made as one GeoPackage with its styles, or as GeoJSON, GeoParquet, XLSX or CSV.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <location filename="../algorithms/exchange/layers.py"/>
        <source>Written: {files}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Written: {link} in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>Wrong pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/outputs.py"/>
        <source>Yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Your name, kept with every verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>Your name, kept with every verdict. Default: the name you are logged in with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <source>Your own share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>Your own, below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>a GeoPackage file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud.py"/>
        <source>a LAS, LAZ or COPC file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>a layer in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>a line per annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>a x mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>a, o, e or b.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>a: covered, surely crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/regions.qml"/>
        <source>a: surely crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>above your limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/methods.py"/>
        <source>agreed places fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>agreement ratio (Eq. 3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <location filename="../algorithms/exchange/choices.py"/>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>all but 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/tables.py"/>
        <source>all classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/comparing.py"/>
        <source>all crowns were drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <location filename="../algorithms/detectors/tables.py"/>
        <source>all images</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>all {count:,} polygons</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>all: band and median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/choices.py"/>
        <source>alpha {alpha:g} m, omega {omega:g} m, gamma {gamma:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an AUCR of {low} to {high} under {number} annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an AUCR of {low} to {high} under {number} ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an AUCR of {low} under {number} annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an AUCR of {low} under {number} ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an AUCR of {low} under {who}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an average precision of {low} to {high} under {number} annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an average precision of {low} to {high} under {number} ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an average precision of {low} under {number} annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an average precision of {low} under {number} ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>an average precision of {low} under {who}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare.py"/>
        <source>annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>any score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>arrays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>as before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>as given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>as shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>assignment, statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>at least so many annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/methods.py"/>
        <source>at least {share:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <location filename="../algorithms/detectors/choices.py"/>
        <location filename="../algorithms/scoring/choices.py"/>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>b: left out, surely not crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/regions.qml"/>
        <source>b: surely not crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <source>both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/fields.py"/>
        <source>by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>c: covered, surely not crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>cannot be imported: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/staged.py"/>
        <source>choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud.py"/>
        <source>choose one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>chunk {number} of {all} states a wrong size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>class; aggregate; mean of the classes, or with aggregates in their place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>cloud: {file}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>clusters of annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>clusters of annotators (* outlier)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>compressed point cloud files (LAZ, COPC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>consensus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>consensus without {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>covered (a)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <location filename="../ui/services/layer_facts.py"/>
        <source>crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>crowns not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/methods.py"/>
        <source>curvature {weight:g}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>cut by extent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>d: left out, surely crown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>delineation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>delineation not judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>delineations not judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>delineations: {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/regions.qml"/>
        <source>e: outer edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>effect of STAPLE's prior</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>every crown has a score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/choices.py"/>
        <location filename="../algorithms/agreement/consensus.py"/>
        <source>exact areas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>extra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <location filename="../ui/instances/panel.py"/>
        <location filename="../ui/instances/results.py"/>
        <source>false positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>false positive rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>false positives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>farthest point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/broken_runs.py"/>
        <source>files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <location filename="../ui/instances/results.py"/>
        <source>found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>found (true positive)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>found (true positive), or not found (false negative).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>found: has a target (true positive); false positive: has none; uncertain: does not count; not judged: has none where only some crowns were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>free (b)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>from {before} to {after}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/showing.py"/>
        <source>ground truths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>has edits not saved yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>in degrees, worked on in metres</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>in {unit}, worked on in metres</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <source>instances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>into {folder}, which only RandCrowns uses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>it came first in {first:.1f} % of {drawn}, {rival} in {rival_first:.1f} %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>it came out ahead in {won:.1f} % of {drawn}, tied in {tied:.1f} %, with an AUCR {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>it came out ahead in {won:.1f} % of {drawn}, tied in {tied:.1f} %, with an average precision {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>it came out ahead in {won:.1f} % of {drawn}, with an AUCR {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>it came out ahead in {won:.1f} % of {drawn}, with an average precision {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>it does not say how its points are compressed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>it has no header of a LAS file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>it says that it has {number:,} extended header records</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>it says that it has {number:,} header records</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>it says that its points are in {number:,} chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>it says that its points come {number:,} at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>its folder {folder} is not there and cannot be made; choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>its format does not take what is in it; choose another, such as .gpkg.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>its score is the same everywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>labeled_mask must have one value per point ({points}); it has {values}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>labeled_mask must say of every point whether it is labelled: true or false, 1 or 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>largest disagreements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>layer {name} has another source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>layer {name} was edited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>layer {name} was removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>less than 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>limit not set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <source>looked at, not chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>low overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>marked ({unit}²)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>marked by anybody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>matched: it was given to a target; unmatched, not judged: to none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>matching: {detection} (detection), {segmentation} (segmentation)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/estimation.py"/>
        <source>mean - a x SD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>mean of the targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>metres</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>missed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/scored_targets.qml"/>
        <source>missed: score 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>mixed up with QGIS's own geometry library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <location filename="../ui/agreement/results.py"/>
        <location filename="../ui/detectors/results.py"/>
        <location filename="../ui/instances/results.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/table_model.py"/>
        <source>n/a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choice.py"/>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>no bootstrap sample had a ground truth with both marked and unmarked units.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud.py"/>
        <location filename="../ui/services/layer_facts.py"/>
        <source>no coordinate system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>no coordinate system: set one in the layer's properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>no crown has a score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>no crowns in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/side_by_side.py"/>
        <source>no delineation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>no geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>no image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>no number of bootstrap samples shows {level:g} %. Require less, such as 99 %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <location filename="../ui/instances/results.py"/>
        <source>no outline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>no plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/layer_picker.py"/>
        <source>no polygon layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>no polygons in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>no score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>no variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/showing.py"/>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>nobody marked anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choice.py"/>
        <location filename="../algorithms/detectors/choices.py"/>
        <location filename="../algorithms/instances/choices.py"/>
        <location filename="../algorithms/layer_choice.py"/>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/review/choosing.py"/>
        <location filename="../ui/widgets/layer_picker.py"/>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/form.py"/>
        <source>none: each annotator in turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/methods.py"/>
        <source>not clipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>not covered (d)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <location filename="../ui/instances/results.py"/>
        <source>not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>not found (false negative)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <location filename="../ui/instances/panel.py"/>
        <location filename="../ui/instances/results.py"/>
        <source>not judged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>not judged (only some crowns were drawn)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/importing.py"/>
        <source>not recognised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>not scored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>nothing to match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/regions.qml"/>
        <source>o: up to where it may reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>of an unknown version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/choices.py"/>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>only some crowns were drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/comparing.py"/>
        <source>only some crowns were drawn: {undefined} n/a</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>only the consensus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>only {found} of {expected} rows reached it; its format may not take a value: choose .gpkg.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>only {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>only {used:,} of the {needed:,} bootstrap samples that {level:g} % requires could be ranked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>only {used:,} of the {needed:,} bootstrap samples that {level:g} % requires were made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>other crowns were selected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/panel.py"/>
        <source>outlier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>outside (c)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>outside the extent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>own coordinate system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>pairing: {pairing}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>pairwise F1, dark 0 to bright 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>pip of QGIS's own Python installs them {where}, beside QGIS's numpy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <source>pixels of {size:g} {unit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>pixels, no georeference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/output.py"/>
        <location filename="../ui/review/choosing.py"/>
        <location filename="../ui/shell/printing.py"/>
        <source>plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>plots and pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>plots: {field}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>point cloud files (LAS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>polygons not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>precision, F1 and the penalised mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>precision, F1, PQ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/polygons.py"/>
        <source>precision, F1, PQ and AP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>precision, F1, penalised mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>predictions without a target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>predictions: {attribute}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>predictions: {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>preset: {preset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>prior (expected share)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>prior used </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/methods.py"/>
        <source>prior {prior}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>probability without {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_facts.py"/>
        <source>raster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>red: target, black: prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>requires at least three annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>score classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>scored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/scored_delineations.qml"/>
        <source>serves no target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>share of the marked area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>share of the tree's height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>share of the tree's radius</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>shifted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud.py"/>
        <source>simulated, of other trees than the sample image, and beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>some scores are infinite.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>targets with a prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>targets without a prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>targets: each annotator in turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>targets: {attribute}, {number} is no tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/comparing.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>targets: {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/installing.py"/>
        <source>the OSGeo4W shell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/running.py"/>
        <source>the choices above changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>the coordinate system of layer {name} changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>the filter of layer {name} changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/layer_choice.py"/>
        <source>the first {count}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>the mean decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>the one polygon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>the pixels of raster '{first}'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>the same number of annotators marked every place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>the share that anybody marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>the study area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>the table of its compressed points is not in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>the toolbox's own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>the two were tied in all {drawn}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>there are no marked places, or no unmarked ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>there is no place with a score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>there is only one detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>they do not count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/outputs.py"/>
        <location filename="../algorithms/instances/outputs.py"/>
        <location filename="../ui/tuning/results.py"/>
        <location filename="../ui/widgets/fields.py"/>
        <source>to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>too small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/scored_targets.qml"/>
        <source>too small to score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>typical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <location filename="../ui/instances/results.py"/>
        <source>uncertain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>uncertain (does not count)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>units of {unit:.4g} m, as its coordinates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>unmatched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>unmatched delineation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>unmatched delineations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/scored_targets.qml"/>
        <source>unmatched: score 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>var.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/showing.py"/>
        <location filename="../ui/tuning/plots.py"/>
        <source>variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance 0.0001 to 0.001</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance 0.001 to 0.01</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance 0.01 and more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance under 0.0001</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/choosing.py"/>
        <source>whole layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>with one annotator and one plot there is nothing to resample.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>with one annotator and one tile there is nothing to resample. Use smaller tiles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>with one plot nothing is known of other places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>with one tile nothing is known of other places. Use smaller tiles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>within your limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>worse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>worst</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/showing.py"/>
        <location filename="../algorithms/tuning/showing.py"/>
        <source>worst crowns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>worst targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>worst: RandCrowns differs most; typical: about median variance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/outputs.py"/>
        <source>xy: distance to the trunk; z: height above the lowest point.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choice.py"/>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreements.py"/>
        <source>yes: {yes}
no: {no}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>{area:,.1f} {unit}² of it were marked by nobody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>{area} (polygons)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>{area} (raster)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/layer_choice.py"/>
        <source>{area} (rectangle)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{best} can be called better than {second}:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{best} cannot be called better than {second}:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{best} comes first under {most} of {every} annotators (whole crowns), {others}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{best} comes first under {most} of {every} annotators (whole crowns).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{best} comes first under {most} of {every} ground truths (areas), {others}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{best} comes first under {most} of {every} ground truths (areas).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{best} has the highest AUCR but cannot be called the best:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{best} has the highest average precision but cannot be called the best:</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/consensus.py"/>
        <location filename="../ui/agreement/results.py"/>
        <source>{count:,} annotators</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/scoring/results.py"/>
        <location filename="../ui/services/layer_facts.py"/>
        <source>{count:,} crowns</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>{count:,} crowns are no boxes: pycocotools compares boxes or pixels of them, RandCrowns their outlines.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/results.py"/>
        <source>{count:,} crowns had been deleted meanwhile.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/results.py"/>
        <source>{count:,} crowns had not been saved when the run began, and were saved or deleted meanwhile; run again to score what is there now.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/importing.py"/>
        <source>{count:,} crowns imported, {skipped} skipped; they are in group '{group}'.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns of another geometry type than polygon were skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns of mixed geometry were reduced to polygons</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns outside the extent were excluded</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns partly outside the extent were cut to it</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with a score below the threshold were excluded</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with an empty geometry were skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with an invalid geometry were repaired</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with an outline that cannot be read were skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with coordinates that are not numbers were skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with coordinates too large for any map were skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with curved edges were taken with short straight ones</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with heights or measures were taken flat</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with several parts were counted once</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without a score were excluded</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without an annotator's name were excluded</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without an area were skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without geometry were skipped</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} delineations excluded: not drawn by all annotators.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} delineations excluded: outside the image extent.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/results.py"/>
        <source>{count:,} fields were written</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/importing.py"/>
        <source>{count:,} files were taken for {kind}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/form.py"/>
        <source>{count:,} layers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../resources/report_parts.html"/>
        <source>{count:,} more rows are in the run's own table.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/services/messages.py"/>
        <source>{count:,} notes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/disagreements.py"/>
        <source>{count:,} places</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/instances/cloud.py"/>
        <source>{count:,} points</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/rank.py"/>
        <source>{count:,} points of layer '{layer}' count for point recall.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/services/layer_facts.py"/>
        <source>{count:,} polygons</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/instances/results.py"/>
        <source>{count:,} predictions</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/polygons.py"/>
        <source>{count:,} predictions have no height in the height field; these count as high enough.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/polygons.py"/>
        <source>{count:,} predictions have no score and are left out of AP.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/polygons.py"/>
        <source>{count:,} predictions lie on areas to ignore, by at least half; unmatched, they are uncertain.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>{count:,} predictions without a score were not exported; COCO's results need one.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/methods.py"/>
        <source>{count:,} rounds</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/instances/results.py"/>
        <source>{count:,} targets</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} targets excluded: not drawn by all annotators.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} targets excluded: outside the image extent.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/review/page.py"/>
        <source>{count:,} verdicts taken in.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/services/messages.py"/>
        <source>{count:,} warnings</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/tables.py"/>
        <source>{count} annotators: mean F1 {f1}, pairs {least} to {most}; Fleiss' kappa {kappa}, Smyth's bound on the mean error {bound}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/units.py"/>
        <source>{count} detectors on {rows:,} x {columns:,} pixels take too much memory; choose larger pixels.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/history.py"/>
        <source>{count} earlier runs are in the files</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/images.py"/>
        <source>{count} images or plots were counted together; intervals are over them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/printing.py"/>
        <source>{count} print layouts show this run now.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/report/report.py"/>
        <source>{count} runs: {titles}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/layer_choice.py"/>
        <source>{count} selected features</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>{done:,} of {all:,} reviewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} bootstrap samples of annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} bootstrap samples of annotators and plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} bootstrap samples of annotators and tiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} bootstrap samples of plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} bootstrap samples of tiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} of {asked:,} bootstrap samples of annotators (the others could not be ranked)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} of {asked:,} bootstrap samples of annotators and plots (the others could not be ranked)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} of {asked:,} bootstrap samples of annotators and tiles (the others could not be ranked)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} of {asked:,} bootstrap samples of plots (the others could not be ranked)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{draws:,} of {asked:,} bootstrap samples of tiles (the others could not be ranked)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>{file} cannot be read as a point cloud; it is damaged or ends early ({why}). Copy or download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>{file} cannot be written to; check your rights to it and to its folder, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>{file} changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>{file} could not be read or written; check that nothing else changes it, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/result_file.py"/>
        <source>{file} does not say in which folder; choose the results' file with the button beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>{file} does not say its coordinate system; choose the one its coordinates are in. For local coordinates in metres any system in metres will do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>{file} ends early: only {found:,} of {expected:,} points are there. Copy or download it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>{file} has more than {most:,} annotations (row {row:,} is one too many); raise the score threshold, or split the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>{file} has no attribute '{name}' with one number per point; it has {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file} has no points.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>{file} is gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>{file} is in use: another program, or unsaved edits in QGIS, keep it locked. Save or close there and run again, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file} is none of the files that can be imported: DeepForest (.csv), Pascal VOC (.xml), COCO or LabelMe (.json), YOLO (.txt), shapefile, GeoPackage or GeoJSON. Where it is one all the same, choose its format.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>{file} was changed by another program during the run; nothing was written, so run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: 0 is read as no tree in attribute '{name}', but its {points:,} points are as many as a tree has ({least:,} to {most:,}); if 0 is a tree, change the id for no tree to {other}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: attribute '{name}' has no tree: no point has the id of a tree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: attribute '{name}' has no tree: no point has the id of a tree. {of_zero:.0%} have 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: every point has a tree in attribute '{name}'; is {invalid} its id for no tree? Most points have {common} ({share:.0%}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: every point has a tree in attribute '{name}'; is {invalid} its id for no tree? Most points have {common} ({share:.0%}). {of_zero:.0%} have 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: every point needs finite coordinates, but those of point {number} are not numbers; remove such points, or check the scale and offset in the file's header.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: its outlines were taken for map coordinates, since that is where its images lie.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: its outlines were taken for pixels of its images.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: no target and prediction overlap, for no point has both; are these the right attributes?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: point {number} lies at {place}, which is no place on earth; remove such points, or check the scale and offset in the file's header.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: the ids in attribute '{name}' have gaps ({missing:,} missing, as {examples}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: the ids in attribute '{name}' have gaps ({missing:,} missing, as {examples}). {of_zero:.0%} have 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: trees may have become one, for attribute '{name}' cannot tell {number} from the next number; store whole numbers, or number the trees from 1 on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/cloud.py"/>
        <source>{file}: {common} is read as the id of a tree in attribute '{name}', and {share:.0%} of all points have it, many more than any other tree; if they have no tree, change the id for no tree from {invalid} to {common}, and give the points with {invalid} that id too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: a coordinate is missing or is no number (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: it names no image (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its geometry cannot be read (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image has no georeference or no coordinate system, and other images are on the map (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image is not found, and other images are on the map (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image is not found, whose size the format needs (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image is not in the file's list of images (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its mask has no pixel (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its score is below the threshold (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its shape is neither a polygon, a rectangle nor a point (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: the box has no width or no height (x2 &lt;= x1, y2 &lt;= y1, or a size that is not above 0) (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: the counts of its run-length encoding do not sum to the size of its mask (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: the polygon has fewer than 3 points (rows {rows}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: {count:,} images are without crowns: {images}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have no number in attribute '{name}'; they belong to no instance ({number}).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have {number} in attribute '{name}', where numbers cannot be negative; they are taken to belong to no instance.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have {number} in attribute '{name}', which is -1 where numbers cannot be negative; they are taken to belong to no instance.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: {images} do not say where they lie; their crowns are in pixels, and lie on them in QGIS.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: {images} not found beside it or in the folder of the images; choose the images' folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: {images} not found beside it or in the folder of the images; choose the images' folder. Their crowns are in pixels, as on an image without a georeference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>{first} and {other}: {count:,} crowns, {share:.0%} alike, kappa {kappa}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>{first}, {other}, {both}&lt;br&gt;F1 {f1:.3f}, {shared:,.1f} {unit}² shared, PQ {pq}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/result_file.py"/>
        <source>{folder} is a folder; add the name of a file for the results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>{format} holds crowns in pixels; choose the image or images that they are on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/exporting.py"/>
        <source>{format} names no images, so none are cut out; choose COCO, DeepForest or Pascal VOC.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/tables.py"/>
        <source>{found:,} of {targets:,} targets found by {predictions:,} predictions; {metrics}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/results.py"/>
        <source>{found} of {targets} found, {left} of {predictions} not judged; the layers are in group '{group}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/results.py"/>
        <source>{found} of {targets} found, {left} of {predictions} unmatched; the layers are in group '{group}'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>{given} was not used: the IDTReeS preset has lengths of its own. Choose 'Own values' for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/choices.py"/>
        <source>{given} was not used: the preset scores with alpha {alpha:g} m, omega {omega:g} m and gamma {gamma:g}. Choose 'Own values' for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/polygons.py"/>
        <source>{inside:,} of {count:,} points of layer '{layer}' lie in a predicted crown.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>{kind} '{name}' is there twice; give each a name of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>{kind}s must be a dict of arrays, or a list of them, not a {type}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/history.py"/>
        <source>{layers} stay: edited, styled or read by the new run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>{layer}: there are no crowns in it; leave it out or choose another layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/scoring/tables.py"/>
        <source>{layer}: {means} over {count:,} targets; {missed:,} missed, {unmatched:,} unmatched, {others:,} left over.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/services/libraries.py"/>
        <source>{least} or later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/review/side_by_side.py"/>
        <source>{left} more delineations are not shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/styles/pictures.py"/>
        <source>{length:g} {unit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>{low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/importing.py"/>
        <source>{made:,} crowns imported, {left:,} skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus.py"/>
        <source>{method} [{key}]{parameters}, from {people} ({names}), {units}{noted}{once}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{names} has no score inside the study area, so {best} stands alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{names} have no score inside the study area, so {best} stands alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/panel.py"/>
        <source>{name} (the raster above all layers)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/result_file.py"/>
        <source>{name} cannot be written in {folder}; choose a file for the results in a folder of yours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>{name} ended after {seconds:.1f} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>{name} failed after {seconds:.1f} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} found nothing inside {where}: its AUCR is at chance level, half way between the skew limits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>{name} from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has no scores in {share} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has no scores there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has no value under any ground truth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has no value under any ground truth:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>{name} has rows of different length: give one number per unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{name} has rows with more values than its heading has columns; what holds a comma, as an outline or a label may, must stand in quotes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>{name} has shape {shape}, the first detector {other_shape}: give both the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>{name} has shape {shape}, the score {other_shape}: give both the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/certainty.py"/>
        <source>{name} has shape {shape}, the vote table {other_shape}: give both the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has the same score everywhere inside {where}: its AUCR is at chance level, half way between the skew limits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>{name} has values other than 0 and 1: mark each unit with 1 (object) or 0 (not).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has {area}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has {crowns} (whole crowns) and {area}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has {crowns} (whole crowns).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/faces.py"/>
        <source>{name} has {polygons} polygons but {scores} scores; give one score each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} has {reached} (whole crowns).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>{name} holds {dtype} values where 0 and 1 are needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>{name} holds {dtype} values where plain numbers are needed: pick a numeric field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/result_file.py"/>
        <source>{name} is there already and is no GeoPackage; choose another file for the results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>{name} lies {distance:,.0f} km away from all other annotators; check the layers' coordinate systems.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>{name} marked nothing, and the consensus is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>{name} marked {area:,.1f} {unit}²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>{name} marks nothing inside the study area; this annotator counts as having marked nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>{name} mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>{name} must be a number, not {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>{name} must be a whole number of 64 bits, not {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>{name} must be a whole number, not {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>{name} must be whole numbers, not {dtype}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/given.py"/>
        <source>{name} must be {wanted}, not {shown}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/instances/points.py"/>
        <source>{name} must have one id per {side} instance ({number}); it has {ids}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>{name} to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} under {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/outputs.py"/>
        <source>{name} variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>{name} was cancelled after {seconds:.1f} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>{name} {least} or later ({found})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{name} {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>{name} {value} ({between}). {meaning}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/instances/panel.py"/>
        <source>{name} {value}. {meaning}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: a group must be a name or a number, no list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/geometry/overlay.py"/>
        <source>{name}: a polygon has coordinates that are not numbers; remove or redraw it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>{name}: all {count:,} polygons lie in the excluded areas, so none counts.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>{name}: all {count:,} polygons lie outside the study area or in the excluded areas, so none counts.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>{name}: all {count:,} polygons lie outside the study area, so none counts.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: crowns without geometry in rows {rows}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <location filename="../core/systems.py"/>
        <source>{name}: every item must be a shapely geometry or None.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: expected a one-dimensional array of polygons, got {ndim} dimensions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: expected one id per polygon, got {ndim} dimensions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: ids must be whole numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/votes.py"/>
        <source>{name}: no polygon that can be used, so this annotator marked nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/geometry/overlay.py"/>
        <source>{name}: only polygons can be compared, but there is a {kind} among the geometries.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: only polygons can be crowns; look at rows {rows}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/systems.py"/>
        <source>{name}: the coordinate system {crs} is not in metres. Turn it to one that is, for example with to_crs(frame.estimate_utm_crs()).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: the polygons in rows {rows} are not valid; repair them (make_valid) first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: the polygons in rows {rows} have coordinates beyond {largest:,.0f} m, which are on no map; remove or redraw them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{name}: there are no crowns in it, of which copies could be made; choose another layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/systems.py"/>
        <source>{name}: there is no coordinate system. Name it with set_crs, or give the polygons alone (.geometry.to_numpy()) if they are in metres.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: two crowns have the same id.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/images.py"/>
        <source>{name}: {count:,} polygons have nothing in field '{field}' and do not count.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/votes.py"/>
        <source>{name}: {counted:,.1f} {unit}² were counted in pixels of {size:g} {unit}, but {drawn:,.1f} {unit}² were drawn; choose smaller pixels, or 0 for exact areas.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: {geometry} geometries but {groups} groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: {geometry} geometries but {ids} ids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank.py"/>
        <source>{name}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/reviewed.py"/>
        <source>{number:,} changed since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/messages.py"/>
        <source>{numbers} beside the answer. {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/pages.py"/>
        <source>{number} of {pages}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>{odd} of {all} plots are not 20 x 20 m, as the images of IDTReeS 2020 are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>{offered:,} of {sets:,} sets can be chosen; the best is alpha {alpha:g} m, omega {omega:g} m, gamma {gamma:g}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{one_of} and {other}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/verdicts.py"/>
        <source>{other} holds no verdicts (no table {table}); choose a file that a review was kept in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/verdicts.py"/>
        <source>{path} cannot be read now ({error}); close what else uses it, or choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <location filename="../core/exchange/deepforest.py"/>
        <location filename="../core/exchange/sniff.py"/>
        <location filename="../core/exchange/voc.py"/>
        <source>{path} cannot be read: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/vector.py"/>
        <source>{path} cannot be read; it is broken, or no file of layers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/services/saving.py"/>
        <source>{path} cannot be written: {why}. Choose another folder or name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/voc.py"/>
        <source>{path} declares a document type, which no file of annotations needs; remove that line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path} holds results only, which name images by number; choose it together with its ground truth: both files, or the folder with both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>{path} is a folder; give '{name}' the name of a file in it, such as {example}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/outputs.py"/>
        <source>{path} is a folder; give '{name}' the name of a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/staged.py"/>
        <source>{path} is a folder; give the output the name of a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>{path} is larger than {size} GB, which does not fit into memory; split it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>{path} is nested too deeply to be a file of annotations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path} is no file of COCO: it needs the lists images and annotations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/labelme.py"/>
        <source>{path} is no file of LabelMe: it needs the list shapes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/voc.py"/>
        <source>{path} is no file of Pascal VOC: its root is '{tag}', not 'annotation'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo.py"/>
        <source>{path} is no file of YOLO: line {row} is neither 'class x y width height' nor 'class x1 y1 …'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{path} is no table of DeepForest: it needs a column image_path, and xmin, ymin, xmax, ymax, or geometry, or x, y. It has: {columns}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{path} is no text in UTF-8; save it as UTF-8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>{path} is no text in {encoding} (byte {byte:,}); save it as UTF-8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>{path} is no whole JSON file: it breaks off or is wrong in line {line}, column {column}; get it again from where it came.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/voc.py"/>
        <source>{path} is no whole XML file: it breaks off or is wrong in line {line}, column {column}; get it again from where it came.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{path} is no whole table: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path} needs a ground truth with the lists images and annotations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>{path} says that it is written in {encoding}, which is unknown; save it as UTF-8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path}: image {number} of the list has no file_name or no id.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{pattern} is not there; choose a file, a folder or a pattern as *.csv.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare.py"/>
        <source>{places:,} places below {least:g} m² (together {area:,.1f} m²) are not among the disagreements.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreements.py"/>
        <source>{places} where annotators differ, together {area:,.1f} {unit}².</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreements.py"/>
        <source>{rank:,} of {all:,}: {area:,.2f} {unit}²
{yes} yes: {who_yes}
{no} no: {who_no}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/instances/showing.py"/>
        <source>{said}: for detection by {detection}, for segmentation by {segmentation}. Precision, recall and F1 count matched instances; panoptic quality (PQ) is that of Kirillov et al. (2019), and metrics per partition those of Henrich et al. (2024).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>{score} from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>{score} in the earlier run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>{score} in the later run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/outputs.py"/>
        <source>{score} to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>{score} {mean}, 95 % interval {low} to {high}. {help}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>{score} {times}: {told}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{second} is second; {best} came out ahead of it in {won:.1f} %, tied in {tied:.1f} %, with an AUCR {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{second} is second; {best} came out ahead of it in {won:.1f} %, tied in {tied:.1f} %, with an average precision {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{second} is second; {best} came out ahead of it in {won:.1f} %, with an AUCR {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/detectors/verdict.py"/>
        <source>{second} is second; {best} came out ahead of it in {won:.1f} %, with an average precision {difference} higher (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>{set}: the crowns on which annotators differ most, and typical ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; can be chosen (rank {rank}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; refused: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{share} % of the area is excluded for all detectors: {who} ({gone:,} of {every:,} pixels).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <source>{share} % of the study area lies outside raster '{first}' and is not counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/remarks.py"/>
        <source>{shown} and {rest:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/cloud/head.py"/>
        <source>{source} cannot be read as a point cloud; choose a LAS, LAZ or COPC file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank.py"/>
        <source>{truth}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>{value} ({low}–{high})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>{version} does not work: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>{version} in {where} lacks what is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>{what}: {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/findings.py"/>
        <location filename="../algorithms/report/pages.py"/>
        <location filename="../core/detectors/verdict.py"/>
        <source>{why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/shell/comparing.py"/>
        <source>{why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>{why}. Where only some crowns were drawn, those that match no target may be right: switch '{option}' off, since {undefined} count them as false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>{why}; '{option}' is off: crowns that match no target are not judged, and {undefined} are n/a.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>{why}; {why}. Where only some crowns were drawn, those that match no target may be right: switch '{option}' off, since {undefined} count them as false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../ui/shell/comparing.py"/>
        <source>⇅ Swap</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
