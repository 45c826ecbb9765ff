<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>RandCrowns</name>
    <message>
        <location filename="../core/exchange/rle.py"/>
        <source>'{character}' is no character of a run-length encoding.</source>
        <translation>„{character}“ ist kein Zeichen einer Lauflängenkodierung.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{first}' and '{other}' cannot both be written to {file}.</source>
        <translation>„{first}“ und „{other}“ können nicht beide nach {file} geschrieben werden.</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>'{gone}' is no longer in the project; now under review: '{now}'.</source>
        <translation>„{gone}“ ist nicht mehr im Projekt; jetzt wird geprüft: „{now}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>'{label}' is set, but no layer is a raster. Leave it empty.</source>
        <translation>„{label}“ ist gesetzt, aber kein Layer ist ein Raster. Lassen Sie es leer.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/comparison.py"/>
        <source>'{layer}' alone has {plots} ({count:,} crowns)</source>
        <translation>
            <numerusform>nur „{layer}“ hat {plots} ({count:,} Krone)</numerusform>
            <numerusform>nur „{layer}“ hat {plots} ({count:,} Kronen)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/comparison.py"/>
        <source>'{layer}' and the targets name the plot in field '{field}', which is not chosen: {count:,} of {all:,} pairs that were compared are of two plots. Choose it as the plot, so that only crowns of one plot are compared.</source>
        <translation>
            <numerusform>„{layer}“ und die Zielkronen nennen den Plot im Feld „{field}“, das nicht gewählt ist: Das {count:,} verglichene von {all:,} Paaren stammt aus zwei Plots. Wählen Sie es als Plot, damit nur Kronen eines Plots verglichen werden.</numerusform>
            <numerusform>„{layer}“ und die Zielkronen nennen den Plot im Feld „{field}“, das nicht gewählt ist: {count:,} von {all:,} verglichenen Paaren stammen aus zwei Plots. Wählen Sie es als Plot, damit nur Kronen eines Plots verglichen werden.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{name}' can only be written as a GeoTIFF; give it a name that ends in .tif.</source>
        <translation>„{name}“ kann nur als GeoTIFF geschrieben werden; geben Sie einen Namen mit der Endung .tif.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>'{name}' cannot be used with rasters of several images.</source>
        <translation>„{name}“ kann bei Rastern mehrerer Bilder nicht verwendet werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>'{name}' has no defined coordinate reference system. Set one for the image, or for the project.</source>
        <translation>„{name}“ hat kein definiertes Koordinatenbezugssystem. Setzen Sie eines für das Bild oder für das Projekt.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>'{name}' is not supported with several images.</source>
        <translation>„{name}“ wird bei mehreren Bildern nicht unterstützt.</translation>
    </message>
    <message>
        <location filename="../core/scoring/parameters.py"/>
        <source>'{name}' must be a number from 0 to {most:,.0f}, but it is {value}.</source>
        <translation>„{name}“ muss eine Zahl von 0 bis {most:,.0f} sein, ist aber {value}.</translation>
    </message>
    <message>
        <location filename="../core/tuning/wrong_pairs.py"/>
        <source>'{name}' must be a number of at least 0, not {amount}.</source>
        <translation>„{name}“ muss eine Zahl von mindestens 0 sein, nicht {amount}.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>'{name}' must be a number, but it is {value}.</source>
        <translation>„{name}“ muss eine Zahl sein, ist aber {value}.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>'{name}' must be a whole number of at most nine digits, but it is {value:g}.</source>
        <translation>„{name}“ muss eine ganze Zahl mit höchstens neun Ziffern sein, ist aber {value:g}.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>'{name}' must be at least {least:g}, but it is {value:g}.</source>
        <translation>„{name}“ muss mindestens {least:g} sein, ist aber {value:g}.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>'{name}' must be at most {most:g}, but it is {value:g}.</source>
        <translation>„{name}“ darf höchstens {most:g} sein, ist aber {value:g}.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{name}' must end in .html, but it is {file}.</source>
        <translation>„{name}“ muss auf .html enden, heißt aber {file}.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{name}' must end in .pdf, but it is {file}.</source>
        <translation>„{name}“ muss auf .pdf enden, heißt aber {file}.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{name}' must end in .png or .svg, but it is {file}.</source>
        <translation>„{name}“ muss auf .png oder .svg enden, heißt aber {file}.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>'{option}' is off: crowns that match no target are not judged, and {undefined} are n/a.</source>
        <translation>„{option}“ ist aus: Kronen ohne Zielkrone werden nicht beurteilt, und {undefined} entfallen.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{output}' cannot be stored in a {ending} file; choose .gpkg, .shp or .geojson.</source>
        <translation>„{output}“ kann nicht in einer {ending}-Datei gespeichert werden; wählen Sie .gpkg, .shp oder .geojson.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{output}' cannot be written as {asked}: QGIS has no such format here; choose .gpkg or another.</source>
        <translation>„{output}“ kann nicht als {asked} geschrieben werden: QGIS hat dieses Format hier nicht; wählen Sie .gpkg oder ein anderes.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{output}' cannot be written to table {table}: this table name is reserved in GeoPackage. Choose another name.</source>
        <translation>„{output}“ kann nicht in die Tabelle {table} geschrieben werden: Dieser Tabellenname ist in GeoPackage reserviert. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{output}' cannot be written to this kind of server ({provider}). Write it to a GeoPackage, and import that into the database.</source>
        <translation>„{output}“ kann nicht auf einen Server dieser Art ({provider}) geschrieben werden. Schreiben Sie in ein GeoPackage und importieren Sie dieses in die Datenbank.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{output}' is a table without geometry, which QGIS cannot store in a {ending} file; choose .gpkg, .csv or .xlsx.</source>
        <translation>„{output}“ ist eine Tabelle ohne Geometrie, die QGIS nicht in einer {ending}-Datei speichern kann; wählen Sie .gpkg, .csv oder .xlsx.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>'{output}' would overwrite layer '{layer}', which is read in this run; choose another file.</source>
        <translation>„{output}“ würde den Layer „{layer}“ überschreiben, den dieser Lauf liest; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>'{part}' does not say which points to leave out. Write an attribute and values, such as classification=7+18.</source>
        <translation>„{part}“ sagt nicht, welche Punkte ausgelassen werden. Schreiben Sie ein Attribut und Werte, z. B. classification=7+18.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>'{part}' is not a class. Write a name and numbers, such as vegetation=3+4+5.</source>
        <translation>„{part}“ ist keine Klasse. Schreiben Sie einen Namen und Zahlen, etwa vegetation=3+4+5.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>'{part}' is not a class. Write a name and one number, such as tree=5.</source>
        <translation>„{part}“ ist keine Klasse. Schreiben Sie einen Namen und eine Zahl, etwa tree=5.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>'{part}' is not a group of classes. Write a name and classes, such as conifer=PIPA+PIEL.</source>
        <translation>'{part}' ist keine Gruppe von Klassen. Schreiben Sie einen Namen und Klassen, etwa conifer=PIPA+PIEL.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>'{part}' is not a value that can mean no tree. Write whole numbers, such as 0 9999.</source>
        <translation>„{part}“ ist kein Wert, der keinen Baum bedeuten kann. Schreiben Sie ganze Zahlen, z. B. 0 9999.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>'{text}' is no colour. Give red, green and blue as in #ff0000.</source>
        <translation>'{text}' ist keine Farbe. Geben Sie Rot, Grün und Blau wie in #ff0000 an.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>'{text}' is not a range of {name}. Write first:last:step, such as 0.1:1.0:0.1.</source>
        <translation>„{text}“ ist kein Bereich von {name}. Schreiben Sie erster:letzter:Schritt, etwa 0.1:1.0:0.1.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>'{text}' is not a value of {name}. Write numbers, or first:last:step.</source>
        <translation>„{text}“ ist kein Wert von {name}. Schreiben Sie Zahlen oder erster:letzter:Schritt.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/layer_checklist.py"/>
        <source>(the layer is one annotator)</source>
        <translation>(der Layer ist ein Annotator)</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>0 to 1 (Stewart et al. 2021, Eq. 14).</source>
        <translation>0 bis 1 (Stewart et al. 2021, Gl. 14).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>0: the polygons are overlaid exactly. Otherwise the centres of pixels of this size are counted; the result differs by at most the error of a pixel. If an annotator is a raster, 0 means the pixels of the raster with the largest ones.</source>
        <translation>0: Die Polygone werden genau verschnitten. Sonst werden die Mittelpunkte von Pixeln dieser Größe gezählt; das Ergebnis weicht höchstens um den Fehler eines Pixels ab. Wenn eine Person ein Raster hat, bedeutet 0 die Pixel des Rasters mit den größten Pixeln.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>1 for an annotator whose polygons count, 0 for a discarded one.</source>
        <translation>1 für einen Annotator, dessen Polygone zählen, 0 für einen verworfenen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>1 for an outlier: the mean of 1 - F1 with the others is above the mean of all annotators plus one standard deviation. An outlier's polygons are not necessarily wrong.</source>
        <translation>1 für einen Ausreißer: Das Mittel von 1 - F1 mit den anderen liegt über dem Mittel aller Annotatoren plus einer Standardabweichung. Die Polygone eines Ausreißers sind nicht unbedingt falsch.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>1 for yes and 0 for no, one digit per annotator.</source>
        <translation>1 für ja und 0 für nein, eine Ziffer je Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>1 if the annotator differs from the others beyond chance: the adjusted p-value is below 5 %. Chance alone also makes outliers, so the two can differ.</source>
        <translation>1, wenn sich die Person über den Zufall hinaus von den anderen unterscheidet: Der adjustierte p-Wert liegt unter 5 %. Auch der Zufall allein macht Ausreißer, daher kann beides voneinander abweichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>1 if the pairing assigned the delineation to the target, else 0.</source>
        <translation>1, wenn die Paarung den Umriss der Zielkrone zugewiesen hat, sonst 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>1 is best.</source>
        <translation>1 ist der beste.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>1 is best; ties share a rank.</source>
        <translation>1 ist der beste; Gleichauf liegende teilen einen Rang.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>1 where the consensus is marked, 0 where it is not, 255 outside the study area. Requires rasters or a pixel size.</source>
        <translation>1, wo der Konsens markiert ist, 0, wo er es nicht ist, 255 außerhalb des Untersuchungsgebiets. Benötigt Raster oder eine Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>1: the same ranking, -1: the reverse.</source>
        <translation>1: dieselbe Rangfolge, -1: die umgekehrte.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>2 x shared / (marked by one + marked by the other) (Eq. 6).</source>
        <translation>2 x gemeinsam / (vom einen markiert + vom anderen markiert) (Gl. 6).</translation>
    </message>
    <message>
        <location filename="../ui/instances/results.py"/>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>95 % interval over plots if there are several, otherwise over single crowns. Empty for fewer than {plots} plots or {crowns} crowns, or if the values of all of them are 0 or 1.</source>
        <translation>95-%-Intervall über Plots, falls es mehrere gibt, sonst über einzelne Kronen. Leer bei weniger als {plots} Plots oder {crowns} Kronen, oder wenn die Werte aller 0 oder 1 sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>95 % intervals over {units}; none for fewer than {least} of them.</source>
        <translation>95-%-Intervalle über {units}; keine bei weniger als {least} davon.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>95 % of the points</source>
        <translation>95 % der Punkte</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>&lt;b&gt;1 annotator&lt;/b&gt; marked &lt;b&gt;{marked:,.1f} {unit}²&lt;/b&gt;&lt;br&gt;{area}</source>
        <translation>&lt;b&gt;1 Annotator&lt;/b&gt; hat &lt;b&gt;{marked:,.1f} {unit}²&lt;/b&gt; markiert&lt;br&gt;{area}</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>&lt;b&gt;AUCR&lt;/b&gt; is the area under the P̄-recall curve, &lt;b&gt;AP&lt;/b&gt; the average precision over whole crowns (all points of the curve).</source>
        <translation>&lt;b&gt;AUCR&lt;/b&gt; ist die Fläche unter der Kurve von P̄ über der Trefferquote, &lt;b&gt;AP&lt;/b&gt; die durchschnittliche Präzision über ganze Kronen (alle Punkte der Kurve).</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>&lt;b&gt;Annotators.&lt;/b&gt; Three or more layers; or two and targets drawn in the field; or one, of which warped copies are made.</source>
        <translation>&lt;b&gt;Annotatoren.&lt;/b&gt; Drei oder mehr Layer; oder zwei und im Gelände gezeichnete Zielkronen; oder einer, von dem verzerrte Kopien gemacht werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>&lt;b&gt;Grid.&lt;/b&gt; Values to try for alpha, omega and gamma: numbers with spaces between them, or first:last:step, such as 0.1:1.0:0.1. The scores of the grid are interpolated, within 0.001 of direct ones. The best set is scored again directly.</source>
        <translation>&lt;b&gt;Gitter.&lt;/b&gt; Zu versuchende Werte für Alpha, Omega und Gamma: Zahlen mit Leerzeichen dazwischen, oder erster:letzter:Schritt, etwa 0.1:1.0:0.1. Die Werte des Gitters sind interpoliert und weichen höchstens um 0,001 von direkt berechneten ab. Der beste Satz wird noch einmal direkt bewertet.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>&lt;b&gt;Layers.&lt;/b&gt; Polygons in any known coordinate system; lengths are metres on the ground. Invalid polygons are repaired, empty ones skipped; the log lists both by feature id.</source>
        <translation>&lt;b&gt;Layer.&lt;/b&gt; Polygone in einem beliebigen bekannten Koordinatensystem; Längen sind Meter am Boden. Ungültige Polygone werden repariert, leere übergangen; das Protokoll nennt beide mit ihrer Objekt-Id.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>&lt;b&gt;Matching.&lt;/b&gt; One method for detection and one for segmentation.</source>
        <translation>&lt;b&gt;Zuordnung.&lt;/b&gt; Ein Verfahren für die Erkennung und eines für die Segmentierung.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>&lt;b&gt;Polygons overlap&lt;/b&gt;, but the methods assume that instances do not. For detection, each target and each prediction is therefore matched at most once. Of the pairs that satisfy the method's rule, those with the highest IoU are matched first. If a prediction covers further targets, it counts as a merge.</source>
        <translation>&lt;b&gt;Polygone überlappen&lt;/b&gt;, aber die Verfahren setzen voraus, dass Instanzen es nicht tun. Für die Erkennung wird deshalb jedes Ziel und jede Vorhersage höchstens einmal zugeordnet. Von den Paaren, die die Regel des Verfahrens erfüllen, werden die mit dem höchsten IoU zuerst zugeordnet. Bedeckt eine Vorhersage weitere Ziele, zählt sie als zusammengefasst.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>&lt;b&gt;Scored targets&lt;/b&gt; keep their geometry, fields and coordinate system; unmatched ones score 0.</source>
        <translation>&lt;b&gt;Bewertete Zielkronen&lt;/b&gt; behalten Geometrie, Felder und Koordinatensystem; solche ohne Partner haben den Wert 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>&lt;b&gt;Sizes&lt;/b&gt; are numbers of points. The height of a tree is that of its highest point above its lowest.</source>
        <translation>&lt;b&gt;Größen&lt;/b&gt; sind Punktzahlen. Die Höhe eines Baums ist die seines höchsten Punkts über seinem tiefsten.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>&lt;b&gt;Variance.&lt;/b&gt; The variance of a target's scores over its delineations, averaged over the targets (Eq. 15), for RandCrowns, IoU and IoUCrowns, with a 95 % interval. The interval is over plots if there are several, otherwise over crowns. A variance requires two delineations per target.</source>
        <translation>&lt;b&gt;Varianz.&lt;/b&gt; Die Varianz der Werte einer Zielkrone über ihre Umrisse, gemittelt über die Zielkronen (Gl. 15), für RandCrowns, IoU und IoUCrowns, mit einem 95-%-Intervall. Das Intervall gilt über Plots, wenn es mehrere gibt, sonst über Kronen. Eine Varianz benötigt zwei Umrisse je Zielkrone.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>&lt;b&gt;{people}&lt;/b&gt; &amp;nbsp;mean F1 &lt;b&gt;{mean}&lt;/b&gt; &amp;nbsp;Fleiss' kappa &lt;b&gt;{kappa}&lt;/b&gt;&lt;br&gt;{area}</source>
        <translation>&lt;b&gt;{people}&lt;/b&gt; &amp;nbsp;mittlerer F1 &lt;b&gt;{mean}&lt;/b&gt; &amp;nbsp;Fleiss’ Kappa &lt;b&gt;{kappa}&lt;/b&gt;&lt;br&gt;{area}</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>&lt;b&gt;{people}&lt;/b&gt; &amp;nbsp;mean F1 &lt;b&gt;{mean}&lt;/b&gt; (pairs {least} to {most}) &amp;nbsp;Fleiss' kappa &lt;b&gt;{kappa}&lt;/b&gt;&lt;br&gt;{area}</source>
        <translation>&lt;b&gt;{people}&lt;/b&gt; &amp;nbsp;mittlerer F1 &lt;b&gt;{mean}&lt;/b&gt; (Paare {least} bis {most}) &amp;nbsp;Fleiss’ Kappa &lt;b&gt;{kappa}&lt;/b&gt;&lt;br&gt;{area}</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/layer_export.py"/>
        <source>A GeoPackage stores everything in one file: the layers, their styles and how they were made. QGIS shows it as in this project, with or without this plugin. Rasters are not exported.</source>
        <translation>Ein GeoPackage speichert alles in einer Datei: die Layer, ihre Stile und wie sie entstanden sind. QGIS zeigt es wie in diesem Projekt, mit oder ohne diese Erweiterung. Raster werden nicht exportiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>A JSON file of Label Studio. Its YOLO export is read as YOLO.</source>
        <translation>Eine JSON-Datei von Label Studio. Dessen YOLO-Export wird als YOLO gelesen.</translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>A LAS, LAZ or COPC file in which every point has the ids of its trees.</source>
        <translation>Eine LAS-, LAZ- oder COPC-Datei, in der jeder Punkt die Ids seiner Bäume hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>A LAS, LAZ, COPC, PLY, NPY or NPZ file, a TXT or CSV file with a heading, a folder with one file per tree, or a point cloud layer.</source>
        <translation>Eine LAS-, LAZ-, COPC-, PLY-, NPY- oder NPZ-Datei, eine TXT- oder CSV-Datei mit Kopfzeile, ein Ordner mit einer Datei je Baum oder ein Punktwolken-Layer.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>A certainty of {level:g} % requires {needed:,} bootstrap samples, but only {used:,} could be ranked.</source>
        <translation>Eine Sicherheit von {level:g} % verlangt {needed:,} Bootstrap-Stichproben, aber nur {used:,} ließen sich ordnen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>A certainty of {level:g} % requires {needed:,} bootstrap samples, but only {used:,} were made.</source>
        <translation>Eine Sicherheit von {level:g} % verlangt {needed:,} Bootstrap-Stichproben, aber nur {used:,} wurden gezogen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>A consensus of pixels has no faces to join; turn its raster into polygons instead.</source>
        <translation>Ein Konsens aus Pixeln hat keine Flächenstücke zum Verbinden; wandeln Sie stattdessen sein Raster in Polygone um.</translation>
    </message>
    <message>
        <location filename="../core/classes/idtrees.py"/>
        <source>A crown has several probabilities of one class in rows {rows}. Keep one of them.</source>
        <translation>Eine Krone hat in den Zeilen {rows} mehrere Wahrscheinlichkeiten für eine Klasse. Behalten Sie eine davon.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>A crown is used if all annotators drew it: any two of its delineations are each other's best match by IoU, with at least this IoU (0 to 1). The other crowns are excluded and listed with the reason.</source>
        <translation>Eine Krone wird verwendet, wenn alle Annotatoren sie gezeichnet haben: Je zwei ihrer Umrisse passen nach IoU gegenseitig am besten zueinander, mit mindestens diesem IoU (0 bis 1). Die anderen Kronen sind ausgeschlossen und mit dem Grund aufgeführt.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/lengths_field.py"/>
        <source>A crown of about 6 x 5 m. Yellow: surely crown. Grey: not judged, outlines may differ here. Mint: surely not crown. Red: the target's outline.</source>
        <translation>Eine Krone von etwa 6 x 5 m. Gelb: sicher Krone. Grau: nicht beurteilt, hier dürfen Umrisse abweichen. Mint: sicher keine Krone. Rot: der Umriss der Zielkrone.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>A delineation is too large if its area is more than this many times the target's.</source>
        <translation>Ein Umriss ist zu groß, wenn seine Fläche mehr als dieses Vielfache der Fläche der Zielkrone beträgt.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>A delineation is too small if its area is less than this share of the target's.</source>
        <translation>Ein Umriss ist zu klein, wenn seine Fläche kleiner als dieser Anteil der Fläche der Zielkrone ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>A delineation merges two targets if it covers at least this share of a target other than its own.</source>
        <translation>Ein Umriss fasst zwei Zielkronen zusammen, wenn er mindestens diesen Anteil einer anderen als seiner eigenen Zielkrone bedeckt.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>A delineation of the target's size is shifted if the distance of their centroids is larger than this, in widths of the target.</source>
        <translation>Ein Umriss von der Größe der Zielkrone ist verschoben, wenn der Abstand der Schwerpunkte größer als dieser Wert ist, in Breiten der Zielkrone.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>A detection within this distance of the ground truth is right. A marked pixel gets the highest score within the distance; unmarked pixels within the distance of a marked one are ignored. Requires pixels. For images without a georeference it is a number of pixels.</source>
        <translation>Eine Erkennung innerhalb dieses Abstands von der Referenz ist richtig. Ein markiertes Pixel erhält den höchsten Wert innerhalb des Abstands; nicht markierte Pixel innerhalb des Abstands von einem markierten werden ignoriert. Benötigt Pixel. Bei Bildern ohne Georeferenz ist es eine Anzahl von Pixeln.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>A detector's score depends on the annotator it is compared with. This ranks detectors under every annotator and every ground truth that the annotators make together (Lampert et al. 2016), and says how certain the first place is.</source>
        <translation>Der Wert eines Detektors hängt davon ab, mit welchem Annotator er verglichen wird. Hier werden Detektoren unter jedem Annotator und jeder gemeinsamen Referenz der Annotatoren geordnet (Lampert et al. 2016), und es wird gesagt, wie sicher der erste Platz ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>A file cannot be read or written ({why}). Check free space and permissions, or choose another folder.</source>
        <translation>Eine Datei lässt sich nicht lesen oder schreiben ({why}). Prüfen Sie freien Platz und Rechte oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>A file cannot be read or written: its database is damaged or in use, or its disk is full. Choose another file.</source>
        <translation>Eine Datei lässt sich nicht lesen oder schreiben: Ihre Datenbank ist beschädigt oder in Benutzung, oder ihr Datenträger ist voll. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>A file of the VGG Image Annotator (.json or .csv), with regions on many images.</source>
        <translation>Eine Datei des VGG Image Annotator (.json oder .csv) mit Regionen auf vielen Bildern.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>A ground truth and results, as pycocotools reads them.</source>
        <translation>Eine Referenz und Ergebnisse, wie pycocotools sie liest.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>A ground truth, or results with the images of their ground truth (.json). Crowns are boxes, polygons or masks.</source>
        <translation>Eine Referenzdatei, oder Ergebnisse mit den Bildern ihrer Referenzdatei (.json). Kronen sind Rechtecke, Polygone oder Masken.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>A layer or table of each run to report. All other results of these runs are found from it. Default: the project's last run.</source>
        <translation>Ein Layer oder eine Tabelle jedes Laufs, über den berichtet werden soll. Alle anderen Ergebnisse dieser Läufe werden daran gefunden. Vorgabe: der letzte Lauf des Projekts.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>A layer with the scores of a run of page Score.</source>
        <translation>Ein Layer mit den Werten eines Laufs der Seite Bewertung.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>A match needs a score above 0 and up to 1, not {threshold:g}. Try 0.5.</source>
        <translation>Eine Zuordnung braucht einen Wert über 0 und höchstens 1, nicht {threshold:g}. Versuchen Sie 0,5.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>A methods paragraph for a paper, with BibTeX.</source>
        <translation>Ein Absatz über die Methoden für eine Veröffentlichung, mit BibTeX.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>A number</source>
        <translation>Eine Zahl</translation>
    </message>
    <message>
        <location filename="../core/detectors/tolerance.py"/>
        <source>A pixel of {pixel_height:g} x {pixel_width:g} m has no size. Give both sides in metres.</source>
        <translation>Ein Pixel von {pixel_height:g} x {pixel_width:g} m hat keine Größe. Geben Sie beide Seiten in Metern an.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>A polygon is needed, not {value}.</source>
        <translation>Ein Polygon ist nötig, nicht {value}.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>A polygon of the study area holds several plots of field '{field}', so all were counted as one. Add that field to the study area to get rows per plot.</source>
        <translation>Ein Polygon des Untersuchungsgebiets enthält mehrere Plots des Feldes „{field}“, daher wurden alle als einer gezählt. Fügen Sie dem Untersuchungsgebiet dieses Feld hinzu, um Zeilen je Plot zu erhalten.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>A qgis_process command for a terminal.</source>
        <translation>Ein qgis_process-Befehl für ein Terminal.</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>A rectangle, or the extent of a layer. If polygons are set too, the intersection is used.</source>
        <translation>Ein Rechteck oder die Ausdehnung eines Layers. Sind auch Polygone gesetzt, gilt der Schnitt von beidem.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>A region of the target: 'a' surely crown, 'o' up to where it may reach, 'e' outer edge, 'b' surely not crown.</source>
        <translation>Eine Region der Zielkrone: „a“ sicher Krone, „o“ bis wohin sie reichen darf, „e“ äußerer Rand, „b“ sicher keine Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>A row per set of parameters: variance, wrong pairs, assessment, rank.</source>
        <translation>Eine Zeile je Parametersatz: Varianz, falsche Paare, Bewertung, Rang.</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>A row shows its prediction (black) and the target (red).</source>
        <translation>Eine Zeile zeigt ihre Vorhersage (schwarz) und das Ziel (rot).</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>A row shows its target on the map (red) and the prediction (black).</source>
        <translation>Eine Zeile zeigt ihr Ziel auf der Karte (rot) und die Vorhersage (schwarz).</translation>
    </message>
    <message>
        <location filename="../ui/services/interrupted_runs.py"/>
        <source>A run was interrupted while it wrote {files} and left incomplete files. You can restore the state before that run.</source>
        <translation>Ein Lauf wurde unterbrochen, während er {files} schrieb, und hinterließ unvollständige Dateien. Sie können den Zustand vor diesem Lauf wiederherstellen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/rle.py"/>
        <source>A run-length encoding breaks off.</source>
        <translation>Eine Lauflängenkodierung bricht ab.</translation>
    </message>
    <message>
        <location filename="../core/exchange/rle.py"/>
        <source>A run-length encoding has runs longer than any image.</source>
        <translation>Eine Lauflängenkodierung hat Läufe, die länger sind als jedes Bild.</translation>
    </message>
    <message>
        <location filename="../core/review/sampling.py"/>
        <source>A sample of {size} crowns is too small: it needs at least one crown of each of {parts} score classes or plots.</source>
        <translation>Eine Stichprobe von {size} Kronen ist zu klein: Sie braucht mindestens eine Krone aus jeder der {parts} Wertklassen oder jedem der Plots.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>A set is refused if a larger share of the targets is narrower than twice alpha, so that they have no score.</source>
        <translation>Ein Satz wird abgelehnt, wenn ein größerer Anteil der Zielkronen schmaler als das Doppelte von Alpha ist und deshalb keinen Wert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>A set is refused if deliberately wrong pairs (neighbours, shifted, shrunk and enlarged copies) reach this mean RandCrowns (0 to 1). If wrong pairs score high, a low variance means nothing.</source>
        <translation>Ein Satz wird abgelehnt, wenn absichtlich falsche Paare (Nachbarn, verschobene, verkleinerte und vergrößerte Kopien) im Mittel diesen RandCrowns (0 bis 1) erreichen. Haben falsche Paare hohe Werte, bedeutet eine kleine Varianz nichts.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>A set that scores all pairs near one has no variance either (Fig. 3). Therefore a set is refused, with the reason, if wrong pairs score high, if right pairs score no higher, or if more than half of the right pairs score 0. The other sets are ranked over the same targets.</source>
        <translation>Ein Satz, der alle Paare nahe eins bewertet, hat auch keine Varianz (Abb. 3). Deshalb wird ein Satz mit Angabe des Grundes abgelehnt, wenn falsche Paare hohe Werte haben, wenn richtige Paare keine höheren haben, oder wenn mehr als die Hälfte der richtigen Paare den Wert 0 hat. Die anderen Sätze werden über dieselben Zielkronen geordnet.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>A share of the area, 0 to 1; 0.1 in the source.</source>
        <translation>Ein Anteil der Fläche, 0 bis 1; in der Quelle 0,1.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>A share of the area, 0 to 1; 0.5 in the source.</source>
        <translation>Ein Anteil der Fläche, 0 bis 1; in der Quelle 0,5.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>A sheet of small maps, as PNG or SVG.</source>
        <translation>Ein Blatt kleiner Karten, als PNG oder SVG.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>A small difference means few false positives outside the marked areas.</source>
        <translation>Ein kleiner Unterschied bedeutet wenige falsch positive Stellen außerhalb der markierten Flächen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>A table merged from tiles has no map; read the tiles again and use rows_of.</source>
        <translation>Eine aus Kacheln zusammengesetzte Tabelle hat keine Karte; lesen Sie die Kacheln erneut und verwenden Sie rows_of.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>A target is split if two or more delineations have at least this share of their own area in it.</source>
        <translation>Eine Zielkrone ist zerteilt, wenn zwei oder mehr Umrisse mit mindestens diesem Anteil ihrer eigenen Fläche in ihr liegen.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>A target, or an unmatched delineation.</source>
        <translation>Eine Zielkrone oder ein Umriss ohne Partner.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>A template receives the variable &lt;i&gt;report&lt;/i&gt;, whose texts are escaped. Begin with a copy of the plugin's own template.</source>
        <translation>Eine Vorlage erhält die Variable &lt;i&gt;report&lt;/i&gt;, deren Texte für HTML maskiert sind. Beginnen Sie mit einer Kopie der Vorlage der Erweiterung.</translation>
    </message>
    <message>
        <location filename="../core/detectors/tolerance.py"/>
        <source>A tolerance in metres needs a raster (rows and columns), not {ndim} dimensions.</source>
        <translation>Eine Toleranz in Metern braucht ein Raster (Zeilen und Spalten), nicht {ndim} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>A tolerance requires pixels: give a pixel size, about a quarter of the tolerance.</source>
        <translation>Eine Toleranz benötigt Pixel: Geben Sie eine Pixelgröße an, etwa ein Viertel der Toleranz.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>A variance requires two delineations per target. Choose at least three annotators; or two, and targets drawn in the field; or only one, of which warped copies are made.</source>
        <translation>Eine Varianz benötigt zwei Umrisse je Zielkrone. Wählen Sie mindestens drei Annotatoren; oder zwei und im Gelände gezeichnete Zielkronen; oder nur einen, von dem verzerrte Kopien gemacht werden.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>A variance requires two delineations per target: choose at least three annotators, or two and a layer of targets, or add warped copies of a drawing.</source>
        <translation>Eine Varianz benötigt zwei Umrisse je Zielkrone: Wählen Sie mindestens drei Annotatoren, oder zwei und einen Ziel-Layer, oder fügen Sie verzerrte Kopien einer Zeichnung hinzu.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>A vote table merged from tiles has no map. Rank the detectors on one that has.</source>
        <translation>Eine aus Kacheln zusammengesetzte Stimmentabelle hat keine Karte. Ordnen Sie die Detektoren mit einer Tabelle, die eine hat.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>A weight is below 0 or not a number. Weights are areas or counts, 0 or more.</source>
        <translation>Ein Gewicht liegt unter 0 oder ist keine Zahl. Gewichte sind Flächen oder Anzahlen, 0 oder mehr.</translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>A {name} positive rate is outside 0 to 1. Rates are fractions, not percentages.</source>
        <translation>Eine Rate ({name} positive) liegt außerhalb von 0 bis 1. Raten sind Anteile, keine Prozente.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>AP and AR use the 100 predictions with the highest scores in each plot, as COCO does; {count:,} come after them. The thresholds side by side use all.</source>
        <translation>
            <numerusform>AP und AR verwenden die 100 Vorhersagen mit den höchsten Werten jedes Plots, wie COCO; {count:,} folgt danach. Die Schwellenwerte nebeneinander verwenden alle.</numerusform>
            <numerusform>AP und AR verwenden die 100 Vorhersagen mit den höchsten Werten jedes Plots, wie COCO; {count:,} folgen danach. Die Schwellenwerte nebeneinander verwenden alle.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>AP is n/a: the predictions have no field with a score.</source>
        <translation>AP entfällt: Die Vorhersagen haben kein Feld mit einem Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>AP, 101 points</source>
        <translation>AP, 101 Punkte</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>AP, COCO</source>
        <translation>AP, COCO</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>AP, all points</source>
        <translation>AP, alle Punkte</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>AP, all points: mean over {number} annotators.</source>
        <translation>AP, alle Punkte: Mittel über {number} Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>AP50, COCO</source>
        <translation>AP50, COCO</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>AP75, COCO</source>
        <translation>AP75, COCO</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>AP: scores of field {field}.</source>
        <translation>AP: Werte des Feldes {field}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>AUCR (Lampert et al. 2016) or AP (all points), 0 to 1.</source>
        <translation>AUCR (Lampert et al. 2016) oder AP (alle Punkte), 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>AUCR, area under the P̄-recall curve, 0 to 1 (Lampert et al. 2016); the darker, the better its rank.</source>
        <translation>AUCR, Fläche unter der Kurve von P̄ über der Trefferquote, 0 bis 1 (Lampert et al. 2016); je dunkler, desto besser der Rang.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>AUCR, or AP (all points) over the annotators (crowns); not resampled.</source>
        <translation>AUCR, oder AP (alle Punkte) über die Annotatoren (Kronen); nicht neu gezogen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>AUCR: area under P̄ over recall; AP: average precision, all points of the curve.</source>
        <translation>AUCR: Fläche unter P̄ über der Trefferquote; AP: durchschnittliche Präzision, alle Punkte der Kurve.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Acceptable mean error</source>
        <translation>Vertretbarer mittlerer Fehler</translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Add as layers</source>
        <translation>Als Layer</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Add the verdicts from another reviewer's GeoPackage.</source>
        <translation>Die Urteile aus dem GeoPackage eines anderen Prüfers hinzufügen.</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Add verdicts…</source>
        <translation>Urteile hinzufügen …</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Adds a simulated plot: an image, its crowns drawn by several people, a detector.</source>
        <translation>Fügt einen simulierten Plot hinzu: ein Bild, seine Kronen von mehreren Personen gezeichnet, einen Detektor.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Adds scored copies, and the regions of up to {most:,} targets, in a new group. Your layers stay as they are.</source>
        <translation>Fügt bewertete Kopien und die Regionen von bis zu {most:,} Zielkronen in einer neuen Gruppe hinzu. Ihre Layer bleiben, wie sie sind.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Adds targets, delineations and excluded crowns, with all numbers, to the project as layers.</source>
        <translation>Fügt Zielkronen, Umrisse und ausgeschlossene Kronen mit allen Zahlen dem Projekt als Layer hinzu.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Adds the scores as fields of the target layer, in one step that can be undone. The layer stays in edit mode for you to save or discard.</source>
        <translation>Fügt die Werte als Felder des Ziel-Layers hinzu, in einem Schritt, der sich rückgängig machen lässt. Der Layer bleibt im Bearbeitungsmodus, zum Speichern oder Verwerfen.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/report/page.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/tuning/form.py"/>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus_form.py"/>
        <source>Advanced consensus parameters</source>
        <translation>Erweiterte Parameter des Konsenses</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>After minus before.</source>
        <translation>Nachher minus vorher.</translation>
    </message>
    <message>
        <location filename="../ui/shell/comparison_form.py"/>
        <source>After the import, '{targets}' are the targets, and '{layer}' is compared with them.</source>
        <translation>Nach dem Import sind „{targets}“ die Zielkronen, und „{layer}“ wird mit ihnen verglichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Agreement and the image</source>
        <translation>Übereinstimmung und Bild</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Agreement correlations</source>
        <translation>Korrelationen mit der Übereinstimmung</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Agreement map</source>
        <translation>Übereinstimmungskarte</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Agreement map as a raster too</source>
        <translation>Übereinstimmungskarte auch als Raster</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Agreement raster</source>
        <translation>Übereinstimmungsraster</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <source>Agreement ratio</source>
        <translation>Übereinstimmungsverhältnis</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Agreement summary</source>
        <translation>Zusammenfassung der Übereinstimmung</translation>
    </message>
    <message>
        <location filename="../algorithms/provenance.py"/>
        <source>Algorithm</source>
        <translation>Algorithmus</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../resources/report.html"/>
        <location filename="../resources/report_paper.html"/>
        <source>All choices</source>
        <translation>Alle Einstellungen</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>All crowns have the same probability.</source>
        <translation>Alle Kronen haben dieselbe Wahrscheinlichkeit.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>All crowns in the area had been drawn, so unmatched delineations count as false positives.</source>
        <translation>Alle Kronen im Gebiet waren gezeichnet, also zählen Umrisse ohne Partner als falsch positiv.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>All crowns in the area were drawn</source>
        <translation>Alle Kronen des Gebiets wurden gezeichnet</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>All crowns of the files, in the coordinate system of the first image that has one.</source>
        <translation>Alle Kronen der Dateien, im Koordinatensystem des ersten Bildes, das eines hat.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>All crowns were drawn.</source>
        <translation>Alle Kronen wurden gezeichnet.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>All delineations, each with the target that it fits best, or none.</source>
        <translation>Alle Umrisse, jeder mit der Zielkrone, zu der er am besten passt, oder mit keiner.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>All ground truths</source>
        <translation>Alle Referenzen</translation>
    </message>
    <message>
        <location filename="../ui/shell/import_export.py"/>
        <source>All layers and tables of this run: one GeoPackage with their styles, XLSX, CSV, GeoJSON, GeoParquet.</source>
        <translation>Alle Layer und Tabellen dieses Laufs: ein GeoPackage mit ihren Stilen, XLSX, CSV, GeoJSON, GeoParquet.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>All marked places were marked by the same number of annotators.</source>
        <translation>Alle markierten Stellen wurden von gleich vielen Annotatoren markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>All messages (JSON)</source>
        <translation>Alle Meldungen (JSON)</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>All numbers with 95 % intervals.</source>
        <translation>Alle Zahlen mit 95-%-Intervallen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>All predictions with their status, their target, and the IoU, precision and recall with that target.</source>
        <translation>Alle Vorhersagen mit ihrem Status, ihrem Ziel und mit IoU, Präzision und Trefferquote für dieses Ziel.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>All scored pairs with their four terms, as lines between the centroids.</source>
        <translation>Alle bewerteten Paare mit ihren vier Termen, als Linien zwischen den Schwerpunkten.</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>All shared crowns lie outside the image extent. Choose the extent of the image on which the crowns were drawn, or no extent.</source>
        <translation>Alle gemeinsamen Kronen liegen außerhalb der Bildausdehnung. Wählen Sie die Ausdehnung des Bildes, auf dem die Kronen gezeichnet wurden, oder keine Ausdehnung.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>All targets with their status, match, IoU, precision and recall.</source>
        <translation>Alle Ziele mit ihrem Status, ihrem Partner, IoU, Präzision und Trefferquote.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>All values but 0 are marked, or one value if it is given. Numbers that tell instances apart, and numbers between 0 and 1, are recognised. A note says what was taken.</source>
        <translation>Alle Werte außer 0 sind markiert, oder ein Wert, wenn er angegeben ist. Nummern, die Instanzen unterscheiden, und Zahlen zwischen 0 und 1 werden erkannt. Ein Hinweis sagt, was angenommen wurde.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>All values but 0 are marked; pixels that touch are one object.</source>
        <translation>Alle Werte außer 0 sind markiert; Pixel, die sich berühren, sind ein Objekt.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>All values of {name} must be from 0 to {most:,.0f}, but {text} is not.</source>
        <translation>Alle Werte von {name} müssen zwischen 0 und {most:,.0f} liegen; {text} liegt außerhalb.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>All values of {name} must be numbers from 0 to {most:,.0f}, but there are {found}.</source>
        <translation>Alle Werte von {name} müssen Zahlen von 0 bis {most:,.0f} sein, aber es gibt {found}.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>All values of {name} must be numbers, but they are {values}.</source>
        <translation>Alle Werte von {name} müssen Zahlen sein, sind aber {values}.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>All {count:,} polygons lie in the excluded areas, so nothing can be compared. Exclude smaller areas.</source>
        <translation>
            <numerusform>Das eine Polygon liegt in den ausgeschlossenen Flächen, es ist also nichts zu vergleichen. Schließen Sie kleinere Flächen aus.</numerusform>
            <numerusform>Alle {count:,} Polygone liegen in den ausgeschlossenen Flächen, es ist also nichts zu vergleichen. Schließen Sie kleinere Flächen aus.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>All {count:,} polygons lie outside the study area or in the excluded areas, so nothing can be compared. Exclude smaller areas.</source>
        <translation>
            <numerusform>Das eine Polygon liegt außerhalb des Untersuchungsgebiets oder in den ausgeschlossenen Flächen, es ist also nichts zu vergleichen. Schließen Sie kleinere Flächen aus.</numerusform>
            <numerusform>Alle {count:,} Polygone liegen außerhalb des Untersuchungsgebiets oder in den ausgeschlossenen Flächen, es ist also nichts zu vergleichen. Schließen Sie kleinere Flächen aus.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Alpha of the best set (m)</source>
        <translation>Alpha des besten Satzes (m)</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Alpha, omega and gamma were selected from a grid of sets. Of the sets with which wrong pairs score low enough, right pairs score high enough, and few crowns are too small, the selected set has the lowest variance.</source>
        <translation>Alpha, Omega und Gamma wurden aus einem Raster von Sätzen gewählt. Unter den Sätzen, bei denen falsche Paare niedrig genug und richtige Paare hoch genug bewertet werden und nur wenige Kronen zu klein sind, hat der gewählte Satz die kleinste Varianz.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>An XML file 'CVAT for images', with the shapes on many images.</source>
        <translation>Eine XML-Datei 'CVAT for images' mit den Formen auf vielen Bildern.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>An annotation file, a folder of such files, or a pattern such as plots/*.xml. Several are separated by {separator}.</source>
        <translation>Eine Datei mit Annotationen, ein Ordner mit solchen Dateien oder ein Muster wie plots/*.xml. Mehrere werden durch {separator} getrennt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>An area is marked if at least this share of the annotators marked it, 0 to 1; 0 means any annotator.</source>
        <translation>Eine Fläche gilt als markiert, wenn mindestens dieser Anteil der Annotatoren sie markiert hat, 0 bis 1; 0 heißt: irgendein Annotator.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>An earlier run on the same targets: better, worse, new, gone.</source>
        <translation>Ein früherer Lauf auf denselben Zielkronen: besser, schlechter, neu, weg.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>An earlier run was interrupted while it wrote {files}. Its incomplete files were removed, and nothing of that run was written.</source>
        <translation>Ein früherer Lauf wurde unterbrochen, während er {files} schrieb. Seine unvollständigen Dateien wurden entfernt, und nichts von diesem Lauf wurde geschrieben.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>An earlier run was interrupted while it wrote {files}. The earlier files could not be restored; they are in the folder {folder}.</source>
        <translation>Ein früherer Lauf wurde unterbrochen, während er {files} schrieb. Die früheren Dateien ließen sich nicht wiederherstellen; sie liegen im Ordner {folder}.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>An input layer is no longer in the project. Search again.</source>
        <translation>Ein Eingabe-Layer ist nicht mehr im Projekt. Suchen Sie erneut.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>An outlier differs from the others; this does not mean that the drawings are wrong.</source>
        <translation>Ein Ausreißer weicht von den anderen ab; das heißt nicht, dass die Zeichnungen falsch sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>An outline cannot be processed ({why}). Run 'Check validity' and 'Fix geometries' on the layers.</source>
        <translation>Ein Umriss lässt sich nicht verarbeiten ({why}). Lassen Sie „Gültigkeit prüfen“ und „Geometrien reparieren“ über die Layer laufen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>An unmatched delineation, if only some crowns were drawn.</source>
        <translation>Ein Umriss ohne Partner, wenn nur einige Kronen gezeichnet wurden.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>An unmatched delineation.</source>
        <translation>Ein Umriss ohne Partner.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>An unmatched prediction is uncertain, not a false positive, if a smaller share of its points or area lies on targets.</source>
        <translation>Eine Vorhersage ohne Partner ist unsicher und nicht falsch positiv, wenn ein kleinerer Anteil ihrer Punkte oder ihrer Fläche auf Zielinstanzen liegt.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>An unmatched prediction is uncertain, not a false positive, if it is lower above the ground. In a cloud a cloth simulation filter finds the ground. For polygons the height field is used, which the predictions must have too.</source>
        <translation>Eine Vorhersage ohne Partner ist unsicher und nicht falsch positiv, wenn sie niedriger über dem Boden ist. In einer Wolke findet ein Tuchfilter (cloth simulation filter) den Boden. Bei Polygonen gilt das Höhenfeld, das auch die Vorhersagen haben müssen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Annotation file.</source>
        <translation>Datei mit Annotationen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>Annotation files store crowns in pixels of an image. The georeference of the image puts them on the map. If no image has a georeference, the crowns stay in pixels and lie on the image as QGIS shows it.</source>
        <translation>Dateien mit Annotationen enthalten Kronen in Pixeln eines Bildes. Die Georeferenz des Bildes bringt sie auf die Karte. Hat kein Bild eine Georeferenz, bleiben die Kronen in Pixeln und liegen auf dem Bild, wie QGIS es zeigt.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Annotations (*.csv *.xml *.json *.txt *.shp *.gpkg *.geojson *.tif *.png);;All files (*)</source>
        <translation>Annotationen (*.csv *.xml *.json *.txt *.shp *.gpkg *.geojson *.tif *.png);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Annotations read</source>
        <translation>Gelesene Annotationen</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Annotations skipped</source>
        <translation>Übergangene Annotationen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Annotator</source>
        <translation>Annotator</translation>
    </message>
    <message>
        <location filename="../core/classes/agreement.py"/>
        <source>Annotator '{name}' drew crowns of different classes over each other on {area:.1f} m² or pixels. Remove the overlaps, or compare crowns instead of areas.</source>
        <translation>Annotator '{name}' hat Kronen verschiedener Klassen auf {area:.1f} m² oder Pixeln übereinander gezeichnet. Entfernen Sie die Überlappungen, oder vergleichen Sie Kronen statt Flächen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>Annotator '{name}' has the name of a ground truth; give it another one.</source>
        <translation>Der Annotator „{name}“ heißt wie eine Referenz; geben Sie ihm einen anderen Namen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Annotator of the crown.</source>
        <translation>Annotator der Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Annotator of the delineation.</source>
        <translation>Annotator des Umrisses.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Annotator of the target.</source>
        <translation>Annotator der Zielkrone.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Annotator of the targets; all: of every annotator.</source>
        <translation>Annotator der Ziele; all: jedes Annotators.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Annotator variance</source>
        <translation>Varianz der Annotatoren</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Annotator whose polygons were excluded.</source>
        <translation>Annotator, dessen Polygone ausgeschlossen wurden.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Annotator {number} has the shape {shape}, annotator 1 has {other_shape}.</source>
        <translation>Annotator {number} hat die Form {shape}, Annotator 1 hat {other_shape}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Annotator {number}: decisions must be yes or no (bool, or integers), not {dtype}. Compare probabilities with a threshold first, and give missing pixels in the mask.</source>
        <translation>Annotator {number}: Entscheidungen müssen ja oder nein sein (bool oder ganze Zahlen), nicht {dtype}. Vergleichen Sie Wahrscheinlichkeiten zuerst mit einem Schwellenwert, und geben Sie fehlende Pixel in der Maske an.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Annotator: {name}.</source>
        <translation>Annotator: {name}.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Annotators</source>
        <translation>Annotatoren</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Annotators and tiles (plots or images, where several are counted) are resampled with replacement, and the detectors are ranked in each bootstrap sample: a stand-in for other scenes and other annotators.</source>
        <translation>Annotatoren und Kacheln (Plots oder Bilder, wo mehrere gezählt werden) werden mit Zurücklegen neu gezogen, und die Detektoren werden in jeder Bootstrap-Stichprobe geordnet: Das steht für andere Orte und andere Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Annotators of the pair, in the order of the run.</source>
        <translation>Annotatoren des Paars, in der Reihenfolge des Laufs.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Annotators who did not mark it.</source>
        <translation>Annotatoren, die die Fläche nicht markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Annotators who marked it.</source>
        <translation>Annotatoren, die es markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Annotators whose overlap lies below this threshold are discarded in each round. Publications differ in the threshold; the first option is the default.</source>
        <translation>Annotatoren, deren Überlappung unter diesem Schwellenwert liegt, werden in jedem Durchgang verworfen. Veröffentlichungen unterscheiden sich im Schwellenwert; die erste Möglichkeit ist die Vorgabe.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Annotators {names} marked nothing inside the study area.</source>
        <translation>
            <numerusform>Der Annotator {names} hat im Untersuchungsgebiet nichts markiert.</numerusform>
            <numerusform>Die Annotatoren {names} haben im Untersuchungsgebiet nichts markiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Annotators {names} marked nothing on the pixels of raster '{raster}'.</source>
        <translation>
            <numerusform>Der Annotator {names} hat auf den Pixeln des Rasters „{raster}“ nichts markiert.</numerusform>
            <numerusform>Die Annotatoren {names} haben auf den Pixeln des Rasters „{raster}“ nichts markiert.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>Another plugin has functions with the names {names}. Expressions cannot use the functions of RandCrowns with these names.</source>
        <translation>Eine andere Erweiterung hat Funktionen mit den Namen {names}. Ausdrücke können die Funktionen von RandCrowns mit diesen Namen nicht verwenden.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Anybody (any-GT)</source>
        <translation>Irgendjemand (Any-GT)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Area</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Area in the coordinate system.</source>
        <translation>Fläche im Koordinatensystem.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area marked by all</source>
        <translation>Von allen markierte Fläche</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area marked by anybody</source>
        <translation>Von irgendjemandem markierte Fläche</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Area marked by at least a given number of annotators.</source>
        <translation>Fläche, die mindestens eine bestimmte Zahl von Annotatoren markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area marked by this number of annotators or more.</source>
        <translation>Fläche, die so viele Annotatoren oder mehr markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area marked inside the study area.</source>
        <translation>Im Untersuchungsgebiet markierte Fläche.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area marked without this annotator.</source>
        <translation>Ohne diesen Annotator markierte Fläche.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Area of the delineation.</source>
        <translation>Fläche des Umrisses.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Area of the multipolygon.</source>
        <translation>Fläche des Multipolygons.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Area of the outline.</source>
        <translation>Fläche des Umrisses.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area of the polygon.</source>
        <translation>Fläche des Polygons.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Area of the region that is certainly no crown, divided by the area of the certain crown; no unit.</source>
        <translation>Fläche der Region, die sicher keine Krone ist, geteilt durch die Fläche der sicheren Krone; ohne Einheit.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Area of the target.</source>
        <translation>Fläche der Zielkrone.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../core/scoring/parameters.py"/>
        <location filename="../ui/tuning/plots.py"/>
        <source>Area ratio (gamma)</source>
        <translation>Flächenverhältnis (Gamma)</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Area ratio (gamma) {gamma:g}</source>
        <translation>Flächenverhältnis (Gamma) {gamma:g}</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Area ratio (gamma): the map shows one value at a time.</source>
        <translation>Flächenverhältnis (Gamma): Die Karte zeigt jeweils einen Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Area ratio, no unit.</source>
        <translation>Flächenverhältnis, ohne Einheit.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Area that STAPLE marks along its prior; make a STAPLE consensus to see it.</source>
        <translation>Fläche, die STAPLE je nach Prior markiert; bilden Sie einen Konsens mit STAPLE, um sie zu sehen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area that STAPLE marks with different priors.</source>
        <translation>Fläche, die STAPLE mit verschiedenen Priors markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area that at least 1, 2, … annotators marked (Eq. 3).</source>
        <translation>Fläche, die mindestens 1, 2, … Annotatoren markiert haben (Gl. 3).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area that both marked.</source>
        <translation>Fläche, die beide markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area that only the first marked.</source>
        <translation>Fläche, die nur der erste markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Area that only the second marked.</source>
        <translation>Fläche, die nur der zweite markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Area that the annotators could see. Regions and delineations are clipped to it. Targets outside it are excluded and counted.</source>
        <translation>Fläche, die die Annotatoren sehen konnten. Regionen und Umrisse werden darauf beschnitten. Zielkronen außerhalb werden ausgeschlossen und gezählt.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Area that the annotators examined: whatever nobody marked in it counts as no crown. Without a study area: {what}</source>
        <translation>Fläche, die die Annotatoren abgesucht haben: Was darin niemand markiert hat, zählt als keine Krone. Ohne Untersuchungsgebiet: {what}</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Area under the P̄-recall curve (areas), average precision over all points (crowns), rank and skew per ground truth.</source>
        <translation>Fläche unter der Kurve von P̄ über der Trefferquote (Flächen), durchschnittliche Präzision über alle Punkte (Kronen), Rang und Positivanteil je Referenz.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>Area {name}</source>
        <translation>Fläche {name}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>Area {rank}</source>
        <translation>Fläche {rank}</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Areas and crowns</source>
        <translation>Flächen und Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Areas can be compared with at most {most} annotators, not {number}. Choose fewer annotators.</source>
        <translation>Flächen können mit höchstens {most} Annotatoren verglichen werden, nicht mit {number}. Wählen Sie weniger Annotatoren.</translation>
    </message>
    <message>
        <location filename="../core/agreement/disagreement.py"/>
        <source>Areas of disagreement need an overlay of polygons, but this vote table comes from pixels or tiles.</source>
        <translation>Abweichende Flächen benötigen die Verschneidung der Polygone, aber diese Stimmentabelle stammt aus Pixeln oder Kacheln.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Areas on which all annotators agree keep their value and are excluded from the estimation. By default they are part of the estimation, as published.</source>
        <translation>Flächen, auf denen alle Annotatoren übereinstimmen, behalten ihren Wert und sind von der Schätzung ausgeschlossen. Als Vorgabe gehen sie in die Schätzung ein, wie veröffentlicht.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Areas only</source>
        <translation>Nur Flächen</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Areas or crowns.</source>
        <translation>Flächen oder Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Areas to ignore</source>
        <translation>Zu ignorierende Flächen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Areas where annotators differ, the largest first, with who marked them and who did not.</source>
        <translation>Flächen, auf denen Annotatoren abweichen, die größte zuerst; mit denen, die sie markiert haben, und denen, die es nicht haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>Areas where annotators differ, the largest first.</source>
        <translation>Flächen, auf denen Annotatoren abweichen, die größte zuerst.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Areas: AUCR</source>
        <translation>Flächen: AUCR</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>Areas: {area:,.0f} m², overlaid exactly.</source>
        <translation>Flächen: {area:,.0f} m², exakt verschnitten.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Areas: {best} and {second} tie (AUCR {value}).</source>
        <translation>Flächen: {best} und {second} sind gleichauf (AUCR {value}).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Areas: {best} {value}, {second} {other} (AUCR).</source>
        <translation>Flächen: {best} {value}, {second} {other} (AUCR).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Areas: {best} {value}, {second} {other} (AUCR). {best} can be called better.</source>
        <translation>Flächen: {best} {value}, {second} {other} (AUCR). {best} kann besser genannt werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Areas: {best} {value}, {second} {other} (AUCR). {best} cannot be called better.</source>
        <translation>Flächen: {best} {value}, {second} {other} (AUCR). {best} kann nicht besser genannt werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>Areas: {pixels:,} pixels of {width:g} x {height:g} {unit}.</source>
        <translation>Flächen: {pixels:,} Pixel von {width:g} x {height:g} {unit}.</translation>
    </message>
    <message>
        <location filename="../ui/shell/import_export.py"/>
        <source>As COCO, DeepForest or Pascal VOC, optionally with clipped images.</source>
        <translation>Als COCO, DeepForest oder Pascal VOC, auf Wunsch mit ausgeschnittenen Bildern.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>As in the paper for boxes (mitre).</source>
        <translation>Wie in der Veröffentlichung bei Rechtecken (Gehrung).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>As in the paper for polygons drawn in the field.</source>
        <translation>Wie in der Veröffentlichung bei im Gelände gezeichneten Polygonen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>As point2tree, if the IoU is at least 0.5 (Puliti et al. 2023).</source>
        <translation>Wie point2tree, wenn der IoU mindestens 0,5 beträgt (Puliti et al. 2023).</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>As published, LSML also marks {pixels:,} pixels that nobody marked. They are clipped here, which leaves {of:,} marked pixels.</source>
        <translation>Wie veröffentlicht markiert LSML auch {pixels:,} Pixel, die niemand markiert hat. Sie sind hier abgeschnitten; damit bleiben {of:,} markierte Pixel.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Assessment</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Assigned</source>
        <translation>Zugewiesen</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>At least one annotator marked nothing: the F1 with an annotator who marked something is 0, and the positive predictive value is undefined.</source>
        <translation>Mindestens ein Annotator hat nichts markiert: Sein F1 mit jemandem, der etwas markiert hat, ist 0, und sein positiver Vorhersagewert ist nicht definiert.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>At least one annotator must be left.</source>
        <translation>Mindestens ein Annotator muss übrig sein.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>At most {most} annotators can be compared, but field '{field}' names {count}.</source>
        <translation>
            <numerusform>Höchstens {most} Annotatoren können verglichen werden, aber das Feld „{field}“ nennt {count}.</numerusform>
            <numerusform>Höchstens {most} Annotatoren können verglichen werden, aber das Feld „{field}“ nennt {count}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>At most {most} annotators can be compared, but {count} layers were chosen.</source>
        <translation>
            <numerusform>Höchstens {most} Annotatoren können verglichen werden, aber {count} Layer wurde gewählt.</numerusform>
            <numerusform>Höchstens {most} Annotatoren können verglichen werden, aber {count} Layer wurden gewählt.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <location filename="../ui/agreement/form.py"/>
        <source>At most {most} annotators can be compared.</source>
        <translation>Höchstens {most} Annotatoren können verglichen werden.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>At most {most} layers can be overlaid exactly, but there are {annotators} annotators with {areas} different reviewed areas. Choose a pixel size.</source>
        <translation>Höchstens {most} Layer können exakt verschnitten werden, es gibt aber {annotators} Personen mit {areas} verschiedenen gesichteten Gebieten. Wählen Sie eine Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>At the scene's own balance of crown and other.</source>
        <translation>Beim Verhältnis von Krone zu Nicht-Krone dieses Orts.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Attribute '{name}' of {file} has the number {highest}; numbers of trees can be at most {largest}. Number them from 1 on, or choose another attribute.</source>
        <translation>Das Attribut „{name}“ von {file} hat die Nummer {highest}; Nummern von Bäumen können höchstens {largest} sein. Nummerieren Sie sie ab 1 oder wählen Sie ein anderes Attribut.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>Attribute '{name}' of {file} has trees with id {first}, below the id for no tree ({invalid}); change that id, it seems to be {first}. Each attribute may have its own.</source>
        <translation>Das Attribut „{name}“ von {file} hat Bäume mit der Id {first}, unter der Id für keinen Baum ({invalid}); ändern Sie diese Id, sie scheint {first} zu sein. Jedes Attribut darf seine eigene haben.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Attribute '{name}' of {file} must hold the number of an instance, a whole number, but it holds {value:g}; choose another attribute.</source>
        <translation>Das Attribut „{name}“ von {file} muss die Nummer einer Instanz enthalten, eine ganze Zahl, enthält aber {value:g}; wählen Sie ein anderes Attribut.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Attribute of labelled points</source>
        <translation>Attribut der beschrifteten Punkte</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Attribute of the points with the id of their predicted tree. Not required if only classes are compared.</source>
        <translation>Attribut der Punkte mit der Id ihres vorhergesagten Baums. Nicht nötig, wenn nur Klassen verglichen werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Attribute of the points with the id of their target tree. Not required if only classes are compared.</source>
        <translation>Attribut der Punkte mit der Id ihres Zielbaums. Nicht nötig, wenn nur Klassen verglichen werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Attribute of the points with their predicted class, for table Classes.</source>
        <translation>Attribut der Punkte mit ihrer vorhergesagten Klasse, für die Tabelle Klassen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Attribute of the points with their true class, for table Classes.</source>
        <translation>Attribut der Punkte mit ihrer wahren Klasse, für die Tabelle Klassen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Attributes and values of points that are left out of everything, such as: classification=7+18 withheld=1.</source>
        <translation>Attribute und Werte von Punkten, die ganz ausgelassen werden, z. B.: classification=7+18 withheld=1.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Attributes only, one file per layer.</source>
        <translation>Nur die Attribute, eine Datei je Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Attributes only, one sheet per layer.</source>
        <translation>Nur die Attribute, ein Blatt je Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Automatic: the pixels of the first raster; polygons alone are overlaid exactly, without pixels.</source>
        <translation>Automatisch: die Pixel des ersten Rasters; Polygone allein werden exakt verschnitten, ohne Pixel.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Average precision</source>
        <translation>Durchschnittliche Präzision</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Average precision and recall are those of COCO (Lin et al. 2014), by the scores in field {field}; COCO defines no interval of them.</source>
        <translation>Durchschnittliche Präzision und Trefferquote sind die von COCO (Lin et al. 2014), mit den Werten im Feld {field}; COCO definiert für sie kein Intervall.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Average precision and recall of whole crowns as defined by COCO, per detector and annotator.</source>
        <translation>Durchschnittliche Präzision und Trefferquote ganzer Kronen nach der Definition von COCO, je Detektor und Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Average precision as in COCO: over IoU 0.50:0.05:0.95 and 101 recall levels, at most 100 predictions per plot.</source>
        <translation>Durchschnittliche Präzision wie bei COCO: über IoU 0.50:0.05:0.95 und 101 Stufen der Trefferquote, höchstens 100 Vorhersagen je Plot.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Average precision at this IoU (101 recall levels), mean over the ground truths; all detections count.</source>
        <translation>Durchschnittliche Präzision bei diesem IoU (101 Stufen der Trefferquote), Mittel über die Referenzen; alle Erkennungen zählen.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Average precision at this IoU over all predictions with a score (101 recall levels).</source>
        <translation>Durchschnittliche Präzision bei diesem IoU, über alle Vorhersagen mit einem Wert (101 Stufen der Trefferquote).</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Average precision by the IoU that a match requires.</source>
        <translation>Durchschnittliche Präzision nach dem IoU, den eine Zuordnung verlangt.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Average precision over whole crowns, all points of the curve, 0 to 1; the darker, the better its rank.</source>
        <translation>Durchschnittliche Präzision über ganze Kronen, alle Punkte der Kurve, 0 bis 1; je dunkler, desto besser der Rang.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Average recall over IoU 0.50:0.05:0.95, with the prediction of highest score in each plot.</source>
        <translation>Mittlere Trefferquote über IoU 0.50:0.05:0.95, mit der Vorhersage mit dem höchsten Wert in jedem Plot.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Average variance of {name}</source>
        <translation>Mittlere Varianz von {name}</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>Average variance over {count:,} shared crowns: RandCrowns {randcrowns:.3g}, IoU {iou:.3g}, IoUCrowns {iou_crowns:.3g}.</source>
        <translation>
            <numerusform>Mittlere Varianz über {count:,} gemeinsame Krone: RandCrowns {randcrowns:.3g}, IoU {iou:.3g}, IoUCrowns {iou_crowns:.3g}.</numerusform>
            <numerusform>Mittlere Varianz über {count:,} gemeinsame Kronen: RandCrowns {randcrowns:.3g}, IoU {iou:.3g}, IoUCrowns {iou_crowns:.3g}.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Band of annotators' rasters that is read.</source>
        <translation>Band, das von den Rastern der Personen gelesen wird.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Band of marked pixels</source>
        <translation>Band der markierten Pixel</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Beats next</source>
        <translation>Schlägt den nächsten</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Begin, as a share of the distance at which the last partition ends.</source>
        <translation>Anfang, als Anteil an der Entfernung, bei der der letzte Abschnitt endet.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Between 0 and 1; read only when the prior is 'A number'.</source>
        <translation>Zwischen 0 und 1; gilt nur, wenn der Prior „Eine Zahl“ ist.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Between 1 and {most} annotators can be compared, not {number}.</source>
        <translation>Zwischen 1 und {most} Annotatoren können verglichen werden, nicht {number}.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Black, the best match by each of the others: {names}.</source>
        <translation>Schwarz der beste Partner von jedem der anderen: {names}.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>Blocks of {side:g} m are smaller than a pixel ({pixel:g} m). Choose larger blocks.</source>
        <translation>Blöcke von {side:g} m sind kleiner als ein Pixel ({pixel:g} m). Wählen Sie größere Blöcke.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/agreement/blocks.py"/>
        <source>Blocks with a side of {side:g} {unit} are too small for this study area: there would be about {count:.3g} of them, more than {most:,}; choose larger ones.</source>
        <translation>
            <numerusform>Blöcke mit einer Seite von {side:g} {unit} sind für dieses Untersuchungsgebiet zu klein: Es wären etwa {count:.3g}, mehr als {most:,}; wählen Sie größere.</numerusform>
            <numerusform>Blöcke mit einer Seite von {side:g} {unit} sind für dieses Untersuchungsgebiet zu klein: Es wären etwa {count:.3g}, mehr als {most:,}; wählen Sie größere.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Blue band of the image</source>
        <translation>Blauer Kanal des Bildes</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Bootstrap samples</source>
        <translation>Bootstrap-Stichproben</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>Both '{first}' and '{other}' are set. Choose one of them.</source>
        <translation>„{first}“ und „{other}“ sind beide gesetzt. Wählen Sie eines davon.</translation>
    </message>
    <message>
        <location filename="../layers/vector/study_site.py"/>
        <source>Both an image extent and an extent layer are selected; their intersection is used.</source>
        <translation>Eine Bildausdehnung und ein Ausdehnungs-Layer sind gewählt; es gilt der Schnitt von beiden.</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>Both scores high</source>
        <translation>Beide Werte hoch</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>Both scores low</source>
        <translation>Beide Werte niedrig</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Boxes are recognized by their outline.</source>
        <translation>Rechtecke werden am Umriss erkannt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Brightness and contrast are computed from the red, green and blue band. Default: the bands that the layer is displayed with, usually the first three.</source>
        <translation>Helligkeit und Kontrast werden aus dem roten, grünen und blauen Kanal berechnet. Vorgabe: die Kanäle, mit denen der Layer dargestellt wird, meist die ersten drei.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Brightness, each band, and contrast (Michelson) of CIELAB lightness and of grey.</source>
        <translation>Helligkeit, jeder Kanal und der Kontrast (Michelson) der CIELAB-Helligkeit und des Graus.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>By distance to the trunk</source>
        <translation>Nach dem Abstand zum Stamm</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>By height</source>
        <translation>Nach der Höhe</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>COCO metrics</source>
        <translation>COCO-Maße</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>COCO's AP and AR use the 100 detections of highest score in each plot; {count:,} of {detector} are not among them. The thresholds side by side use all detections.</source>
        <translation>
            <numerusform>AP und AR von COCO verwenden die 100 Erkennungen mit den höchsten Werten jedes Plots; {count:,} von {detector} gehört nicht dazu. Die Schwellenwerte nebeneinander verwenden alle Erkennungen.</numerusform>
            <numerusform>AP und AR von COCO verwenden die 100 Erkennungen mit den höchsten Werten jedes Plots; {count:,} von {detector} gehören nicht dazu. Die Schwellenwerte nebeneinander verwenden alle Erkennungen.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>COCO's crowds (iscrowd), where predictions are neither right nor wrong. The layer is only made if there are such areas.</source>
        <translation>„Crowds“ von COCO (iscrowd), in denen Vorhersagen weder richtig noch falsch sind. Der Layer entsteht nur, wenn es solche Flächen gibt.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>COCO's results require a score for each prediction. Choose the score field.</source>
        <translation>Ergebnisse von COCO benötigen einen Wert für jede Vorhersage. Wählen Sie das Feld der Werte.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>COCO, DeepForest and Pascal VOC store crowns in pixels of images, so these formats require the images. Each crown belongs to the image that contains its centre. The files name the images; images that are cut out are written to the same folder.</source>
        <translation>COCO, DeepForest und Pascal VOC speichern Kronen in Pixeln von Bildern, daher benötigen diese Formate die Bilder. Jede Krone gehört zu dem Bild, das ihre Mitte enthält. Die Dateien nennen die Bilder; ausgeschnittene Bilder werden in denselben Ordner geschrieben.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>CPU time of all cores.</source>
        <translation>CPU-Zeit aller Kerne.</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <location filename="../ui/services/libraries_dialog.py"/>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>Cancelled; nothing was written.</source>
        <translation>Abgebrochen; es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen …</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>Cannot create the sample data: {error}</source>
        <translation>Die Beispieldaten lassen sich nicht anlegen: {error}</translation>
    </message>
    <message>
        <location filename="../ui/services/interrupted_runs.py"/>
        <source>Cannot restore the previous version of {files}. It is saved in {folders}.</source>
        <translation>Die vorherige Version von {files} lässt sich nicht wiederherstellen. Sie ist in {folders} gespeichert.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/review/review_list.py"/>
        <source>Cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Cause of the problem, in a sentence.</source>
        <translation>Ursache des Problems, in einem Satz.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Cause of the problem.</source>
        <translation>Ursache des Problems.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Cell of the outlines</source>
        <translation>Zelle der Umrisse</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Certainty</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Certainty (1 - significance level)</source>
        <translation>Sicherheit (1 - Signifikanzniveau)</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/review/review_list.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Change of the memory during the step.</source>
        <translation>Änderung des Speichers während des Schritts.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Changed since your verdict: {verdict}.</source>
        <translation>Geändert seit dem eigenen Urteil: {verdict}.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Check at least one delineation layer first; a second polygon layer is needed.</source>
        <translation>Kreuzen Sie zuerst mindestens einen Umriss-Layer an; ein zweiter Polygon-Layer ist nötig.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check every layer.</source>
        <translation>Jeden Layer ankreuzen.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check it to compare it with the others.</source>
        <translation>Ankreuzen, um ihn mit den anderen zu vergleichen.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Check it to compare the detectors with it as it is.</source>
        <translation>Ankreuzen, um die Detektoren mit ihm zu vergleichen, wie er ist.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Check it to compare the detectors with this annotator.</source>
        <translation>Ankreuzen, um die Detektoren mit diesem Annotator zu vergleichen.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Check it to rank it as a detector.</source>
        <translation>Ankreuzen, um ihn als Detektor zu ordnen.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/layer_checklist.py"/>
        <source>Check it to score it against the target.</source>
        <translation>Ankreuzen, um ihn gegen die Zielkronen zu bewerten.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check no layer.</source>
        <translation>Keinen Layer ankreuzen.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Check the annotators' layers, one per annotator.</source>
        <translation>Kreuzen Sie die Layer der Annotatoren an, je Annotator einen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Choose 1 for files that count pixels from 1, as the VOC development kit does: xmin and ymin are then reduced by 1.</source>
        <translation>Wählen Sie 1 für Dateien, die Pixel ab 1 zählen, wie die Werkzeuge von VOC es tun: xmin und ymin werden dann um 1 verringert.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>Choose a file for the report, as HTML, PDF or both.</source>
        <translation>Wählen Sie eine Datei für den Bericht, als HTML, PDF oder beides.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Choose a row to show the annotator and the consensus on the map.</source>
        <translation>Wählen Sie eine Zeile, um Annotator und Konsens auf der Karte zu zeigen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Choose at least one annotator's polygon layer or raster.</source>
        <translation>Wählen Sie mindestens einen Polygon-Layer oder ein Raster eines Annotators.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Choose at least one detector: a raster, or a polygon layer with a score field.</source>
        <translation>Wählen Sie mindestens einen Detektor: ein Raster oder einen Polygon-Layer mit einem Feld der Werte.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Choose at least one ground truth.</source>
        <translation>Wählen Sie mindestens eine Referenz.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Choose at least one layer of delineations.</source>
        <translation>Wählen Sie mindestens einen Layer mit Umrissen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/layer_export.py"/>
        <source>Choose at least one layer or table.</source>
        <translation>Wählen Sie mindestens einen Layer oder eine Tabelle.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Choose the annotators' layers, at least one.</source>
        <translation>Wählen Sie mindestens einen Layer eines Annotators.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Choose the attributes with the ids of the trees, or those with the classes.</source>
        <translation>Wählen Sie die Attribute mit den Ids der Bäume oder die mit den Klassen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Choose the layers of at least one annotator.</source>
        <translation>Wählen Sie die Layer mindestens eines Annotators.</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>Choose three of the image's {bands} bands for red, green and blue, not {rgb}.</source>
        <translation>Wählen Sie drei der {bands} Kanäle des Bildes für Rot, Grün und Blau, nicht {rgb}.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Chooses alpha, omega and gamma by the variance between annotators.</source>
        <translation>Wählt Alpha, Omega und Gamma anhand der Varianz zwischen Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Class attribute: predictions</source>
        <translation>Klassenattribut: Vorhersagen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Class attribute: targets</source>
        <translation>Klassenattribut: Ziele</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Class of the crown, as written in the file.</source>
        <translation>Klasse der Krone, wie sie in der Datei steht.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <location filename="../core/classes/agreement.py"/>
        <source>Classes on an interval scale must be numbers, but they are {labels}. Choose the nominal or the ordinal scale.</source>
        <translation>Klassen auf einer Intervallskala müssen Zahlen sein, sie sind aber {labels}. Wählen Sie die Nominal- oder die Ordinalskala.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Classes require two attributes: the true class and the predicted one.</source>
        <translation>Klassen benötigen zwei Attribute: die wahre und die vorhergesagte Klasse.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Click a cell of the map, or a set of the table, to look at its crowns.</source>
        <translation>Klicken Sie eine Zelle der Karte oder einen Satz der Tabelle an, um seine Kronen zu sehen.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Click a cell to look at its crowns.</source>
        <translation>Klicken Sie eine Zelle an, um ihre Kronen zu sehen.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Click a cell to see on the map: {detector} {truth}</source>
        <translation>Klicken Sie eine Zelle an, um auf der Karte zu sehen: {detector} {truth}</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Click a number to select those crowns.</source>
        <translation>Klicken Sie eine Zahl an, um diese Kronen auszuwählen.</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>Clusters of annotators</source>
        <translation>Cluster der Annotatoren</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Cohen's kappa with the consensus: agreement beyond chance, up to 1.</source>
        <translation>Cohens Kappa mit dem Konsens: Übereinstimmung über den Zufall hinaus, höchstens 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Colour of marked pixels</source>
        <translation>Farbe der markierten Pixel</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Colours of the image</source>
        <translation>Farben des Bildes</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Combined classes</source>
        <translation>Zusammengefasste Klassen</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Combines the polygons of several annotators of the same area into one layer.</source>
        <translation>Fasst die Polygone mehrerer Annotatoren desselben Gebiets zu einem Layer zusammen.</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../resources/report_parts.html"/>
        <source>Command that repeats it</source>
        <translation>Befehl zum Wiederholen</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Comment</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Common variance</source>
        <translation>Gemeinsame Varianz</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Compare annotators</source>
        <translation>Annotatoren vergleichen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Compare each annotator with the others only</source>
        <translation>Jeden Annotator nur mit den anderen vergleichen</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Compare the annotators of field {name}</source>
        <translation>Die Annotatoren des Feldes {name} vergleichen</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>Compare what is shown with</source>
        <translation>Das Gezeigte vergleichen mit</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/form.py"/>
        <source>Compare {count:,} annotators</source>
        <translation>
            <numerusform>{count:,} Annotator vergleichen</numerusform>
            <numerusform>{count:,} Annotatoren vergleichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/form.py"/>
        <source>Compare {count} rasters of several images</source>
        <translation>
            <numerusform>{count} Raster mehrerer Bilder vergleichen</numerusform>
            <numerusform>{count} Raster mehrerer Bilder vergleichen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Compared with</source>
        <translation>Vergleich</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/page.py"/>
        <source>Compared {count:,} annotators; see the layer tree.</source>
        <translation>
            <numerusform>{count:,} Annotator verglichen; siehe Layerbaum.</numerusform>
            <numerusform>{count:,} Annotatoren verglichen; siehe Layerbaum.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>Comparing annotators needs at least two of them, but there are {n}; for one drawing, make warped copies of it first.</source>
        <translation>Zum Vergleichen sind mindestens zwei Annotatoren nötig, es gibt aber {n}; machen Sie von einer einzelnen Zeichnung zuerst verzerrte Kopien.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Comparison of each annotator with the consensus; one row per annotator.</source>
        <translation>Vergleich jedes Annotators mit dem Konsens; eine Zeile je Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Conclusion: can the best detector be called better?</source>
        <translation>Schlussfolgerung: Kann der beste Detektor besser genannt werden?</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../ui/agreement/consensus_form.py"/>
        <location filename="../ui/detectors/form.py"/>
        <source>Consensus</source>
        <translation>Konsens</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Consensus raster</source>
        <translation>Konsensraster</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}</source>
        <translation>Konsens: {method}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Consensus: {method}.</source>
        <translation>Konsens: {method}.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}: it is empty.</source>
        <translation>Konsens: {method}: Er ist leer.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}: {area:,.1f} {unit}².</source>
        <translation>Konsens: {method}: {area:,.1f} {unit}².</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Consensus: {method}: {marked:,.1f} {unit}², {beyond:,.1f} {unit}² of it marked by nobody.</source>
        <translation>Konsens: {method}: {marked:,.1f} {unit}², davon {beyond:,.1f} {unit}² von niemandem markiert.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Consensus: {method}; field 'excluded' names the annotator.</source>
        <translation>Konsens: {method}; das Feld „excluded“ nennt den Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Coordinate system</source>
        <translation>Koordinatensystem</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Coordinate system for a file that contains none. For local coordinates in metres, choose any system in metres.</source>
        <translation>Koordinatensystem für eine Datei, die keines enthält. Wählen Sie für lokale Koordinaten in Metern irgendein System in Metern.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Coordinate system of the images</source>
        <translation>Koordinatensystem der Bilder</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <location filename="../ui/widgets/parts.py"/>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Copy answer</source>
        <translation>Antwort kopieren</translation>
    </message>
    <message>
        <location filename="../ui/widgets/parts.py"/>
        <source>Copy as LaTeX</source>
        <translation>Als LaTeX kopieren</translation>
    </message>
    <message>
        <location filename="../ui/widgets/parts.py"/>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <location filename="../ui/widgets/parts.py"/>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Copy the command to paste it into a terminal.</source>
        <translation>Den Befehl kopieren, um ihn in ein Terminal einzufügen.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Copy the selected rows, or all rows, as they are shown.</source>
        <translation>Die gewählten Zeilen oder alle Zeilen kopieren, wie sie gezeigt werden.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Copy: {answer}</source>
        <translation>Kopieren: {answer}</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Corners of the regions</source>
        <translation>Ecken der Regionen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Correlation</source>
        <translation>Korrelation</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Correlation of the number of annotators with the image.</source>
        <translation>Korrelation der Zahl der Annotatoren mit dem Bild.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Correlation of the score with the number of annotators: where anybody marked (CCO) and everywhere (CCI).</source>
        <translation>Korrelation des Wertes mit der Zahl der Annotatoren: wo irgendjemand markiert hat (CCO) und überall (CCI).</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Correlation of the scores with the number of annotators.</source>
        <translation>Korrelation der Werte mit der Zahl der Annotatoren.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Correlations with the image; choose an image under Advanced.</source>
        <translation>Korrelationen mit dem Bild; wählen Sie unter „Erweitert“ ein Bild.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Count the area of the study area, or whole crowns that are found or missed.</source>
        <translation>Gezählt werden die Fläche des Untersuchungsgebiets, oder ganze Kronen, die gefunden oder verfehlt sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Counted</source>
        <translation>Gezählt</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Counted area</source>
        <translation>Gezählte Fläche</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>Counted in {pixels:,} pixels of {size:g} {unit}.</source>
        <translation>Gezählt in {pixels:,} Pixeln von {size:g} {unit}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Counted units</source>
        <translation>Gezählte Einheiten</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Counts</source>
        <translation>Anzahlen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Counts and metrics at other minimum IoUs of a match, from 0.10 to 0.95.</source>
        <translation>Anzahlen und Maße bei anderem kleinstem IoU einer Zuordnung, von 0,10 bis 0,95.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Counts and metrics with 95 % intervals: one row for all, then one row per plot.</source>
        <translation>Anzahlen und Maße mit 95-%-Intervallen: eine Zeile für alle, dann eine je Plot.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Counts and scores with IoU thresholds from 0.10 to 0.95 for a match, per detector and annotator.</source>
        <translation>Anzahlen und Werte bei Schwellenwerten des IoU einer Zuordnung von 0,10 bis 0,95, je Detektor und Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Counts, means and intervals per delineation layer and plot.</source>
        <translation>Anzahlen, Mittel und Intervalle je Umriss-Layer und Plot.</translation>
    </message>
    <message>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>Create a print layout with a page for each, which shows map, numbers and plot. It is an atlas that can be exported as PDF.</source>
        <translation>Ein Drucklayout mit je einer Seite anlegen, die Karte, Zahlen und Diagramm zeigt. Es ist ein Atlas, der sich als PDF exportieren lässt.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Creates the regions that RandCrowns compares a delineation with.</source>
        <translation>Erzeugt die Regionen, mit denen RandCrowns einen Umriss vergleicht.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Crown</source>
        <translation>Krone</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Crown id</source>
        <translation>Id der Krone</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Crown {number}: {scores}.</source>
        <translation>Krone {number}: {scores}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/review/page.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Crowns</source>
        <translation>Kronen</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>Crowns are matched by iou or randcrowns, not by '{score}'.</source>
        <translation>Kronen werden nach iou oder randcrowns zugeordnet, nicht nach „{score}“.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>Crowns are no longer scored while you draw.</source>
        <translation>Kronen werden beim Zeichnen nicht mehr bewertet.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>Crowns cannot be scored while you draw: {why}</source>
        <translation>Kronen können beim Zeichnen nicht bewertet werden: {why}</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Crowns exported</source>
        <translation>Exportierte Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Crowns imported</source>
        <translation>Importierte Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Crowns matched by</source>
        <translation>Kronen zugeordnet nach</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Crowns of each kind</source>
        <translation>Kronen je Art</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where lengths in {crs} are wrong by up to {off:.0f} %. Score each region separately for exact lengths.</source>
        <translation>Kronen des Layers „{layer}“ liegen bis zu {apart:,.0f} km auseinander; dort sind Längen in {crs} um bis zu {off:.0f} % falsch. Bewerten Sie jede Region für sich, um genaue Längen zu erhalten.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Crowns of layer '{layer}' lie up to {apart:,.0f} km apart, where lengths in {crs} are wrong by up to {off:.0f} %. Score each region separately, or remove crowns at wrong coordinates (such as 0, 0).</source>
        <translation>Kronen des Layers „{layer}“ liegen bis zu {apart:,.0f} km auseinander; dort sind Längen in {crs} um bis zu {off:.0f} % falsch. Bewerten Sie jede Region für sich, oder entfernen Sie Kronen mit falschen Koordinaten (etwa 0, 0).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Crowns of the first in which the second drew several.</source>
        <translation>Kronen des ersten, in denen der zweite mehrere gezeichnet hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Crowns of the first without a match.</source>
        <translation>Kronen des ersten ohne Partner.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Crowns of the second in which the first drew several.</source>
        <translation>Kronen des zweiten, in denen der erste mehrere gezeichnet hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Crowns of the second without a match.</source>
        <translation>Kronen des zweiten ohne Partner.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/annotations.py"/>
        <source>Crowns of {count:,} images without a georeference lie on one another. With the field 'image' as plot field, only crowns of the same image are compared.</source>
        <translation>
            <numerusform>Die Kronen von {count:,} Bild ohne Georeferenz liegen übereinander. Mit dem Feld „image“ als Plotfeld werden nur Kronen desselben Bildes verglichen.</numerusform>
            <numerusform>Die Kronen von {count:,} Bildern ohne Georeferenz liegen übereinander. Mit dem Feld „image“ als Plotfeld werden nur Kronen desselben Bildes verglichen.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Crowns only</source>
        <translation>Nur Kronen</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Crowns selected at random. The share that you accept is then an estimate for the whole layer, with an interval.</source>
        <translation>Zufällig gewählte Kronen. Der Anteil, den Sie annehmen, ist dann eine Schätzung für den ganzen Layer, mit einem Intervall.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Crowns that all annotators ({annotators}) had delineated were scored against each annotator's crown in turn, or against targets drawn in the field. The variance of a score over the delineations of a target was averaged over the targets (Stewart et al. 2021, Eq. 15).</source>
        <translation>Kronen, die alle Annotatoren ({annotators}) umrissen hatten, wurden nacheinander gegen die Krone jedes Annotators bewertet oder gegen im Gelände gezeichnete Ziele. Die Varianz einer Bewertung über die Umrisse eines Ziels wurde über die Ziele gemittelt (Stewart et al. 2021, Gl. 15).</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Crowns that not all annotators drew or that lie outside the image extent, with the reason.</source>
        <translation>Kronen, die nicht alle Annotatoren gezeichnet haben oder die außerhalb der Bildausdehnung liegen, mit dem Grund.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Crowns whose three scores are nearest to the medians; red: target, black: delineation.</source>
        <translation>Kronen, deren drei Werte den Medianen am nächsten liegen; rot: Zielkrone, schwarz: Umriss.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Crowns with a lower score are skipped, and the summary counts them. Crowns without a score are imported.</source>
        <translation>Kronen mit einem kleineren Wert werden übergangen, und die Zusammenfassung zählt sie. Kronen ohne Wert werden importiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Crowns with an IoU above 0.5.</source>
        <translation>Kronen mit einem IoU über 0,5.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Crowns with at least this RandCrowns count as found for precision, recall and F1, which are also computed at IoU 0.4 and 0.5. Crowns below it have a problem.</source>
        <translation>Kronen mit mindestens diesem RandCrowns zählen für Präzision, Trefferquote und F1 als gefunden; diese werden auch bei IoU 0,4 und 0,5 berechnet. Kronen darunter haben ein Problem.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Ctrl+Return</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Curves and the band that the ground truths span.</source>
        <translation>Kurven und das Band, das die Referenzen aufspannen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Cut out the images</source>
        <translation>Bilder ausschneiden</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Dark is good: the score hardly depends on who drew the target. Hatched /: wrong pairs score too high; hatched \: right pairs score too low; crosses: too many crowns are too small for alpha; star and dots: the recommended sets. Click a cell to look at its crowns.</source>
        <translation>Dunkel ist gut: Der Wert hängt kaum davon ab, wer die Zielkrone gezeichnet hat. Schraffiert /: Falsche Paare haben zu hohe Werte; schraffiert \: Richtige Paare haben zu niedrige Werte; Kreuze: Zu viele Kronen sind für Alpha zu klein; Stern und Punkte: die empfohlenen Sätze. Klicken Sie eine Zelle an, um ihre Kronen zu sehen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Decides which targets are found: precision, recall, F1 and panoptic quality.</source>
        <translation>Bestimmt, welche Zielinstanzen gefunden sind: Präzision, Trefferquote, F1 und panoptische Qualität.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Decides with which prediction IoU, precision and recall of a target are computed.</source>
        <translation>Bestimmt, mit welcher Vorhersage IoU, Präzision und Trefferquote einer Zielinstanz berechnet werden.</translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>Defaults of the pages of the dock, for projects without stored settings. The algorithms of the toolbox have their own defaults.</source>
        <translation>Vorgaben der Seiten des Bedienfelds, für Projekte ohne gespeicherte Einstellungen. Die Algorithmen der Werkzeugkiste haben eigene Vorgaben.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Delineated crowns.</source>
        <translation>Gezeichnete oder vorhergesagte Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Delineation</source>
        <translation>Umriss</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Delineation area</source>
        <translation>Fläche des Umrisses</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Delineation by</source>
        <translation>Umriss von</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Delineation id</source>
        <translation>Id des Umrisses</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Delineation layer of the headline, the crown table and the plot.</source>
        <translation>Umriss-Layer, für den Antwort, Kronentabelle und Diagramm gelten.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Delineation layer of the scores.</source>
        <translation>Umriss-Layer der Werte.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Delineation layer.</source>
        <translation>Umriss-Layer.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation of the crown's size {shift:.1f} m away from its centre: shifted</source>
        <translation>Umriss von der Größe der Krone, {shift:.1f} m von ihrer Mitte entfernt: verschoben</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {fp:,.1f} m² beyond the tolerance ({size_ratio:.1f} times the crown): too large</source>
        <translation>Umriss {fp:,.1f} m² über die Toleranz hinaus (das {size_ratio:.1f}-fache der Krone): zu groß</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Delineation {number} of {layer}.</source>
        <translation>Umriss {number} von {layer}.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {size_ratio:.1f} times the crown: too large</source>
        <translation>Umriss vom {size_ratio:.1f}-fachen der Krone: zu groß</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {size_ratio:.1f} times the crown: too small</source>
        <translation>Umriss vom {size_ratio:.1f}-fachen der Krone: zu klein</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {unpaired} covers {share:.0%} of the crown, but is not its pair: low overlap</source>
        <translation>Abgrenzung {unpaired} bedeckt {share:.0%} der Krone, ist aber nicht ihr Paar: geringe Überlappung</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {unpaired} of target {other} covers {share:.0%} of the crown: merged</source>
        <translation>Abgrenzung {unpaired} von Ziel {other} bedeckt {share:.0%} der Krone: verschmolzen</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {unpaired}, which is not its pair, covers {share:.0%} of the crown and {covered:.0%} of target {other}: merged</source>
        <translation>Abgrenzung {unpaired}, die nicht ihr Paar ist, bedeckt {share:.0%} der Krone und {covered:.0%} von Ziel {other}: verschmolzen</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {unpaired}, which is not its pair, is of the crown's size {shift:.1f} m away from its centre: shifted</source>
        <translation>Abgrenzung {unpaired}, die nicht ihr Paar ist, hat die Größe der Krone und liegt {shift:.1f} m neben ihrer Mitte: verschoben</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {unpaired}, which is not its pair, is {size_ratio:.1f} times the crown: too large</source>
        <translation>Abgrenzung {unpaired}, die nicht ihr Paar ist, ist {size_ratio:.1f}-mal so groß wie die Krone: zu groß</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Delineation {unpaired}, which is not its pair, is {size_ratio:.1f} times the crown: too small</source>
        <translation>Abgrenzung {unpaired}, die nicht ihr Paar ist, ist {size_ratio:.1f}-mal so groß wie die Krone: zu klein</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <location filename="../ui/review/queue_form.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <source>Delineations</source>
        <translation>Umrisse</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Delineations that belong to no target. They are not judged if only some crowns were drawn.</source>
        <translation>Umrisse, die zu keiner Zielkrone gehören. Sie werden nicht beurteilt, wenn nur einige Kronen gezeichnet wurden.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Delineations that match no target, where only some crowns were drawn.</source>
        <translation>Umrisse, die zu keiner Zielkrone passen, wenn nur einige Kronen gezeichnet wurden.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Delineations that match no target.</source>
        <translation>Umrisse, die zu keiner Zielkrone passen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Delineations with a lower score, or without a score, are excluded and counted. Used only with a score field.</source>
        <translation>Umrisse mit einem kleineren oder ohne Wert werden ausgeschlossen und gezählt. Gilt nur mit einem Feld der Werte.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Delineations with scores</source>
        <translation>Umrisse mit Werten</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Dendrogram</source>
        <translation>Dendrogramm</translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>Dendrogram of the annotators</source>
        <translation>Dendrogramm der Annotatoren</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Detection at thresholds</source>
        <translation>Erkennung bei Schwellenwerten</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Detections</source>
        <translation>Erkennungen</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Detector scores</source>
        <translation>Werte der Detektoren</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Detectors</source>
        <translation>Detektoren</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Detectors by rank. The last row lists the ground truths that give this ranking.</source>
        <translation>Detektoren nach Rang. Die letzte Zeile nennt die Referenzen, die diese Rangfolge ergeben.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Detectors under every ground truth</source>
        <translation>Detektoren unter jeder Referenz</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Disagreements</source>
        <translation>Abweichungen</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Display name in the target layer.</source>
        <translation>Anzeigename im Ziel-Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Distance at which it was formed.</source>
        <translation>Abstand, bei dem er entstand.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Distance at which the last partition of a tree ends.</source>
        <translation>Abstand, bei dem der letzte Abschnitt eines Baums endet.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Distance between the centroids.</source>
        <translation>Abstand zwischen den Schwerpunkten.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Distance inside the target's outline at which the certain crown begins, in metres on the ground. Crowns narrower than twice this length cannot be scored.</source>
        <translation>Abstand nach innen vom Zielumriss, ab dem die sichere Krone beginnt, in Metern am Boden. Kronen, die schmaler als das Doppelte dieser Länge sind, können nicht bewertet werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Distance of the nearest point at most</source>
        <translation>Höchster Abstand des nächsten Punktes</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Distance outside the target's outline to which a delineation may reach without penalty, in metres of the coordinate system. In UTM these differ from metres on the ground by at most 0.1 %.</source>
        <translation>Abstand außerhalb des Umrisses der Zielkrone, bis zu dem ein Umriss ohne Abzug reichen darf, in Metern des Koordinatensystems. In UTM weichen sie höchstens 0,1 % von Metern am Boden ab.</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/detectors/page.py"/>
        <source>Done; {count:,} tables are in the layer tree.</source>
        <translation>
            <numerusform>Fertig; {count:,} Tabelle ist im Layerbaum.</numerusform>
            <numerusform>Fertig; {count:,} Tabellen sind im Layerbaum.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Double-click a row or press Enter to show its crowns.</source>
        <translation>Klicken Sie doppelt auf eine Zeile oder drücken Sie die Eingabetaste, um ihre Kronen zu zeigen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>Draw the crowns</source>
        <translation>Kronen zeichnen</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/plot.py"/>
        <source>Drawing</source>
        <translation>Zeichnung</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Drawing the crowns…</source>
        <translation>Die Kronen werden gezeichnet …</translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Drawn by</source>
        <translation>Gezeichnet von</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/target_regions.py"/>
        <source>Draws four polygons for each target crown: &lt;b&gt;a&lt;/b&gt;, surely crown; &lt;b&gt;o&lt;/b&gt;, up to where the crown may reach; &lt;b&gt;e&lt;/b&gt;, the outer edge; &lt;b&gt;b&lt;/b&gt;, between o and e, surely not crown.</source>
        <translation>Zeichnet vier Polygone für jede Zielkrone: &lt;b&gt;a&lt;/b&gt;, sicher Krone; &lt;b&gt;o&lt;/b&gt;, bis wohin die Krone reichen darf; &lt;b&gt;e&lt;/b&gt;, der äußere Rand; &lt;b&gt;b&lt;/b&gt;, zwischen o und e, sicher keine Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Each annotator</source>
        <translation>Jeder Annotator</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Each annotator is compared with a consensus that is made without their own polygons.</source>
        <translation>Jeder Annotator wird mit einem Konsens verglichen, der ohne seine eigenen Polygone gebildet wird.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Each compared with the consensus of half or more.</source>
        <translation>Jeder verglichen mit dem Konsens der Hälfte oder mehr.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Each delineation belongs to one target at most. The pairs are those with the largest sum of RandCrowns.</source>
        <translation>Jeder Umriss gehört zu höchstens einer Zielkrone. Die Paare sind die mit der größten Summe von RandCrowns.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Each number but 0 is an object of its own, even if it touches another.</source>
        <translation>Jede Nummer außer 0 ist ein eigenes Objekt, auch wenn es ein anderes berührt.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>Each of the {count} classes is a category of its own. For the average precision without classes, set useCats = 0 in pycocotools.</source>
        <translation>
            <numerusform>Jede der {count} Klassen ist eine eigene Kategorie. Für die mittlere Präzision ohne Klassen setzen Sie in pycocotools useCats = 0.</numerusform>
            <numerusform>Jede der {count} Klassen ist eine eigene Kategorie. Für die mittlere Präzision ohne Klassen setzen Sie in pycocotools useCats = 0.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/classes/agreement.py"/>
        <source>Each of the {layers} layers needs an annotator and a class.</source>
        <translation>Jeder der {layers} Layer braucht einen Annotator und eine Klasse.</translation>
    </message>
    <message>
        <location filename="../core/classes/idtrees.py"/>
        <source>Each reference crown needs one class, and must occur once.</source>
        <translation>Jede Referenzkrone braucht genau eine Klasse und darf nur einmal vorkommen.</translation>
    </message>
    <message>
        <location filename="../core/classes/idtrees.py"/>
        <source>Each row needs a crown, a class and a probability; there are {crowns} crowns, {classes} classes and {probabilities} probabilities.</source>
        <translation>Jede Zeile braucht eine Krone, eine Klasse und eine Wahrscheinlichkeit; es gibt {crowns} Kronen, {classes} Klassen und {probabilities} Wahrscheinlichkeiten.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Each target gets its best prediction, at any overlap. Several targets may get the same prediction (Xiang et al. 2024).</source>
        <translation>Jede Zielinstanz erhält ihre beste Vorhersage, bei beliebiger Überlappung. Mehrere Zielinstanzen können dieselbe Vorhersage erhalten (Xiang et al. 2024).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Each target gets its best prediction, if their IoU is above 0.5 (Kirillov et al. 2019).</source>
        <translation>Jede Zielinstanz erhält ihre beste Vorhersage, wenn deren IoU über 0,5 liegt (Kirillov et al. 2019).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Each target gets its best prediction, if their IoU is at least 0.5 (Xiang et al. 2024).</source>
        <translation>Jede Zielinstanz erhält ihre beste Vorhersage, wenn deren IoU mindestens 0,5 beträgt (Xiang et al. 2024).</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Each target gets the delineation with the highest IoU, as in the paper's tests.</source>
        <translation>Jede Zielkrone erhält den Umriss mit dem höchsten IoU, wie in den Versuchen der Veröffentlichung.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Each target gets the delineation with the highest RandCrowns. One large delineation can then belong to many targets.</source>
        <translation>Jede Zielkrone erhält den Umriss mit dem höchsten RandCrowns. Ein großer Umriss kann dann zu vielen Zielkronen gehören.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Each target gets the delineation with the nearest centroid. If several are equally near, the lowest score counts. Recommended by the paper.</source>
        <translation>Jede Zielkrone erhält den Umriss mit dem nächsten Schwerpunkt. Sind mehrere gleich nahe, zählt der niedrigste Wert. Von der Veröffentlichung empfohlen.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Each target was paired with the delineation of the highest IoU.</source>
        <translation>Jeder Zielkrone wurde der Umriss mit dem höchsten IoU zugeordnet.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Each target was paired with the delineation of the highest RandCrowns.</source>
        <translation>Jeder Zielkrone wurde der Umriss mit dem höchsten RandCrowns zugeordnet.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Each target was paired with the delineation of the nearest centroid.</source>
        <translation>Jeder Zielkrone wurde der Umriss mit dem nächsten Schwerpunkt zugeordnet.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Each target, the tallest first, gets the best unmatched prediction, at any overlap (Wielgosz et al. 2023).</source>
        <translation>Jede Zielinstanz, die höchste zuerst, erhält die beste Vorhersage, die noch ohne Partner ist, bei beliebiger Überlappung (Wielgosz et al. 2023).</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>Earlier results cannot be shown again ({kind}: {why}): their tables were changed after the run. Run again, or remove the tables.</source>
        <translation>Frühere Ergebnisse lassen sich nicht wieder zeigen ({kind}: {why}): Ihre Tabellen wurden nach dem Lauf geändert. Starten Sie erneut oder entfernen Sie die Tabellen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <source>Effect of STAPLE's prior</source>
        <translation>Wirkung des Priors von STAPLE</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Effect of the prior</source>
        <translation>Wirkung des Priors</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Effective blocks</source>
        <translation>Wirksame Blöcke</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Empty images</source>
        <translation>Leere Bilder</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>End of the interval with the required certainty, from tiles and not from pixels. Empty with too few tiles.</source>
        <translation>Ende des Intervalls mit der verlangten Sicherheit, aus Kacheln und nicht aus Pixeln. Leer bei zu wenigen Kacheln.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>End, as a share of the distance at which the last partition ends.</source>
        <translation>Ende, als Anteil an der Entfernung, bei der der letzte Abschnitt endet.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Eq. 10.</source>
        <translation>Gl. 10.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Eq. 11.</source>
        <translation>Gl. 11.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Eq. 12.</source>
        <translation>Gl. 12.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Eq. 13.</source>
        <translation>Gl. 13.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Estimates the truth together with the sensitivity and specificity of each annotator (Warfield et al. 2004).</source>
        <translation>Schätzt die Wahrheit zusammen mit Sensitivität und Spezifität jedes Annotators (Warfield et al. 2004).</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Evaluate crown instances</source>
        <translation>Kroneninstanzen auswerten</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Evaluate point cloud instances</source>
        <translation>Instanzen einer Punktwolke auswerten</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Evaluate the cloud</source>
        <translation>Wolke auswerten</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>Every alpha of the grid excludes more than {most:g}% of the targets, because they are narrower than twice alpha. Try smaller values of alpha.</source>
        <translation>Jedes Alpha des Gitters schließt mehr als {most:g} % der Zielkronen aus, weil sie schmaler als das Doppelte von Alpha sind. Versuchen Sie kleinere Werte von Alpha.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>Every alpha of the grid excludes more than {most:g}% of the targets. They are narrower than twice alpha, or have only their edge within the image extent. Try smaller values of alpha.</source>
        <translation>Jedes Alpha des Gitters schließt mehr als {most:g} % der Zielkronen aus. Sie sind schmaler als das Doppelte von Alpha oder haben nur ihren Rand in der Bildausdehnung. Versuchen Sie kleinere Werte von Alpha.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Every column needs as many values as there are features.</source>
        <translation>Jede Spalte braucht so viele Werte, wie es Objekte gibt.</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Every crown of the list has a verdict.</source>
        <translation>Jede Krone der Liste hat ein Urteil.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Every delineation with the three scores against its target.</source>
        <translation>Jeder Umriss mit den drei Werten gegen seine Zielkrone.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Every detector under every ground truth, shaded by rank.</source>
        <translation>Jeder Detektor unter jeder Referenz, nach Rang getönt.</translation>
    </message>
    <message>
        <location filename="../core/instances/summary.py"/>
        <source>Every instance needs a plot: there are {n_targets} targets and {n_predictions} predictions, but {target_plots} and {prediction_plots} plots.</source>
        <translation>Jede Instanz braucht einen Plot: Es gibt {n_targets} Ziele und {n_predictions} Vorhersagen, aber {target_plots} und {prediction_plots} Plots.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Every level of agreement</source>
        <translation>Jede Stufe der Übereinstimmung</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Every plot has its share.</source>
        <translation>Jeder Plot hat seinen Anteil.</translation>
    </message>
    <message>
        <location filename="../core/instances/partitions.py"/>
        <source>Every point needs a z; target {target} has one that is not a finite number.</source>
        <translation>Jeder Punkt braucht ein z; Ziel {target} hat eines, das keine endliche Zahl ist.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>Every point needs finite coordinates; {number} points have none, the first is number {first}.</source>
        <translation>Jeder Punkt braucht endliche Koordinaten; {number} Punkte haben keine, der erste ist Nummer {first}.</translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>Every target and every prediction needs the number of its plot.</source>
        <translation>Jedes Ziel und jede Vorhersage braucht die Nummer des zugehörigen Plots.</translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>Every target must lie in a plot.</source>
        <translation>Jede Zielkrone muss in einem Plot liegen.</translation>
    </message>
    <message>
        <location filename="../core/instances/matching.py"/>
        <source>Every target needs a height; that of target number {number} is missing.</source>
        <translation>Jedes Ziel braucht eine Höhe; die von Ziel Nummer {number} fehlt.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Every target with the mean and the variance of its scores.</source>
        <translation>Jede Zielkrone mit Mittel und Varianz ihrer Werte.</translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>Every unmarked pixel is within the tolerance of a marked one, so none is left to judge. Choose a smaller tolerance.</source>
        <translation>Jedes nicht markierte Pixel liegt innerhalb der Toleranz eines markierten, es bleibt also keines zu beurteilen. Wählen Sie eine kleinere Toleranz.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Everybody</source>
        <translation>Alle</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Everybody marked the whole study area, so chance-corrected agreement is undefined.</source>
        <translation>Alle haben das ganze Untersuchungsgebiet markiert; die zufallskorrigierte Übereinstimmung ist deshalb nicht definiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Everything that all annotators marked.</source>
        <translation>Alles, was alle Annotatoren markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Everything that at least 1, 2, … of the annotators marked.</source>
        <translation>Alles, was mindestens 1, 2, … der Annotatoren markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Everything that at least half of the annotators marked; outliers among the annotators are excluded.</source>
        <translation>Alles, was mindestens die Hälfte der Annotatoren markiert hat; Ausreißer unter den Annotatoren sind ausgeschlossen.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Everything that at least half of the annotators marked; ties are marked.</source>
        <translation>Alles, was mindestens die Hälfte der Annotatoren markiert hat; bei Gleichstand markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Everything that at least one annotator marked.</source>
        <translation>Alles, was mindestens ein Annotator markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Everything that at least this share of the annotators marked.</source>
        <translation>Alles, was mindestens dieser Anteil der Annotatoren markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Everything that at least three quarters of the annotators marked.</source>
        <translation>Alles, was mindestens drei Viertel der Annotatoren markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Examples of each kind</source>
        <translation>Beispiele je Art</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Excluded areas</source>
        <translation>Ausgeschlossene Flächen</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Excluded crowns</source>
        <translation>Ausgeschlossene Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Existing ground truths</source>
        <translation>Vorhandene Referenzen</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Expected {patterns} values, one per pattern, got {shape}.</source>
        <translation>Erwartet werden {patterns} Werte, einer je Muster, nicht {shape}.</translation>
    </message>
    <message>
        <location filename="../ui/shell/import_export.py"/>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Export crowns</source>
        <translation>Kronen exportieren</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/shell/import_export.py"/>
        <source>Export crowns…</source>
        <translation>Kronen exportieren …</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Export layers and tables</source>
        <translation>Layer und Tabellen exportieren</translation>
    </message>
    <message>
        <location filename="../ui/shell/import_export.py"/>
        <source>Export results…</source>
        <translation>Ergebnisse exportieren …</translation>
    </message>
    <message>
        <location filename="../ui/shell/import_export.py"/>
        <source>Export the results of this page, or the crowns they were made from.</source>
        <translation>Die Ergebnisse dieser Seite exportieren, oder die Kronen, aus denen sie entstanden sind.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>F1 and the shared area compare areas; panoptic quality (PQ) compares single polygons.</source>
        <translation>F1 und die gemeinsame Fläche vergleichen Flächen; die panoptische Qualität (PQ) vergleicht einzelne Polygone.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>F1 at {score} #</source>
        <translation>F1 bei {score} #</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <location filename="../ui/agreement/plots.py"/>
        <source>F1 of every two annotators</source>
        <translation>F1 von je zwei Annotatoren</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>F1 of every two annotators by area (Lampert et al. 2016, Eq. 6): mean, lowest and highest.
95 % intervals from {blocks:,.0f} resampled blocks, {marked:,.0f} of them with marks: mean F1 {f1}; Fleiss' kappa {kappa}.</source>
        <translation>F1 von je zwei Annotatoren nach Fläche (Lampert et al. 2016, Gl. 6): Mittel, niedrigster und höchster.
95-%-Intervalle aus {blocks:,.0f} neu gezogenen Blöcken, davon {marked:,.0f} mit Markierungen: mittlerer F1 {f1}; Fleiss’ Kappa {kappa}.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>F1 of every two; click a cell to show the two on the map.</source>
        <translation>F1 von je zwei; klicken Sie eine Zelle an, um die beiden auf der Karte zu zeigen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>F1, shared area, and agreement crown by crown.</source>
        <translation>F1, gemeinsame Fläche und Übereinstimmung Krone für Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>False negative pairs (d)</source>
        <translation>Falsch negative Paare (d)</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>False negatives: targets that were not found.</source>
        <translation>Falsch Negative: nicht gefundene Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>False positive pairs (c)</source>
        <translation>Falsch positive Paare (c)</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>False positive rate</source>
        <translation>Falsch-Positiv-Rate</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>False positives: unmatched predictions.</source>
        <translation>Falsch Positive: Vorhersagen ohne Partner.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Feature id in the delineation layer.</source>
        <translation>Objekt-Id im Umriss-Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Feature id in the target layer.</source>
        <translation>Objekt-Id im Ziel-Layer.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Feature id in the target layer; of an unmatched delineation, in its own layer.</source>
        <translation>Objekt-Id im Ziel-Layer; bei einem Umriss ohne Partner in dessen eigenem Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Feature id of the crown in its layer.</source>
        <translation>Objekt-Id der Krone in ihrem Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Feature id of the delineation in its layer.</source>
        <translation>Objekt-Id des Umrisses in seinem Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Feature id of the target in its layer.</source>
        <translation>Objekt-Id der Zielkrone in ihrem Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Feature id of the target that it fits best.</source>
        <translation>Objekt-Id der Zielkrone, zu der er am besten passt.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Feature {number} of layer '{layer}' cannot be changed. No changes were made to the layer.</source>
        <translation>Das Objekt {number} des Layers „{layer}“ lässt sich nicht ändern. Am Layer wurde nichts geändert.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Fewer than ten blocks contain anything marked, so there are no intervals; choose smaller blocks, but larger than a crown.</source>
        <translation>In weniger als zehn Blöcken ist etwas markiert, es gibt also keine Intervalle; wählen Sie kleinere Blöcke, aber größer als eine Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>Field '{field}' contains no numbers, so it cannot be the height field.</source>
        <translation>Das Feld „{field}“ enthält keine Zahlen, kann also nicht das Höhenfeld sein.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>Field '{field}' has no height for the targets {ids}. Fill it in, or leave the height field empty.</source>
        <translation>Das Feld „{field}“ hat keine Höhe für die Ziele {ids}. Tragen Sie sie ein oder lassen Sie das Höhenfeld leer.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Field '{field}' is empty for all polygons, so there is no annotator. Choose another field.</source>
        <translation>Das Feld „{field}“ ist bei allen Polygonen leer, es gibt also keinen Annotator. Wählen Sie ein anderes Feld.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Field '{name}' cannot be added to layer '{layer}': {why}.</source>
        <translation>Das Feld „{name}“ lässt sich dem Layer „{layer}“ nicht hinzufügen: {why}.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Field '{name}' of layer '{layer}' has the type {kind}, which cannot hold the result. Delete or rename the field first.</source>
        <translation>Das Feld „{name}“ des Layers „{layer}“ hat den Typ {kind}, der das Ergebnis nicht aufnehmen kann. Löschen Sie das Feld zuerst oder benennen Sie es um.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>Field names in a shapefile have at most 10 characters; in {file}, {changed}.</source>
        <translation>Feldnamen in einem Shapefile haben höchstens 10 Zeichen; in {file}: {changed}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Field of the annotators and the detectors with the plot, or the image. Crowns match only within their plot; areas are counted together, with rows per plot, and plots are resampled.</source>
        <translation>Feld der Annotatoren und Detektoren mit dem Plot oder Bild. Kronen werden nur innerhalb ihres Plots zugeordnet; Flächen werden zusammen gezählt, mit einer Zeile je Plot, und Plots werden neu gezogen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Field of the annotators with the plot. Only crowns of the same plot are compared, and the intervals are over plots. Layers without the field are compared by location alone.</source>
        <translation>Feld der Annotatoren mit dem Plot. Nur Kronen desselben Plots werden verglichen, und die Intervalle gelten über Plots. Layer ohne das Feld werden nur nach der Lage verglichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Field of the annotators' polygons with the plot or image of each polygon. Plots are counted together, with rows per plot, and resampled for the intervals. Empty: one plot.</source>
        <translation>Feld der Polygone der Annotatoren mit dem Plot oder Bild jedes Polygons. Plots werden zusammen gezählt, mit Zeilen je Plot, und für die Intervalle neu gezogen. Leer: ein Plot.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Field of the delineations with the scores of a detector. In layers without this field all crowns are used.</source>
        <translation>Feld der Umrisse mit den Werten eines Detektors. Bei Layern ohne dieses Feld werden alle Kronen verwendet.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Field of the targets with the plot of each crown. If the other layer has this field too, only crowns of the same plot are compared.</source>
        <translation>Feld der Zielkronen mit dem Plot jeder Krone. Hat auch der andere Layer dieses Feld, werden nur Kronen desselben Plots verglichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Field of the targets with the plot of each crown. The summary then has one row per plot, and intervals are over plots. If delineations have this field too, only crowns of the same plot are paired.</source>
        <translation>Feld der Zielkronen mit dem Plot jeder Krone. Die Zusammenfassung hat dann eine Zeile je Plot, und Intervalle gelten über Plots. Haben auch Umrisse dieses Feld, werden nur Kronen desselben Plots gepaart.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Field of the targets with the plot of each crown. The summary then has one row per plot, and intervals are over plots. If the predictions have this field too, only crowns of the same plot are compared, so plot names must be equal in both layers. Default: the image, for crowns in pixels of several images.</source>
        <translation>Feld der Zielkronen mit dem Plot jeder Krone. Die Zusammenfassung hat dann eine Zeile je Plot, und Intervalle gelten über Plots. Haben auch die Vorhersagen dieses Feld, werden nur Kronen desselben Plots verglichen; die Namen der Plots müssen also in beiden Layern gleich sein. Vorgabe: das Bild, bei Kronen in Pixeln mehrerer Bilder.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Field points</source>
        <translation>Punkte aus dem Gelände</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Field polygons</source>
        <translation>Polygone aus dem Gelände</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Field prefix of each delineation layer (JSON)</source>
        <translation>Präfix der Feldnamen jedes Umriss-Layers (JSON)</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Field that names the annotator</source>
        <translation>Feld, das den Annotator nennt</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Field with the plot of each crown. With it, images are cut out plot by plot. A prediction without a plot belongs to the plot of the target with the largest overlap, or of the nearest target.</source>
        <translation>Feld mit dem Plot jeder Krone. Damit werden Bilder Plot für Plot ausgeschnitten. Eine Vorhersage ohne Plot gehört zum Plot der Zielkrone mit der größten Überlappung oder der nächsten Zielkrone.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Fields of the target layer</source>
        <translation>Felder des Ziel-Layers</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>Fields were renamed because a GeoPackage reserves their names or ignores their case; in {file}, {changed}.</source>
        <translation>Felder wurden umbenannt, weil ein GeoPackage ihre Namen reserviert oder Groß- und Kleinschreibung nicht unterscheidet; in {file}: {changed}.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>Fields were renamed because of the file's format; in {file}, {changed}.</source>
        <translation>Felder wurden wegen des Dateiformats umbenannt; in {file}: {changed}.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <location filename="../layers/files/export_folder.py"/>
        <source>Files of the previous export stay in the folder, since they were changed after it: {files}.</source>
        <translation>Dateien des vorigen Exports bleiben im Ordner, da sie danach geändert wurden: {files}.</translation>
    </message>
    <message>
        <location filename="../layers/files/export_folder.py"/>
        <source>Files of the previous export were removed from the folder: {files}.</source>
        <translation>Dateien des vorigen Exports wurden aus dem Ordner entfernt: {files}.</translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud_fields.py"/>
        <source>File…</source>
        <translation>Datei …</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Filter (not all crowns are listed)</source>
        <translation>Filter (nicht alle Kronen sind aufgeführt)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>First</source>
        <translation>Erster</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>First annotator of the pair.</source>
        <translation>Erster Annotator des Paars.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>First ground truth</source>
        <translation>Erste Referenz</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>First packages of this system are installed. Then pip installs the other libraries into {folder}, which only RandCrowns uses.</source>
        <translation>Zuerst werden Pakete dieses Systems installiert. Dann installiert pip die anderen Bibliotheken in {folder}; diesen Ordner verwendet nur RandCrowns.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>First problem that applies to the crown, or none.</source>
        <translation>Erstes Problem, das auf die Krone zutrifft, oder keines.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>First the crowns on which the delineation layers differ most.</source>
        <translation>Zuerst die Kronen, bei denen sich die Umriss-Layer am meisten unterscheiden.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>First the crowns whose RandCrowns fell most since the run compared with.</source>
        <translation>Zuerst die Kronen, deren RandCrowns seit dem Vergleichslauf am meisten gefallen ist.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>First the system's package {pip} is installed. It then installs the libraries into {folder}, which only RandCrowns uses.</source>
        <translation>Zuerst wird das Paket {pip} des Systems installiert. Es installiert dann die Bibliotheken in {folder}; diesen Ordner verwendet nur RandCrowns.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Fixed</source>
        <translation>Korrigiert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Fleiss' kappa</source>
        <translation>Fleiss’ Kappa</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Folder for the files. Files of an earlier export in this format are replaced.</source>
        <translation>Ordner für die Dateien. Dateien eines früheren Exports in diesem Format werden ersetzt.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Folder of the images</source>
        <translation>Ordner der Bilder</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Folder with the images that the files name, which may be in its subfolders. It is searched for images that are neither where the file's path says nor beside the file. Of several images with one name, the one whose subfolders are those of the path or of the file is used.</source>
        <translation>Ordner mit den Bildern, die die Dateien nennen; sie können in Unterordnern liegen. In ihm werden Bilder gesucht, die weder am Pfad in der Datei noch neben der Datei liegen. Von mehreren Bildern eines Namens wird das verwendet, dessen Unterordner die des Pfades oder der Datei sind.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>For at least one annotator the sum of sensitivity and specificity is below 1: STAPLE takes these polygons for the opposite of the truth.</source>
        <translation>Bei mindestens einem Annotator liegt die Summe aus Sensitivität und Spezifität unter 1: STAPLE hält dessen Polygone für das Gegenteil der Wahrheit.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>For edges, cracks and other lines: ground truths and detections are thinned to one pixel (Lampert et al. 2016, IV-C), detections at up to {steps} thresholds. Without a tolerance, {share:.2%} of the diagonal of the pixels is used. Requires pixels.</source>
        <translation>Für Kanten, Risse und andere Linien: Referenzen und Erkennungen werden auf ein Pixel verdünnt (Lampert et al. 2016, IV-C), Erkennungen bei bis zu {steps} Schwellenwerten. Ohne Angabe beträgt die Toleranz {share:.2%} der Diagonale der Pixel. Benötigt Pixel.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>For layers of this size there is a command that works tile by tile, also on a cluster: {command}</source>
        <translation>Für Layer dieser Größe gibt es einen Befehl, der Kachel für Kachel arbeitet, auch auf einem Cluster: {command}</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>For one layer with the polygons of several annotators: each value of this field is one annotator.</source>
        <translation>Für einen Layer mit den Polygonen mehrerer Annotatoren: Jeder Wert dieses Feldes ist ein Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>For predictions in a file of their own: a point of the targets' cloud without a point of the predictions within this distance has no predicted tree.</source>
        <translation>Bei Vorhersagen in einer eigenen Datei: Ein Punkt der Wolke der Ziele ohne Punkt der Vorhersagen in diesem Abstand hat keinen vorhergesagten Baum.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Format as which the file was read.</source>
        <translation>Format, als das die Datei gelesen wurde.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Format of the files to write.</source>
        <translation>Format der Dateien, die geschrieben werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Format of the files.</source>
        <translation>Format der Dateien.</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/tuning/results.py"/>
        <source>Found on {count:,} shared crowns.</source>
        <translation>
            <numerusform>Ermittelt an {count:,} gemeinsamen Krone.</numerusform>
            <numerusform>Ermittelt an {count:,} gemeinsamen Kronen.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>From the earlier run to the later one.</source>
        <translation>Vom früheren zum späteren Lauf.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>From the ground truths</source>
        <translation>Aus den Referenzen</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>From the lowest point of each tree upwards.</source>
        <translation>Vom tiefsten Punkt jedes Baums aufwärts.</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>From the trunk outwards, seen from above.</source>
        <translation>Vom Stamm nach außen, von oben gesehen.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>From {count:,} warped copies of {name} (no measurement):</source>
        <translation>
            <numerusform>Aus {count:,} verzerrten Kopie von {name} (keine Messung):</numerusform>
            <numerusform>Aus {count:,} verzerrten Kopien von {name} (keine Messung):</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Further values of points that belong to no target tree, such as 0 9999. Values that the file declares to mean no data need not be listed.</source>
        <translation>Weitere Werte von Punkten, die zu keinem Zielbaum gehören, z. B. 0 9999. Werte, die laut Datei keine Daten bedeuten, müssen nicht genannt werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Further values that mean no tree: predictions</source>
        <translation>Weitere Werte für keinen Baum: Vorhersagen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Further values that mean no tree: targets</source>
        <translation>Weitere Werte für keinen Baum: Ziele</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Gallery</source>
        <translation>Galerie</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Gallery as a picture</source>
        <translation>Galerie als Bild</translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>Gallery saved as {file}.</source>
        <translation>Galerie gespeichert als {file}.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Gamma of the best set</source>
        <translation>Gamma des besten Satzes</translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>GeoPackage (*.gpkg)</source>
        <translation>GeoPackage (*.gpkg)</translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>GeoPackage file for the new layers. If it is empty, a file in the folder of the project is used. Each run adds its own tables and leaves the others unchanged.</source>
        <translation>GeoPackage-Datei für die neuen Layer. Ist das Feld leer, wird eine Datei im Ordner des Projekts verwendet. Jeder Lauf fügt eigene Tabellen hinzu und lässt die anderen unverändert.</translation>
    </message>
    <message>
        <location filename="../core/classes/strata.py"/>
        <source>Give either breaks in m² or a pixel size above 0 m, not both.</source>
        <translation>Geben Sie entweder Grenzen in m² oder eine Pixelgröße über 0 m an, nicht beides.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Green band of the image</source>
        <translation>Grüner Kanal des Bildes</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Grid</source>
        <translation>Gitter</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Ground truth</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Ground truth that the detectors are compared with.</source>
        <translation>Referenz, mit der die Detektoren verglichen werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Ground truth: {truth}.</source>
        <translation>Referenz: {truth}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Ground truths</source>
        <translation>Referenzen</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Ground truths (*.json);;All files (*)</source>
        <translation>Referenzdateien (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>Ground truths and detections were thinned to lines of one pixel; tolerance: {distance:.3g} {unit}, {share:.2%} of the diagonal. The certainty is over tiles, not over annotators.</source>
        <translation>Referenzen und Erkennungen wurden auf Linien von einem Pixel verdünnt; Toleranz: {distance:.3g} {unit}, {share:.2%} der Diagonale. Die Sicherheit gilt über Kacheln, nicht über Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>Ground truths and detections were thinned to lines of one pixel; tolerance: {distance:.3g} {unit}. The certainty is over tiles, not over annotators.</source>
        <translation>Referenzen und Erkennungen wurden auf Linien von einem Pixel verdünnt; Toleranz: {distance:.3g} {unit}. Die Sicherheit gilt über Kacheln, nicht über Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Ground truths made of all annotators together: a multipolygon per ground truth.</source>
        <translation>Aus allen Annotatoren zusammen gebildete Referenzen: ein Multipolygon je Referenz.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Ground truths that the detectors are compared with: each annotator, and consensuses of all annotators.</source>
        <translation>Referenzen, mit denen die Detektoren verglichen werden: jeder Annotator, und Konsense aller Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Grown</source>
        <translation>Vergrößert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Gwet's AC1 (high for rare classes in any case)</source>
        <translation>Gwets AC1 (bei seltenen Klassen ohnehin hoch)</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Half of the annotators agree on nothing or on everything, so there is no contour to move: the result is what half of the annotators marked.</source>
        <translation>Die Hälfte der Annotatoren ist sich über nichts oder über alles einig, es gibt also keine Kontur zu bewegen: Das Ergebnis ist, was die Hälfte der Annotatoren markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Half or more (0.5-GT)</source>
        <translation>Hälfte oder mehr (0.5-GT)</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/output_types.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Harmonic mean of precision and recall.</source>
        <translation>Harmonisches Mittel von Präzision und Trefferquote.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Height at least</source>
        <translation>Mindesthöhe</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Height field</source>
        <translation>Höhenfeld</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Height in metres, or the value of the height field.</source>
        <translation>Höhe in Metern, oder der Wert des Höhenfeldes.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Height of the first</source>
        <translation>Höhe des ersten</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Height of the second</source>
        <translation>Höhe des zweiten</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Height, for matching the tallest target first: highest point above the lowest (the file does not say the unit of z; taken: {unit}).</source>
        <translation>Höhe, nach der das höchste Ziel zuerst zugeordnet wird: höchster Punkt über dem tiefsten (die Datei nennt die Einheit von z nicht; angenommen: {unit}).</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Height, for matching the tallest target first: highest point above the lowest.</source>
        <translation>Höhe, nach der das höchste Ziel zuerst zugeordnet wird: höchster Punkt über dem tiefsten.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>Height, where the tallest target chooses first: area.</source>
        <translation>Höhe, wo das höchste Ziel zuerst wählt: Fläche.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>Height, where the tallest target chooses first: field {field}.</source>
        <translation>Höhe, wo das höchste Ziel zuerst wählt: Feld {field}.</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <location filename="../ui/shell/dock.py"/>
        <source>Help: open the guide for this page (F1)</source>
        <translation>Hilfe: das Handbuch zu dieser Seite öffnen (F1)</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>High RandCrowns, low IoU: larger than the target</source>
        <translation>RandCrowns hoch, IoU niedrig: größer als die Zielkrone</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>High RandCrowns, low IoU: smaller than the target</source>
        <translation>RandCrowns hoch, IoU niedrig: kleiner als die Zielkrone</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Highest IoU</source>
        <translation>Höchster IoU</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Highest RandCrowns</source>
        <translation>Höchster RandCrowns</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Highest pairwise F1</source>
        <translation>Höchster paarweiser F1</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_model.py"/>
        <source>How it was made</source>
        <translation>Entstehung</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>How likely each rank is for other annotators and places.</source>
        <translation>Wie wahrscheinlich jeder Rang bei anderen Annotatoren und Orten ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>How much does a score depend on who drew the target? Each annotator in turn is the target, and the other annotators are scored against it (Stewart et al. 2021, Section IV-A). With targets drawn in the field, every annotator is scored against these (Section IV-B).</source>
        <translation>Wie sehr hängt ein Wert davon ab, wer die Zielkrone gezeichnet hat? Die Krone jedes Annotators ist der Reihe nach die Zielkrone, und die anderen Annotatoren werden dagegen bewertet (Stewart et al. 2021, Abschnitt IV-A). Bei im Gelände gezeichneten Zielkronen wird jeder Annotator gegen diese bewertet (Abschnitt IV-B).</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>How strictly annotators are discarded; no unit.</source>
        <translation>Wie streng Annotatoren verworfen werden; ohne Einheit.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>IDTReeS 2020 toolbox</source>
        <translation>Werkzeuge von IDTReeS 2020</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/review/review_list.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/tuning/results.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Id for IoU</source>
        <translation>Id für IoU</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Id of the prediction that the matching for detection assigns to it.</source>
        <translation>Id der Vorhersage, die die Zuordnung für die Erkennung dem Ziel zuweist.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Id of the prediction with which IoU, precision and recall are computed.</source>
        <translation>Id der Vorhersage, mit der IoU, Präzision und Trefferquote berechnet werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Id of the prediction with which the metrics are computed.</source>
        <translation>Id der Vorhersage, mit der die Maße berechnet werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Id of the prediction.</source>
        <translation>Id der Vorhersage.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Id of the target that the matching for detection assigns to it.</source>
        <translation>Id des Ziels, das die Zuordnung für die Erkennung der Vorhersage zuweist.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Id of the target.</source>
        <translation>Id des Ziels.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>Identical delineations, so the variance is too low: {pairs}. Are they copies?</source>
        <translation>Gleiche Umrisse, die Varianz ist also zu klein: {pairs}. Sind es Kopien?</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Ids of instances</source>
        <translation>Nummern von Instanzen</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>If a file is damaged, the run stops with its name and nothing is imported. Single annotations that cannot be used are skipped; the summary counts them with the reasons.</source>
        <translation>Ist eine Datei beschädigt, hält der Lauf mit ihrem Namen an, und nichts wird importiert. Einzelne Annotationen, die nicht verwendbar sind, werden übersprungen; die Zusammenfassung zählt sie mit den Gründen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>If all crowns are boxes, pycocotools computes the same average precision from COCO's files as pages Detectors and Instances. Other outlines it compares as boxes or pixels.</source>
        <translation>Sind alle Kronen Rechtecke, berechnet pycocotools aus den Dateien von COCO dieselbe durchschnittliche Präzision wie die Seiten Detektoren und Instanzen. Andere Umrisse vergleicht es als Rechtecke oder Pixel.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <location filename="../algorithms/multiple_images.py"/>
        <location filename="../algorithms/output_types.py"/>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Image '{image}' has no raster of {missing}. Add it, or remove the image from the annotators.</source>
        <translation>Das Bild „{image}“ hat kein Raster von {missing}. Ergänzen Sie es oder entfernen Sie das Bild bei den Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Image '{image}' has no raster {file} in the folder of '{name}'. Add it, or leave '{label}' empty.</source>
        <translation>Das Bild „{image}“ hat kein Raster {file} im Ordner von „{name}“. Ergänzen Sie es oder lassen Sie „{label}“ leer.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Image '{image}' has rasters of annotators or of detectors alone; each image needs both.</source>
        <translation>Das Bild „{image}“ hat nur Raster von Annotatoren oder nur von Detektoren; jedes Bild braucht beide.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Image '{layer}' has no band {band} (bands: {bands}); choose another for '{name}'.</source>
        <translation>Das Bild „{layer}“ hat keinen Kanal {band} (Kanäle: {bands}); wählen Sie einen anderen für „{name}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Image '{layer}' holds numbers of colours in a table, not brightness. Run 'PCT to RGB' on it and use the result.</source>
        <translation>Das Bild „{layer}“ enthält Nummern von Farben einer Palette und keine Helligkeit. Wandeln Sie es mit „PCT nach RGB“ um und verwenden Sie das Ergebnis.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>Image '{name}' covers none of the crowns of the gallery; they are drawn on white.</source>
        <translation>Das Bild „{name}“ bedeckt keine Krone der Galerie; sie sind auf Weiß gezeichnet.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Image '{name}' has data in {share} % of the study area. The correlations are of that part alone.</source>
        <translation>Das Bild „{name}“ hat in {share} % des Untersuchungsgebiets Daten. Die Korrelationen gelten nur für diesen Teil.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>Image '{name}' is not read from a file. Save it as a GeoTIFF and choose that.</source>
        <translation>Das Bild „{name}“ wird nicht aus einer Datei gelesen. Speichern Sie es als GeoTIFF und wählen Sie dieses.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Image '{name}': no correlation with {rows}: {reason}.</source>
        <translation>Bild „{name}“: keine Korrelation mit {rows}: {reason}.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>Image '{name}': no interval and no p-value for {rows}: {reason}.</source>
        <translation>Bild „{name}“: weder Intervall noch p-Wert für {rows}: {reason}.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Image behind the crowns in the gallery. Without it, they are drawn on white.</source>
        <translation>Bild hinter den Kronen in der Galerie. Ohne Bild sind sie auf Weiß gezeichnet.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Image behind the gallery</source>
        <translation>Bild hinter der Galerie</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Image below the crowns. Default: the rasters that are visible on the map.</source>
        <translation>Bild unter den Kronen. Vorgabe: die Raster, die auf der Karte sichtbar sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Image boxes</source>
        <translation>Rechtecke auf Bildern</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Image extent</source>
        <translation>Bildausdehnung</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Image on which the crown lies, as written in the file.</source>
        <translation>Bild, auf dem die Krone liegt, wie es in der Datei steht.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Image on which the polygons were drawn. Agreement is correlated with its brightness and contrast. If the raster names identify several images, select one of them; the others are read from the same folder, by the same pattern of names.</source>
        <translation>Bild, auf dem die Polygone gezeichnet wurden. Die Übereinstimmung wird mit seiner Helligkeit und seinem Kontrast korreliert. Bezeichnen die Namen der Raster mehrere Bilder, wählen Sie eines davon; die anderen werden nach demselben Namensmuster aus demselben Ordner gelesen.</translation>
    </message>
    <message>
        <location filename="../layers/raster/images.py"/>
        <source>Image {image} cannot be cut: {why}.</source>
        <translation>Das Bild {image} lässt sich nicht ausschneiden: {why}.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Images '{first}' and '{other}' have {bands} and {other_bands} bands. All images must have the same number of bands.</source>
        <translation>Die Bilder „{first}“ und „{other}“ haben {bands} und {other_bands} Kanäle. Alle Bilder müssen gleich viele Kanäle haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Images '{first}' and '{other}' lie in different coordinate systems. Reproject them to the same one.</source>
        <translation>Die Bilder „{first}“ und „{other}“ liegen in verschiedenen Koordinatensystemen. Reprojizieren Sie sie in dasselbe.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Images of (COCO)</source>
        <translation>Bilder aus (COCO)</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Images that were read, one path per line</source>
        <translation>Gelesene Bilder, ein Pfad je Zeile</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>Images {images} have no georeference, so each crown must name its image. Layer '{layer}' has no field 'image'.</source>
        <translation>Die Bilder {images} haben keine Georeferenz, daher muss jede Krone ihr Bild nennen. Der Layer „{layer}“ hat kein Feld „image“.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Import and export</source>
        <translation>Import und Export</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Import crowns</source>
        <translation>Kronen importieren</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Import crowns…</source>
        <translation>Kronen importieren …</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Import files of DeepForest, COCO, Pascal VOC, YOLO or LabelMe. You can also drop files here.</source>
        <translation>Dateien von DeepForest, COCO, Pascal VOC, YOLO oder LabelMe importieren. Sie können Dateien auch hierher ziehen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Import summary</source>
        <translation>Zusammenfassung des Imports</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Imported crowns</source>
        <translation>Importierte Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Imported points</source>
        <translation>Importierte Punkte</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/import_export.py"/>
        <source>Importing {count:,} files…</source>
        <translation>
            <numerusform>{count:,} Datei wird importiert …</numerusform>
            <numerusform>{count:,} Dateien werden importiert …</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Imports crowns from DeepForest, COCO, Pascal VOC, YOLO and LabelMe files.</source>
        <translation>Importiert Kronen aus Dateien von DeepForest, COCO, Pascal VOC, YOLO und LabelMe.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>In OSGeo4W Setup the packages are called {names}. Without OSGeo4W: {said}</source>
        <translation>Im OSGeo4W-Setup heißen die Pakete {names}. Ohne OSGeo4W: {said}</translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>In brackets: 95 % interval.</source>
        <translation>In Klammern: 95-%-Intervall.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>In this order: {names}.</source>
        <translation>In dieser Reihenfolge: {names}.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Includes unmatched targets, with IoU and recall 0, in table Metrics and in the means per partition. The mean IoU of the summary always includes them as 0.</source>
        <translation>Nimmt Ziele ohne Partner, mit IoU und Trefferquote 0, in die Tabelle Maße und in die Mittel je Abschnitt auf. Der mittlere IoU der Zusammenfassung enthält sie immer, als 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>Input problems</source>
        <translation>Probleme der Eingabe</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Install</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Install libraries…</source>
        <translation>Bibliotheken installieren …</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Installed. Restart QGIS to use the new versions: {names} is still loaded.</source>
        <translation>Installiert. Starten Sie QGIS neu, um die neuen Versionen zu verwenden: {names} ist noch geladen.</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Installed; everything can be used.</source>
        <translation>Installiert; alles ist verwendbar.</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Installing…</source>
        <translation>Wird installiert …</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>Install…</source>
        <translation>Installieren …</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Instances</source>
        <translation>Instanzen</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>Instead of polygons: the pixels of the first band that are neither 0 nor no data.</source>
        <translation>Statt Polygonen: die Pixel des ersten Kanals, die weder 0 noch ohne Daten sind.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Intervals and p-values of the correlations count the blocks in which the number of annotators varies, not pixels: neighbouring pixels are alike, so p-values that count pixels would be far too small.</source>
        <translation>Intervalle und p-Werte der Korrelationen zählen die Blöcke, in denen die Zahl der Annotatoren schwankt, nicht Pixel: Benachbarte Pixel sind sich ähnlich, p-Werte über Pixel wären also viel zu klein.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Intervals are 95 % confidence intervals from a jackknife over the {units} (Efron and Tibshirani 1993), on the logit scale with Student's t. There is no interval for fewer than {least} {units}.</source>
        <translation>Intervalle sind 95-%-Konfidenzintervalle aus einem Jackknife über die {units} (Efron und Tibshirani 1993), auf der Logit-Skala mit Students t. Bei weniger als {least} {units} gibt es kein Intervall.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Intervals are 95 % confidence intervals with Student's t. Their standard errors come from {draws} bootstrap samples of blocks of the study area (Efron and Tibshirani 1993); side of a block: {side}. Annotators are called unlike the others if a permutation test within these blocks is significant at 5 %, adjusted for all annotators (Westfall and Young 1993).</source>
        <translation>Die Intervalle sind 95-%-Konfidenzintervalle mit Students t. Ihre Standardfehler stammen aus {draws} Bootstrap-Stichproben von Blöcken des Untersuchungsgebiets (Efron and Tibshirani 1993); Seite eines Blocks: {side}. Personen gelten als anders als die anderen, wenn ein Permutationstest innerhalb dieser Blöcke bei 5 % signifikant ist, für alle Personen adjustiert (Westfall and Young 1993).</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Intervals come from resampling blocks of the study area: neighbouring pixels are alike, so intervals that count pixels would be far too narrow.</source>
        <translation>Intervalle entstehen durch Neuziehen von Blöcken des Untersuchungsgebiets: Benachbarte Pixel sind sich ähnlich, Intervalle über Pixel wären also viel zu schmal.</translation>
    </message>
    <message>
        <location filename="../core/agreement/blocks.py"/>
        <source>Intervals need tiles, polygons or a grid of pixels; this vote table has none of them.</source>
        <translation>Intervalle benötigen Kacheln, Polygone oder ein Pixelgitter; diese Stimmentabelle hat nichts davon.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Intervals over</source>
        <translation>Intervalle über</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <location filename="../resources/matched_instances.qml"/>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>IoU</source>
        <translation>IoU</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>IoU, precision and recall of each class of the points, and of combined classes.</source>
        <translation>IoU, Präzision und Trefferquote jeder Klasse der Punkte und der zusammengefassten Klassen.</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>IoUCrowns</source>
        <translation>IoUCrowns</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>IoUCrowns of a delineation, 0 to 1.</source>
        <translation>IoUCrowns eines Umrisses, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>IoUCrowns: IoU without the uncertain rim of the target, 0 to 1.</source>
        <translation>IoUCrowns: IoU ohne den unsicheren Rand der Zielkrone, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../core/agreement/outlier_test.py"/>
        <source>It cannot be tested whether an annotator is unlike the others: the annotators differ in too few blocks ({blocks}). Being an outlier is then no evidence.</source>
        <translation>Ob sich eine Person von den anderen unterscheidet, lässt sich nicht prüfen: Die Personen unterscheiden sich in zu wenigen Blöcken ({blocks}). Ein Ausreißer zu sein, belegt dann nichts.</translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>It has no score inside the study area.</source>
        <translation>Er hat im Untersuchungsgebiet keinen Wert.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>It is unknown whether one detector is better than another.</source>
        <translation>Es ist nicht bekannt, ob ein Detektor besser ist als ein anderer.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>It lies at the edge of the grid ({names}), so look at its crowns before you use it.</source>
        <translation>Er liegt am Rand des Gitters ({names}); sehen Sie sich also seine Kronen an, bevor Sie ihn verwenden.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Its score is the same at all places that anyone marked.</source>
        <translation>Sein Wert ist an allen Stellen gleich, die irgendjemand markiert hat.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Its score is the same everywhere.</source>
        <translation>Sein Wert ist überall gleich.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Jinja2 templates (*.html *.j2 *.jinja);;All files (*)</source>
        <translation>Jinja2-Vorlagen (*.html *.j2 *.jinja);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Kappa</source>
        <translation>Kappa</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Kendall's tau</source>
        <translation>Kendalls Tau</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Key of the statistic.</source>
        <translation>Schlüssel der Kennzahl.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Krippendorff's alpha (nominal)</source>
        <translation>Krippendorffs Alpha (nominal)</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>LSML is not in the bootstrap samples: its contour takes too long.</source>
        <translation>LSML ist nicht in den Bootstrap-Stichproben: Seine Kontur dauert zu lange.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>LSML is used as published, without clipping. It marks {of:,} pixels, of which nobody marked {pixels:,}.</source>
        <translation>LSML wird wie veröffentlicht verwendet, ohne Beschneiden. Es markiert {of:,} Pixel, davon {pixels:,}, die niemand markiert hat.</translation>
    </message>
    <message>
        <location filename="../core/agreement/lsml.py"/>
        <source>LSML needs decisions on a pixel grid: annotators x rows x columns.</source>
        <translation>LSML braucht Entscheidungen auf einem Pixelgitter: Annotatoren x Zeilen x Spalten.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>LSML requires a pixel size.</source>
        <translation>LSML benötigt eine Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus_form.py"/>
        <source>LSML requires a pixel size: set it under Advanced, and run again.</source>
        <translation>LSML benötigt eine Pixelgröße: Geben Sie sie unter „Erweitert“ an und starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>LSML stops when it is stable, or after this number of rounds. Published: 1,000.</source>
        <translation>LSML endet, wenn die Kontur stabil ist, oder nach dieser Zahl von Durchgängen. Veröffentlicht: 1.000.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>LSML: clip to what any annotator marked</source>
        <translation>LSML: auf das beschneiden, was irgendein Annotator markiert hat</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>LSML: maximum number of rounds</source>
        <translation>LSML: höchste Zahl der Durchgänge</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>LSML: weight of the curvature</source>
        <translation>LSML: Gewicht der Krümmung</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Label</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Labelled at least</source>
        <translation>Mindestanteil beschrifteter Punkte</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>Largest disagreements</source>
        <translation>Größte Abweichungen</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Largest loss first</source>
        <translation>Größter Verlust zuerst</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Largest mean error of the annotators that you accept, 0 to 0.5 (a share of the study area). There is no common limit.</source>
        <translation>Größter mittlerer Fehler der Annotatoren, den Sie hinnehmen, 0 bis 0,5 (ein Anteil des Untersuchungsgebiets). Eine übliche Grenze gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Largest spread first</source>
        <translation>Größte Streuung zuerst</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Layer</source>
        <translation>Layer</translation>
    </message>
    <message>
        <location filename="../layers/styles/tree.py"/>
        <source>Layer '{layer}' ({crs}) has no place on a map in {there}; choose another coordinate system for the project.</source>
        <translation>Der Layer „{layer}“ ({crs}) hat auf einer Karte in {there} keinen Ort; wählen Sie ein anderes Koordinatensystem für das Projekt.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' already has the fields {fields}, which RandCrowns did not write. Rename them, or write the results to a new layer.</source>
        <translation>Der Layer „{layer}“ hat schon die Felder {fields}, die nicht von RandCrowns stammen. Benennen Sie sie um oder schreiben Sie die Ergebnisse in einen neuen Layer.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' cannot be edited because it is read-only. Write the results to a new layer instead.</source>
        <translation>Der Layer „{layer}“ lässt sich nicht bearbeiten, weil er schreibgeschützt ist. Schreiben Sie die Ergebnisse stattdessen in einen neuen Layer.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' cannot be edited: {why}.</source>
        <translation>Der Layer „{layer}“ lässt sich nicht bearbeiten: {why}.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' cannot be read completely: after {read} crowns, its server or the connection failed. The message log of QGIS shows the details. Reload the layer and run again.</source>
        <translation>Der Layer „{layer}“ lässt sich nicht vollständig lesen: Nach {read} Kronen versagte der Server oder die Verbindung. Das Nachrichtenprotokoll von QGIS zeigt die Einzelheiten. Laden Sie den Layer neu und starten Sie den Lauf noch einmal.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' cannot be read completely: {read} of {expected} crowns arrived. Its server or the connection failed, or somebody deletes crowns now. Reload the layer and run again.</source>
        <translation>Der Layer „{layer}“ lässt sich nicht vollständig lesen: {read} von {expected} Kronen kamen an. Der Server oder die Verbindung versagte, oder jemand löscht gerade Kronen. Laden Sie den Layer neu und starten Sie den Lauf noch einmal.</translation>
    </message>
    <message>
        <location filename="../layers/files/staging.py"/>
        <source>Layer '{layer}' cannot be saved in {file}: {why}</source>
        <translation>Der Layer „{layer}“ kann nicht in {file} gespeichert werden: {why}</translation>
    </message>
    <message>
        <location filename="../algorithms/report/runs.py"/>
        <source>Layer '{layer}' does not say by which run it was made. Choose a layer or table that a run made.</source>
        <translation>Der Layer „{layer}“ sagt nicht, durch welchen Lauf er entstand. Wählen Sie einen Layer oder eine Tabelle aus einem Lauf.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' gives several crowns one id, as a view that joins tables does; ids in the results are rows.</source>
        <translation>Der Layer „{layer}“ gibt mehreren Kronen dieselbe Id, wie eine Sicht, die Tabellen verknüpft; Ids in den Ergebnissen sind Zeilen.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' had {expected} crowns when the run began, but {read} were read: it was changed or filtered meanwhile, or its file is damaged.</source>
        <translation>Der Layer „{layer}“ hatte zu Beginn des Laufs {expected} Kronen, gelesen wurden aber {read}: Er wurde inzwischen geändert oder gefiltert, oder seine Datei ist beschädigt.</translation>
    </message>
    <message>
        <location filename="../layers/vector/reviewed_areas.py"/>
        <source>Layer '{layer}' has no field '{field}', which names the annotator of each reviewed area. Add it, or choose another layer.</source>
        <translation>Layer '{layer}' hat kein Feld '{field}', das die Person jedes gesichteten Gebiets nennt. Fügen Sie es hinzu oder wählen Sie einen anderen Layer.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' has no field '{field}'; all its crowns were kept.</source>
        <translation>Der Layer „{layer}“ hat kein Feld „{field}“; alle seine Kronen blieben.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' has no field '{field}'; each of its crowns belongs to the group of the nearest target.</source>
        <translation>Der Layer „{layer}“ hat kein Feld „{field}“; jede seiner Kronen gehört zur Gruppe der nächsten Zielkrone.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/map_highlight.py"/>
        <source>Layer '{layer}' has no field '{missing}' any more; run again.</source>
        <translation>Der Layer „{layer}“ hat das Feld „{missing}“ nicht mehr; starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>Layer '{layer}' has no outline with a number in '{field}' to show.</source>
        <translation>Der Layer „{layer}“ hat keinen Umriss mit einer Zahl in „{field}“, der sich zeigen ließe.</translation>
    </message>
    <message>
        <location filename="../layers/vector/reviewed_areas.py"/>
        <source>Layer '{layer}' has no reviewed area of an annotator: its field '{field}' names {found}, but the annotators are {annotators}.</source>
        <translation>Layer '{layer}' hat kein gesichtetes Gebiet einer Person: Sein Feld '{field}' nennt {found}, die Personen sind aber {annotators}.</translation>
    </message>
    <message>
        <location filename="../layers/vector/study_site.py"/>
        <source>Layer '{layer}' has no usable polygons for the extent. Choose another layer.</source>
        <translation>Der Layer „{layer}“ hat keine brauchbaren Polygone für die Ausdehnung. Wählen Sie einen anderen Layer.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' has several crowns with one id ({ids}), as in a view or a virtual layer that joins tables. Nothing was written. Let the results go to a new layer, or export the layer first.</source>
        <translation>Der Layer „{layer}“ hat mehrere Kronen mit derselben Id ({ids}), wie in einer Sicht oder einem virtuellen Layer, der Tabellen verknüpft. Es wurde nichts geschrieben. Schreiben Sie die Ergebnisse in einen neuen Layer, oder exportieren Sie zuerst den Layer.</translation>
    </message>
    <message>
        <location filename="../layers/vector/points.py"/>
        <source>Layer '{layer}' holds no points; choose a layer of points.</source>
        <translation>Der Layer „{layer}“ enthält keine Punkte; wählen Sie einen Punkt-Layer.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{layer}' is in degrees. Its lengths and areas are computed in metres, in {zone}.</source>
        <translation>Der Layer „{layer}“ ist in Grad. Seine Längen und Flächen werden in Metern berechnet, in {zone}.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>Layer '{layer}' is in edit mode: save its edits, or undo (Ctrl+Z). Scored {crowns}.</source>
        <translation>Layer „{layer}“ ist im Bearbeitungsmodus: Speichern Sie die Änderungen, oder machen Sie sie rückgängig (Strg+Z). Bewertet: {crowns}.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{layer}' is in units of {unit:.4g} m. Its lengths and areas are computed in metres.</source>
        <translation>Der Layer „{layer}“ ist in Einheiten von {unit:.4g} m. Seine Längen und Flächen werden in Metern berechnet.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{layer}' is in {crs}, where a metre on the map is {east:.2f} m (east) by {north:.2f} m (north) on the ground. Its lengths and areas are computed in {zone}.</source>
        <translation>Der Layer „{layer}“ ist in {crs}; ein Meter auf der Karte ist dort {east:.2f} m (Ost) mal {north:.2f} m (Nord) am Boden. Seine Längen und Flächen werden in {zone} berechnet.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}' is in {crs}; it was brought to {working}.</source>
        <translation>Der Layer „{layer}“ ist in {crs}; er wurde nach {working} gebracht.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/write.py"/>
        <source>Layer '{layer}' was changed during the run: {count} crowns are no longer those that were scored (features {ids}). They were redrawn, or renumbered after a deletion. Nothing was written. Run again, or write the results to a new layer.</source>
        <translation>
            <numerusform>Der Layer „{layer}“ wurde während des Laufs geändert: {count} Krone ist nicht mehr die bewertete (Objekt {ids}). Sie wurde neu gezeichnet oder nach einem Löschen neu nummeriert. Es wurde nichts geschrieben. Starten Sie erneut, oder schreiben Sie die Ergebnisse in einen neuen Layer.</numerusform>
            <numerusform>Der Layer „{layer}“ wurde während des Laufs geändert: {count} Kronen sind nicht mehr die bewerteten (Objekte {ids}). Sie wurden neu gezeichnet oder nach einem Löschen neu nummeriert. Es wurde nichts geschrieben. Starten Sie erneut, oder schreiben Sie die Ergebnisse in einen neuen Layer.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/vector/reviewed_areas.py"/>
        <source>Layer '{layer}': the reviewed areas of {names} are not used, because no annotator has this name.</source>
        <translation>Layer '{layer}': Die gesichteten Gebiete von {names} werden nicht verwendet, weil keine Person so heißt.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}': {count:,} crowns have nothing in field '{field}'; they are a group of their own, excluded from the groups' rows of the summary.</source>
        <translation>
            <numerusform>Layer „{layer}“: {count:,} Krone hat im Feld „{field}“ keinen Wert; sie ist eine eigene Gruppe, ohne Zeile in der Zusammenfassung.</numerusform>
            <numerusform>Layer „{layer}“: {count:,} Kronen haben im Feld „{field}“ keinen Wert; sie sind eine eigene Gruppe, ohne Zeile in der Zusammenfassung.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>Layer '{layer}': {count:,} crowns were not exported because they lie on none of the images.</source>
        <translation>
            <numerusform>Layer „{layer}“: {count:,} Krone wurde nicht exportiert, weil sie auf keinem der Bilder liegt.</numerusform>
            <numerusform>Layer „{layer}“: {count:,} Kronen wurden nicht exportiert, weil sie auf keinem der Bilder liegen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{layer}': {count:,} polygons have nothing in field '{field}' and are excluded.</source>
        <translation>
            <numerusform>Layer „{layer}“: {count:,} Polygon hat im Feld „{field}“ keinen Wert und ist ausgeschlossen.</numerusform>
            <numerusform>Layer „{layer}“: {count:,} Polygone haben im Feld „{field}“ keinen Wert und sind ausgeschlossen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>Layer '{layer}': {what} (features {ids}).</source>
        <translation>
            <numerusform>Layer „{layer}“: {what} (Objekt {ids}).</numerusform>
            <numerusform>Layer „{layer}“: {what} (Objekte {ids}).</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{name}' cannot be read; check that its file or database is still there.</source>
        <translation>Der Layer „{name}“ ist nicht lesbar; prüfen Sie, ob seine Datei oder Datenbank noch da ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Layer '{name}' has no coordinate system and seems to lie in pixels of an image, so lengths in metres are unknown. Georeference the image and import again, or set the layer's coordinate system. IoU and average precision need neither: use randcrowns:evaluateinstances, page Instances.</source>
        <translation>Der Layer „{name}“ hat kein Koordinatensystem und liegt anscheinend in Pixeln eines Bildes, daher sind Längen in Metern nicht bekannt. Georeferenzieren Sie das Bild und importieren Sie erneut, oder setzen Sie das Koordinatensystem des Layers. IoU und durchschnittliche Präzision brauchen beides nicht: Verwenden Sie randcrowns:evaluateinstances, Seite Instanzen.</translation>
    </message>
    <message>
        <location filename="../layers/files/export.py"/>
        <source>Layer '{name}' has no coordinate system, and {driver} holds longitude and latitude only: set one in the layer's properties, or choose another format, such as GeoPackage.</source>
        <translation>Layer „{name}“ hat kein Koordinatensystem, und {driver} enthält nur Länge und Breite: Setzen Sie eines in den Eigenschaften des Layers, oder wählen Sie ein anderes Format, etwa GeoPackage.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{name}' has no coordinate system, so its lengths in metres are unknown. Set one in the layer's properties and run again.</source>
        <translation>Der Layer „{name}“ hat kein Koordinatensystem, seine Längen in Metern sind also nicht bekannt. Setzen Sie eines in den Eigenschaften des Layers und starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/layer_export.py"/>
        <source>Layer '{name}' has no features that can be read.</source>
        <translation>Der Layer „{name}“ hat keine lesbaren Objekte.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Layer '{name}' has no field '{field}' that names the annotator.</source>
        <translation>Der Layer „{name}“ hat kein Feld „{field}“, das den Annotator nennt.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Layer '{name}' has no field '{field}' to group by.</source>
        <translation>Der Layer „{name}“ hat kein Feld „{field}“ zum Gruppieren.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Layer '{name}' has no field '{field}' with the plot. Add it, or leave the field empty.</source>
        <translation>Der Layer „{name}“ hat kein Feld „{field}“ mit dem Plot. Ergänzen Sie es oder lassen Sie das Feld leer.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Layer '{name}' has no numeric field '{field}' with scores. Select its score field, or remove the layer from the detectors.</source>
        <translation>Der Layer „{name}“ hat kein Zahlenfeld „{field}“ mit Werten. Wählen Sie sein Feld der Werte oder entfernen Sie den Layer bei den Detektoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Layer '{name}' holds no polygons that can be read; crowns must be polygons.</source>
        <translation>Der Layer „{name}“ enthält keine lesbaren Polygone; Kronen müssen Polygone sein.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>Layer '{name}' holds no polygons; crowns must be polygons.</source>
        <translation>Der Layer „{name}“ enthält keine Polygone; Kronen müssen Polygone sein.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Layer '{name}' is both a detector and an annotator; it can only be one of them.</source>
        <translation>Der Layer „{name}“ ist Detektor und Annotator; er kann nur eines von beiden sein.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{name}' is in {crs}, but other layers lie in pixel coordinates, without a coordinate system. Georeference the other layers, or use layers that were drawn on the image without a georeference.</source>
        <translation>Der Layer „{name}“ ist in {crs}, aber andere Layer liegen in Pixelkoordinaten ohne Koordinatensystem. Georeferenzieren Sie die anderen Layer, oder verwenden Sie Layer, die auf dem Bild ohne Georeferenz gezeichnet wurden.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>Layer '{name}' is in {crs}, whose coordinates are distances from the centre of the earth. Save it in a map projection in metres and run again.</source>
        <translation>Der Layer „{name}“ ist in {crs}, dessen Koordinaten Abstände vom Erdmittelpunkt sind. Speichern Sie ihn in einer Kartenprojektion in Metern und starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Layer '{name}' is no raster and has no polygons, so it cannot be a detector.</source>
        <translation>Der Layer „{name}“ ist kein Raster und hat keine Polygone, kann also kein Detektor sein.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Layer '{name}' is not a raster. Select its field with the image under '{label}'.</source>
        <translation>Der Layer „{name}“ ist kein Raster. Wählen Sie sein Feld mit dem Bild unter „{label}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Layer '{name}' is selected as annotator and as '{role}'. Remove it from the annotators, or select another layer as '{role}'.</source>
        <translation>Der Layer „{name}“ ist als Annotator und als „{role}“ gewählt. Entfernen Sie ihn bei den Annotatoren oder wählen Sie einen anderen Layer als „{role}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Layer '{name}': {number:,} different scores beyond {exact:,} became {left:,}, since larger whole numbers are rounded. Use smaller ones; only the order of the scores counts.</source>
        <translation>Layer „{name}“: {number:,} verschiedene Werte über {exact:,} wurden zu {left:,}, da größere ganze Zahlen gerundet werden. Nehmen Sie kleinere; nur die Reihenfolge der Werte zählt.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Layer {name} cannot take new fields; choose new layers instead.</source>
        <translation>Der Layer {name} nimmt keine neuen Felder auf; wählen Sie stattdessen neue Layer.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Layer {name} has no crowns. Select another target layer.</source>
        <translation>Der Layer {name} hat keine Kronen. Wählen Sie einen anderen Ziel-Layer.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>Layer {name} is being removed. Crowns are no longer scored while you draw.</source>
        <translation>Der Layer {name} wird entfernt. Kronen werden beim Zeichnen nicht mehr bewertet.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/tuning/form.py"/>
        <source>Layers</source>
        <translation>Layer</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Layers and tables</source>
        <translation>Layer und Tabellen</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Layers and tables exported</source>
        <translation>Exportierte Layer und Tabellen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Least p</source>
        <translation>Kleinstes p</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>Leaving one annotator out needs at least two annotators.</source>
        <translation>Um einen Annotator wegzulassen, sind mindestens zwei Annotatoren nötig.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <location filename="../ui/agreement/consensus_form.py"/>
        <source>Leaving one annotator out requires at least two annotators.</source>
        <translation>Um einen Annotator wegzulassen, sind mindestens zwei Annotatoren nötig.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Line of a table, or number of the annotation in its file, from 1.</source>
        <translation>Zeile der Tabelle oder Nummer der Annotation in ihrer Datei, ab 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Lines of one pixel require pixels: give a pixel size.</source>
        <translation>Linien von einem Pixel benötigen Pixel: Geben Sie eine Pixelgröße an.</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Load sample data</source>
        <translation>Beispieldaten laden</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Lower bound of the annotators' mean error, as a share of the study area, whatever the truth is (Smyth 1996; Eq. 1). 95 % interval: {interval}. The acceptable limit is your choice.</source>
        <translation>Untere Schranke des mittleren Fehlers der Annotatoren, als Anteil des Untersuchungsgebiets, was immer die Wahrheit ist (Smyth 1996; Gl. 1). 95-%-Intervall: {interval}. Die vertretbare Grenze wählen Sie.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Lower end of the 95 % interval.</source>
        <translation>Unteres Ende des 95-%-Intervalls.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Lower skew limit</source>
        <translation>Untere Grenze des Positivanteils</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Lowest IoU first</source>
        <translation>Niedrigster IoU zuerst</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Lowest IoUCrowns first</source>
        <translation>Niedrigster IoUCrowns zuerst</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Lowest RandCrowns first</source>
        <translation>Niedrigster RandCrowns zuerst</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Lowest pairwise F1</source>
        <translation>Niedrigster paarweiser F1</translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>Made {time} with {versions}</source>
        <translation>Erstellt {time} mit {versions}</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Make a report of this run, as HTML or PDF: answer, methods, tables, plots, map, crowns.</source>
        <translation>Einen Bericht über diesen Lauf machen, als HTML oder PDF: Antwort, Methoden, Tabellen, Diagramme, Karte, Kronen.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus_form.py"/>
        <source>Make consensus</source>
        <translation>Konsens bilden</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Make consensus of annotators</source>
        <translation>Konsens von Annotatoren bilden</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Make report</source>
        <translation>Bericht erstellen</translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus_form.py"/>
        <source>Makes a new layer; no other layer is changed.</source>
        <translation>Macht einen neuen Layer; kein anderer wird geändert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Makes one consensus per annotator, of the polygons of all others, so that no annotator is compared with their own polygons. Field 'excluded' names the annotator.</source>
        <translation>Bildet je Annotator einen Konsens aus den Polygonen aller anderen, sodass kein Annotator mit seinen eigenen Polygonen verglichen wird. Das Feld „excluded“ nennt den Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <source>Makes one polygon layer from what several people drew of the same area: by voting, or by the estimation methods STAPLE (Warfield et al. 2004), SIMPLE (Langerak et al. 2010) and LSML (Li et al. 2011). Polygons may be crowns or anything else. The result has one polygon per connected marked area.</source>
        <translation>Macht aus dem, was mehrere Personen im selben Gebiet gezeichnet haben, einen Polygon-Layer: durch Abstimmung oder mit den Schätzverfahren STAPLE (Warfield et al. 2004), SIMPLE (Langerak et al. 2010) und LSML (Li et al. 2011). Die Polygone können Kronen oder etwas anderes sein. Das Ergebnis hat ein Polygon je zusammenhängender markierter Fläche.</translation>
    </message>
    <message>
        <location filename="../resources/report.html"/>
        <location filename="../resources/report_paper.html"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Map and legend</source>
        <translation>Karte und Legende</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Map as shown</source>
        <translation>Karte wie dargestellt</translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>Map of the run's layers over the image</source>
        <translation>Karte der Layer des Laufs über dem Bild</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Margin</source>
        <translation>Rand</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked</source>
        <translation>Markiert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Marked area</source>
        <translation>Markierte Fläche</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked area (m², or px² without a georeference)</source>
        <translation>Markierte Fläche (m², ohne Georeferenz px²)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked area that no annotator marked (m², or px² without a georeference)</source>
        <translation>Markierte Fläche, die kein Annotator markiert hat (m², ohne Georeferenz px²)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked area.</source>
        <translation>Markierte Fläche.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked areas with the number of annotators who marked each.</source>
        <translation>Markierte Flächen mit der Zahl der Annotatoren, die sie jeweils markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked blocks</source>
        <translation>Markierte Blöcke</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked by</source>
        <translation>Markiert von</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Marked by any annotator</source>
        <translation>Von irgendeinem Annotator markiert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Marked by nobody</source>
        <translation>Von niemandem markiert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>Marked by {yes}; not by {no}.</source>
        <translation>Markiert von {yes}; nicht von {no}.</translation>
    </message>
    <message>
        <location filename="../core/exchange/pixel_masks.py"/>
        <source>Masks of LabelMe are PNG images, and Pillow, which reads them, is not installed. Install it: pip install pillow.</source>
        <translation>Masken von LabelMe sind PNG-Bilder, und Pillow, das sie liest, ist nicht installiert. Installieren Sie es: pip install pillow.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Match</source>
        <translation>Partner</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>Match trees</source>
        <translation>Bäume zuordnen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Matched</source>
        <translation>Zugeordnet</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Matched predictions</source>
        <translation>Zugeordnete Vorhersagen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Matched targets</source>
        <translation>Zugeordnete Ziele</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Matched targets; each prediction is matched once, the highest IoU first.</source>
        <translation>Zugeordnete Ziele; jede Vorhersage wird einmal zugeordnet, der höchste IoU zuerst.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>Matches predicted crowns with target crowns: how many were found (precision, recall, F1, panoptic quality), and how well each was segmented (IoU, precision, recall, by area).</source>
        <translation>Ordnet vorhergesagte Kronen den Zielkronen zu: wie viele gefunden wurden (Präzision, Trefferquote, F1, panoptische Qualität), und wie gut jede segmentiert ist (IoU, Präzision, Trefferquote, nach Fläche).</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Matches predicted crowns with target crowns: precision, recall, F1, panoptic quality, IoU.</source>
        <translation>Ordnet vorhergesagte Kronen den Zielkronen zu: Präzision, Trefferquote, F1, panoptische Qualität, IoU.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Matches the predicted trees of a labelled point cloud with its target trees.</source>
        <translation>Ordnet die vorhergesagten Bäume einer beschrifteten Punktwolke ihren Zielbäumen zu.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>Matches the predicted trees of a labelled point cloud with the target trees. The results show how many trees were found (precision, recall, F1, panoptic quality), how well each was segmented (IoU, precision, recall), and which parts of the trees, by distance to the trunk and by height. If class attributes are set, with or without tree attributes, table Classes has IoU, precision and recall of every class.</source>
        <translation>Ordnet die vorhergesagten Bäume einer beschrifteten Punktwolke den Zielbäumen zu. Die Ergebnisse zeigen, wie viele Bäume gefunden wurden (Präzision, Trefferquote, F1, panoptische Qualität), wie gut jeder segmentiert ist (IoU, Präzision, Trefferquote), und welche Teile der Bäume, nach dem Abstand zum Stamm und nach der Höhe. Sind Attribute der Klassen gesetzt, mit oder ohne Attribute der Bäume, enthält die Tabelle Klassen IoU, Präzision und Trefferquote jeder Klasse.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Matching for detection</source>
        <translation>Zuordnung für die Erkennung</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Matching for segmentation</source>
        <translation>Zuordnung für die Segmentierung</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Matching threshold</source>
        <translation>Schwellenwert der Zuordnung</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Maximum distance between the centroids of a target and its delineation, for pairings by nearest centroid. Automatic: half the diagonal of each target's bounding box.</source>
        <translation>Größter Abstand zwischen den Schwerpunkten einer Zielkrone und ihres Umrisses, für Paarungen nach dem nächsten Schwerpunkt. Automatisch: die halbe Diagonale des umgebenden Rechtecks jeder Zielkrone.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Maximum number of pairs of each kind in the gallery (the paper shows four), and of crowns marked as worst and as typical.</source>
        <translation>Höchstzahl der Paare jeder Art in der Galerie (die Veröffentlichung zeigt vier) und der als schlechteste und als typische markierten Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Maximum share too small</source>
        <translation>Höchster Anteil zu kleiner</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Mean F1</source>
        <translation>Mittlerer F1</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Mean F1 with each of the others, 0 to 1 (Eq. 6).</source>
        <translation>Mittlerer F1 mit jedem der anderen, 0 bis 1 (Gl. 6).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Mean IoU</source>
        <translation>Mittlerer IoU</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Mean IoU of all targets; a target without a prediction counts as 0.</source>
        <translation>Mittlerer IoU aller Ziele; ein Ziel ohne Vorhersage zählt als 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Mean IoU of the first delineation layer</source>
        <translation>Mittlerer IoU des ersten Umriss-Layers</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Mean IoUCrowns of the first delineation layer</source>
        <translation>Mittlerer IoUCrowns des ersten Umriss-Layers</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Mean RandCrowns of the first delineation layer</source>
        <translation>Mittlerer RandCrowns des ersten Umriss-Layers</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Mean RandCrowns of the right pairs, 0 to 1.</source>
        <translation>Mittlerer RandCrowns der richtigen Paare, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Mean RandCrowns of the wrong pairs, 0 to 1.</source>
        <translation>Mittlerer RandCrowns der falschen Paare, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Mean RandCrowns of this kind of wrong pairs, 0 to 1.</source>
        <translation>Mittlerer RandCrowns dieser Art falscher Paare, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Mean and average variance of each score per target annotator.</source>
        <translation>Mittel und mittlere Varianz jedes Wertes je Annotator der Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Mean and standard deviation (n - 1) of the remaining annotators' overlap (Dice) with the vote. Default.</source>
        <translation>Mittel und Standardabweichung (n - 1) der Überlappung (Dice) der verbliebenen Annotatoren mit der Abstimmung. Vorgabe.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Mean decision</source>
        <translation>Mittlere Entscheidung</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Mean distance</source>
        <translation>Mittlerer Abstand</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Mean distance above which an annotator is an outlier.</source>
        <translation>Mittlerer Abstand, über dem ein Annotator ein Ausreißer ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Mean metrics by distance to the trunk (xy) and by height above the lowest point (z).</source>
        <translation>Mittlere Maße nach dem Abstand zum Stamm (xy) und nach der Höhe über dem tiefsten Punkt (z).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Mean of 1 - F1 with the others.</source>
        <translation>Mittel von 1 - F1 mit den anderen.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Mean of the remaining annotators' overlap (Dice) with the vote.</source>
        <translation>Mittel der Überlappung (Dice) der verbliebenen Annotatoren mit der Abstimmung.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Mean of the targets.</source>
        <translation>Mittel der Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Mean over count</source>
        <translation>Mittel durch Anzahl</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Mean over the delineations, 0 to 1.</source>
        <translation>Mittel über die Umrisse, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Mean over the pairs, 0 to 1.</source>
        <translation>Mittel über die Paare, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Mean over the targets, 0 to 1; in brackets: {interval}</source>
        <translation>Mittel über die Zielkronen, 0 bis 1; in Klammern: {interval}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Mean pairwise F1</source>
        <translation>Mittlerer paarweiser F1</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Mean precision</source>
        <translation>Mittlere Präzision</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Mean recall</source>
        <translation>Mittlere Trefferquote</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Mean scores</source>
        <translation>Mittlere Werte</translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>Mean {number}</source>
        <translation>Mittel von {number}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Mean {score}</source>
        <translation>Mittlerer {score}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Mean {score} of the crown over all delineation layers, 0 to 1.</source>
        <translation>Mittlerer {score} der Krone über alle Umriss-Layer, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Mean {score} of the targets, 0 to 1.</source>
        <translation>Mittlerer {score} der Zielkronen, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Mean ± standard deviation of their skew.</source>
        <translation>Mittel ± Standardabweichung ihres Positivanteils.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Means are over the targets. Missed and unmatched targets scored 0; targets too small to have a certain crown were excluded.</source>
        <translation>Mittelwerte gelten über die Ziele. Verfehlte und nicht zugeordnete Ziele zählten mit 0; Ziele, die zu klein für einen sicheren Kronenbereich sind, wurden ausgeschlossen.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Means over the targets: missed and unmatched ones are 0; those without a score are excluded and counted.</source>
        <translation>Mittel über die Zielkronen: verfehlte und solche ohne Partner sind 0; die ohne Wert sind ausgeschlossen und gezählt.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Measure</source>
        <translation>Maß</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Measures how far annotators of the same area agree, and shows where they differ.</source>
        <translation>Misst, wie weit Annotatoren desselben Gebiets übereinstimmen, und zeigt, wo sie abweichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Measures how much RandCrowns, IoU and IoUCrowns depend on the annotator.</source>
        <translation>Misst, wie sehr RandCrowns, IoU und IoUCrowns vom Annotator abhängen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Median {score}</source>
        <translation>Median {score}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Median {score} of the targets, 0 to 1.</source>
        <translation>Median von {score} der Zielkronen, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Memory that QGIS used at the end of the step.</source>
        <translation>Speicher, den QGIS am Ende des Schritts belegte.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Merged from</source>
        <translation>Zusammengefasst ab</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Merges</source>
        <translation>Zusammengefasst</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Messages about the input and the results of the run.</source>
        <translation>Meldungen zur Eingabe und zu den Ergebnissen des Laufs.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Method of the consensus.</source>
        <translation>Verfahren des Konsenses.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Method, parameters and input of the consensus</source>
        <translation>Verfahren, Parameter und Eingabe des Konsenses</translation>
    </message>
    <message>
        <location filename="../resources/report_parts.html"/>
        <source>Methods</source>
        <translation>Methoden</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Methods and citations</source>
        <translation>Methoden und Literatur</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Metrics</source>
        <translation>Maße</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Metrics by distance to the trunk</source>
        <translation>Maße nach dem Abstand zum Stamm</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Metrics by distance to the trunk (xy) and by height above the lowest point (z), for each target.</source>
        <translation>Maße nach dem Abstand zum Stamm (xy) und nach der Höhe über dem tiefsten Punkt (z), für jedes Ziel.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Metrics by height</source>
        <translation>Maße nach der Höhe</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Metrics of detection and segmentation in one row, with the names of pointtree.</source>
        <translation>Maße für Erkennung und Segmentierung in einer Zeile, mit den Namen von pointtree.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>Metrics per partition</source>
        <translation>Maße je Abschnitt</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Metrics per partition are those of Henrich et al. (2024).</source>
        <translation>Die Maße je Abschnitt sind die von Henrich et al. (2024).</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Metrics with intervals, for all and per plot.</source>
        <translation>Maße mit Intervallen, für alle und je Plot.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Minimum IoU of a match.</source>
        <translation>Kleinster IoU einer Zuordnung.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Minimum IoU of one crown</source>
        <translation>Kleinster IoU einer Krone</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Minimum IoU or RandCrowns of a crown that counts as found, 0.01 to 1.</source>
        <translation>Kleinster IoU oder RandCrowns einer Krone, die als gefunden zählt, 0,01 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Minimum number of annotators.</source>
        <translation>Kleinste Zahl der Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Minimum score</source>
        <translation>Kleinster Wert</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Minimum score of the detections that count.</source>
        <translation>Kleinster Wert der Erkennungen, die zählen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Missed</source>
        <translation>Verfehlt</translation>
    </message>
    <message>
        <location filename="../core/geometry/areas.py"/>
        <source>More than {limit:,} pairs of crowns overlap, which needs too much memory. Many crowns lie in one spot. Remove duplicates, or compare parts of the layers.</source>
        <translation>Mehr als {limit:,} Paare von Kronen überlappen sich, was zu viel Speicher braucht. Viele Kronen liegen an einer Stelle. Entfernen Sie Duplikate, oder vergleichen Sie Teile der Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Moves a contour to the most likely position (Li et al. 2011). Requires pixels.</source>
        <translation>Bewegt eine Kontur zur wahrscheinlichsten Lage (Li et al. 2011). Benötigt Pixel.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Name of the detector's layer.</source>
        <translation>Name des Layers des Detektors.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Name of the detector; the best is first.</source>
        <translation>Name des Detektors; der beste steht zuerst.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Name of the image or plot. The first rows are for all images together.</source>
        <translation>Name des Bildes oder Plots. Die ersten Zeilen gelten für alle Bilder zusammen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Name of the layer, or value of the annotator field.</source>
        <translation>Name des Layers, oder Wert des Annotatorfelds.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Name of the statistic.</source>
        <translation>Name der Kennzahl.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Name or number of the class.</source>
        <translation>Name oder Nummer der Klasse.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Names and numbers of classes that count as one, such as: vegetation=3+4+5.</source>
        <translation>Namen und Zahlen der Klassen, die als eine zählen, etwa: vegetation=3+4+5.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Names and numbers, such as: ground=2 tree=5. Default: all classes of the points, named by their numbers.</source>
        <translation>Namen und Zahlen, etwa: ground=2 tree=5. Vorgabe: alle Klassen der Punkte, nach ihren Nummern benannt.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Nearest centroid (recommended)</source>
        <translation>Nächster Schwerpunkt (empfohlen)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Negative predictive value: share of the unmarked area that is no consensus.</source>
        <translation>Negativer Vorhersagewert: Anteil der nicht markierten Fläche, der nicht zum Konsens gehört.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>Neither of the two annotators marked anything.</source>
        <translation>Keiner der beiden Annotatoren hat etwas markiert.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>Neither {file} nor its coordinate system says the unit of its heights; they are taken to be in {unit}.</source>
        <translation>Weder {file} noch das Koordinatensystem nennt die Einheit der Höhen; angenommen: {unit}.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>New layers</source>
        <translation>Neue Layer</translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>New layers of every page</source>
        <translation>Neue Layer jeder Seite</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreement_table.py"/>
        <source>Next place (down key in the table).</source>
        <translation>Nächste Stelle (in der Tabelle Pfeil nach unten).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <location filename="../core/agreement/outlier_test.py"/>
        <source>No annotator is unlike the others beyond chance (5 %, adjusted for all annotators).</source>
        <translation>Niemand ist über den Zufall hinaus anders als die anderen (5 %, für alle Personen adjustiert).</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>No bootstrap sample had a ground truth with both marked and unmarked units.</source>
        <translation>Keine Bootstrap-Stichprobe hatte eine Referenz mit markierten und nicht markierten Einheiten.</translation>
    </message>
    <message>
        <location filename="../layers/guide.py"/>
        <source>No browser can be opened. The guide is in {file}.</source>
        <translation>Es lässt sich kein Browser öffnen. Das Handbuch liegt in {file}.</translation>
    </message>
    <message>
        <location filename="../core/classes/idtrees.py"/>
        <source>No crown has both a reference class and probabilities. Check the ids of the crowns.</source>
        <translation>Keine Krone hat sowohl eine Referenzklasse als auch Wahrscheinlichkeiten. Prüfen Sie die IDs der Kronen.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>No crown has the classes {names}, which are in the table of classes that count as one.</source>
        <translation>Keine Krone hat die Klassen {names}, die in der Tabelle der Klassen stehen, die als eine zählen.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>No crown is selected in layer {name}.</source>
        <translation>Im Layer {name} ist keine Krone gewählt.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/statistics.py"/>
        <source>No crown of these {count} plots has score 0. Up to {share:.0%} of all plots may still contain such crowns, and the intervals would then be too narrow.</source>
        <translation>
            <numerusform>Keine Krone dieser {count} Plots hat den Score 0. Trotzdem können bis zu {share:.0%} aller Plots solche Kronen enthalten; die Intervalle wären dann zu schmal.</numerusform>
            <numerusform>Keine Krone dieser {count} Plots hat den Score 0. Trotzdem können bis zu {share:.0%} aller Plots solche Kronen enthalten; die Intervalle wären dann zu schmal.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>No crown was drawn by all of {names}: no drawings are each other's best match with an IoU of at least {min_iou:g}. Check that the layers show the same area, or lower the minimum IoU.</source>
        <translation>Keine Krone wurde von allen Annotatoren gezeichnet ({names}): Keine Zeichnungen passen mit einem IoU von mindestens {min_iou:g} gegenseitig am besten zueinander. Prüfen Sie, ob die Layer dasselbe Gebiet zeigen, oder senken Sie den kleinsten IoU.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>No delineation reaches the certain part of the crown: missing</source>
        <translation>Kein Umriss erreicht den sicheren Teil der Krone: fehlt</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>No delineation, or none that touches the certain crown.</source>
        <translation>Kein Umriss, oder keiner, der die sichere Krone berührt.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>No number of bootstrap samples can show {level:g} %. Require less, such as 99 %.</source>
        <translation>Keine Zahl von Bootstrap-Stichproben kann {level:g} % zeigen. Verlangen Sie weniger, etwa 99 %.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>No other annotator has a crown there.</source>
        <translation>Kein anderer Annotator hat dort eine Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>No other detector has crowns to count, so there is nothing to rank.</source>
        <translation>Kein anderer Detektor hat zählbare Kronen, es gibt also nichts zu ordnen.</translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>No outline of layer '{layer}' has a plot; choose its field and run again.</source>
        <translation>Kein Umriss des Layers „{layer}“ hat einen Plot; wählen Sie das Feld und starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>No pair has a score.</source>
        <translation>Kein Paar hat einen Wert.</translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>No pixel has a score from every detector.</source>
        <translation>Kein Pixel hat einen Wert von jedem Detektor.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>No pixel's centre lies inside the study area. Choose smaller pixels or a larger area.</source>
        <translation>Keine Pixelmitte liegt im Untersuchungsgebiet. Wählen Sie kleinere Pixel oder ein größeres Gebiet.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>No place that anyone marked has a score.</source>
        <translation>Keine Stelle, die irgendjemand markiert hat, hat einen Wert.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>No plot is on both sides: {where}: their crowns count as not found or as unmatched. If only the spelling differs, use the same plot names, or leave the field empty.</source>
        <translation>Kein Plot ist auf beiden Seiten: {where}: Die Kronen dieser Plots zählen als nicht gefunden oder als ohne Partner. Unterscheidet sich nur die Schreibweise, verwenden Sie dieselben Plotnamen, oder lassen Sie das Feld leer.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>No plots.</source>
        <translation>Keine Plots.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>No point cloud is selected; choose a LAS, LAZ or COPC file.</source>
        <translation>Es ist keine Punktwolke gewählt; wählen Sie eine LAS-, LAZ- oder COPC-Datei.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/predicted_cloud.py"/>
        <source>No point of {reference} has a point of {file} within {distance:g} m, so that the predictions cannot be compared. Check that both have the same coordinates (no shift, one unit), or increase the distance.</source>
        <translation>Kein Punkt von {reference} hat einen Punkt von {file} in {distance:g} m Abstand; die Vorhersagen lassen sich so nicht vergleichen. Prüfen Sie, ob beide dieselben Koordinaten haben (keine Verschiebung, eine Einheit), oder erhöhen Sie den Abstand.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>No polygon has anything in field '{field}', so there is no annotator.</source>
        <translation>Kein Polygon hat einen Wert im Feld „{field}“, es gibt also keinen Annotator.</translation>
    </message>
    <message>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>No print layout of this page shows an earlier run.</source>
        <translation>Kein Drucklayout dieser Seite zeigt einen früheren Lauf.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/review/review_list.py"/>
        <source>No problem.</source>
        <translation>Kein Problem.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/runs.py"/>
        <source>No run of RandCrowns is known here. Run an algorithm first, or choose a layer that a run made.</source>
        <translation>Hier ist kein Lauf von RandCrowns bekannt. Führen Sie zuerst einen Algorithmus aus oder wählen Sie einen Layer aus einem Lauf.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>No run of this page yet</source>
        <translation>Noch kein Lauf dieser Seite</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>No set of the grid can be chosen: those that keep wrong pairs below {limit:g} miss most of the right pairs, or score them no higher than wrong ones. Try smaller values of alpha, and check that the layers show the same crowns.</source>
        <translation>Kein Satz des Gitters kann gewählt werden: Die, bei denen falsche Paare unter {limit:g} bleiben, verfehlen die meisten richtigen Paare oder bewerten sie nicht höher als falsche. Versuchen Sie kleinere Werte von Alpha, und prüfen Sie, ob die Layer dieselben Kronen zeigen.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>No set of the grid keeps wrong pairs below {limit:g}: the lowest mean is {lowest}. Try smaller values of gamma or omega, or raise the threshold.</source>
        <translation>Bei keinem Satz des Gitters bleiben falsche Paare unter {limit:g}: Das kleinste Mittel ist {lowest}. Versuchen Sie kleinere Werte von Gamma oder Omega, oder erhöhen Sie den Schwellenwert.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>No study area was chosen, so only what somebody marked is counted. Choose a study area: Smyth's bound, specificity, negative predictive value and the kappas mean little without one.</source>
        <translation>Es wurde kein Untersuchungsgebiet gewählt; gezählt wird also nur, was jemand markiert hat. Wählen Sie eines: Smyths Schranke, Spezifität, negativer Vorhersagewert und die Kappas bedeuten ohne es wenig.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>No study area was chosen: the area that any annotator has reviewed was used.</source>
        <translation>Es wurde kein Untersuchungsgebiet gewählt: Das Gebiet, das irgendeine Person gesichtet hat, wurde verwendet.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>No study area was chosen: the image's rectangle was used.</source>
        <translation>Es wurde kein Untersuchungsgebiet gewählt: Das Rechteck des Bildes wurde verwendet.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>No study area was chosen: the rectangle around all rasters was used.</source>
        <translation>Es wurde kein Untersuchungsgebiet gewählt: Das Rechteck um alle Raster wurde verwendet.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>No target and prediction overlap. Check the coordinate systems of both layers.</source>
        <translation>Kein Ziel und keine Vorhersage überlappen einander. Prüfen Sie die Koordinatensysteme beider Layer.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>No target for this delineation, where only some crowns were drawn: not judged</source>
        <translation>Keine Zielkrone zu diesem Umriss, wo nur einige Kronen gezeichnet wurden: nicht beurteilt</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>No target for this delineation: extra</source>
        <translation>Keine Zielkrone zu diesem Umriss: überzählig</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>No two annotators marked the same place: STAPLE cannot distinguish good annotators, and its result depends on its start.</source>
        <translation>Keine zwei Annotatoren haben dieselbe Stelle markiert: STAPLE kann gute Annotatoren nicht erkennen, und das Ergebnis hängt vom Anfang ab.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>No unit has both a score and a ground truth.</source>
        <translation>Keine Einheit hat sowohl einen Wert als auch eine Referenz.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>No unit of the study area has a score from every detector, so nothing can be ranked.</source>
        <translation>Keine Einheit des Untersuchungsgebiets hat einen Wert von jedem Detektor, es lässt sich also nichts ordnen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>No variance: {why}.</source>
        <translation>Keine Varianz: {why}.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>No versions of these libraries fit Python {python} and numpy {numpy} of this QGIS. Install a newer QGIS, which contains newer versions of both. The log has the details.</source>
        <translation>Keine Versionen dieser Bibliotheken passen zu Python {python} und numpy {numpy} dieses QGIS. Installieren Sie ein neueres QGIS, das neuere Versionen von beiden enthält. Einzelheiten stehen im Protokoll.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>No {truth}: {why}</source>
        <translation>Keine Referenz {truth}: {why}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Nobody marked anything in the study area, so agreement is undefined.</source>
        <translation>Niemand hat im Untersuchungsgebiet etwas markiert; die Übereinstimmung ist nicht definiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../ui/agreement/form.py"/>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>None of its crowns has a score.</source>
        <translation>Keine seiner Kronen hat einen Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>None of the annotators' layers has a polygon that can be used.</source>
        <translation>Kein Layer der Annotatoren hat ein brauchbares Polygon.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>None of the delineation layers has a field '{field}' with scores.</source>
        <translation>Keiner der Umriss-Layer hat ein Feld „{field}“ mit Werten.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>None of the ground truths chosen can be made. {whys}</source>
        <translation>Keine der gewählten Referenzen lässt sich bilden. {whys}</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>None of the {count:,} polygons reaches into the study area, so nothing can be compared. Choose another study area, or check the layers' coordinate systems.</source>
        <translation>
            <numerusform>Das eine Polygon reicht nicht in das Untersuchungsgebiet, es ist also nichts zu vergleichen. Wählen Sie ein anderes Untersuchungsgebiet oder prüfen Sie die Koordinatensysteme der Layer.</numerusform>
            <numerusform>Keines der {count:,} Polygone reicht in das Untersuchungsgebiet, es ist also nichts zu vergleichen. Wählen Sie ein anderes Untersuchungsgebiet oder prüfen Sie die Koordinatensysteme der Layer.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/statistics.py"/>
        <source>None of these {count} crowns has score 0. Up to {share:.0%} of all crowns may still have score 0, and the intervals would then be too narrow.</source>
        <translation>
            <numerusform>Keine dieser {count} Kronen hat den Score 0. Trotzdem können bis zu {share:.0%} aller Kronen den Score 0 haben; die Intervalle wären dann zu schmal.</numerusform>
            <numerusform>Keine dieser {count} Kronen hat den Score 0. Trotzdem können bis zu {share:.0%} aller Kronen den Score 0 haben; die Intervalle wären dann zu schmal.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/agreement/measures.py"/>
        <source>Not everybody looked everywhere: {names} did not look at a part of the study area, which counts neither as yes nor as no. All annotators looked at {all:.1%} of the study area. A single annotator looked at {single:.1%} of it, where there is no agreement to count.</source>
        <translation>Nicht alle haben überall hingesehen: {names} haben einen Teil des Untersuchungsgebiets nicht angesehen; er zählt weder als Ja noch als Nein. {all:.1%} des Untersuchungsgebiets haben alle angesehen. {single:.1%} davon hat nur eine Person angesehen; dort gibt es keine Übereinstimmung zu zählen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Not judged</source>
        <translation>Nicht beurteilt</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Not marked by</source>
        <translation>Nicht markiert von</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Nothing is clipped.</source>
        <translation>Nichts wird beschnitten.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>Nothing is left of the study area but training areas and areas to ignore. Choose a larger one.</source>
        <translation>Vom Untersuchungsgebiet bleiben nur Trainings- und zu ignorierende Flächen. Wählen Sie ein größeres.</translation>
    </message>
    <message>
        <location filename="../layers/vector/study_site.py"/>
        <source>Nothing is left of the study area; exclude less of it, or choose a larger one.</source>
        <translation>Vom Untersuchungsgebiet bleibt nichts übrig; schließen Sie weniger aus oder wählen Sie ein größeres.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>Nothing is written when the run is cancelled or fails.</source>
        <translation>Bei Abbruch oder Fehler wird nichts geschrieben.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Nothing or everything is marked, so STAPLE has nothing to estimate: the probability is the share of annotators who marked a place.</source>
        <translation>Nichts oder alles ist markiert, STAPLE hat also nichts zu schätzen: Die Wahrscheinlichkeit ist der Anteil der Annotatoren, die eine Stelle markiert haben.</translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number by size; the largest area is 1.</source>
        <translation>Nummer nach der Größe; die größte Fläche ist 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of an annotator or a cluster.</source>
        <translation>Nummer eines Annotators oder eines Clusters.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Number of annotations imported as areas to ignore.</source>
        <translation>Zahl der Annotationen, die als zu ignorierende Flächen importiert wurden.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Number of annotations imported as crowns.</source>
        <translation>Zahl der Annotationen, die als Kronen importiert wurden.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Number of annotations imported as points.</source>
        <translation>Zahl der Annotationen, die als Punkte importiert wurden.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Number of annotations in the file.</source>
        <translation>Zahl der Annotationen in der Datei.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Number of annotations that were not imported.</source>
        <translation>Zahl der Annotationen, die nicht importiert wurden.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of annotators</source>
        <translation>Zahl der Annotatoren</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/compare_annotators.py"/>
        <source>Number of annotators (of {count}: {names}) who marked each pixel; 255 is outside.</source>
        <translation>
            <numerusform>Zahl der Annotatoren (von {count}: {names}), die das Pixel markiert haben; 255 liegt außerhalb.</numerusform>
            <numerusform>Zahl der Annotatoren (von {count}: {names}), die das Pixel markiert haben; 255 liegt außerhalb.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of annotators in the new cluster.</source>
        <translation>Zahl der Annotatoren im neuen Cluster.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of annotators per pixel, 255 outside the study area. Requires a pixel size or an image.</source>
        <translation>Zahl der Annotatoren je Pixel, 255 außerhalb des Untersuchungsgebiets. Benötigt eine Pixelgröße oder ein Bild.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>Number of annotators per pixel, in pixels of the size above or the image's own; 255 outside the study area.</source>
        <translation>Zahl der Annotatoren je Pixel, in Pixeln der obigen Größe oder in denen des Bildes; 255 außerhalb des Untersuchungsgebiets.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of annotators that the consensus was made from.</source>
        <translation>Zahl der Annotatoren, aus denen der Konsens entstand.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of annotators who did not mark it.</source>
        <translation>Zahl der Annotatoren, die die Fläche nicht markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of annotators who marked it.</source>
        <translation>Zahl der Annotatoren, die es markiert haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of blocks in which any annotator marked an area.</source>
        <translation>Zahl der Blöcke, in denen irgendein Annotator eine Fläche markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of blocks in which the number of annotators varies, as if it varied equally in all of them.</source>
        <translation>Zahl der Blöcke, in denen die Zahl der Annotatoren schwankt, als schwankte sie in allen gleich stark.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of blocks that were resampled.</source>
        <translation>Zahl der neu gezogenen Blöcke.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of blocks with pixels.</source>
        <translation>Zahl der Blöcke mit Pixeln.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of bootstrap samples in which the statistic has a value.</source>
        <translation>Zahl der Bootstrap-Stichproben, in denen die Kennzahl einen Wert hat.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Number of crowns in the sample.</source>
        <translation>Zahl der Kronen in der Stichprobe.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Number of crowns that the detector found, judged or not.</source>
        <translation>Zahl der Kronen, die der Detektor gefunden hat, beurteilt oder nicht.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Number of detections that are neither right nor wrong.</source>
        <translation>Zahl der Erkennungen, die weder richtig noch falsch sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Number of image pixels around the crowns when images are cut out.</source>
        <translation>Zahl der Bildpixel um die Kronen, wenn Bilder ausgeschnitten werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Number of images that the file names.</source>
        <translation>Zahl der Bilder, die die Datei nennt.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Number of images without crowns.</source>
        <translation>Zahl der Bilder ohne Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Number of parts of equal width by distance to the trunk, and by height.</source>
        <translation>Zahl gleich breiter Abschnitte nach dem Abstand zum Stamm und nach der Höhe.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Number of points.</source>
        <translation>Zahl der Punkte.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Number of predictions.</source>
        <translation>Zahl der Vorhersagen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Number of resamples of annotators and of tiles or plots. A certainty of 95 % requires at least 20, one of 99 % requires 100.</source>
        <translation>Wie oft Annotatoren und Kacheln oder Plots neu gezogen werden. Eine Sicherheit von 95 % benötigt mindestens 20 Stichproben, eine von 99 % benötigt 100.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Number of resamples of the blocks for the 95 % intervals.</source>
        <translation>Wie oft die Blöcke für die 95-%-Intervalle neu gezogen werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Number of simulated annotators, who draw every crown a little differently. Used only if one annotator is selected.</source>
        <translation>Zahl simulierter Annotatoren, die jede Krone etwas anders zeichnen. Gilt nur, wenn ein Annotator gewählt ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Number of targets that it belongs to.</source>
        <translation>Zahl der Zielkronen, zu denen der Umriss gehört.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Number of targets.</source>
        <translation>Zahl der Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Number of the annotator's crowns that count.</source>
        <translation>Zahl der Kronen des Annotators, die zählen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Number of the band of raster detectors that holds the score, from 1.</source>
        <translation>Nummer des Kanals von Raster-Detektoren, der den Wert enthält, ab 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Number of the first pixel (VOC)</source>
        <translation>Nummer des ersten Pixels (VOC)</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Number of the pair in the layer of delineations.</source>
        <translation>Nummer des Paars im Layer der Umrisse.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Number of the partition from 0, outwards or upwards.</source>
        <translation>Nummer des Abschnitts ab 0, nach außen oder nach oben.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Number of the shared crown.</source>
        <translation>Nummer der gemeinsamen Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Number of the step, from 0.</source>
        <translation>Nummer des Schritts, ab 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Number of the target in the layer of targets.</source>
        <translation>Nummer der Zielkrone im Layer der Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Number of worst crowns and of typical crowns to show.</source>
        <translation>Zahl der gezeigten schlechtesten und der gezeigten typischen Kronen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Numbers that are defined in fewer than 100 bootstrap samples have no interval; choose more bootstrap samples.</source>
        <translation>Zahlen, die in weniger als 100 Bootstrap-Stichproben definiert sind, haben kein Intervall; wählen Sie mehr Bootstrap-Stichproben.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Numeric field of the polygon detectors with their score; rasters need none. Polygons without a score are excluded and counted.</source>
        <translation>Zahlenfeld der Polygon-Detektoren mit ihrem Wert; Raster brauchen keines. Polygone ohne Wert werden ausgeschlossen und gezählt.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Numeric field of the predictions with their scores, for average precision. Default: a field whose name begins with score, conf or prob. Without scores, average precision is n/a.</source>
        <translation>Zahlenfeld der Vorhersagen mit ihren Werten, für die durchschnittliche Präzision. Vorgabe: ein Feld, dessen Name mit score, conf oder prob beginnt. Ohne Werte gibt es keine durchschnittliche Präzision.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Numeric field that orders the targets, the tallest first (point2tree, for_instance). Default: the area.</source>
        <translation>Zahlenfeld, das die Zielinstanzen ordnet, die höchste zuerst (point2tree, for_instance). Vorgabe: die Fläche.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Numeric field with the scores of the predictions. Default: a field whose name begins with score, conf or prob.</source>
        <translation>Zahlenfeld mit den Werten der Vorhersagen. Vorgabe: ein Feld, dessen Name mit score, conf oder prob beginnt.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Of all delineations nearest to a target, the one with the lowest RandCrowns counted.</source>
        <translation>Von allen Umrissen, die einer Zielkrone am nächsten liegen, zählte der mit dem niedrigsten RandCrowns.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Of the whole layer {share:.0%} would be accepted (95 % interval {low:.0%} to {high:.0%}; crowns judged in the sample's order: {number}).</source>
        <translation>Vom ganzen Layer würden {share:.0%} angenommen (95-%-Intervall {low:.0%} bis {high:.0%}; in der Reihenfolge der Stichprobe beurteilte Kronen: {number}).</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Omega</source>
        <translation>Omega</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Omega of the best set (m)</source>
        <translation>Omega des besten Satzes (m)</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>On average an annotator marked less than a tenth of the study area: raw agreement and Gwet's AC1 are then high whatever the annotators do. Compare them with Fleiss' kappa and the pairwise F1.</source>
        <translation>Im Mittel hat ein Annotator weniger als ein Zehntel des Untersuchungsgebiets markiert: Rohe Übereinstimmung und Gwets AC1 sind dann hoch, was immer die Annotatoren tun. Vergleichen Sie sie mit Fleiss’ Kappa und dem paarweisen F1.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>On average an annotator marked more than nine tenths of the study area: raw agreement, Gwet's AC1 and the pairwise F1 are then high whatever the annotators do. Compare them with Fleiss' kappa.</source>
        <translation>Im Mittel hat ein Annotator mehr als neun Zehntel des Untersuchungsgebiets markiert: Rohe Übereinstimmung, Gwets AC1 und der paarweise F1 sind dann hoch, was immer die Annotatoren tun. Vergleichen Sie sie mit Fleiss’ Kappa.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>On the map: {detector} {truth}</source>
        <translation>Auf der Karte: {detector} {truth}</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One XML file per image, with boxes.</source>
        <translation>Eine XML-Datei je Bild, mit Rechtecken.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>One annotator requires at least {number} warped copies, or choose more annotators.</source>
        <translation>Ein einzelner Annotator benötigt mindestens {number} verzerrte Kopien; oder wählen Sie mehr Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>One consensus without each annotator</source>
        <translation>Je ein Konsens ohne jeden Annotator</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One file per image (.json), with polygons, rectangles or points.</source>
        <translation>Eine Datei je Bild (.json), mit Polygonen, Rechtecken oder Punkten.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One file per image and layer, with boxes only.</source>
        <translation>Eine Datei je Bild und Layer, nur mit Rechtecken.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One file per layer, in longitude and latitude (RFC 7946).</source>
        <translation>Eine Datei je Layer, in Länge und Breite (RFC 7946).</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One file per layer. Some installations of GDAL cannot write it.</source>
        <translation>Eine Datei je Layer. Manche Installationen von GDAL können sie nicht schreiben.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>One file that contains all its pictures.</source>
        <translation>Eine Datei, die alle ihre Bilder enthält.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One file with all layers and their styles. QGIS shows it without this plugin.</source>
        <translation>Eine Datei mit allen Layern und ihren Stilen. QGIS zeigt sie auch ohne diese Erweiterung.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>One ground truth, or the band that all of them span with its median.</source>
        <translation>Eine Referenz, oder das Band, das alle aufspannen, mit dem Median.</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/tuning/form.py"/>
        <source>One layer only: {count:,} warped copies of it replace other annotators (see Advanced).</source>
        <translation>
            <numerusform>Nur ein Layer: {count:,} verzerrte Kopie davon ersetzt andere Annotatoren (siehe „Erweitert“).</numerusform>
            <numerusform>Nur ein Layer: {count:,} verzerrte Kopien davon ersetzen andere Annotatoren (siehe „Erweitert“).</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>One or more polygon layers. Each is scored against the targets separately, in fields named after the layer.</source>
        <translation>Ein oder mehrere Polygon-Layer. Jeder wird für sich gegen die Zielkronen bewertet, in Feldern, die nach dem Layer heißen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>One plot does not show how the detectors differ in other places.</source>
        <translation>Ein Plot zeigt nicht, wie sich die Detektoren an anderen Orten unterscheiden.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>One row per file: its format, what was imported, and what was skipped and why.</source>
        <translation>Eine Zeile je Datei: ihr Format, was importiert wurde, und was aus welchem Grund übergangen wurde.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One table (.csv) per layer, with boxes and outlines.</source>
        <translation>Eine Tabelle (.csv) je Layer, mit Rechtecken und Umrissen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>One text file per image; class names are read from data.yaml or classes.txt.</source>
        <translation>Eine Textdatei pro Bild; Klassennamen werden aus data.yaml oder classes.txt gelesen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>One tile does not show how the detectors differ in other places. Use smaller tiles.</source>
        <translation>Eine Kachel zeigt nicht, wie sich die Detektoren an anderen Orten unterscheiden. Verwenden Sie kleinere Kacheln.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>One to one</source>
        <translation>Eins zu eins</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>One to one with the largest number of pairs whose IoU is at least 0.5, as StarDist's matching does (Weigert et al. 2020).</source>
        <translation>Eins zu eins mit der größten Zahl von Paaren, deren IoU mindestens 0,5 beträgt, wie matching von StarDist (Weigert et al. 2020).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>One to one with the largest total IoU. Only pairs with an IoU above 0.5 are matched (Henrich et al. 2024).</source>
        <translation>Eins zu eins mit dem größten Gesamt-IoU. Nur Paare mit einem IoU über 0,5 werden zugeordnet (Henrich et al. 2024).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>One to one with the largest total shared area. Only pairs with an IoU above 0.4 are matched, as DeepForest's evaluate_boxes does (Weinstein et al. 2020).</source>
        <translation>Eins zu eins mit der größten gemeinsamen Gesamtfläche. Nur Paare mit einer IoU über 0,4 werden zugeordnet, wie evaluate_boxes von DeepForest (Weinstein et al. 2020).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>One value</source>
        <translation>Ein Wert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Only STAPLE gives probabilities. Switch the probability raster off, or choose STAPLE.</source>
        <translation>Nur STAPLE liefert Wahrscheinlichkeiten. Schalten Sie das Wahrscheinlichkeitsraster aus oder wählen Sie STAPLE.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Only crowns of this plot.</source>
        <translation>Nur Kronen dieses Plots.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Only crowns with a lower score.</source>
        <translation>Nur Kronen mit einem niedrigeren Wert.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Only crowns with this problem.</source>
        <translation>Nur Kronen mit diesem Problem.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Only crowns without a verdict, or changed since their verdict.</source>
        <translation>Nur Kronen ohne Urteil oder mit Änderungen seit ihrem Urteil.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Only first</source>
        <translation>Nur erster</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Only pixels of the colour of marked pixels are marked.</source>
        <translation>Nur Pixel in der Farbe der markierten Pixel sind markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Only second</source>
        <translation>Nur zweiter</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Only some crowns were drawn, but by area everything that nobody drew counts as no crown. Use the recall of whole crowns, or choose a study area in which all crowns were drawn.</source>
        <translation>Nur einige Kronen wurden gezeichnet, aber nach Fläche zählt alles, was niemand gezeichnet hat, als keine Krone. Verwenden Sie die Trefferquote ganzer Kronen, oder wählen Sie ein Untersuchungsgebiet, in dem alle Kronen gezeichnet wurden.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Only some crowns were drawn, so average precision is n/a and areas say little.</source>
        <translation>Nur einige Kronen wurden gezeichnet; die durchschnittliche Präzision entfällt, und Flächen sagen wenig.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Only some crowns were drawn, so average precision is n/a.</source>
        <translation>Nur einige Kronen wurden gezeichnet; die durchschnittliche Präzision entfällt.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <location filename="../ui/detectors/results.py"/>
        <source>Only some crowns were drawn: detections that match none are not judged.</source>
        <translation>Nur einige Kronen wurden gezeichnet: Erkennungen ohne Partner werden nicht beurteilt.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Only some of the crowns had been drawn, so unmatched delineations were not judged.</source>
        <translation>Nur einige der Kronen waren gezeichnet, also wurden Umrisse ohne Partner nicht beurteilt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Only the area that any annotator marked is counted, or the rectangle of the image.</source>
        <translation>Gezählt wird nur die Fläche, die irgendein Annotator markiert hat, oder das Rechteck des Bildes.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>Only the selected crowns were scored. Run with all crowns to score while you draw.</source>
        <translation>Nur die gewählten Kronen wurden bewertet. Starten Sie mit allen Kronen, um beim Zeichnen zu bewerten.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Only the value of marked pixels is marked, 0 too. For a raster with a colour table it is the number of a colour.</source>
        <translation>Nur der Wert der markierten Pixel ist markiert, auch 0. Bei einem Raster mit Farbtabelle ist es die Nummer einer Farbe.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>Only {count} shared crowns: delineate more before you rely on these numbers.</source>
        <translation>
            <numerusform>Nur {count} gemeinsame Krone: Zeichnen Sie mehr, bevor Sie sich auf diese Zahlen verlassen.</numerusform>
            <numerusform>Nur {count} gemeinsame Kronen: Zeichnen Sie mehr, bevor Sie sich auf diese Zahlen verlassen.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Order of the crowns in the list.</source>
        <translation>Reihenfolge der Kronen in der Liste.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Others</source>
        <translation>Andere</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Others: {told}.</source>
        <translation>Andere: {told}.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Outlier</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Outlier threshold</source>
        <translation>Schwellenwert für Ausreißer</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Outliers and the dendrogram require at least three annotators.</source>
        <translation>Ausreißer und das Dendrogramm benötigen mindestens drei Annotatoren.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/agreement/outlier_test.py"/>
        <source>Outliers are also found by chance: of {count} annotators who are all alike, the rule names {number:.1f} on average, and at least one with a probability of {share:.0%} ({permutations} permutations in {blocks} blocks).</source>
        <translation>
            <numerusform>Ausreißer gibt es auch durch Zufall: Von {count} Personen, die alle gleich zeichnen, nennt die Regel im Mittel {number:.1f}, und mit einer Wahrscheinlichkeit von {share:.0%} mindestens eine ({permutations} Permutationen in {blocks} Blöcken).</numerusform>
            <numerusform>Ausreißer gibt es auch durch Zufall: Von {count} Personen, die alle gleich zeichnen, nennt die Regel im Mittel {number:.1f}, und mit einer Wahrscheinlichkeit von {share:.0%} mindestens eine ({permutations} Permutationen in {blocks} Blöcken).</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>Outlines are in the layer's coordinates. Alpha and omega are metres, gamma is a ratio of areas.</source>
        <translation>Umrisse sind in den Koordinaten des Layers. Alpha und Omega sind Meter, Gamma ist ein Flächenverhältnis.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/tuning/form.py"/>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Over whole crowns nothing could be ranked.</source>
        <translation>Über ganze Kronen ließ sich nichts ordnen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Own values</source>
        <translation>Eigene Werte</translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Own window</source>
        <translation>Eigenes Fenster</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>P(rank #)</source>
        <translation>P(Rang #)</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Pairing</source>
        <translation>Paarung</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <location filename="../core/scoring/score.py"/>
        <source>Pairs need as many targets as delineations, but there are {targets} and {delineations}.</source>
        <translation>Paare brauchen so viele Zielkronen wie Umrisse, aber es gibt {targets} und {delineations}.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Pairs of annotators</source>
        <translation>Paare von Annotatoren</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Pairs on which RandCrowns and IoU disagree most, agree, or are both low.</source>
        <translation>Paare, bei denen RandCrowns und IoU am meisten auseinanderliegen, übereinstimmen oder beide niedrig sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Pairs that score 0, because the delineation misses the certain crown.</source>
        <translation>Paare mit dem Wert 0, weil der Umriss die sichere Krone verfehlt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Panoptic quality, crown by crown.</source>
        <translation>Panoptische Qualität, Krone für Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Panoptic quality: mean IoU of the matched pairs times F1.</source>
        <translation>Panoptische Qualität: mittlerer IoU der zugeordneten Paare mal F1.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>Parameter '{old}' has a new name: use '{new}'.</source>
        <translation>Der Parameter „{old}“ hat einen neuen Namen: Verwenden Sie „{new}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <location filename="../ui/instances/form.py"/>
        <location filename="../ui/scoring/form.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Parameters and pairing were those of the IDTReeS 2020 competition.</source>
        <translation>Parameter und Paarung waren die des Wettbewerbs IDTReeS 2020.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Parameters of the method.</source>
        <translation>Parameter des Verfahrens.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Parameters, versions and date of the run.</source>
        <translation>Parameter, Versionen und Datum des Laufs.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Part of that area that none of the other annotators marked.</source>
        <translation>Teil dieser Fläche, den keiner der anderen Annotatoren markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Partition</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Partitions</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Partitions end at</source>
        <translation>Abschnitte enden bei</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Partitions of each tree</source>
        <translation>Abschnitte jedes Baums</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Partitions per axis</source>
        <translation>Abschnitte je Achse</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../ui/report/page.py"/>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Parts of the report besides the conclusion.</source>
        <translation>Teile des Berichts außer der Schlussfolgerung.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>Pascal VOC stores boxes only: {count:,} crowns were written as their boxes.</source>
        <translation>
            <numerusform>Pascal VOC speichert nur Rechtecke: {count:,} Krone wurde als ihr Rechteck geschrieben.</numerusform>
            <numerusform>Pascal VOC speichert nur Rechtecke: {count:,} Kronen wurden als ihre Rechtecke geschrieben.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Path of the file below the chosen folder.</source>
        <translation>Pfad der Datei unterhalb des gewählten Ordners.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Pattern of the raster names if the rasters are of several images, such as {image}_{annotator}; the rasters of a detector have its name in place of the annotator's. All images are evaluated together, results have rows per image, and images are resampled. Empty: one image.</source>
        <translation>Namensmuster der Raster, wenn die Raster von mehreren Bildern sind, etwa {image}_{annotator}; bei den Rastern eines Detektors steht dessen Name an der Stelle des Annotators. Alle Bilder werden zusammen ausgewertet, Ergebnisse haben Zeilen je Bild, und Bilder werden neu gezogen. Leer: ein Bild.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Pearson correlation of score and number of annotators, where anybody marked.</source>
        <translation>Pearson-Korrelation von Wert und Zahl der Annotatoren, wo irgendjemand markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Pearson correlation with the number of annotators, -1 to 1.</source>
        <translation>Korrelation nach Pearson mit der Zahl der Annotatoren, -1 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Penalised mean</source>
        <translation>Mittel mit Abzug</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Performance of each annotator as the method estimates it; one row per annotator.</source>
        <translation>Leistung jedes Annotators, wie das Verfahren sie schätzt; eine Zeile je Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Performance of the annotators</source>
        <translation>Leistung der Annotatoren</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Pick a layer of targets and a layer of predictions first.</source>
        <translation>Wählen Sie zuerst einen Layer mit Zielen und einen mit Vorhersagen.</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Pick a point cloud first: a LAS, LAZ or COPC file.</source>
        <translation>Wählen Sie zuerst eine Punktwolke: eine LAS-, LAZ- oder COPC-Datei.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/plot.py"/>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Pixel size</source>
        <translation>Pixelgröße</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Pixels of the value of marked pixels or more are marked.</source>
        <translation>Pixel ab dem Wert der markierten Pixel sind markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>Pixels of {size:g} m are larger than the study area ({width:.6g} x {height:.6g} m). Choose smaller pixels.</source>
        <translation>Pixel von {size:g} m sind größer als das Untersuchungsgebiet ({width:.6g} x {height:.6g} m). Wählen Sie kleinere Pixel.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>Pixels of {size:g} {unit} miss all {count:,} polygons. Choose smaller pixels, or 0 for exact areas.</source>
        <translation>
            <numerusform>Pixel von {size:g} {unit} verfehlen das eine Polygon. Wählen Sie kleinere Pixel, oder 0 für exakte Flächen.</numerusform>
            <numerusform>Pixel von {size:g} {unit} verfehlen alle {count:,} Polygone. Wählen Sie kleinere Pixel, oder 0 für exakte Flächen.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Pixels with this value in an annotator's raster are marked, or with a threshold those of this value or more. Pixels without data are never marked.</source>
        <translation>Pixel mit diesem Wert im Raster einer Person sind markiert, mit einem Schwellenwert die ab diesem Wert. Pixel ohne Daten sind nie markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Place</source>
        <translation>Platz</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/review/queue_form.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Plot</source>
        <translation>Plot</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>Plot '{plot}' is called '{name}' in the summary, because '{plot}' is the row of all plots.</source>
        <translation>Plot '{plot}' heißt in der Zusammenfassung '{name}', weil '{plot}' die Zeile aller Plots ist.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Plot saved as {file}.</source>
        <translation>Diagramm gespeichert als {file}.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../resources/report.html"/>
        <source>Plots</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Plots of the results.</source>
        <translation>Diagramme der Ergebnisse.</translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>Plots of {layer}</source>
        <translation>Plots von {layer}</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Plots outside the study area do not count: {names}.</source>
        <translation>Plots außerhalb des Untersuchungsgebiets zählen nicht: {names}.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/image_parts.py"/>
        <source>Plots {plots} lie on several images. Each image was cut out separately.</source>
        <translation>
            <numerusform>Der Plot {plots} liegt auf mehreren Bildern. Jedes Bild wurde für sich ausgeschnitten.</numerusform>
            <numerusform>Die Plots {plots} liegen auf mehreren Bildern. Jedes Bild wurde für sich ausgeschnitten.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Plots: {field}.</source>
        <translation>Plots: {field}.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>Point at a cell for its value; click it to see the two on the map.</source>
        <translation>Zeigen Sie für den Wert auf eine Zelle; klicken Sie, um die beiden auf der Karte zu sehen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <location filename="../ui/instances/form.py"/>
        <source>Point cloud</source>
        <translation>Punktwolke</translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>Point cloud file…</source>
        <translation>Punktwolkendatei …</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Point cloud of the predictions</source>
        <translation>Punktwolke der Vorhersagen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Point cloud with the predicted attribute, if it is in a file of its own: in another order, thinned or voxelised. Each point of the targets' cloud gets the prediction of the nearest point. Default: the same file.</source>
        <translation>Punktwolke mit dem vorhergesagten Attribut, falls es in einer eigenen Datei steht: in anderer Reihenfolge, ausgedünnt oder in Voxeln. Jeder Punkt der Wolke der Ziele bekommt die Vorhersage des nächsten Punktes. Vorgabe: dieselbe Datei.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Point clouds (*.las *.laz *.ply *.npy *.npz *.txt *.csv *.xyz *.asc);;All files (*)</source>
        <translation>Punktwolken (*.las *.laz *.ply *.npy *.npz *.txt *.csv *.xyz *.asc);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Point clouds: time and memory of each step.</source>
        <translation>Punktwolken: Zeit und Speicher jedes Schritts.</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Point clouds: {what}</source>
        <translation>Punktwolken: {what}</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Point recall</source>
        <translation>Trefferquote der Punkte</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Points measured in the field, such as stems. The share of points that lie in a predicted crown is the point recall.</source>
        <translation>Im Gelände gemessene Punkte, etwa Stämme. Der Anteil der Punkte, die in einer vorhergesagten Krone liegen, ist die Trefferquote der Punkte.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Points of the files, such as stems. The layer is only made if there are points.</source>
        <translation>Punkte der Dateien, etwa Stämme. Der Layer entsteht nur, wenn es Punkte gibt.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Points to leave out</source>
        <translation>Auszulassende Punkte</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Points with another value than 0 in this attribute are labelled, for 'Labelled at least'. Default: the points of target trees.</source>
        <translation>Punkte mit einem anderen Wert als 0 in diesem Attribut sind beschriftet, für „Mindestanteil beschrifteter Punkte“. Vorgabe: die Punkte von Zielbäumen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Points with this class in both, divided by points with it in either.</source>
        <translation>Punkte, die in beiden zur Klasse gehören, geteilt durch Punkte, die in mindestens einem von beiden zu ihr gehören.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Points with this id belong to no target tree. The id is below all ids of trees, often -1 or 0. In an attribute without negative numbers, -1 means the largest number of its type if points have that, else 0.</source>
        <translation>Punkte mit dieser Id gehören zu keinem Zielbaum. Die Id liegt unter allen Ids von Bäumen, oft -1 oder 0. Bei einem Attribut ohne negative Zahlen bedeutet -1 die größte Zahl seines Typs, wenn Punkte diese haben, sonst 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Polygon layer</source>
        <translation>Polygon-Layer</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Polygon layer with the crowns of a detector (optional).</source>
        <translation>Polygon-Layer mit den Kronen eines Detektors (optional).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Polygon layer with the predicted crowns.</source>
        <translation>Polygon-Layer mit den vorhergesagten Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Polygon layer with the reference crowns, which are taken as true.</source>
        <translation>Polygon-Layer mit den Referenzkronen, die als wahr gelten.</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Polygon layers</source>
        <translation>Polygon-Layer</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Polygon layers of the same area, one per annotator.</source>
        <translation>Polygon-Layer desselben Gebiets, einer je Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Polygon layers or rasters of the same area, one per annotator; or one polygon layer with a field that names the annotator.</source>
        <translation>Polygon-Layer oder Raster desselben Gebiets, je Annotator einer; oder ein Polygon-Layer mit einem Feld, das den Annotator nennt.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Polygon layers or rasters that are used as ground truths unchanged, such as a consensus from page Annotators. All pixels of a raster except 0 and no data are marked.</source>
        <translation>Polygon-Layer oder Raster, die unverändert als Referenz dienen, etwa ein Konsens von der Seite Annotatoren. Alle Pixel eines Rasters außer 0 und solchen ohne Daten sind markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Polygon layers or rasters, one per annotator. Each of them is a ground truth; the other ground truths are made from all of them together.</source>
        <translation>Polygon-Layer oder Raster, je Annotator einer. Jeder davon ist eine Referenz; die anderen Referenzen werden aus allen zusammen gebildet.</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Polygon layers: {what}</source>
        <translation>Polygon-Layer: {what}</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Polygons in which a detector was trained; nothing in them is counted.</source>
        <translation>Polygone, in denen ein Detektor trainiert wurde; nichts darin wird gezählt.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Polygons in which predictions are neither right nor wrong. COCO's ground truth stores them as crowds (iscrowd).</source>
        <translation>Polygone, in denen Vorhersagen weder richtig noch falsch sind. Die Referenz von COCO speichert sie als „crowds“ (iscrowd).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Polygons inside the study area that are excluded, such as clouds or training areas.</source>
        <translation>Polygone im Untersuchungsgebiet, die ausgeschlossen werden, etwa Wolken oder Trainingsflächen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Polygons of the consensus. Each row, and the layer's metadata, contain the method and its parameters.</source>
        <translation>Polygone des Konsenses. Jede Zeile und die Metadaten des Layers enthalten das Verfahren und seine Parameter.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>Polygons that were not valid were repaired before the comparison.</source>
        <translation>Ungültige Polygone wurden vor dem Vergleich repariert.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Polygons with the area that an annotator has reviewed. The field that names the annotator, or 'annotator', says whose it is. Elsewhere the ratings of this annotator are missing, which is no 'no'. Annotators without such polygons have reviewed everything.</source>
        <translation>Polygone mit dem Gebiet, das eine Person gesichtet hat. Das Feld, das die Person nennt, oder 'annotator' sagt, wessen Gebiet es ist. Anderswo fehlen die Bewertungen dieser Person, was kein Nein ist. Personen ohne solche Polygone haben alles gesichtet.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Polygons, such as COCO's crowds (iscrowd), in which an unmatched prediction counts as neither right nor wrong.</source>
        <translation>Polygone, etwa die „crowds“ von COCO (iscrowd), in denen eine Vorhersage ohne Partner weder als richtig noch als falsch zählt.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Polygons, such as COCO's crowds (iscrowd). A detected crown without a matching target is neither right nor wrong if the share of it that a match requires lies on such a polygon. By area, nothing in these polygons is counted.</source>
        <translation>Polygone, etwa die „crowds“ von COCO (iscrowd). Eine erkannte Krone ohne zugeordnete Zielkrone ist weder richtig noch falsch, wenn der Anteil von ihr, den eine Zuordnung verlangt, auf einem solchen Polygon liegt. Nach Fläche wird in diesen Polygonen nichts gezählt.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Polygons, such as COCO's crowds (iscrowd). An unmatched prediction on one of them is neither right nor wrong: for AP and thresholds if the share of it on the polygon is at least the IoU of a match, otherwise (uncertain) if at least half of it lies there.</source>
        <translation>Polygone, etwa die „crowds“ von COCO (iscrowd). Eine Vorhersage ohne Partner auf einem davon ist weder richtig noch falsch: für AP und Schwellenwerte, wenn der Anteil von ihr auf dem Polygon mindestens der IoU einer Zuordnung ist, sonst (unsicher), wenn mindestens die Hälfte von ihr dort liegt.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Position</source>
        <translation>Platz</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Position in the dendrogram.</source>
        <translation>Position im Dendrogramm.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Position of the first</source>
        <translation>Position des ersten</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Position of the second</source>
        <translation>Position des zweiten</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Positive predictive value: share of the marked area that is consensus.</source>
        <translation>Positiver Vorhersagewert: Anteil der markierten Fläche, der zum Konsens gehört.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/output_types.py"/>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Precision and recall</source>
        <translation>Präzision und Trefferquote</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/report_content.py"/>
        <source>Precision and recall of whole crowns</source>
        <translation>Präzision und Trefferquote ganzer Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Precision at the skew of the study area.</source>
        <translation>Präzision beim Positivanteil des Untersuchungsgebiets.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Precision at {score} #</source>
        <translation>Präzision bei {score} #</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Precision averaged over the skew limits, along recall (Eq. 7).</source>
        <translation>Präzision, gemittelt über die Grenzen des Positivanteils, entlang der Trefferquote (Gl. 7).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Precision averaged over the skew limits.</source>
        <translation>Präzision, gemittelt über die Grenzen des Positivanteils.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Precision, recall and F1 count matched instances; panoptic quality (PQ) is F1 times the mean IoU of the matched pairs (Kirillov et al. 2019).</source>
        <translation>Präzision, Trefferquote und F1 zählen zugeordnete Instanzen; die panoptische Qualität (PQ) ist F1 mal der mittlere IoU der zugeordneten Paare (Kirillov et al. 2019).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Predicted attribute</source>
        <translation>Attribut der Vorhersage</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Predicted crowns</source>
        <translation>Vorhergesagte Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Predictions</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Predictions that contain more than half of each of several targets.</source>
        <translation>Vorhersagen, die von mehreren Zielen jeweils mehr als die Hälfte enthalten.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>Presents runs on a page that contains all its pictures: the conclusion in sentences, inputs and methods, tables with intervals, plots, a map, the worst and the most typical crowns.</source>
        <translation>Stellt Läufe auf einer Seite dar, die alle ihre Bilder enthält: die Schlussfolgerung in Sätzen, Eingaben und Methoden, Tabellen mit Intervallen, Diagramme, eine Karte, die schlechtesten und die typischsten Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Preset</source>
        <translation>Voreinstellung</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreement_table.py"/>
        <source>Previous place (up key in the table).</source>
        <translation>Vorige Stelle (in der Tabelle Pfeil nach oben).</translation>
    </message>
    <message>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>Print layout: {title}</source>
        <translation>Drucklayout: {title}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Prior</source>
        <translation>Prior</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Probability of each rank over the bootstrap samples.</source>
        <translation>Wahrscheinlichkeit jedes Rangs über die Bootstrap-Stichproben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Probability raster</source>
        <translation>Wahrscheinlichkeitsraster</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Probability that no detector is wrongly called better, over all pairs of detectors, and probability with which the intervals of CCO and CCI hold. A correlation is significant if its p-value is below 1 - certainty.</source>
        <translation>Wahrscheinlichkeit, mit der über alle Paare von Detektoren keiner fälschlich besser genannt wird, und mit der die Intervalle von CCO und CCI gelten. Eine Korrelation ist signifikant, wenn ihr p-Wert unter 1 - Sicherheit liegt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Probability that one of as many alike annotators differs at least as much from the others, from permutations within blocks. Empty if annotators differ in too few blocks.</source>
        <translation>Wahrscheinlichkeit, dass sich eine von ebenso vielen gleichen Personen mindestens so stark von den anderen unterscheidet, aus Permutationen innerhalb der Blöcke. Leer, wenn sich die Personen in zu wenigen Blöcken unterscheiden.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/review/queue_form.py"/>
        <location filename="../ui/review/review_list.py"/>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Problem of an unmatched delineation: extra, or not judged.</source>
        <translation>Problem eines Umrisses ohne Partner: überzählig oder nicht beurteilt.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Problem of the crown, the first that applies.</source>
        <translation>Problem der Krone, das erste zutreffende.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Problem of the crown.</source>
        <translation>Problem der Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/provenance.py"/>
        <source>Provenance (JSON)</source>
        <translation>Herkunftsangaben (JSON)</translation>
    </message>
    <message>
        <location filename="../algorithms/provenance.py"/>
        <source>Provenance of the run.</source>
        <translation>Herkunftsangaben zum Lauf.</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>P̄</source>
        <translation>P̄</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>P̄ and recall</source>
        <translation>P̄ und Trefferquote</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/report_content.py"/>
        <source>P̄ and recall of areas, under all ground truths</source>
        <translation>P̄ und Trefferquote der Flächen unter allen Referenzen</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>P̄ is the precision averaged over scenes in which crowns cover between these two shares of the area (Lampert et al. 2016, Eq. 7).</source>
        <translation>P̄ ist die Präzision, gemittelt über Szenen, in denen Kronen zwischen diesen beiden Anteilen der Fläche bedecken (Lampert et al. 2016, Gl. 7).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>P̄, precision and false positive rate by recall, per ground truth.</source>
        <translation>P̄, Präzision und Falsch-Positiv-Rate je Trefferquote und Referenz.</translation>
    </message>
    <message>
        <location filename="../layers/servers.py"/>
        <source>QGIS cannot connect to the database with table '{table}'. Check the connection, or write to a file.</source>
        <translation>QGIS kann die Datenbank mit der Tabelle „{table}“ nicht erreichen. Prüfen Sie die Verbindung oder schreiben Sie in eine Datei.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>QGIS cannot install them here. Copy the line into a terminal.</source>
        <translation>QGIS kann sie hier nicht installieren. Kopieren Sie die Zeile in ein Terminal.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>QGIS cannot install them here. Copy the line into the OSGeo4W shell.</source>
        <translation>QGIS kann sie hier nicht installieren. Kopieren Sie die Zeile in die OSGeo4W-Shell.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>ROC</source>
        <translation>ROC</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <location filename="../ui/shell/dock.py"/>
        <source>RandCrowns</source>
        <translation>RandCrowns</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0 to 0.25</source>
        <translation>RandCrowns 0 bis 0,25</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.25 to 0.5</source>
        <translation>RandCrowns 0,25 bis 0,5</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.5 to 0.75</source>
        <translation>RandCrowns 0,5 bis 0,75</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.75 to 0.9</source>
        <translation>RandCrowns 0,75 bis 0,9</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>RandCrowns 0.9 to 1</source>
        <translation>RandCrowns 0,9 bis 1</translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>RandCrowns and IoU</source>
        <translation>RandCrowns und IoU</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <source>RandCrowns and IoU of every pair</source>
        <translation>RandCrowns und IoU jedes Paars</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>RandCrowns and IoU of every target</source>
        <translation>RandCrowns und IoU jeder Zielkrone</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>RandCrowns below</source>
        <translation>RandCrowns unter</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>RandCrowns below IoU</source>
        <translation>RandCrowns unter IoU</translation>
    </message>
    <message>
        <location filename="../algorithms/provider.py"/>
        <source>RandCrowns cannot be used ({why}). Restart QGIS. If that does not help, install the plugin again.</source>
        <translation>RandCrowns kann nicht verwendet werden ({why}). Starten Sie QGIS neu. Wenn das nicht hilft, installieren Sie die Erweiterung erneut.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>RandCrowns is off, since its results would be wrong: another plugin loaded the library shapely first, and mixed it up with QGIS's own geometry library. Switch that plugin off (Plugins &gt; Manage and Install Plugins; it uses shapely or geopandas), then restart QGIS.</source>
        <translation>RandCrowns ist ausgeschaltet, da seine Ergebnisse falsch wären: Eine andere Erweiterung hat die Bibliothek shapely zuerst geladen und mit der Geometriebibliothek von QGIS vermischt. Schalten Sie diese Erweiterung aus (Erweiterungen &gt; Erweiterungen verwalten und installieren; sie verwendet shapely oder geopandas) und starten Sie QGIS neu.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>RandCrowns minus that of the earlier run.</source>
        <translation>RandCrowns minus den RandCrowns des früheren Laufs.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>RandCrowns of a delineation, 0 to 1.</source>
        <translation>RandCrowns eines Umrisses, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>RandCrowns over IoU, as PNG or SVG.</source>
        <translation>RandCrowns über IoU, als PNG oder SVG.</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>RandCrowns panel</source>
        <translation>Bedienfeld RandCrowns</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>RandCrowns preset</source>
        <translation>Voreinstellung für RandCrowns</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>RandCrowns requires Python libraries that are not installed: {names}.</source>
        <translation>RandCrowns braucht Python-Bibliotheken, die nicht installiert sind: {names}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>RandCrowns requires lengths in metres, but the layers lie in pixel coordinates. Match crowns by IoU.</source>
        <translation>RandCrowns benötigt Längen in Metern, aber die Layer liegen in Pixelkoordinaten. Ordnen Sie die Kronen nach IoU zu.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>RandCrowns review: {word}</source>
        <translation>RandCrowns-Prüfung: {word}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>RandCrowns threshold</source>
        <translation>Schwellenwert für RandCrowns</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>RandCrowns up to 0.25, 0.5, 0.75, 0.9 and 1: each class has its share.</source>
        <translation>RandCrowns bis 0,25; 0,5; 0,75; 0,9 und 1: Jede Klasse hat ihren Anteil.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>RandCrowns without true negatives, 0 to 1.</source>
        <translation>RandCrowns ohne die richtig negativen, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>RandCrowns {score:.2f}, IoU {iou:.2f}, {fp:,.1f} m² beyond the tolerance, {fn:,.1f} m² of the certain part not covered: low overlap</source>
        <translation>RandCrowns {score:.2f}, IoU {iou:.2f}, {fp:,.1f} m² außerhalb der Toleranz, {fn:,.1f} m² des sicheren Teils nicht bedeckt: geringe Überlappung</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>RandCrowns {score:.2f}, IoU {iou:.2f}: low overlap</source>
        <translation>RandCrowns {score:.2f}, IoU {iou:.2f}: geringe Überlappung</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>RandCrowns, 0 to 1 (Stewart et al. 2021, Eq. 14).</source>
        <translation>RandCrowns, 0 bis 1 (Stewart et al. 2021, Gl. 14).</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>RandCrowns, 0 to 1.</source>
        <translation>RandCrowns, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>RandCrowns: check crowns</source>
        <translation>RandCrowns: Kronen prüfen</translation>
    </message>
    <message>
        <location filename="../ui/shell/dock.py"/>
        <source>RandCrowns: help on the current page</source>
        <translation>RandCrowns: Hilfe zur aktuellen Seite</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>RandCrowns: libraries</source>
        <translation>RandCrowns: Bibliotheken</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>RandCrowns: read crowns to score while drawing</source>
        <translation>RandCrowns: Kronen lesen, um beim Zeichnen zu bewerten</translation>
    </message>
    <message>
        <location filename="../ui/shell/dock.py"/>
        <source>RandCrowns: run the current page</source>
        <translation>RandCrowns: die aktuelle Seite ausführen</translation>
    </message>
    <message>
        <location filename="../ui/review/side_by_side.py"/>
        <source>RandCrowns: side by side</source>
        <translation>RandCrowns: nebeneinander</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Random sample</source>
        <translation>Zufallsstichprobe</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <location filename="../ui/detectors/form.py"/>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Rank among the examples of its kind; 1 is the clearest.</source>
        <translation>Rang unter den Beispielen seiner Art; 1 ist das deutlichste.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Rank by common variance among the sets that can be chosen.</source>
        <translation>Rang nach der gemeinsamen Varianz unter den wählbaren Sätzen.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Rank detectors</source>
        <translation>Detektoren ordnen</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/detectors/form.py"/>
        <source>Rank {count:,} detectors</source>
        <translation>
            <numerusform>{count:,} Detektor ordnen</numerusform>
            <numerusform>{count:,} Detektoren ordnen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/detectors/form.py"/>
        <source>Rank {count} rasters of several images</source>
        <translation>
            <numerusform>{count} Raster mehrerer Bilder ordnen</numerusform>
            <numerusform>{count} Raster mehrerer Bilder ordnen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Ranking #</source>
        <translation>Rangfolge #</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <location filename="../core/detectors/faces.py"/>
        <source>Ranking needs at least one annotator and one detector. Choose both.</source>
        <translation>Zum Ordnen sind mindestens ein Annotator und ein Detektor nötig. Wählen Sie beide.</translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>Ranking needs at least one detector and one ground truth. Choose both.</source>
        <translation>Zum Ordnen sind mindestens ein Detektor und eine Referenz nötig. Wählen Sie beide.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>Ranking needs at least one detector. Choose one.</source>
        <translation>Zum Ordnen ist mindestens ein Detektor nötig. Wählen Sie einen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Rankings</source>
        <translation>Rangfolgen</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Ranks detectors against every ground truth that can be made from several annotators.</source>
        <translation>Ordnet Detektoren nach jeder Referenz, die sich aus mehreren Annotatoren bilden lässt.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{first}' sets the pixels ({width:g} x {height:g} {unit}); aligned to them: {others}.</source>
        <translation>Das Raster „{first}“ gibt die Pixel vor ({width:g} x {height:g} {unit}); daran ausgerichtet: {others}.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' cannot be opened; check that its file is still there.</source>
        <translation>Das Raster „{name}“ lässt sich nicht öffnen; prüfen Sie, ob seine Datei noch da ist.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' cannot be read: {why}.</source>
        <translation>Das Raster „{name}“ ist nicht lesbar: {why}.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' cannot be read; check that its file is still there.</source>
        <translation>Das Raster „{name}“ ist nicht lesbar; prüfen Sie, ob seine Datei noch da ist.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' covers too much of the earth for a grid in metres. Clip it to the study area first.</source>
        <translation>Das Raster „{name}“ bedeckt einen zu großen Teil der Erde für ein Gitter in Metern. Schneiden Sie es zuerst auf das Untersuchungsgebiet zu.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' does not say where its pixels lie; georeference it first.</source>
        <translation>Das Raster „{name}“ sagt nicht, wo seine Pixel liegen; georeferenzieren Sie es zuerst.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Raster '{name}' has complex numbers in band {band}, and those have no order. Save their magnitude as a raster and use that.</source>
        <translation>Das Raster „{name}“ hat komplexe Zahlen in Kanal {band}, und diese haben keine Reihenfolge. Speichern Sie ihren Betrag als Raster und verwenden Sie dieses.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' has no band {band} (bands: {bands}).</source>
        <translation>Das Raster „{name}“ hat keinen Kanal {band} (Kanäle: {bands}).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Raster '{name}' has no band {band} to hold its score (bands: {bands}).</source>
        <translation>Das Raster „{name}“ hat keinen Kanal {band}, der seinen Wert enthalten könnte (Kanäle: {bands}).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Raster '{name}' has no colour {text}. Choose a colour of the raster, or other values.</source>
        <translation>Raster '{name}' hat keine Farbe {text}. Wählen Sie eine Farbe des Rasters oder andere Werte.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Raster '{name}' has no field '{field}'. Give a pattern of the raster names under '{label}' instead.</source>
        <translation>Das Raster „{name}“ hat kein Feld „{field}“. Geben Sie stattdessen unter „{label}“ ein Muster der Rasternamen an.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' has {bands} bands of which at most one is marked at each pixel, a band per class or object. Only band 1 is taken. Choose another band, or merge the bands to one with a number per class.</source>
        <translation>Raster '{name}' hat {bands} Kanäle, von denen an jedem Pixel höchstens einer markiert ist, also einen Kanal je Klasse oder Objekt. Nur Kanal 1 wird verwendet. Wählen Sie einen anderen Kanal oder vereinen Sie die Kanäle zu einem mit einer Zahl je Klasse.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Raster '{name}' has {bands} bands; band {band} holds its score.</source>
        <translation>Das Raster „{name}“ hat {bands} Kanäle; Kanal {band} enthält seinen Wert.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' holds numbers from {low:g} to {high:g}. Pixels of {threshold:g} or more are taken as marked.</source>
        <translation>Raster '{name}' enthält Zahlen von {low:g} bis {high:g}. Pixel ab {threshold:g} gelten als markiert.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' holds {count:,} numbers of colours in a table. All of them but 0 are taken as marked. To use one colour, give its number as the value of marked pixels.</source>
        <translation>
            <numerusform>Raster '{name}' enthält {count:,} Nummern von Farben einer Tabelle. Alle außer 0 gelten als markiert. Für eine einzelne Farbe geben Sie deren Nummer als Wert der markierten Pixel an.</numerusform>
            <numerusform>Raster '{name}' enthält {count:,} Nummern von Farben einer Tabelle. Alle außer 0 gelten als markiert. Für eine einzelne Farbe geben Sie deren Nummer als Wert der markierten Pixel an.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' holds {count:,} numbers that tell instances apart. Each number is taken as an object of its own, even if it touches another.</source>
        <translation>
            <numerusform>Raster '{name}' enthält {count:,} Nummern, die Instanzen unterscheiden. Jede Nummer gilt als eigenes Objekt, auch wenn es ein anderes berührt.</numerusform>
            <numerusform>Raster '{name}' enthält {count:,} Nummern, die Instanzen unterscheiden. Jede Nummer gilt als eigenes Objekt, auch wenn es ein anderes berührt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' holds {count:,} values besides 0, from {low:g} to {high:g}. All of them are taken as marked.</source>
        <translation>
            <numerusform>Raster '{name}' enthält {count:,} Werte außer 0, von {low:g} bis {high:g}. Alle gelten als markiert.</numerusform>
            <numerusform>Raster '{name}' enthält {count:,} Werte außer 0, von {low:g} bis {high:g}. Alle gelten als markiert.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' holds {value:g} without declaring it as a value for no data. These pixels are taken as pixels without data.</source>
        <translation>Raster '{name}' enthält {value:g}, ohne den Wert als fehlende Daten zu kennzeichnen. Diese Pixel gelten als Pixel ohne Daten.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' is a picture of colours (red, green, blue). Only its red is taken: pixels with any red are marked. If a colour marks the objects, choose 'Colour' as the values of rasters.</source>
        <translation>Raster '{name}' ist ein Bild in Farben (Rot, Grün, Blau). Nur sein Rot wird verwendet: Pixel mit etwas Rot sind markiert. Wenn eine Farbe die Objekte markiert, wählen Sie 'Farbe' als Werte der Raster.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>Raster '{name}' is not read from a file; save it as a GeoTIFF and use that.</source>
        <translation>Das Raster „{name}“ wird nicht aus einer Datei gelesen; speichern Sie es als GeoTIFF und nehmen Sie dieses.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' marks every pixel that has data. Pixels without data inside the raster are taken as not marked.</source>
        <translation>Raster '{name}' markiert jedes Pixel mit Daten. Pixel ohne Daten innerhalb des Rasters gelten als nicht markiert.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{name}' marks {share:.0%} of its pixels. If 0 stands for marked pixels, use one value, 0.</source>
        <translation>Raster '{name}' markiert {share:.0%} seiner Pixel. Wenn 0 für markierte Pixel steht, verwenden Sie den einen Wert 0.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>Raster '{raster}' has no georeference, but other layers have one. Georeference the raster first.</source>
        <translation>Das Raster „{raster}“ hat keine Georeferenz, andere Layer haben jedoch eine. Georeferenzieren Sie zuerst das Raster.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Raster band</source>
        <translation>Kanal der Raster</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Rasters hold no crowns and are not counted: {names}.</source>
        <translation>Raster enthalten keine Kronen und werden nicht gezählt: {names}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Rasters hold no crowns to count. Count areas, or choose polygon layers.</source>
        <translation>Raster enthalten keine zählbaren Kronen. Zählen Sie Flächen oder wählen Sie Polygon-Layer.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Rasters of one band (.tif, .png) with numbers of crowns or classes; 0 is the background. In a folder they are read only if this format is chosen.</source>
        <translation>Raster mit einem Band (.tif, .png) mit Nummern von Kronen oder Klassen; 0 ist der Hintergrund. In einem Ordner werden sie nur gelesen, wenn dieses Format gewählt ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Rasters on which the crowns lie. COCO, DeepForest and Pascal VOC require them.</source>
        <translation>Raster, auf denen die Kronen liegen. COCO, DeepForest und Pascal VOC benötigen sie.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Rasters were resampled to pixels of {size:g} m (nearest neighbour).</source>
        <translation>Raster wurden auf Pixel von {size:g} m umgerechnet (nächster Nachbar).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Rasters with a score per pixel, or polygon layers with a score field. Higher means more certain; only the order of the scores counts.</source>
        <translation>Raster mit einem Wert je Pixel oder Polygon-Layer mit einem Feld der Werte. Höher heißt sicherer; nur die Reihenfolge der Werte zählt.</translation>
    </message>
    <message>
        <location filename="../core/classes/agreement.py"/>
        <source>Ratings need a row per unit and a column per annotator, not {ndim} dimensions.</source>
        <translation>Bewertungen brauchen eine Zeile je Einheit und eine Spalte je Annotator, nicht {ndim} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Raw agreement: chance that two annotators decide alike</source>
        <translation>Rohe Übereinstimmung: Wahrscheinlichkeit, dass zwei Annotatoren gleich entscheiden</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>Read the file</source>
        <translation>Datei lesen</translation>
    </message>
    <message>
        <location filename="../ui/services/background.py"/>
        <source>Reading results</source>
        <translation>Ergebnisse werden gelesen</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>Reading the layers…</source>
        <translation>Layer werden gelesen …</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>Reading the layers… {percent:.0f} %</source>
        <translation>Layer werden gelesen … {percent:.0f} %</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Reason why there is no number.</source>
        <translation>Grund, warum es keine Zahl gibt.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Reason why there is no value.</source>
        <translation>Grund, warum es keinen Wert gibt.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Reasons why annotations were skipped, with their rows.</source>
        <translation>Gründe, warum Annotationen übergangen wurden, mit ihren Zeilen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/output_types.py"/>
        <source>Recall</source>
        <translation>Trefferquote</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Recall along the false positive rate.</source>
        <translation>Trefferquote entlang der Falsch-Positiv-Rate.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Recall at this IoU, mean over the ground truths; all detections count.</source>
        <translation>Trefferquote bei diesem IoU, Mittel über die Referenzen; alle Erkennungen zählen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Recall at {score} #</source>
        <translation>Trefferquote bei {score} #</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>Recall over whole crowns: the share of the annotator's crowns that it finds, 0 to 1.</source>
        <translation>Trefferquote über ganze Kronen: der Anteil der Kronen des Annotators, die er findet, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Recognition quality: F1 of the crowns, matched above IoU 0.5.</source>
        <translation>Erkennungsqualität: F1 der Kronen, zugeordnet über IoU 0,5.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Recognition quality: F1.</source>
        <translation>Erkennungsqualität: F1.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Recommended sets</source>
        <translation>Empfohlene Sätze</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Red band of the image</source>
        <translation>Roter Kanal des Bildes</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Red, green and blue as in #ff0000, for the values 'Colour'.</source>
        <translation>Rot, Grün und Blau wie in #ff0000, für die Werte 'Farbe'.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <source>Red: the target; other colours: its delineations.</source>
        <translation>Rot: die Zielkrone; andere Farben: ihre Umrisse.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Red: {annotator} {id}, excluded: {reason}.</source>
        <translation>Rot: {annotator} {id}, ausgeschlossen: {reason}.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>Red: {target} {target_id}. Black: {drawn} {drawn_id}. RandCrowns {randcrowns}, IoU {iou}, IoUCrowns {iou_crowns}.</source>
        <translation>Rot: {target} {target_id}. Schwarz: {drawn} {drawn_id}. RandCrowns {randcrowns}, IoU {iou}, IoUCrowns {iou_crowns}.</translation>
    </message>
    <message>
        <location filename="../resources/report_parts.html"/>
        <source>References</source>
        <translation>Literatur</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Refused because</source>
        <translation>Abgelehnt, weil</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>Refused sets are hatched: / wrong pairs score too high, \ right pairs too low, x too many crowns too small</source>
        <translation>Abgelehnte Sätze sind schraffiert: / falsche Paare mit zu hohen Werten, \ richtige Paare mit zu niedrigen, x zu viele Kronen zu klein</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Regions of each target: a: surely crown, o: up to where it may reach, e: outer edge, b: surely not crown.</source>
        <translation>Regionen jeder Zielkrone: a: sicher Krone, o: bis wohin sie reichen darf, e: äußerer Rand, b: sicher keine Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Regions of target crowns</source>
        <translation>Regionen der Zielkronen</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>Remove the layers of this page's last run from the project when the new layers are added. Layers that you edited or styled stay, and so do the tables in the file. The removed layers can be restored.</source>
        <translation>Entfernt die Layer des letzten Laufs dieser Seite aus dem Projekt, wenn die neuen Layer hinzugefügt werden. Layer, die Sie bearbeitet oder gestaltet haben, bleiben erhalten, ebenso die Tabellen in der Datei. Die entfernten Layer lassen sich wiederherstellen.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Removes from the LSML result what no annotator marked. Published: not clipped, so the contour can drift to areas that no annotator marked.</source>
        <translation>Entfernt aus dem Ergebnis von LSML, was kein Annotator markiert hat. Veröffentlicht: nicht beschnitten, sodass die Kontur in Flächen driften kann, die kein Annotator markiert hat.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>Replace the layers of the last run</source>
        <translation>Die Layer des letzten Laufs ersetzen</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Report (HTML)</source>
        <translation>Bericht (HTML)</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Report (PDF)</source>
        <translation>Bericht (PDF)</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Report title. Default: the algorithm and its layers.</source>
        <translation>Titel des Berichts. Vorgabe: der Algorithmus und seine Layer.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Report…</source>
        <translation>Bericht …</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Resampled ground truth</source>
        <translation>Neu gezogene Referenz</translation>
    </message>
    <message>
        <location filename="../ui/services/interrupted_runs.py"/>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Result in words</source>
        <translation>Ergebnis in Worten</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Result of the comparison for this crown.</source>
        <translation>Ergebnis des Vergleichs für diese Krone.</translation>
    </message>
    <message>
        <location filename="../ui/services/run_outcome.py"/>
        <source>Results cannot be saved in {file} ({why}). Choose another file.</source>
        <translation>In {file} lassen sich keine Ergebnisse speichern ({why}). Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Results of a run, or any other vector layers and tables of the project.</source>
        <translation>Ergebnisse eines Laufs oder beliebige andere Vektor-Layer und Tabellen des Projekts.</translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Review</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Review these crowns on page Review, from the selected row on.</source>
        <translation>Diese Kronen auf der Seite Prüfung durchsehen, ab der gewählten Zeile.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Reviewed areas</source>
        <translation>Gesichtete Gebiete</translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/review/page.py"/>
        <source>Reviewer</source>
        <translation>Prüfer</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Reviewers' verdicts on {layer}: {told}.</source>
        <translation>Urteile der Prüfer zu {layer}: {told}.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Reviewers' verdicts: {told}.</source>
        <translation>Urteile der Prüfer: {told}.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Review…</source>
        <translation>Prüfen …</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Round</source>
        <translation>Rund</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Rounds</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Rounds of the estimation.</source>
        <translation>Durchgänge der Schätzung.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Rule that makes one decision of those of the annotators. LSML works on pixels and requires a pixel size.</source>
        <translation>Regel, die aus den Entscheidungen der Annotatoren eine einzige bildet. LSML arbeitet mit Pixeln und benötigt eine Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../ui/report/page.py"/>
        <location filename="../ui/report/run_list.py"/>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>SD {score}</source>
        <translation>SD {score}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>SIMPLE: Dice with the consensus.</source>
        <translation>SIMPLE: Dice mit dem Konsens.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>SIMPLE: discard annotators below</source>
        <translation>SIMPLE: Annotatoren verwerfen unter</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>SIMPLE: factor a</source>
        <translation>SIMPLE: Faktor a</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>STAPLE's prior</source>
        <translation>Prior von STAPLE</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>STAPLE's prior without this annotator.</source>
        <translation>Prior von STAPLE ohne diesen Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>STAPLE's probability that each pixel is marked, -1 outside the study area. Requires a pixel size.</source>
        <translation>Wahrscheinlichkeit nach STAPLE, dass das jeweilige Pixel markiert ist; -1 außerhalb des Untersuchungsgebiets. Benötigt eine Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>STAPLE: keep what all agree on fixed</source>
        <translation>STAPLE: Einstimmiges festhalten</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>STAPLE: prior</source>
        <translation>STAPLE: Prior</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>STAPLE: prior as a number</source>
        <translation>STAPLE: Prior als Zahl</translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud_fields.py"/>
        <source>Sample cloud (simulated)</source>
        <translation>Beispielwolke (simuliert)</translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>Sample plot (simulated, seed {seed})</source>
        <translation>Beispiel-Plot (simuliert, Startwert {seed})</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>Sample plot added; all of it is simulated. Page Instances offers its point cloud.</source>
        <translation>Beispiel-Plot hinzugefügt; alles darin ist simuliert. Die Seite Instanzen bietet seine Punktwolke an.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Sample size</source>
        <translation>Stichprobengröße</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Save as A4 pages.</source>
        <translation>Als A4-Seiten speichern.</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Save as one file for a browser.</source>
        <translation>Als eine Datei für den Browser speichern.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Save gallery</source>
        <translation>Galerie speichern</translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Save plot</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Save report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save table…</source>
        <translation>Tabelle speichern …</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Save the gallery as PNG or SVG.</source>
        <translation>Die Galerie als PNG oder SVG speichern.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>Save the new layers in</source>
        <translation>Neue Layer speichern in</translation>
    </message>
    <message>
        <location filename="../ui/widgets/plot.py"/>
        <source>Save the plot as PNG or SVG.</source>
        <translation>Das Diagramm als PNG oder SVG speichern.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_session.py"/>
        <source>Save the project first: verdicts are stored in the GeoPackage next to the project file.</source>
        <translation>Speichern Sie zuerst das Projekt: Urteile werden im GeoPackage neben der Projektdatei gespeichert.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save the table as CSV or XLSX (Ctrl+C copies the selected rows).</source>
        <translation>Die Tabelle als CSV oder XLSX speichern (Strg+C kopiert die gewählten Zeilen).</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Saved with the verdict.</source>
        <translation>Wird mit dem Urteil gespeichert.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Saved with the verdict; Enter returns to the list</source>
        <translation>Wird mit dem Urteil gespeichert; Eingabe führt zurück zur Liste</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/plot.py"/>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <source>Scatter</source>
        <translation>Streudiagramm</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Scatter plot as a picture</source>
        <translation>Streudiagramm als Bild</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/options/form.py"/>
        <location filename="../ui/shell/dock.py"/>
        <source>Score</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Score crowns</source>
        <translation>Kronen bewerten</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Score field</source>
        <translation>Feld der Werte</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Score only the crowns selected in the target layer.</source>
        <translation>Nur die im Ziel-Layer gewählten Kronen bewerten.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Score that the detector gave; empty for manual annotations.</source>
        <translation>Wert, den der Detektor vergeben hat; leer bei manuellen Annotationen.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Score the crowns of the run's layers as soon as they are added, changed or deleted; this includes undo and redo.</source>
        <translation>Bewertet die Kronen der Layer des Laufs, sobald sie hinzugefügt, geändert oder gelöscht werden, auch beim Rückgängigmachen und Wiederherstellen.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <source>Score the detector</source>
        <translation>Den Detektor bewerten</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Score threshold</source>
        <translation>Schwellenwert für den Wert</translation>
    </message>
    <message>
        <location filename="../plugin.py"/>
        <source>Score tree crown delineations against target crowns</source>
        <translation>Gezeichnete oder vorhergesagte Baumkronen gegen Zielkronen bewerten</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Score while drawing</source>
        <translation>Beim Zeichnen bewerten</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Score with this set on page Score.</source>
        <translation>Mit diesem Satz auf der Seite Bewertung bewerten.</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/form.py"/>
        <source>Score {count:,} layers</source>
        <translation>
            <numerusform>Bewerten</numerusform>
            <numerusform>{count:,} Layer bewerten</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>Score: field {field}.</source>
        <translation>Wert: Feld {field}.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Scored</source>
        <translation>Bewertet</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Scored delineations</source>
        <translation>Bewertete Umrisse</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Scored layer</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Scored targets</source>
        <translation>Bewertete Zielkronen</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/results.py"/>
        <source>Scored {count:,} crowns; see the layer tree.</source>
        <translation>
            <numerusform>{count:,} Krone bewertet; siehe Layerbaum.</numerusform>
            <numerusform>{count:,} Kronen bewertet; siehe Layerbaum.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Scored; the image extent leaves less area outside the crown than gamma requires.</source>
        <translation>Bewertet; die Bildausdehnung lässt außerhalb der Krone weniger Fläche, als Gamma verlangt.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Scores</source>
        <translation>Werte</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Scores as in that competition's toolbox, on pixels of 0.1 m and with its pairing. Requires the bounds of each plot, 20 x 20 m, as the image extent. With a plot field, all targets of a plot belong to the polygon that most of them lie in.</source>
        <translation>Werte wie bei den Werkzeugen dieses Wettbewerbs, auf Pixeln von 0,1 m und mit deren Paarung. Benötigt die Grenzen jedes Plots, 20 x 20 m, als Bildausdehnung. Mit einem Plotfeld gehören alle Zielkronen eines Plots zu dem Polygon, in dem die meisten von ihnen liegen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>Scores every set of a grid of alpha, omega and gamma by the variance of RandCrowns between annotators (Stewart et al. 2021, Table III). A low variance means that the score hardly depends on who drew the target.</source>
        <translation>Bewertet jeden Satz eines Gitters von Alpha, Omega und Gamma nach der Varianz von RandCrowns zwischen Annotatoren (Stewart et al. 2021, Tabelle III). Eine kleine Varianz bedeutet, dass der Wert kaum davon abhängt, wer die Zielkrone gezeichnet hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>Scores the delineation of every target crown: RandCrowns (Stewart et al. 2021), IoU and IoUCrowns. Read the three together: a high RandCrowns alone does not prove that a crown is good.</source>
        <translation>Bewertet den Umriss jeder Zielkrone: RandCrowns (Stewart et al. 2021), IoU und IoUCrowns. Lesen Sie die drei zusammen: Ein hoher RandCrowns allein beweist nicht, dass eine Krone gut ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Scores tree crown delineations against target crowns with RandCrowns, IoU and IoUCrowns.</source>
        <translation>Bewertet gezeichnete oder vorhergesagte Baumkronen gegen Zielkronen mit RandCrowns, IoU und IoUCrowns.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>Scoring the crowns…</source>
        <translation>Kronen werden bewertet …</translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>Scoring was cancelled; no layer was changed.</source>
        <translation>Die Bewertung wurde abgebrochen; kein Layer wurde geändert.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Search radius</source>
        <translation>Suchradius</translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/tuning/form.py"/>
        <source>Search {count:,} sets</source>
        <translation>
            <numerusform>{count:,} Satz durchsuchen</numerusform>
            <numerusform>{count:,} Sätze durchsuchen</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Second</source>
        <translation>Zweiter</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Second annotator of the pair.</source>
        <translation>Zweiter Annotator des Paars.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Second ground truth</source>
        <translation>Zweite Referenz</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Segmentation quality: mean IoU of the matched crowns.</source>
        <translation>Segmentierungsqualität: mittlerer IoU der zugeordneten Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Segmentation quality: mean IoU of the matched pairs.</source>
        <translation>Segmentierungsqualität: mittlerer IoU der zugeordneten Paare.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>Select a row to show its crown on the map.</source>
        <translation>Wählen Sie eine Zeile, um ihre Krone auf der Karte zu zeigen.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Select a set first.</source>
        <translation>Wählen Sie zuerst einen Satz.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Select a target layer first.</source>
        <translation>Wählen Sie zuerst einen Ziel-Layer.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>Selected targets only</source>
        <translation>Nur gewählte Zielkronen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Sensitivity</source>
        <translation>Sensitivität</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Sensitivity that STAPLE or LSML estimates.</source>
        <translation>Sensitivität nach der Schätzung von STAPLE oder LSML.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>Sets</source>
        <translation>Sätze</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Sets of alpha, omega and gamma. Image boxes and field polygons: the values of the paper (Stewart et al. 2021, IV-A and IV-B). Alpha, omega and gamma below are used only with 'Own values'.</source>
        <translation>Sätze von Alpha, Omega und Gamma. Rechtecke auf Bildern und Polygone aus dem Gelände: die Werte der Veröffentlichung (Stewart et al. 2021, IV-A und IV-B). Alpha, Omega und Gamma darunter gelten nur bei „Eigene Werte“.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/form.py"/>
        <source>Sets to try</source>
        <translation>Zu versuchende Sätze</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Several delineations lie in the target.</source>
        <translation>In der Zielkrone liegen mehrere Umrisse.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>Several images have the name {name}, but the files identify images by name. Rename them.</source>
        <translation>Mehrere Bilder haben den Namen {name}, die Dateien unterscheiden Bilder aber nach ihrem Namen. Benennen Sie sie um.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Several images: names of the rasters</source>
        <translation>Mehrere Bilder: Namen der Raster</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare_annotators.py"/>
        <source>Several people drew the same area. How far do they agree, where do they differ, and who is an outlier? The measures are those of Lampert, Stumpf and Gançarski (2016), complemented by chance-corrected coefficients and agreement crown by crown. Polygons may be crowns or anything else; overlapping ones of one annotator count once.</source>
        <translation>Mehrere Personen haben dieselbe Fläche gezeichnet. Wie weit stimmen sie überein, wo weichen sie ab, und wer ist ein Ausreißer? Die Maße stammen von Lampert, Stumpf und Gançarski (2016), ergänzt durch zufallskorrigierte Koeffizienten und die Übereinstimmung Krone für Krone. Die Polygone können Kronen oder etwas anderes sein; überlappende Polygone eines Annotators zählen einmal.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Shape of the corners when a target is expanded. In the paper, boxes keep square corners.</source>
        <translation>Form der Ecken, wenn eine Zielkrone vergrößert wird. In der Veröffentlichung behalten Rechtecke rechte Ecken.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Share (0 to 1) of right pairs that miss the certain crown.</source>
        <translation>Anteil (0 bis 1) richtiger Paare, die die sichere Krone verfehlen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Share of bootstrap samples in which the best detector by area beats the second; a tie counts half</source>
        <translation>Anteil der Bootstrap-Stichproben, in denen der nach Fläche beste Detektor den zweiten schlägt; Gleichstand zählt halb</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Share of bootstrap samples in which the best detector by whole crowns beats the second; a tie counts half</source>
        <translation>Anteil der Bootstrap-Stichproben, in denen der nach ganzen Kronen beste Detektor den zweiten schlägt; Gleichstand zählt halb</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Share of the annotator's crowns that any detection matches, 0 to 1.</source>
        <translation>Anteil der Kronen des Annotators, zu denen irgendeine Erkennung passt, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Share of the annotators</source>
        <translation>Anteil der Annotatoren</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Share of the area expected to be marked.</source>
        <translation>Anteil der Fläche, der als markiert erwartet wird.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Share of the area marked by anybody.</source>
        <translation>Anteil der Fläche, den irgendjemand markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Share of the area outside the consensus that this annotator left unmarked.</source>
        <translation>Anteil der Fläche außerhalb des Konsenses, den dieser Annotator nicht markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Share of the area that STAPLE expects to be marked. It influences how much STAPLE marks and therefore which detector is best. With two annotators, it alone decides.</source>
        <translation>Anteil der Fläche, der nach der Erwartung von STAPLE markiert ist. Er beeinflusst, wie viel STAPLE markiert und damit, welcher Detektor der beste ist. Bei zwei Annotatoren entscheidet er allein.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Share of the bootstrap samples in which it beats the detector of the next row.</source>
        <translation>Anteil der Bootstrap-Stichproben, in denen er den Detektor der nächsten Zeile schlägt.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Share of the bootstrap samples in which the detector has this rank.</source>
        <translation>Anteil der Bootstrap-Stichproben, in denen der Detektor diesen Rang hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Share of the consensus that this annotator marked.</source>
        <translation>Anteil des Konsenses, den dieser Annotator markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Share of the delineations that have at least this {score} with a target.</source>
        <translation>Anteil der Umrisse, die mit einer Zielkrone mindestens diesen {score} erreichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Share of the field points that lie in a prediction.</source>
        <translation>Anteil der Punkte aus dem Gelände, die in einer Vorhersage liegen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Share of the points with this predicted class that have it.</source>
        <translation>Anteil der Punkte mit dieser vorhergesagten Klasse, die tatsächlich zu ihr gehören.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Share of the points with this true class that are predicted so.</source>
        <translation>Anteil der Punkte mit dieser wahren Klasse, die so vorhergesagt sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Share of the predictions that have a target; uncertain ones are excluded.</source>
        <translation>Anteil der Vorhersagen, die ein Ziel haben; unsichere sind ausgeschlossen.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Share of the predictions that match a target.</source>
        <translation>Anteil der Vorhersagen, die einem Ziel zugeordnet sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Share of the study area that the ground truth marks.</source>
        <translation>Anteil des Untersuchungsgebiets, den die Referenz markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Share of the study area, 0 to 1.</source>
        <translation>Anteil am Untersuchungsgebiet, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Share of the targets that are matched.</source>
        <translation>Anteil der Ziele, denen eine Vorhersage zugeordnet ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Share of the targets that were found.</source>
        <translation>Anteil der gefundenen Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Share of the targets with at least this {score}.</source>
        <translation>Anteil der Zielkronen mit mindestens diesem {score}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Share of the unmarked area that is detected, 0 to 1.</source>
        <translation>Anteil der nicht markierten Fläche, der erkannt wurde, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Shared</source>
        <translation>Gemeinsam</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Shared area divided by the joint area of both, 0 to 1.</source>
        <translation>Gemeinsame Fläche geteilt durch die Fläche beider zusammen, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Shared area over joint area.</source>
        <translation>Gemeinsame Fläche durch Fläche beider zusammen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <location filename="../layers/expressions.py"/>
        <location filename="../ui/review/review_list.py"/>
        <source>Shared area over the area of both, 0 to 1.</source>
        <translation>Gemeinsame Fläche durch Fläche beider zusammen, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Shared size divided by the joint size of both, 0 to 1.</source>
        <translation>Gemeinsame Größe geteilt durch die Größe beider zusammen, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Shared size divided by the size of the prediction, 0 to 1.</source>
        <translation>Gemeinsame Größe geteilt durch die Größe der Vorhersage, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Shared size divided by the size of the target, 0 to 1.</source>
        <translation>Gemeinsame Größe geteilt durch die Größe des Ziels, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Shifted</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Shifted from</source>
        <translation>Verschoben ab</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Short name of the method and its parameters</source>
        <translation>Kurzname des Verfahrens und seiner Parameter</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <location filename="../ui/widgets/run_widgets.py"/>
        <source>Show an earlier run again, or compare two runs.</source>
        <translation>Einen früheren Lauf wieder zeigen oder zwei Läufe vergleichen.</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Show the crown of up to four delineation layers in small maps.</source>
        <translation>Die Krone aus bis zu vier Umriss-Layern in kleinen Karten zeigen.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>Show the rows that contain all of these words. Plot="a 1" shows the rows with exactly this value in the column.</source>
        <translation>Zeigt die Zeilen, die alle diese Wörter enthalten. Plot="a 1" zeigt die Zeilen mit genau diesem Wert in der Spalte.</translation>
    </message>
    <message>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>Show this run in the print layouts</source>
        <translation>Diesen Lauf in den Drucklayouts zeigen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Shows if the target can be scored.</source>
        <translation>Zeigt, ob die Zielkrone bewertet werden kann.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Shows whether the set can be chosen, or why not.</source>
        <translation>Zeigt, ob der Satz gewählt werden kann, oder warum nicht.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Shrunk</source>
        <translation>Verkleinert</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Side</source>
        <translation>Seite</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Side of a block</source>
        <translation>Seitenlänge eines Blocks</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Side of a tile</source>
        <translation>Seitenlänge einer Kachel</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Side of the square cells for outlines: each cell contributes one point. The metrics do not depend on it.</source>
        <translation>Seitenlänge der quadratischen Zellen für Umrisse: Jede Zelle trägt einen Punkt bei. Die Maße hängen nicht davon ab.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Side of the window around each pixel in which the image's contrast is measured; an odd number.</source>
        <translation>Seitenlänge des Fensters um jedes Pixel, in dem der Bildkontrast gemessen wird; eine ungerade Zahl.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Similarity of the rankings under every two ground truths, -1 to 1.</source>
        <translation>Ähnlichkeit der Rangfolgen nach je zwei Referenzen, -1 bis 1.</translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>Simulated by RandCrowns from seed {seed}: no tree here is real.</source>
        <translation>Von RandCrowns aus dem Startwert {seed} simuliert: Kein Baum darin ist echt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Size of the area.</source>
        <translation>Größe der Fläche.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Skew</source>
        <translation>Positivanteil</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Skew limits</source>
        <translation>Grenzen des Positivanteils</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>Skew limits from the ground truths: {low:.3f} to {high:.3f}.</source>
        <translation>Grenzen des Positivanteils aus den Referenzen: {low:.3f} bis {high:.3f}.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Skipped</source>
        <translation>Übergangen</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Small maps of crowns over the image, with problem and scores.</source>
        <translation>Kleine Karten der Kronen über dem Bild, mit Problem und Werten.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Smaller areas are counted, but not listed among the disagreements.</source>
        <translation>Kleinere Flächen werden gezählt, aber nicht unter den Abweichungen aufgeführt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Smallest disagreement to list</source>
        <translation>Kleinste aufgeführte Abweichung</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Smyth's bound &lt;b&gt;n/a&lt;/b&gt;: it requires two annotators</source>
        <translation>Smyths Schranke &lt;b&gt;–&lt;/b&gt;: benötigt zwei Annotatoren</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Smyth's bound &lt;b&gt;n/a&lt;/b&gt;: nobody marked anything</source>
        <translation>Smyths Schranke &lt;b&gt;–&lt;/b&gt;: niemand hat etwas markiert</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>Smyth's bound &lt;b&gt;{bound}&lt;/b&gt;, {words}</source>
        <translation>Smyths Schranke &lt;b&gt;{bound}&lt;/b&gt;, {words}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Smyth's bound on the mean error</source>
        <translation>Smyths Schranke für den mittleren Fehler</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Smyth's lower bound on the mean error</source>
        <translation>Smyths untere Schranke für den mittleren Fehler</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>Some plots are on one side only: {where}: their crowns count as not found or as unmatched. If only the spelling differs, use the same plot names, or leave the field empty.</source>
        <translation>Einige Plots gibt es nur auf einer Seite: {where}. Ihre Kronen zählen als nicht gefunden oder als ohne Partner. Weicht nur die Schreibweise ab, verwenden Sie dieselben Plotnamen oder lassen Sie das Feld leer.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Some scores are infinite.</source>
        <translation>Einige Werte sind unendlich.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>Some scores of marked places are infinite.</source>
        <translation>Einige Werte markierter Stellen sind unendlich.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>Some values of {name} are masked. Pass only the values to try.</source>
        <translation>Einige Werte von {name} sind maskiert. Übergeben Sie nur die zu versuchenden Werte.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Specificity</source>
        <translation>Spezifität</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Specificity that STAPLE or LSML estimates.</source>
        <translation>Spezifität nach der Schätzung von STAPLE oder LSML.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Split from</source>
        <translation>Zerteilt ab</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Splits</source>
        <translation>Zerteilt</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Spreadsheet</source>
        <translation>Kalkulationstabelle</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Square</source>
        <translation>Rechtwinklig</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Square blocks of the study area are resampled for the intervals. Blocks should be larger than a crown. Automatic: an eighth of the longer side of the study area.</source>
        <translation>Für die Intervalle werden quadratische Blöcke des Untersuchungsgebiets neu gezogen. Die Blöcke sollten größer als eine Krone sein. Automatisch: ein Achtel der längeren Seite des Untersuchungsgebiets.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Square for boxes, round for polygons</source>
        <translation>Rechtwinklig bei Rechtecken, rund bei Polygonen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Square metres for areas, otherwise no unit.</source>
        <translation>Quadratmeter bei Flächen, sonst keine Einheit.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Standard deviation of the angle. Boxes are not rotated.</source>
        <translation>Standardabweichung des Winkels. Rechtecke werden nicht gedreht.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Standard deviation of the logarithm of the scale along x and y; 0.1 is about 10 %.</source>
        <translation>Standardabweichung des Logarithmus der Skala entlang x und y; 0,1 sind etwa 10 %.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Standard deviation of the shift along x and y, metres of the coordinate system.</source>
        <translation>Standardabweichung der Verschiebung entlang x und y, Meter des Koordinatensystems.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Standard deviation of {score} (n - 1).</source>
        <translation>Standardabweichung von {score} (n - 1).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Statistic</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Statistics of all annotators together, with 95 % intervals.</source>
        <translation>Kennwerte aller Annotatoren zusammen, mit 95-%-Intervallen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/output_types.py"/>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Status of the score.</source>
        <translation>Status der Bewertung.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Step of the run; the last row is the whole run except the writing.</source>
        <translation>Schritt des Laufs; die letzte Zeile ist der gesamte Lauf außer dem Schreiben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Steps of Ward's clustering on 1 - F1. Annotators are numbered from 0, then the clusters in the order of the steps.</source>
        <translation>Schritte von Wards Clusterverfahren auf 1 - F1. Die Annotatoren sind ab 0 nummeriert, danach die Cluster in der Reihenfolge der Schritte.</translation>
    </message>
    <message>
        <location filename="../core/review/sampling.py"/>
        <source>Strata, reviewed and accepted need one value per crown.</source>
        <translation>Schichten, Geprüftes und Angenommenes brauchen einen Wert je Krone.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Stratified by</source>
        <translation>Geschichtet nach</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Stratify the sample by this attribute.</source>
        <translation>Die Stichprobe nach diesem Attribut schichten.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area</source>
        <translation>Untersuchungsgebiet</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: ein Rechteck ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: a rectangle in each plot around the annotators' polygons ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: ein Rechteck in jedem Plot um die Polygone der Annotatoren ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: a rectangle in each plot around the annotators' polygons inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: ein Rechteck in jedem Plot um die Polygone der Annotatoren, innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: a rectangle inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: ein Rechteck innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: all annotators' and detectors' crowns ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Kronen aller Annotatoren und Detektoren ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: all annotators' and detectors' crowns inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Kronen aller Annotatoren und Detektoren innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the area that any annotator marked ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Fläche, die mindestens ein Annotator markiert hat ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the area that any annotator marked inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Fläche, die mindestens ein Annotator markiert hat, innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the image's rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: das Rechteck des Bildes ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the image's rectangle inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: das Rechteck des Bildes innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the marked pixels of '{layer}' ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die markierten Pixel von „{layer}“ ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the marked pixels of '{layer}' inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die markierten Pixel von „{layer}“ in einem Rechteck ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the pixels of the rasters ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Pixel der Raster ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the pixels of the rasters inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Pixel der Raster innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the polygons of '{layer}' ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Polygone von „{layer}“ ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the polygons of '{layer}' inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: die Polygone von „{layer}“ in einem Rechteck ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the rectangle around all annotators' polygons ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: das Rechteck um die Polygone aller Annotatoren ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the rectangle around all annotators' polygons inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: das Rechteck um die Polygone aller Annotatoren, innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the rectangle around all rasters ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: das Rechteck um alle Raster ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Study area: the rectangle around all rasters inside a rectangle ({size:,.0f} {unit}²).</source>
        <translation>Untersuchungsgebiet: das Rechteck um alle Raster innerhalb eines Rechtecks ({size:,.0f} {unit}²).</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Sum of RandCrowns, divided by the number of scored targets plus unmatched delineations. Each false positive lowers it.</source>
        <translation>Summe von RandCrowns, geteilt durch die Anzahl der bewerteten Zielkronen plus der Umrisse ohne Partner. Jeder Fehlalarm verringert den Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <location filename="../ui/scoring/panel.py"/>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <location filename="../ui/shell/comparison_form.py"/>
        <source>Swap the target layer and the layer that is compared with it.</source>
        <translation>Den Ziel-Layer und den damit verglichenen Layer vertauschen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Switch off if only some crowns were drawn, as in most field work. A detected crown without a match is then not judged, since it may be right: precision and AP are n/a, recall is not affected.</source>
        <translation>Ausschalten, wenn nur einige Kronen gezeichnet wurden, wie meist bei Arbeit im Gelände. Eine erkannte Krone ohne Partner wird dann nicht beurteilt, da sie richtig sein kann: Präzision und AP entfallen, die Trefferquote ändert sich nicht.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Switch off if only some crowns were drawn, as in most field work. A prediction without a target may then be right.</source>
        <translation>Ausschalten, wenn nur einige Kronen gezeichnet wurden, wie meist bei Arbeit im Gelände. Eine Vorhersage ohne Ziel kann dann richtig sein.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Switch off if only some crowns were drawn, as in most field work. Unmatched delineations are then not judged, and precision, F1 and the penalised mean are n/a.</source>
        <translation>Ausschalten, wenn nur einige Kronen gezeichnet wurden, wie meist bei Arbeit im Gelände. Umrisse ohne Partner werden dann nicht beurteilt; Präzision, F1 und das Mittel mit Abzug entfallen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Switch off if only some crowns were drawn, as in most field work. Unmatched predictions are then not judged, and precision, F1 and panoptic quality are n/a.</source>
        <translation>Ausschalten, wenn nur einige Kronen gezeichnet wurden, wie meist bei Arbeit im Gelände. Vorhersagen ohne Partner werden dann nicht beurteilt; Präzision, F1 und panoptische Qualität entfallen.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <location filename="../layers/files/server_staging.py"/>
        <source>Table '{table}' cannot be replaced, so nothing was written. The server reports: {why}</source>
        <translation>Die Tabelle „{table}“ kann nicht ersetzt werden, daher wurde nichts geschrieben. Der Server meldet: {why}</translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>Table '{table}' in {file} would have {found} of its {expected} rows, or the record of another run, so nothing was written. Choose another name for the table.</source>
        <translation>Die Tabelle „{table}“ in {file} hätte {found} ihrer {expected} Zeilen oder den Herkunftsnachweis eines anderen Laufs, daher wurde nichts geschrieben. Wählen Sie einen anderen Namen für die Tabelle.</translation>
    </message>
    <message>
        <location filename="../layers/files/server_staging.py"/>
        <source>Table '{table}' is in use by another program, so nothing was written. Close it there and run again, or choose another table.</source>
        <translation>Die Tabelle „{table}“ wird von einem anderen Programm benutzt, daher wurde nichts geschrieben. Schließen Sie sie dort und starten Sie den Lauf noch einmal oder wählen Sie eine andere Tabelle.</translation>
    </message>
    <message>
        <location filename="../layers/files/server_staging.py"/>
        <source>Table '{table}' on the server has {found} of its {expected} rows, or those of another run. Run again.</source>
        <translation>Die Tabelle „{table}“ auf dem Server hat {found} ihrer {expected} Zeilen oder die eines anderen Laufs. Starten Sie den Lauf noch einmal.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/table_view.py"/>
        <source>Table saved as {file}.</source>
        <translation>Tabelle gespeichert als {file}.</translation>
    </message>
    <message>
        <location filename="../layers/files/verdict_file.py"/>
        <source>Table {table} of {path} has no column '{missing}', so it holds no verdicts; rename it, or choose another file.</source>
        <translation>Die Tabelle {table} von {path} hat keine Spalte „{missing}“ und enthält deshalb keine Urteile; benennen Sie sie um oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>Table, headline and map are updated while you draw. The layers of the run stay as they are.</source>
        <translation>Tabelle, Antwort und Karte werden beim Zeichnen aktualisiert. Die Layer des Laufs bleiben, wie sie sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../ui/options/form.py"/>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Tables (.csv) with the column image_path and with boxes, outlines as text, or points. Columns are recognised by name.</source>
        <translation>Tabellen (.csv) mit der Spalte image_path und mit Rechtecken, Umrissen als Text oder Punkten. Die Spalten werden am Namen erkannt.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Tables of the results, with 95 % intervals.</source>
        <translation>Tabellen der Ergebnisse, mit 95-%-Intervallen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Target area</source>
        <translation>Fläche der Zielkrone</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Target attribute</source>
        <translation>Attribut des Ziels</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Target by</source>
        <translation>Zielkrone von</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Target crowns</source>
        <translation>Zielkronen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Target crowns.</source>
        <translation>Zielkronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Target id</source>
        <translation>Id der Zielkrone</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>Target layer '{layer}' has a detector's scores (field '{field}'); targets are the crowns taken as true. Swap the layers if it is the detector.</source>
        <translation>Der Ziel-Layer „{layer}“ hat die Werte eines Detektors (Feld „{field}“); Zielkronen sind die, die als wahr gelten. Tauschen Sie die Layer, wenn er der Detektor ist.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>Target {duplicate_of} has another delineation: extra, duplicate</source>
        <translation>Ziel {duplicate_of} hat eine andere Abgrenzung: überzählig, Duplikat</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Target {id}</source>
        <translation>Ziel {id}</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <source>Target {name}</source>
        <translation>Ziel {name}</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Targets</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>Targets and delineations were paired one to one, with the largest total RandCrowns.</source>
        <translation>Zielkronen und Umrisse wurden eins zu eins zugeordnet, mit der größten Summe von RandCrowns.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Targets and predictions are the same attribute, '{name}'; choose another.</source>
        <translation>Ziele und Vorhersagen sind dasselbe Attribut, „{name}“; wählen Sie ein anderes.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>Targets and predictions are the same layer, so the results do not show how good the predictions are. Choose two different layers.</source>
        <translation>Ziele und Vorhersagen sind derselbe Layer, daher zeigen die Ergebnisse nicht, wie gut die Vorhersagen sind. Wählen Sie zwei verschiedene Layer.</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Targets and predictions are the same layer; pick another one.</source>
        <translation>Ziele und Vorhersagen sind derselbe Layer; wählen Sie einen anderen.</translation>
    </message>
    <message>
        <location filename="../core/instances/summary.py"/>
        <source>Targets and predictions must both have plots, or neither of them.</source>
        <translation>Ziele und Vorhersagen müssen beide Plots haben, oder keines von beiden.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Targets drawn in the field</source>
        <translation>Im Gelände gezeichnete Zielkronen</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Targets narrower than twice alpha, without a score.</source>
        <translation>Zielkronen, schmaler als das Doppelte von Alpha, ohne Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Targets that contain more than half of each of several predictions.</source>
        <translation>Ziele, die von mehreren Vorhersagen jeweils mehr als die Hälfte enthalten.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Targets whose IoU, precision and recall are nearest to the medians; {colours}</source>
        <translation>Ziele, deren IoU, Präzision und Trefferquote den Medianen am nächsten liegen; {colours}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Targets with a delineation.</source>
        <translation>Zielkronen mit einem Umriss.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Targets with a score.</source>
        <translation>Zielkronen mit einem Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Targets with variance</source>
        <translation>Zielkronen mit Varianz</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Template</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>Texts in CSV stay texts</source>
        <translation>Texte in CSV bleiben Texte</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>The 95 % quantile of the distances, as pointtree computes.</source>
        <translation>Das 95-%-Quantil der Entfernungen, wie pointtree es berechnet.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The AP (all points) of {best} is {difference} higher than that of {second} (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation>Die AP (alle Punkte) von {best} ist um {difference} höher als die von {second} (untere Schranke bei einer Sicherheit von {level:g} % über alle Detektoren: {low}).</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The AUCR of {best} is {difference} higher than that of {second} (lower bound at a certainty of {level:g} % over all detectors: {low}).</source>
        <translation>Der AUCR von {best} ist um {difference} höher als der von {second} (untere Schranke bei einer Sicherheit von {level:g} % über alle Detektoren: {low}).</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The COCO metrics are those of Lin et al. (2014), who define no interval of them.</source>
        <translation>Die COCO-Maße sind die von Lin et al. (2014), die für sie kein Intervall definieren.</translation>
    </message>
    <message>
        <location filename="../layers/files/export.py"/>
        <source>The GDAL library of this QGIS cannot write {driver}; choose another format, such as GeoPackage.</source>
        <translation>Die GDAL-Bibliothek dieses QGIS kann {driver} nicht schreiben; wählen Sie ein anderes Format, etwa GeoPackage.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>The IDTReeS 2020 preset requires the bounds of each plot's image (20 x 20 m). Choose the image, or a layer with one polygon per plot, as 'Image extent'.</source>
        <translation>Die Voreinstellung IDTReeS 2020 benötigt die Grenzen des Bildes jedes Plots (20 x 20 m). Wählen Sie das Bild oder einen Layer mit einem Polygon je Plot als „Bildausdehnung“.</translation>
    </message>
    <message>
        <location filename="../ui/shell/import_export.py"/>
        <source>The Processing toolbox is disabled. Enable the plugin Processing (Plugins &gt; Manage and Install Plugins).</source>
        <translation>Die Werkzeugkiste der Verarbeitung ist deaktiviert. Aktivieren Sie die Erweiterung Processing (Erweiterungen &gt; Erweiterungen verwalten und installieren).</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>The accepted share of the layer is known once the sample is judged in its order, with at least one crown of each score class or plot.</source>
        <translation>Der angenommene Anteil des Layers steht fest, sobald die Stichprobe in ihrer Reihenfolge beurteilt ist, mit mindestens einer Krone jeder Wertklasse oder jedes Plots.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>The agreement map is no longer in the project; run again.</source>
        <translation>Die Übereinstimmungskarte ist nicht mehr im Projekt; starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare_annotators.py"/>
        <source>The agreement raster requires a pixel size.</source>
        <translation>Das Übereinstimmungsraster benötigt eine Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../ui/services/runner.py"/>
        <source>The algorithm {name} does not exist. Enable the provider RandCrowns in the options of Processing.</source>
        <translation>Den Algorithmus {name} gibt es nicht. Aktivieren Sie den Anbieter RandCrowns in den Optionen der Verarbeitung.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>The analysis was made with {version}.</source>
        <translation>Die Auswertung wurde mit {version} gemacht.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>The annotator's colour in every plot and on the map.</source>
        <translation>Die Farbe des Annotators in jedem Diagramm und auf der Karte.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The area more than {alpha} inside the outline of a target counted as certain crown. The ring that begins {omega} outside the outline counted as certain background. The ring had {gamma} times the area of the certain crown.</source>
        <translation>Die Fläche, die mehr als {alpha} innerhalb des Umrisses eines Ziels liegt, galt als sichere Krone. Der Ring, der {omega} außerhalb des Umrisses beginnt, galt als sicherer Hintergrund. Der Ring hatte die {gamma}-fache Fläche der sicheren Krone.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The area of a pixel must be a number above 0, not {area:g}.</source>
        <translation>Die Fläche eines Pixels muss eine Zahl über 0 sein, nicht {area:g}.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>The areas the score is made of, as in Figure 1 of the paper: (a² + b²) / (a² + b² + c² + d²).
covered (a): surely crown, and in the delineation
not covered (d): surely crown, but not in the delineation
outside (c): surely not crown, but in the delineation
free (b): surely not crown, and not in the delineation</source>
        <translation>Die Flächen, aus denen der Wert entsteht, wie in Abbildung 1 der Veröffentlichung: (a² + b²) / (a² + b² + c² + d²).
bedeckt (a): sicher Krone und im Umriss
nicht bedeckt (d): sicher Krone, aber nicht im Umriss
außerhalb (c): sicher keine Krone, aber im Umriss
frei (b): sicher keine Krone und nicht im Umriss</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>The areas to ignore were not exported because only COCO can store them.</source>
        <translation>Die zu ignorierenden Flächen wurden nicht exportiert, da nur COCO sie speichern kann.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>The best set scored directly, per target annotator.</source>
        <translation>Der beste Satz, direkt bewertet, je Annotator der Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>The best sets that can be chosen, in order.</source>
        <translation>Die besten wählbaren Sätze der Reihe nach.</translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>The bounds of the plot have no area; they are xmin, ymin, xmax, ymax.</source>
        <translation>Die Grenzen des Plots haben keine Fläche; es sind xmin, ymin, xmax, ymax.</translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>The bounds of the plot must be four numbers: xmin, ymin, xmax, ymax.</source>
        <translation>Die Grenzen des Plots müssen vier Zahlen sein: xmin, ymin, xmax, ymax.</translation>
    </message>
    <message>
        <location filename="../core/classes/strata.py"/>
        <source>The breaks between strata must be rising numbers, at least one.</source>
        <translation>Die Grenzen zwischen Strata müssen aufsteigende Zahlen sein, mindestens eine.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>The certainty is unknown: no bootstrap samples were made.</source>
        <translation>Die Sicherheit ist unbekannt: Es wurden keine Bootstrap-Stichproben gezogen.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The certainty of a ranking was estimated from {draws} bootstrap samples of annotators and of tiles, or plots, of the study area (Efron and Tibshirani 1993); side of a tile: {side}.</source>
        <translation>Die Sicherheit einer Rangfolge wurde aus {draws} Bootstrap-Stichproben der Annotatoren und der Kacheln oder Plots des Untersuchungsgebiets geschätzt (Efron und Tibshirani 1993); Seitenlänge einer Kachel: {side}.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>The class '{member}' occurs in the groups '{first}' and '{second}'. Remove it from one of them.</source>
        <translation>Die Klasse '{member}' kommt in den Gruppen '{first}' und '{second}' vor. Entfernen Sie sie aus einer der beiden.</translation>
    </message>
    <message>
        <location filename="../core/classes/idtrees.py"/>
        <source>The class or the probability is missing in rows {rows}. Remove these rows, or fill them in.</source>
        <translation>Die Klasse oder die Wahrscheinlichkeit fehlt in den Zeilen {rows}. Entfernen oder ergänzen Sie diese Zeilen.</translation>
    </message>
    <message>
        <location filename="../core/instances/metrics.py"/>
        <source>The classes of aggregate '{name}' must be a list of numbers, not {numbers}.</source>
        <translation>Die Klassen der Zusammenfassung „{name}“ müssen eine Liste von Zahlen sein, nicht {numbers}.</translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>The cloth simulation filter found no ground in the cloud, so there are no tree heights.</source>
        <translation>Der Tuchfilter fand in der Wolke keinen Boden, es gibt also keine Baumhöhen.</translation>
    </message>
    <message>
        <location filename="../resources/report_parts.html"/>
        <source>The command cannot read these layers: {names}. Save them unchanged before you run it.</source>
        <translation>Der Befehl kann diese Layer nicht lesen: {names}. Speichern Sie sie unverändert, bevor Sie ihn ausführen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>The confidence must be one plain number per detection. Choose a numeric field.</source>
        <translation>Der Konfidenzwert muss eine einfache Zahl je Erkennung sein. Wählen Sie ein Zahlenfeld.</translation>
    </message>
    <message>
        <location filename="../layers/files/server_staging.py"/>
        <source>The connection to the database was lost while table '{table}' was replaced. All tables of this run are there, or none: look at the table, and run again if it is the earlier one.</source>
        <translation>Die Verbindung zur Datenbank brach ab, während die Tabelle „{table}“ ersetzt wurde. Alle Tabellen dieses Laufs sind vorhanden oder keine: Sehen Sie die Tabelle an und starten Sie den Lauf noch einmal, wenn es die frühere ist.</translation>
    </message>
    <message>
        <location filename="../core/agreement/measures.py"/>
        <source>The consensus has the shape {shape}; expected one value for each of {patterns} patterns.</source>
        <translation>Der Konsens hat die Form {shape}; erwartet wird ein Wert für jedes von {patterns} Mustern.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The consensus is empty without {names}.</source>
        <translation>Der Konsens ist ohne {names} leer.</translation>
    </message>
    <message>
        <location filename="../core/agreement/measures.py"/>
        <source>The consensus must be True or False for each pattern, not {dtype}; compare probabilities with a threshold first, such as &gt;= 0.5.</source>
        <translation>Der Konsens muss für jedes Muster wahr oder falsch sein, nicht {dtype}; vergleichen Sie Wahrscheinlichkeiten zuerst mit einem Schwellenwert, etwa &gt;= 0.5.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The consensus that annotators are compared with covers the whole study area: specificity is undefined, and Cohen's kappa is 0 or undefined.</source>
        <translation>Der Konsens, mit dem Annotatoren verglichen werden, bedeckt das ganze Untersuchungsgebiet: Die Spezifität ist nicht definiert, und Cohens Kappa ist 0 oder nicht definiert.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The consensus that annotators are compared with is empty: sensitivity is undefined, and Cohen's kappa is 0 or undefined.</source>
        <translation>Der Konsens, mit dem Annotatoren verglichen werden, ist leer: Die Sensitivität ist nicht definiert, und Cohens Kappa ist 0 oder nicht definiert.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The contour vanished or became undefined; the last defined one is shown.</source>
        <translation>Die Kontur verschwand oder wurde undefiniert; gezeigt wird die letzte definierte.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>The coordinate system '{crs}' is not defined.</source>
        <translation>Das Koordinatensystem „{crs}“ ist nicht definiert.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The coordinate system of layer '{name}' ('{crs}') is not defined: it does not relate coordinates to the earth. Set another one in the layer's properties and run again.</source>
        <translation>Das Koordinatensystem des Layers „{name}“ („{crs}“) ist nicht definiert: Es setzt die Koordinaten nicht in Bezug zur Erde. Setzen Sie ein anderes in den Eigenschaften des Layers und starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>The coordinate system of the layer is not known. Add the layer to the project.</source>
        <translation>Das Koordinatensystem des Layers ist nicht bekannt. Fügen Sie den Layer dem Projekt hinzu.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>The coordinates are imported unchanged, because neither the files nor their images have a coordinate system. Choose the coordinate system, or set that of the layer.</source>
        <translation>Die Koordinaten werden unverändert importiert, weil weder die Dateien noch ihre Bilder ein Koordinatensystem haben. Wählen Sie das Koordinatensystem oder legen Sie das des Layers fest.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>The coordinates must be numbers, not {dtype}.</source>
        <translation>Die Koordinaten müssen Zahlen sein, nicht {dtype}.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>The coordinates must have three columns (x, y, z); their shape is {shape}.</source>
        <translation>Die Koordinaten müssen drei Spalten haben (x, y, z); ihre Form ist {shape}.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The coordinates of layer '{name}' are no place on earth in {crs}. Check the layer's coordinate system in its properties.</source>
        <translation>Die Koordinaten des Layers „{name}“ sind in {crs} kein Ort auf der Erde. Prüfen Sie das Koordinatensystem in den Eigenschaften des Layers.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The coordinates of layer '{name}' cannot be transformed from {crs} to {to}. Check the layer's coordinate system in its properties.</source>
        <translation>Die Koordinaten des Layers „{name}“ lassen sich nicht von {crs} nach {to} transformieren. Prüfen Sie das Koordinatensystem in den Eigenschaften des Layers.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The crown is right as it is</source>
        <translation>Die Krone ist richtig, wie sie ist</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The crown is wrong</source>
        <translation>Die Krone ist falsch</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The crown was wrong, and you have corrected it</source>
        <translation>Die Krone war falsch, und Sie haben sie korrigiert</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>The crown's plot.</source>
        <translation>Der Plot der Krone.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>The crowns of layer '{layer}' cannot be transformed to the coordinate system of image '{image}'. Check the coordinate systems of both.</source>
        <translation>Die Kronen des Layers „{layer}“ lassen sich nicht in das Koordinatensystem des Bildes „{image}“ transformieren. Prüfen Sie die Koordinatensysteme beider.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>The crowns of {file} cannot be transformed from {crs} to {to}; import it separately.</source>
        <translation>Die Kronen von {file} lassen sich nicht von {crs} nach {to} transformieren; importieren Sie die Datei für sich.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The crowns of {plots} lie in different places on the two sides, but only crowns of one plot are compared. Choose a field with the same plot names, or leave it empty.</source>
        <translation>Die Kronen von {plots} liegen auf den beiden Seiten an verschiedenen Orten, verglichen werden aber nur Kronen desselben Plots. Wählen Sie ein Feld mit denselben Plotnamen oder lassen Sie es leer.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The decisions must be a stack, or a list with an array per annotator.</source>
        <translation>Die Entscheidungen müssen ein Stapel sein, oder eine Liste mit einem Array je Annotator.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>The delineation covers much of another target.</source>
        <translation>Der Umriss bedeckt viel von einer anderen Zielkrone.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>The delineation covers {covered:.0%} of target {other} ({size_ratio:.1f} times the crown): merged</source>
        <translation>Der Umriss bedeckt {covered:.0%} von Zielkrone {other} (das {size_ratio:.1f}-fache der Krone): zusammengefasst</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>The delineation covers {share:.0%} of the crown, but {covered:.0%} of target {other}: low overlap</source>
        <translation>Die Abgrenzung bedeckt {share:.0%} der Krone, aber {covered:.0%} von Ziel {other}: geringe Überlappung</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The delineation does not touch the certain crown: score 0.</source>
        <translation>Der Umriss berührt die sichere Krone nicht: Wert 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>The delineation has the target's size, but lies elsewhere.</source>
        <translation>Der Umriss hat die Größe der Zielkrone, liegt aber anderswo.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>The delineation is much larger than the target.</source>
        <translation>Der Umriss ist viel größer als die Zielkrone.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>The delineation is much smaller than the target.</source>
        <translation>Der Umriss ist viel kleiner als die Zielkrone.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The delineations ({delineations}) were compared with the target crowns ({targets}) by RandCrowns (Stewart et al. 2021), by intersection over union (IoU), and by IoUCrowns, which is the IoU without the uncertain rim of the target.</source>
        <translation>Die Umrisse ({delineations}) wurden mit den Zielkronen ({targets}) verglichen: mit RandCrowns (Stewart et al. 2021), mit Intersection over Union (IoU) und mit IoUCrowns, der IoU ohne den unsicheren Rand der Zielkrone.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The delineations of the annotators ({annotators}) were combined into a consensus: {method} ({works}).</source>
        <translation>Die Umrisse der Annotatoren ({annotators}) wurden zu einem Konsens zusammengefasst: {method} ({works}).</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The delineations of the annotators ({annotators}) were compared at every point of the study area (Lampert et al. 2016): F1 of every two annotators (Eq. 6) and their clusters by Ward's method on 1 - F1, the agreement ratio (Eq. 3), Smyth's lower bound on their mean error (Smyth 1996; Eq. 1), and agreement beyond chance (Fleiss 1971).</source>
        <translation>Die Umrisse der Annotatoren ({annotators}) wurden an jedem Punkt des Untersuchungsgebiets verglichen (Lampert et al. 2016): F1 je zweier Annotatoren (Gl. 6) und ihre Gruppen nach Wards Verfahren auf 1 - F1, das Übereinstimmungsverhältnis (Gl. 3), Smyths untere Schranke ihres mittleren Fehlers (Smyth 1996; Gl. 1) und die Übereinstimmung über den Zufall hinaus (Fleiss 1971).</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The detectors ({detectors}) were ranked under every ground truth made from the annotators ({annotators}), as by Lampert et al. (2016): over areas by the area under the curve of P̄ over recall (AUCR, Eq. 7), and over whole crowns by average precision over all points of the curve.</source>
        <translation>Die Detektoren ({detectors}) wurden unter jeder Referenz geordnet, die aus den Annotatoren ({annotators}) gemacht wurde, wie bei Lampert et al. (2016): über Flächen nach der Fläche unter der Kurve von P̄ über der Trefferquote (AUCR, Gl. 7), über ganze Kronen nach der durchschnittlichen Präzision über alle Punkte der Kurve.</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>The disk is full: {file} cannot be written. Free some space and run again, or choose a file on another disk.</source>
        <translation>Der Datenträger ist voll: {file} lässt sich nicht schreiben. Schaffen Sie Platz und starten Sie erneut, oder wählen Sie eine Datei auf einem anderen.</translation>
    </message>
    <message>
        <location filename="../core/classes/strata.py"/>
        <source>The distance to the edge needs the image's extent.</source>
        <translation>Der Abstand zum Rand braucht die Ausdehnung des Bildes.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>The distinct rankings of the detectors, and the ground truths that give each.</source>
        <translation>Die verschiedenen Rangfolgen der Detektoren und die Referenzen, die zu jeder führen.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>The distinct rankings, and the ground truths that give each.</source>
        <translation>Die verschiedenen Rangfolgen und die Referenzen, die zu jeder führen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The estimation did not converge within the largest number of rounds.</source>
        <translation>Die Schätzung konvergierte nicht innerhalb der höchsten Zahl der Durchgänge.</translation>
    </message>
    <message>
        <location filename="../layers/vector/study_site.py"/>
        <source>The extent and the extent layer have nothing in common; leave one of them out.</source>
        <translation>Ausdehnung und Ausdehnungs-Layer haben nichts gemeinsam; lassen Sie eines davon weg.</translation>
    </message>
    <message>
        <location filename="../layers/vector/study_site.py"/>
        <source>The extent cannot be transformed to {working}: it is too large, or not in {crs}. Choose a smaller one around the crowns.</source>
        <translation>Die Ausdehnung lässt sich nicht nach {working} transformieren: Sie ist zu groß oder nicht in {crs}. Wählen Sie eine kleinere um die Kronen.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <location filename="../layers/vector/study_site.py"/>
        <source>The extent has no area.</source>
        <translation>Die Ausdehnung hat keine Fläche.</translation>
    </message>
    <message>
        <location filename="../layers/vector/study_site.py"/>
        <source>The extent is larger than any map. Enter an extent around the crowns, in metres or degrees.</source>
        <translation>Die Ausdehnung ist größer als jede Karte. Geben Sie eine Ausdehnung um die Kronen ein, in Metern oder Grad.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>The extent must be a polygon, or four numbers: xmin, ymin, xmax, ymax.</source>
        <translation>Die Ausdehnung muss ein Polygon sein oder vier Zahlen: xmin, ymin, xmax, ymax.</translation>
    </message>
    <message>
        <location filename="../layers/vector/study_site.py"/>
        <source>The extent must consist of four finite numbers.</source>
        <translation>Die Ausdehnung muss aus vier endlichen Zahlen bestehen.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>The extent of the map when Run is pressed.</source>
        <translation>Die Ausdehnung der Karte zu Beginn des Laufs.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The factor a must be 0 or more, not {a:g}.</source>
        <translation>Der Faktor a muss 0 oder mehr sein, nicht {a:g}.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The feature has no usable outline: no score.</source>
        <translation>Das Objekt hat keinen brauchbaren Umriss: kein Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/file_layers.py"/>
        <source>The file for '{name}' holds the layers {layers}. Choose one: open it in QGIS, or write |layername=… after the path of the file.</source>
        <translation>Die Datei für „{name}“ enthält die Layer {layers}. Wählen Sie einen: Öffnen Sie ihn in QGIS, oder schreiben Sie |layername=… hinter den Pfad der Datei.</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>The file {file} is damaged; choose another file.</source>
        <translation>Die Datei {file} ist beschädigt; wählen Sie eine andere.</translation>
    </message>
    <message>
        <location filename="../layers/files/staging.py"/>
        <source>The file {path} cannot be replaced; is it open in another program?</source>
        <translation>Die Datei {path} lässt sich nicht ersetzen; ist sie in einem anderen Programm offen?</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>The files contain no crowns that can be used.</source>
        <translation>Die Dateien enthalten keine brauchbaren Kronen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>The files hold {number:,} annotations, more than {most:,}; raise the score threshold, or import fewer.</source>
        <translation>Die Dateien enthalten {number:,} Annotationen, mehr als {most:,}; erhöhen Sie den kleinsten Wert oder importieren Sie weniger.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>The files in {folder} have different coordinate systems ({systems}); transform them to one.</source>
        <translation>Die Dateien in {folder} haben verschiedene Koordinatensysteme ({systems}); transformieren Sie sie in eines.</translation>
    </message>
    <message>
        <location filename="../layers/raster/masks.py"/>
        <source>The first band is used of annotators' rasters with several bands: {names}.</source>
        <translation>Bei Rastern der Annotatoren mit mehreren Kanälen gilt der erste Kanal: {names}.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>The first line of {file} does not name the columns; write a first line such as: x y z tree_id.</source>
        <translation>Die erste Zeile von {file} nennt die Spalten nicht; schreiben Sie eine erste Zeile wie: x y z tree_id.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>The first problem of a delineation that applies: missing, shifted, too large, too small, low overlap; or none. Without a delineation (NULL) the problem is 'missing'.</source>
        <translation>Das erste zutreffende Problem eines Umrisses: missing, shifted, too large, too small, low overlap; oder none. Ohne Umriss (NULL) ist das Problem „missing“.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>The folder {folder} holds no point clouds; choose a folder with one file per tree.</source>
        <translation>Der Ordner {folder} enthält keine Punktwolken; wählen Sie einen Ordner mit einer Datei je Baum.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>The folder {folder} of '{name}' does not exist. Create it or choose another folder.</source>
        <translation>Den Ordner {folder} von „{name}“ gibt es nicht. Legen Sie ihn an oder wählen Sie einen anderen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>The format of each file is detected from its content. The summary shows the detected formats.</source>
        <translation>Das Format jeder Datei wird an ihrem Inhalt erkannt. Die Zusammenfassung zeigt die erkannten Formate.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>The grid has {sets:,} sets of parameters, more than {most:,}; take larger steps.</source>
        <translation>Das Gitter hat {sets:,} Parametersätze, mehr als {most:,}; nehmen Sie größere Schritte.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The grid would have {down:.3g} x {across:.3g} pixels of {pixel:g} m, more than {most:,}; choose a smaller study area or larger pixels.</source>
        <translation>Das Gitter hätte {down:.3g} x {across:.3g} Pixel von {pixel:g} m, mehr als {most:,}; wählen Sie ein kleineres Untersuchungsgebiet oder größere Pixel.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The grid would have {rows:,} x {columns:,} pixels, more than {most:,}; choose a smaller study area or larger pixels.</source>
        <translation>Das Gitter hätte {rows:,} x {columns:,} Pixel, mehr als {most:,}; wählen Sie ein kleineres Untersuchungsgebiet oder größere Pixel.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The ground truth '{method}' cannot be computed for resampled annotators; choose one of {methods}.</source>
        <translation>Die Referenz „{method}“ lässt sich für neu gezogene Annotatoren nicht berechnen; wählen Sie eine von {methods}.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>The ground truth (.json) of results, which name images by number. The names and sizes of its images and the names of its classes are used; its crowns are not imported. Default: the only ground truth beside the results that has their images.</source>
        <translation>Die Referenzdatei (.json) der Ergebnisse, die Bilder nur mit Nummern benennen. Die Namen und Größen ihrer Bilder und die Namen ihrer Klassen werden verwendet; ihre Kronen werden nicht importiert. Voreinstellung: die einzige Referenzdatei neben den Ergebnissen, die deren Bilder enthält.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The ground truth marks everything, so there can be no false alarm.</source>
        <translation>Die Referenz markiert alles, es kann also keinen Fehlalarm geben.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The ground truth marks nothing, so there is nothing to detect.</source>
        <translation>Die Referenz markiert nichts, es gibt also nichts zu erkennen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>The ground truth that is made of the annotators of each bootstrap sample. LSML is not offered because it would take too long.</source>
        <translation>Die Referenz, die aus den Annotatoren jeder Bootstrap-Stichprobe gebildet wird. LSML steht nicht zur Wahl, da es zu lange dauern würde.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>The ground truth {file} does not exist.</source>
        <translation>Die Referenzdatei {file} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>The group of classes '{name}' occurs twice. Write all of its classes once, such as {name}=PIPA+PIEL.</source>
        <translation>Die Gruppe von Klassen '{name}' kommt zweimal vor. Schreiben Sie alle ihre Klassen einmal, etwa {name}=PIPA+PIEL.</translation>
    </message>
    <message>
        <location filename="../layers/guide.py"/>
        <source>The guide is missing in this copy of the plugin ({file} does not exist). Install the plugin's zip file, which contains it.</source>
        <translation>In dieser Kopie der Erweiterung fehlt das Handbuch ({file} gibt es nicht). Installieren Sie die ZIP-Datei der Erweiterung, die es enthält.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>The heights of {file} are in units of {unit:.4g} m; they are converted to metres.</source>
        <translation>Die Höhen von {file} sind in Einheiten von {unit:.4g} m; sie werden in Meter umgerechnet.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>The id of points without an instance ({invalid_id}) must be below the lowest instance id ({lowest}).</source>
        <translation>Die Id von Punkten ohne Instanz ({invalid_id}) muss unter der kleinsten Id einer Instanz liegen ({lowest}).</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>The id of uncertain predictions ({uncertain_id}) must not be above the id of points without an instance ({invalid_id}).</source>
        <translation>Die Id unsicherer Vorhersagen ({uncertain_id}) darf nicht über der Id von Punkten ohne Instanz ({invalid_id}) liegen.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/variance.py"/>
        <source>The image behind the gallery cannot be found or opened.</source>
        <translation>Das Bild hinter der Galerie lässt sich nicht finden oder öffnen.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The image does not show it clearly</source>
        <translation>Das Bild zeigt es nicht eindeutig</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>The image folder {folder} does not exist.</source>
        <translation>Den Ordner der Bilder {folder} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare_annotators.py"/>
        <source>The image has too many pixels in the study area for its correlations. Choose a smaller study area.</source>
        <translation>Das Bild hat im Untersuchungsgebiet zu viele Pixel für seine Korrelationen. Wählen Sie ein kleineres Untersuchungsgebiet.</translation>
    </message>
    <message>
        <location filename="../core/scoring/idtrees.py"/>
        <source>The image must be a whole number of pixels wide, at least 1, not {image_size}.</source>
        <translation>Das Bild muss eine ganze Zahl von Pixeln breit sein, mindestens 1, nicht {image_size}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>The image must have rows and columns, and bands before them; its shape is {shape}.</source>
        <translation>Das Bild muss Zeilen und Spalten haben und davor Kanäle; seine Form ist {shape}.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The image's brightness and contrast are those of bands {bands} (red, green, blue).</source>
        <translation>Helligkeit und Kontrast des Bildes sind die der Kanäle {bands} (rot, grün, blau).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The image's brightness and contrast are those of its first band.</source>
        <translation>Helligkeit und Kontrast des Bildes sind die seines ersten Kanals.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>The images have pixels of different sizes. Give a pixel size, or resample the images to one pixel size.</source>
        <translation>Die Bilder haben Pixel verschiedener Größe. Geben Sie eine Pixelgröße an oder rechnen Sie die Bilder auf eine gemeinsame Pixelgröße um.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The images have too many pixels together for correlations with them. Compare fewer images at a time.</source>
        <translation>Die Bilder haben zusammen zu viele Pixel für Korrelationen mit ihnen. Vergleichen Sie weniger Bilder auf einmal.</translation>
    </message>
    <message>
        <location filename="../ui/shell/import_export.py"/>
        <source>The import was cancelled; nothing was added.</source>
        <translation>Der Import wurde abgebrochen; nichts wurde hinzugefügt.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>The imported crowns are in several coordinate systems ({systems}); all of them were transformed to {crs}.</source>
        <translation>Die importierten Kronen liegen in mehreren Koordinatensystemen ({systems}); alle wurden nach {crs} transformiert.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>The installation failed; the log says why. Nothing of QGIS was changed.</source>
        <translation>Die Installation ist gescheitert; das Protokoll sagt, warum. An QGIS wurde nichts geändert.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/statistics.py"/>
        <source>The intervals are based on {count} plots only. They are valid if these plots are a random sample, and they are much wider than those of more plots.</source>
        <translation>
            <numerusform>Die Intervalle beruhen auf nur {count} Plots. Sie gelten, wenn diese Plots eine Zufallsstichprobe sind, und sind viel breiter als die von mehr Plots.</numerusform>
            <numerusform>Die Intervalle beruhen auf nur {count} Plots. Sie gelten, wenn diese Plots eine Zufallsstichprobe sind, und sind viel breiter als die von mehr Plots.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/scoring/parameters.py"/>
        <source>The kind of offsets must be one of {kinds}, not '{kind}'.</source>
        <translation>Die Art der Ecken muss eine von {kinds} sein, nicht „{kind}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>The largest distance, as pointtree documents.</source>
        <translation>Die größte Entfernung, wie pointtree es beschreibt.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/form.py"/>
        <source>The last {name} is below the first.</source>
        <translation>Der letzte Wert von {name} liegt unter dem ersten.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The layer compared with the targets has {times:,.0f} times as many crowns</source>
        <translation>Der mit den Zielkronen verglichene Layer hat {times:,.0f}-mal so viele Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <location filename="../algorithms/parameter_types.py"/>
        <source>The layer for '{name}' cannot be found or opened.</source>
        <translation>Der Layer für „{name}“ lässt sich nicht finden oder öffnen.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>The layer of disagreements is no longer in the project; run again.</source>
        <translation>Der Layer der Abweichungen ist nicht mehr im Projekt; starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>The layer with these scores was removed. Run again.</source>
        <translation>Der Layer mit diesen Werten wurde entfernt. Starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>The layer {layer} of the sample plot in {folder} cannot be read: it is empty or lacks its coordinate system, although it was just written. Is the disk full, or QGIS's installation damaged?</source>
        <translation>Der Layer {layer} des Beispiel-Plots in {folder} lässt sich nicht lesen: Er ist leer oder ohne Koordinatensystem, obwohl er gerade geschrieben wurde. Ist der Datenträger voll oder die Installation von QGIS beschädigt?</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <location filename="../ui/tuning/page.py"/>
        <source>The layers are in the layer tree.</source>
        <translation>Die Layer sind im Layerbaum.</translation>
    </message>
    <message>
        <location filename="../core/crs.py"/>
        <source>The layers have different coordinate systems ({named}). Reproject them to one.</source>
        <translation>Die Layer haben verschiedene Koordinatensysteme ({named}). Reprojizieren Sie alle in dasselbe.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>The layers lie in pixel coordinates without a coordinate system: lengths are in pixels, areas in px².</source>
        <translation>Die Layer liegen in Pixelkoordinaten ohne Koordinatensystem: Längen sind in Pixeln, Flächen in px².</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>The layers lie in pixel coordinates, without a coordinate system, so '{name}' cannot be {value}. Leave it at 0, or georeference the images.</source>
        <translation>Die Layer liegen in Pixelkoordinaten, ohne Koordinatensystem; „{name}“ kann daher nicht {value} sein. Lassen Sie 0 stehen oder georeferenzieren Sie die Bilder.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The layers name {plots:,} plots in field '{field}', which is not chosen as the plot: nothing is counted or resampled by plot.</source>
        <translation>Die Layer nennen {plots:,} Plots im Feld „{field}“, das nicht als Plot gewählt ist: Nichts wird nach Plots gezählt oder neu gezogen.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>The layers of the displayed run were removed. Run again.</source>
        <translation>Die Layer des gezeigten Laufs wurden entfernt. Starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>The layers of the last run were replaced, except {layers}: edited, styled or read by the new run.</source>
        <translation>Die Layer des letzten Laufs wurden ersetzt, außer {layers}: bearbeitet, gestaltet oder vom neuen Lauf gelesen.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>The layers of the last run were replaced.</source>
        <translation>Die Layer des letzten Laufs wurden ersetzt.</translation>
    </message>
    <message>
        <location filename="../layers/files/vector_files.py"/>
        <source>The layers of {path} are in several coordinate systems; import them one by one.</source>
        <translation>Die Layer von {path} sind in mehreren Koordinatensystemen; importieren Sie sie einzeln.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>The layers that were read.</source>
        <translation>Die gelesenen Layer.</translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>The layout {template} cannot be read; install the plugin again.</source>
        <translation>Das Layout {template} ist nicht lesbar; installieren Sie die Erweiterung neu.</translation>
    </message>
    <message>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>The layouts of earlier runs of this page get the map, tables, texts and plot of this run. Their design stays.</source>
        <translation>Die Layouts früherer Läufe dieser Seite erhalten Karte, Tabellen, Texte und Diagramm dieses Laufs. Ihre Gestaltung bleibt.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The level of agreement must lie between 0 and 1, not {share:g}.</source>
        <translation>Die Stufe der Übereinstimmung muss zwischen 0 und 1 liegen, nicht bei {share:g}.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>The libraries are packages of this system.</source>
        <translation>Die Bibliotheken sind Pakete dieses Systems.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>The limit '{name}' must be a number from {least} to {most}.</source>
        <translation>Die Grenze „{name}“ muss eine Zahl von {least} bis {most} sein.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>The limit for wrong pairs must be above 0 and at most 1, but it is {limit}.</source>
        <translation>Die Grenze für falsche Paare muss über 0 und höchstens bei 1 liegen, ist aber {limit}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>The lower and the upper skew limit.</source>
        <translation>Die untere und die obere Grenze des Positivanteils.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>The lowest IoU first; with equal IoU, the largest first; {colours}</source>
        <translation>Der niedrigste IoU zuerst; bei gleichem IoU die größten zuerst; {colours}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>The lowest RandCrowns first; red: target, black: delineation.</source>
        <translation>Der niedrigste RandCrowns zuerst; rot: Zielkrone, schwarz: Umriss.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>The lowest RandCrowns of all delineations that are nearest to a target. One poor delineation lowers the score.</source>
        <translation>Der niedrigste RandCrowns aller Umrisse, denen die Zielkrone am nächsten liegt. Ein schlechter Umriss verringert den Wert.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>The lowest ids must be the same, but targets start with {targets} and predictions with {predictions}; number both from the same id on.</source>
        <translation>Die kleinsten Ids müssen gleich sein, aber Ziele beginnen mit {targets} und Vorhersagen mit {predictions}; nummerieren Sie beide ab derselben Id.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/form.py"/>
        <source>The map has no coordinate system: set one in the project's properties, or choose another study area.</source>
        <translation>Die Karte hat kein Koordinatensystem: Setzen Sie eines in den Eigenschaften des Projekts oder wählen Sie ein anderes Untersuchungsgebiet.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The mask has the shape {shape}, the decisions {other_shape}.</source>
        <translation>Die Maske hat die Form {shape}, die Entscheidungen {other_shape}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The mask must be True or False at every unit (True excludes it), not {dtype}.</source>
        <translation>Die Maske muss an jeder Einheit wahr oder falsch sein (wahr schließt aus), nicht {dtype}.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The matching for {what} was {method}: {rule}</source>
        <translation>Die Zuordnung für {what} war {method}: {rule}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>The mean score of all delineations that are nearest to a target, divided by their number. Splitting a crown lowers the score.</source>
        <translation>Der mittlere Wert aller Umrisse, denen die Zielkrone am nächsten liegt, geteilt durch ihre Anzahl. Das Zerteilen einer Krone verringert den Wert.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>The memory does not suffice for {resamples:,} resamples. Use fewer, such as 1,000.</source>
        <translation>Der Speicher reicht nicht für {resamples:,} Bootstrap-Stichproben. Verwenden Sie weniger, etwa 1.000.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The method moves a contour over pixels. Set a pixel size to compute it.</source>
        <translation>Das Verfahren bewegt eine Kontur über Pixel. Geben Sie eine Pixelgröße an, um es anzuwenden.</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>The minimum IoU of a match must lie between 0 and 1, but it is {min_iou}.</source>
        <translation>Der kleinste IoU einer Zuordnung muss zwischen 0 und 1 liegen, ist aber {min_iou}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The missing ratings have the shape {shape}, the decisions {other_shape}.</source>
        <translation>Die fehlenden Bewertungen haben die Form {shape}, die Entscheidungen {other_shape}.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>The name of raster '{name}' does not fit the pattern '{pattern}'.</source>
        <translation>Der Name des Rasters „{name}“ passt nicht zum Muster „{pattern}“.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The names of annotators {names} differ in upper and lower case only. They count as different annotators.</source>
        <translation>Die Namen der Annotatoren {names} unterscheiden sich nur in Groß- und Kleinschreibung. Sie zählen als verschiedene Annotatoren.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The names of classes {names} differ in upper and lower case only. They count as different classes.</source>
        <translation>Die Namen der Klassen {names} unterscheiden sich nur in Groß- und Kleinschreibung. Sie zählen als verschiedene Klassen.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>The names of classes {names} differ in upper and lower case or in spaces only. They count as different classes.</source>
        <translation>Die Namen der Klassen {names} unterscheiden sich nur in Groß- und Kleinschreibung oder Leerzeichen. Sie zählen als verschiedene Klassen.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The names of plots {names} differ in upper and lower case only. They count as different plots.</source>
        <translation>Die Namen der Plots {names} unterscheiden sich nur in Groß- und Kleinschreibung. Sie zählen als verschiedene Plots.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The next crown of the list</source>
        <translation>Die nächste Krone der Liste</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>The number of annotators varies in few blocks. Even an image equal to it would have p = {p:.2f} here, so a p-value of that size does not mean that the correlation is weak.</source>
        <translation>Die Zahl der Annotatoren schwankt nur in wenigen Blöcken. Selbst ein Bild, das ihr gleicht, hätte hier p = {p:.2f}; ein p-Wert dieser Größe bedeutet also nicht, dass die Korrelation schwach ist.</translation>
    </message>
    <message>
        <location filename="../core/tuning/variance.py"/>
        <source>The number of crowns to pick must be a whole number of at least 1, not {number}.</source>
        <translation>Die Zahl der auszusuchenden Kronen muss eine ganze Zahl von mindestens 1 sein, nicht {number}.</translation>
    </message>
    <message>
        <location filename="../core/tuning/wrong_pairs.py"/>
        <source>The number of warped copies must be a whole number of at least 1, not {number}.</source>
        <translation>Die Zahl der verzerrten Kopien muss eine ganze Zahl von mindestens 1 sein, nicht {number}.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>The outline is no polygon with an area.</source>
        <translation>Der Umriss ist kein Polygon mit einer Fläche.</translation>
    </message>
    <message>
        <location filename="../core/outlines.py"/>
        <source>The outlines in rows {rows} cross themselves more than {limit:,} times. Remove or redraw them.</source>
        <translation>Die Umrisse in den Zeilen {rows} kreuzen sich mehr als {limit:,}-mal selbst. Entfernen Sie sie oder zeichnen Sie sie neu.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>The output '{name}' cannot be written to {where}: {why}</source>
        <translation>Die Ausgabe „{name}“ lässt sich nicht nach {where} schreiben: {why}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>The output '{name}' requires a pixel size.</source>
        <translation>Die Ausgabe „{name}“ benötigt eine Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>The pattern '{pattern}' must hold {{image}} and {{annotator}} once each.</source>
        <translation>Das Muster „{pattern}“ muss {{image}} und {{annotator}} je einmal enthalten.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>The picture shows {shown} of the {all} values of gamma; the table has them all.</source>
        <translation>Das Bild zeigt {shown} der {all} Werte von Gamma; die Tabelle hat alle.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The pixel size must be above 0 m, but it is {pixel:g} m.</source>
        <translation>Die Pixelgröße muss über 0 m liegen, ist aber {pixel:g} m.</translation>
    </message>
    <message>
        <location filename="../layers/raster/write.py"/>
        <source>The pixels cannot be turned into polygons: {error}</source>
        <translation>Die Pixel lassen sich nicht in Polygone umwandeln: {error}</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>The pixels of raster '{first}' are counted.</source>
        <translation>Gezählt werden die Pixel des Rasters „{first}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>The pixels of the rasters; without a raster the rectangle around all annotators' polygons.</source>
        <translation>Die Pixel der Raster; ohne Raster das Rechteck um die Polygone aller Annotatoren.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>The plugin RandCrowns is not loaded.</source>
        <translation>Die Erweiterung RandCrowns ist nicht geladen.</translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>The plugin lacks its file {file}. Install the plugin again.</source>
        <translation>Dem Plugin fehlt seine Datei {file}. Installieren Sie das Plugin erneut.</translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>The points must be a one-dimensional array of shapely points.</source>
        <translation>Die Punkte müssen ein eindimensionales Array von Punkten von shapely sein.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>The polygons of a layer, for example one per plot.</source>
        <translation>Die Polygone eines Layers, zum Beispiel eines je Plot.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>The polygons of every annotator alone.</source>
        <translation>Die Polygone jedes Annotators für sich.</translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>The predicted trees lie up to {distance:,.1f} km apart, too far for heights above the terrain from {points:,} points; remove points that lie far from the others, cut the cloud into plots, or leave the smallest tree height at 0.</source>
        <translation>Die vorhergesagten Bäume liegen bis zu {distance:,.1f} km auseinander, zu weit für Höhen über dem Gelände aus {points:,} Punkten; entfernen Sie Punkte, die weit von den anderen liegen, zerlegen Sie die Wolke in Plots, oder lassen Sie die Mindesthöhe der Bäume bei 0.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The predicted trees of the labelled point cloud {cloud} were compared with its target trees.</source>
        <translation>Die vorhergesagten Bäume der beschrifteten Punktwolke {cloud} wurden mit ihren Zielbäumen verglichen.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The predictions ({predictions}) were compared with the targets ({targets}).</source>
        <translation>Die Vorhersagen ({predictions}) wurden mit den Zielen ({targets}) verglichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>The predictions have no field '{field}'.</source>
        <translation>Die Vorhersagen haben kein Feld „{field}“.</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>The previous crown of the list</source>
        <translation>Die vorige Krone der Liste</translation>
    </message>
    <message>
        <location filename="../layers/files/staging.py"/>
        <source>The previous versions of {files} could not be restored. They are in the folder {folder}.</source>
        <translation>Die vorherigen Versionen von {files} ließen sich nicht wiederherstellen. Sie liegen im Ordner {folder}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The prior decides how much STAPLE marks.</source>
        <translation>Vom Prior hängt ab, wie viel STAPLE markiert.</translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>The prior decides how much is marked: with {value:.3g} ({prior}) {share:.2%} of the study area, with {other_value:.3g} ({other}) {other_share:.2%}.</source>
        <translation>Vom Prior hängt ab, wie viel markiert wird: mit {value:.3g} ({prior}) {share:.2%} des Untersuchungsgebiets, mit {other_value:.3g} ({other}) {other_share:.2%}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>The prior must be 'any', 'mean' or a number between 0 and 1, not '{prior}'.</source>
        <translation>Der Prior muss „any“, „mean“ oder eine Zahl zwischen 0 und 1 sein, nicht „{prior}“.</translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>The prior must lie between 0 and 1, both excluded, not {prior:g}.</source>
        <translation>Der Prior muss zwischen 0 und 1 liegen, beide ausgeschlossen, nicht bei {prior:g}.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/classes/staple.py"/>
        <source>The prior needs a probability above 0 for each of the {count} classes, and they must add up to 1.</source>
        <translation>
            <numerusform>Der Prior braucht für jede der {count} Klassen eine Wahrscheinlichkeit über 0, und ihre Summe muss 1 sein.</numerusform>
            <numerusform>Der Prior braucht für jede der {count} Klassen eine Wahrscheinlichkeit über 0, und ihre Summe muss 1 sein.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>The program could not be started. Copy the command into a terminal.</source>
        <translation>Das Programm ließ sich nicht starten. Kopieren Sie den Befehl in ein Terminal.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>The project does not have these layers, which the run has read. They cannot be drawn: {layers}.</source>
        <translation>Dem Projekt fehlen diese Layer, die der Lauf gelesen hat. Sie können nicht gezeichnet werden: {layers}.</translation>
    </message>
    <message>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>The project has no layer '{layer}' of this run: it was not made, or was removed. Run again.</source>
        <translation>Das Projekt hat keinen Layer „{layer}“ dieses Laufs: Er wurde nicht erstellt oder entfernt. Starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>The project is not saved yet, so the new layers are temporary. Save the project or choose a file.</source>
        <translation>Das Projekt ist noch nicht gespeichert, daher sind die neuen Layer temporär. Speichern Sie das Projekt oder wählen Sie eine Datei.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The published method can mark places that no annotator marked; the clipped one cannot.</source>
        <translation>Das veröffentlichte Verfahren kann Stellen markieren, die kein Annotator markiert hat; das beschnittene nicht.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The published threshold for discarding annotators differs between sources; mean minus one standard deviation of the kept annotators' overlap is our default.</source>
        <translation>Der veröffentlichte Schwellenwert für das Verwerfen von Annotatoren unterscheidet sich je nach Quelle; unsere Vorgabe ist das Mittel minus eine Standardabweichung der Überlappung der behaltenen Annotatoren.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>The range '{range}' of {name} ends at {reached:g}: no step leads to {last:g}, so {last:g} is not tried.</source>
        <translation>Der Bereich „{range}“ von {name} endet bei {reached:g}: Kein Schritt führt zu {last:g}, daher wird {last:g} nicht versucht.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>The range '{text}' of {name} has more than {many:,} values. Take a larger step.</source>
        <translation>Der Bereich „{text}“ von {name} hat mehr als {many:,} Werte. Wählen Sie einen größeren Schritt.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>The range '{text}' of {name} is empty: the step must be above 0 and the last number not below the first.</source>
        <translation>Der Bereich „{text}“ von {name} ist leer: Der Schritt muss über 0 liegen, und die letzte Zahl darf nicht kleiner als die erste sein.</translation>
    </message>
    <message>
        <location filename="../layers/raster/write.py"/>
        <source>The raster {path} cannot be written ({reason}). Free disk space, or choose another folder.</source>
        <translation>Das Raster {path} lässt sich nicht schreiben ({reason}). Schaffen Sie Platz auf dem Datenträger oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>The rectangle of a raster layer of the project.</source>
        <translation>Das Rechteck eines Raster-Layers des Projekts.</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>The report was cancelled; no file was changed.</source>
        <translation>Der Bericht wurde abgebrochen; keine Datei wurde geändert.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The required certainty is {level:g}. Give a share between 0.5 and 1, such as {usual:g}.</source>
        <translation>Die verlangte Sicherheit ist {level:g}. Geben Sie einen Anteil zwischen 0,5 und 1 an, etwa {usual:g}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>The result depends on where the contour starts, here at what half of the annotators marked.</source>
        <translation>Das Ergebnis hängt davon ab, wo die Kontur beginnt, hier bei dem, was die Hälfte der Annotatoren markiert hat.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/consensus_form.py"/>
        <source>The results are out of date: {why} Run again before you make a consensus.</source>
        <translation>Die Ergebnisse sind veraltet: {why} Starten Sie erneut, bevor Sie einen Konsens bilden.</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>The results cannot be shown ({kind}: {why}). Run again. If this happens again, report it with the details in the log tab RandCrowns.</source>
        <translation>Die Ergebnisse lassen sich nicht zeigen ({kind}: {why}). Starten Sie erneut. Geschieht es wieder, melden Sie es mit den Einzelheiten aus dem Protokollreiter RandCrowns.</translation>
    </message>
    <message>
        <location filename="../layers/vector/tables.py"/>
        <source>The results have lost the field '{field}': their table was changed after the run. Run again.</source>
        <translation>Den Ergebnissen fehlt das Feld „{field}“: Ihre Tabelle wurde nach dem Lauf geändert. Starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>The results were not written because their layer was removed from the project.</source>
        <translation>Die Ergebnisse wurden nicht geschrieben, da ihr Layer aus dem Projekt entfernt wurde.</translation>
    </message>
    <message>
        <location filename="../ui/services/runner.py"/>
        <source>The results were written, but {place} cannot be opened.</source>
        <translation>Die Ergebnisse wurden geschrieben, aber {place} lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>The rule must be one of {rules}, not '{rule}'.</source>
        <translation>Die Regel muss eine von {rules} sein, nicht „{rule}“.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>The run '{run}' has no delineation layer '{name}'; show one that both runs have.</source>
        <translation>Der Lauf „{run}“ hat keinen Umriss-Layer „{name}“; zeigen Sie einen, den beide Läufe haben.</translation>
    </message>
    <message>
        <location filename="../ui/services/runner.py"/>
        <source>The run did not finish. See the log tab RandCrowns for details.</source>
        <translation>Der Lauf wurde nicht beendet. Einzelheiten stehen im Protokollreiter RandCrowns.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>The run of {time} cannot be shown again. These tables were temporary, removed or emptied: {tables}.</source>
        <translation>Der Lauf von {time} lässt sich nicht wieder zeigen. Diese Tabellen waren temporär oder wurden entfernt oder geleert: {tables}.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>The run of {time} cannot be shown again: its fields were removed, or their values were changed.</source>
        <translation>Der Lauf von {time} lässt sich nicht wieder zeigen: Seine Felder wurden entfernt oder ihre Werte geändert.</translation>
    </message>
    <message>
        <location filename="../resources/report_parts.html"/>
        <source>The run read edits that were not saved, which the command does not read: {names}. Save the same edits before you run it.</source>
        <translation>Die Berechnung hat nicht gespeicherte Änderungen gelesen, die der Befehl nicht liest: {names}. Speichern Sie dieselben Änderungen, bevor Sie ihn ausführen.</translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>The run that is shown does not have this crown.</source>
        <translation>Der gezeigte Lauf hat diese Krone nicht.</translation>
    </message>
    <message>
        <location filename="../ui/shell/running_page.py"/>
        <source>The run was cancelled; no layer was changed.</source>
        <translation>Der Lauf wurde abgebrochen; kein Layer wurde geändert.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>The run's layers over the image.</source>
        <translation>Die Layer des Laufs über dem Bild.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The same at an IoU of 0.50.</source>
        <translation>Dasselbe bei einem IoU von 0,50.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The same at an IoU of 0.75.</source>
        <translation>Dasselbe bei einem IoU von 0,75.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>The same content on A4 pages.</source>
        <translation>Derselbe Inhalt auf A4-Seiten.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>The same correlation over the whole study area.</source>
        <translation>Dieselbe Korrelation über das ganze Untersuchungsgebiet.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>The same for the predicted attribute. Default: as for the targets.</source>
        <translation>Dasselbe für das vorhergesagte Attribut. Vorgabe: wie bei den Zielen.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>The same layer is selected twice as annotator ({names}). Select it once.</source>
        <translation>Derselbe Layer ist zweimal als Annotator gewählt ({names}). Wählen Sie ihn einmal.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>The same number of annotators marked every place.</source>
        <translation>Gleich viele Annotatoren haben jede Stelle markiert.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>The same seed selects the same crowns.</source>
        <translation>Derselbe Startwert wählt dieselben Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The same with the 10 predictions of highest score in each plot.</source>
        <translation>Dasselbe mit den 10 Vorhersagen mit dem höchsten Wert in jedem Plot.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The same with the 100 predictions of highest score in each plot.</source>
        <translation>Dasselbe mit den 100 Vorhersagen mit dem höchsten Wert in jedem Plot.</translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>The sample plot cannot be written to {folder}: {error}. Choose another folder.</source>
        <translation>Der Beispiel-Plot lässt sich nicht nach {folder} schreiben: {error}. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>The score is below the threshold, but no other problem applies.</source>
        <translation>Der Wert liegt unter dem Schwellenwert, aber kein anderes Problem trifft zu.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>The score that decides whether a detected crown is the annotator's crown.</source>
        <translation>Der Wert, der entscheidet, ob eine erkannte Krone die Krone des Annotators ist.</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>The score threshold must be a number, but it is {threshold}.</source>
        <translation>Der Schwellenwert muss eine Zahl sein, ist aber {threshold}.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>The scores are in fields of the target layer.</source>
        <translation>Die Werte stehen in Feldern des Ziel-Layers.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/live_scoring.py"/>
        <source>The scores of IDTReeS 2020 are of whole plots. Run again after drawing.</source>
        <translation>Die Werte von IDTReeS 2020 gelten für ganze Plots. Starten Sie nach dem Zeichnen erneut.</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>The scores of all delineations nearest to a target were averaged and divided by their number.</source>
        <translation>Die Werte aller Umrisse, die einer Zielkrone am nächsten liegen, wurden gemittelt und durch ihre Anzahl geteilt.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The scores of layer '{layer}' in field '{field}' lie between {low:.4g} and {high:.4g}, not between 0 and 1; they may be percentages or logits. They are used as they are, so a threshold must be in their unit.</source>
        <translation>Die Scores des Layers „{layer}“ im Feld „{field}“ liegen zwischen {low:.4g} und {high:.4g}, nicht zwischen 0 und 1; vielleicht sind es Prozentwerte oder Logits. Sie werden unverändert verwendet; ein Schwellenwert muss daher in ihrer Einheit sein.</translation>
    </message>
    <message>
        <location filename="../core/scoring/pairing.py"/>
        <source>The search radius must be a number of metres above 0, not {search_radius}.</source>
        <translation>Der Suchradius muss eine Zahl von Metern über 0 sein, nicht {search_radius}.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>The search was cancelled; no layer was changed.</source>
        <translation>Die Suche wurde abgebrochen; kein Layer wurde geändert.</translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>The seed of random numbers must be 0 or more, not {seed}.</source>
        <translation>Der Startwert der Zufallszahlen muss 0 oder mehr sein, nicht {seed}.</translation>
    </message>
    <message>
        <location filename="../core/scoring/parameters.py"/>
        <source>The segments per quarter circle must be a whole number of at least 1, not {quad_segs}.</source>
        <translation>Die Segmente je Viertelkreis müssen eine ganze Zahl von mindestens 1 sein, nicht {quad_segs}.</translation>
    </message>
    <message>
        <location filename="../core/instances/metrics.py"/>
        <source>The share must be 0 or more and below 1, not {share:g}.</source>
        <translation>Der Anteil muss 0 oder mehr und unter 1 sein, nicht {share:g}.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>The share of crowns that may be excluded must be at least 0 and below 1, but it is {most_excluded}.</source>
        <translation>Der Anteil der Kronen, die ausgeschlossen werden dürfen, muss mindestens 0 und kleiner als 1 sein, ist aber {most_excluded}.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>The share of the area that any annotator marked, as in Lampert et al. (2016). STAPLE marks more.</source>
        <translation>Der Anteil der Fläche, den mindestens ein Annotator markiert hat, wie bei Lampert et al. (2016). STAPLE markiert mehr.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>The share of the area that the annotators marked on average, as in ITK. STAPLE marks less.</source>
        <translation>Der Anteil der Fläche, den die Annotatoren im Mittel markiert haben, wie in ITK. STAPLE markiert weniger.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} bootstrap samples of annotators and plots.</source>
        <translation>Die Anteile stammen aus {draws:,} Bootstrap-Stichproben der Annotatoren und Plots.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} bootstrap samples of annotators and tiles.</source>
        <translation>Die Anteile stammen aus {draws:,} Bootstrap-Stichproben der Annotatoren und Kacheln.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} bootstrap samples of annotators.</source>
        <translation>Die Anteile stammen aus {draws:,} Bootstrap-Stichproben der Annotatoren.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} bootstrap samples of plots.</source>
        <translation>Die Anteile stammen aus {draws:,} Bootstrap-Stichproben der Plots.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} bootstrap samples of tiles.</source>
        <translation>Die Anteile stammen aus {draws:,} Bootstrap-Stichproben der Kacheln.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} of {asked:,} bootstrap samples of annotators and plots; the others could not be ranked.</source>
        <translation>Die Anteile stammen aus {draws:,} von {asked:,} Bootstrap-Stichproben der Annotatoren und Plots; die anderen ließen sich nicht ordnen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} of {asked:,} bootstrap samples of annotators and tiles; the others could not be ranked.</source>
        <translation>Die Anteile stammen aus {draws:,} von {asked:,} Bootstrap-Stichproben der Annotatoren und Kacheln; die anderen ließen sich nicht ordnen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} of {asked:,} bootstrap samples of annotators; the others could not be ranked.</source>
        <translation>Die Anteile stammen aus {draws:,} von {asked:,} Bootstrap-Stichproben der Annotatoren; die anderen ließen sich nicht ordnen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} of {asked:,} bootstrap samples of plots; the others could not be ranked.</source>
        <translation>Die Anteile stammen aus {draws:,} von {asked:,} Bootstrap-Stichproben der Plots; die anderen ließen sich nicht ordnen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>The shares are from {draws:,} of {asked:,} bootstrap samples of tiles; the others could not be ranked.</source>
        <translation>Die Anteile stammen aus {draws:,} von {asked:,} Bootstrap-Stichproben der Kacheln; die anderen ließen sich nicht ordnen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/blocks.py"/>
        <source>The side of a block must be at least one pixel, but it is {block_side:g} pixels.</source>
        <translation>Die Seite eines Blocks muss mindestens ein Pixel lang sein, ist aber {block_side:g} Pixel.</translation>
    </message>
    <message>
        <location filename="../core/agreement/blocks.py"/>
        <source>The side of a block must be positive, not {side:g}.</source>
        <translation>Die Seite eines Blocks muss positiv sein, nicht {side:g}.</translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>The skew limits cannot be computed because all ground truths mark the same share of the area ({skew:.3g}). Type the limits instead.</source>
        <translation>Die Grenzen des Positivanteils lassen sich nicht berechnen, da alle Referenzen denselben Anteil der Fläche markieren ({skew:.3g}). Geben Sie die Grenzen stattdessen ein.</translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>The skew limits cannot be computed because no ground truth marks anything. Type the limits instead.</source>
        <translation>Die Grenzen des Positivanteils lassen sich nicht berechnen, da keine Referenz etwas markiert. Geben Sie die Grenzen stattdessen ein.</translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>The skew limits {low} and {high} cannot be used. The fraction of positives must rise from the lower to the upper limit, both between 0 and 1. Try 0.1 and 0.5.</source>
        <translation>Die Grenzen des Positivanteils {low} und {high} sind nicht verwendbar. Der Anteil muss von der unteren zur oberen Grenze steigen, beide zwischen 0 und 1. Versuchen Sie 0,1 und 0,5.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The stack has {n_annotators} annotators, the table {other_n_annotators}.</source>
        <translation>Der Stapel hat {n_annotators} Annotatoren, die Tabelle {other_n_annotators}.</translation>
    </message>
    <message>
        <location filename="../core/classes/agreement.py"/>
        <source>The stack needs a raster of whole numbers per annotator, and the mask of missing ratings the same shape.</source>
        <translation>Der Stapel braucht je Annotator ein Raster ganzer Zahlen, und die Maske fehlender Bewertungen dieselbe Form.</translation>
    </message>
    <message>
        <location filename="../ui/services/interrupted_runs.py"/>
        <source>The state before the interrupted run is restored.</source>
        <translation>Der Zustand vor dem abgebrochenen Lauf ist wiederhergestellt.</translation>
    </message>
    <message>
        <location filename="../ui/shell/page.py"/>
        <source>The stored parameters of page {page} cannot be read; the page has its defaults.</source>
        <translation>Die gespeicherten Parameter der Seite {page} sind nicht lesbar; die Seite hat ihre Vorgaben.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The study area and the raster have no pixel in common; check where both lie.</source>
        <translation>Untersuchungsgebiet und Raster haben kein Pixel gemeinsam; prüfen Sie, wo beide liegen.</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>The study area has no width or no height; choose one with an area.</source>
        <translation>Das Untersuchungsgebiet hat keine Breite oder keine Höhe; wählen Sie eines mit einer Fläche.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The study area has shape {shape}, the score {other_shape}. Give both the same grid.</source>
        <translation>Das Untersuchungsgebiet hat die Form {shape}, der Wert {other_shape}. Geben Sie beiden dasselbe Gitter.</translation>
    </message>
    <message>
        <location filename="../core/geometry/overlay.py"/>
        <source>The study area is empty; choose a polygon with an area.</source>
        <translation>Das Untersuchungsgebiet ist leer; wählen Sie ein Polygon mit einer Fläche.</translation>
    </message>
    <message>
        <location filename="../layers/styles/styles.py"/>
        <source>The style {file} cannot be read ({why}); install the plugin again.</source>
        <translation>Der Stil {file} ist nicht lesbar ({why}); installieren Sie die Erweiterung neu.</translation>
    </message>
    <message>
        <location filename="../core/tuning/variance.py"/>
        <source>The table has no column {missing}. Use a table returned by annotator_variance.</source>
        <translation>Die Tabelle hat keine Spalte {missing}. Verwenden Sie eine Tabelle, die annotator_variance zurückgibt.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>The table of pairs contains delineation {detection}, but there are only {confidences} confidences. Give one per delineation.</source>
        <translation>Die Tabelle der Paare enthält den Umriss {detection}, aber es gibt nur {confidences} Konfidenzwerte. Geben Sie für jeden Umriss einen an.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>The table of pairs does not fit {targets} targets. Give the number of targets that it was made with.</source>
        <translation>Die Tabelle der Paare passt nicht zu {targets} Zielen. Geben Sie die Anzahl der Ziele an, mit der sie erstellt wurde.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>The table of pairs has no column {missing}. Score the crowns first.</source>
        <translation>Die Tabelle der Paare hat keine Spalte {missing}. Bewerten Sie zuerst die Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The target has a delineation and a score.</source>
        <translation>Die Zielkrone hat einen Umriss und einen Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The target has no delineation: score 0.</source>
        <translation>Die Zielkrone hat keinen Umriss: Wert 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The target is narrower than twice alpha, so it has no certain crown: no score, excluded from the means.</source>
        <translation>Die Zielkrone ist schmaler als das Doppelte von Alpha und hat daher keine sichere Krone: kein Wert, nicht in den Mitteln.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>The target layer has no field '{field}'.</source>
        <translation>Der Ziel-Layer hat kein Feld „{field}“.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>The target layer is among the delineations. Scored against itself, it scores 1.</source>
        <translation>Der Ziel-Layer ist unter den Umrissen. Gegen sich selbst bewertet, erreicht er den Wert 1.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>The target layer was removed while it was scored, so no field could be written.</source>
        <translation>Der Ziel-Layer wurde während der Bewertung entfernt, es konnte also kein Feld geschrieben werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>The target lies outside the image extent: no score.</source>
        <translation>Die Zielkrone liegt außerhalb der Bildausdehnung: kein Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>The targets lie in pixels of several images: crowns of one image only are compared.</source>
        <translation>Die Zielkronen liegen in Pixeln mehrerer Bilder: Nur Kronen eines Bildes werden miteinander verglichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>The targets with their own fields, and with three scores, status and match for each delineation layer.</source>
        <translation>Die Zielkronen mit ihren eigenen Feldern und, für jeden Umriss-Layer, mit drei Werten, Status und Partner.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>The targets' plots hold only {inside:.0%} of the crowns compared with them</source>
        <translation>Die Plots der Zielkronen enthalten nur {inside:.0%} der damit verglichenen Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/report/pages.py"/>
        <source>The template {file} cannot be used (line {line}): {why}</source>
        <translation>Die Vorlage {file} ist nicht verwendbar (Zeile {line}): {why}</translation>
    </message>
    <message>
        <location filename="../algorithms/report/pages.py"/>
        <source>The template {file} cannot be used: {why}</source>
        <translation>Die Vorlage {file} ist nicht verwendbar: {why}</translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>The terrain needs finite coordinates; some points have none.</source>
        <translation>Das Gelände braucht endliche Koordinaten; einige Punkte haben keine.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>The threshold of a match is not a number. Give one, such as 0.5.</source>
        <translation>Der Schwellenwert einer Zuordnung ist keine Zahl. Geben Sie eine an, etwa 0,5.</translation>
    </message>
    <message>
        <location filename="../core/detectors/tolerance.py"/>
        <source>The tolerance is {distance:g} m. It must be 0 or more metres.</source>
        <translation>Die Toleranz beträgt {distance:g} m. Sie muss 0 oder mehr Meter betragen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>The tolerance of {tolerance:g} {unit} is less than a pixel ({width:g} x {height:g} {unit}) and has no effect.</source>
        <translation>Die Toleranz von {tolerance:g} {unit} ist kleiner als ein Pixel ({width:g} x {height:g} {unit}) und hat keine Wirkung.</translation>
    </message>
    <message>
        <location filename="../core/scoring/offsets.py"/>
        <source>The true negative outer boundary could not be found; is a target's geometry degenerate?</source>
        <translation>Die äußere Grenze der Region, die sicher keine Krone ist, ließ sich nicht finden; ist die Geometrie einer Zielkrone entartet?</translation>
    </message>
    <message>
        <location filename="../core/detectors/mean_precision.py"/>
        <source>The true positive rates have shape {shape}, the false positive rates {other_shape}. Give one of each.</source>
        <translation>Die Richtig-Positiv-Raten haben die Form {shape}, die Falsch-Positiv-Raten {other_shape}. Geben Sie von beiden gleich viele an.</translation>
    </message>
    <message>
        <location filename="../ui/shell/comparison_form.py"/>
        <source>The two layers were swapped: '{layer}' is now compared with the targets.</source>
        <translation>Die beiden Layer wurden vertauscht: „{layer}“ wird jetzt mit den Zielen verglichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/run_history.py"/>
        <source>The two runs have different targets, '{first}' and '{other}', so their crowns cannot be compared.</source>
        <translation>Die beiden Läufe haben verschiedene Zielkronen, „{first}“ und „{other}“, daher lassen sich ihre Kronen nicht vergleichen.</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>The value of 'STAPLE: prior as a number'.</source>
        <translation>Der Wert von „STAPLE: Prior als Zahl“.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>The values of {name} contain commas: '{text}'. Write decimals with a point and spaces between numbers, such as 0.5 0.7.</source>
        <translation>Die Werte von {name} enthalten Kommas: „{text}“. Schreiben Sie Dezimalzahlen mit Punkt und Leerzeichen zwischen den Zahlen, etwa 0.5 0.7.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>The variance over alpha and omega for each gamma, as PNG or SVG; refused sets are hatched.</source>
        <translation>Die Varianz über Alpha und Omega für jedes Gamma, als PNG oder SVG; abgelehnte Sätze sind schraffiert.</translation>
    </message>
    <message>
        <location filename="../layers/files/verdict_file.py"/>
        <source>The verdict was not saved: {why}</source>
        <translation>Das Urteil wurde nicht gespeichert: {why}</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>The votes have shape {shape}, the score {other_shape}. Give both the same grid.</source>
        <translation>Die Stimmen haben die Form {shape}, der Wert {other_shape}. Geben Sie beiden dasselbe Gitter.</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>The votes have the shape {shape}, the image {other_shape}; bring them to one grid.</source>
        <translation>Die Stimmen haben die Form {shape}, das Bild {other_shape}; bringen Sie beide auf ein Gitter.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>The weights have shape {shape}, the score {other_shape}. Give one weight per unit.</source>
        <translation>Die Gewichte haben die Form {shape}, der Wert {other_shape}. Geben Sie ein Gewicht je Einheit an.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>The weights of a vote table must be numbers of 0 or more.</source>
        <translation>Die Gewichte einer Stimmentabelle müssen Zahlen ab 0 sein.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>The whole study area, in pixels or as exact areas.</source>
        <translation>Das ganze Untersuchungsgebiet, in Pixeln oder als exakte Flächen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>The whole study area; and whole crowns for detectors that are polygons.</source>
        <translation>Das ganze Untersuchungsgebiet; bei Detektoren, die Polygone sind, auch ganze Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>The window for the contrast ({window:,} pixels) is larger than image '{name}' ({width:,} x {height:,}). Choose a smaller window.</source>
        <translation>Das Kontrastfenster ({window:,} Pixel) ist größer als das Bild „{name}“ ({width:,} x {height:,}). Wählen Sie ein kleineres Fenster.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>The window for the contrast must be an odd number of pixels, such as 7, but it is {window}.</source>
        <translation>Das Kontrastfenster muss eine ungerade Zahl von Pixeln haben, etwa 7, hat aber {window}.</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>The window must be an odd number of pixels, such as 7, not {window}.</source>
        <translation>Das Fenster muss eine ungerade Zahl von Pixeln haben, etwa 7, nicht {window}.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>The worst crowns first, excluding their rims.</source>
        <translation>Die schlechtesten Kronen zuerst, ohne ihren Rand.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>The worst crowns first, including their rims.</source>
        <translation>Die schlechtesten Kronen zuerst, mit ihrem Rand.</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>The worst crowns first.</source>
        <translation>Die schlechtesten Kronen zuerst.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>The {count:,} images of the crowns are too many to be added to the map.</source>
        <translation>
            <numerusform>Das Bild der Kronen lässt sich der Karte nicht hinzufügen.</numerusform>
            <numerusform>Die {count:,} Bilder der Kronen sind zu viele, um der Karte hinzugefügt zu werden.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>The {name} ids must follow one another without gaps; {n_missing} between {first} and {last} are missing ({missing}).</source>
        <translation>Die Ids ({name}) müssen lückenlos aufeinanderfolgen; zwischen {first} und {last} fehlen {n_missing} ({missing}).</translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>The {name} labels must be at most {most}; the largest is {largest}.</source>
        <translation>Die Ids ({name}) dürfen höchstens {most} sein; die größte ist {largest}.</translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>The {name} labels must be one row of numbers, one per point; their shape is {shape}.</source>
        <translation>Die Ids ({name}) müssen eine Reihe von Zahlen sein, eine je Punkt; ihre Form ist {shape}.</translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>The {name} labels must be whole numbers (an integer type), not {dtype}.</source>
        <translation>Die Ids ({name}) müssen ganze Zahlen sein (ein ganzzahliger Typ), nicht {dtype}.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/statistics.py"/>
        <source>There are no intervals for all plots together: {count} plots are fewer than {minimum}.</source>
        <translation>
            <numerusform>Es gibt keine Intervalle für alle Plots zusammen: {count} Plots sind weniger als {minimum}.</numerusform>
            <numerusform>Es gibt keine Intervalle für alle Plots zusammen: {count} Plots sind weniger als {minimum}.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>There are no marked places, or no unmarked ones.</source>
        <translation>Es gibt keine markierten oder keine nicht markierten Stellen.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>There are no plots: {why}</source>
        <translation>Es gibt keine Diagramme: {why}</translation>
    </message>
    <message>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>There are no results to print; run first.</source>
        <translation>Es gibt keine Ergebnisse zu drucken; starten Sie zuerst einen Lauf.</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>There are no scored crowns in this project. On page Score, score crowns or show an earlier run (Runs).</source>
        <translation>In diesem Projekt gibt es keine bewerteten Kronen. Bewerten Sie auf der Seite Bewertung Kronen oder zeigen Sie dort einen früheren Lauf (Läufe).</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>There are no tiles to count.</source>
        <translation>Es gibt keine Kacheln zu zählen.</translation>
    </message>
    <message>
        <location filename="../algorithms/number_list.py"/>
        <source>There are no values of {name} to try. Write some, such as 0.1:1.0:0.1.</source>
        <translation>Für {name} gibt es keine Werte zum Versuchen. Schreiben Sie einige, etwa 0.1:1.0:0.1.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>There are no values of {name} to try; give at least one.</source>
        <translation>Für {name} gibt es keine Werte zu versuchen; geben Sie mindestens einen an.</translation>
    </message>
    <message>
        <location filename="../core/classes/agreement.py"/>
        <source>There are {annotators} annotators but {names} names; give one name per annotator.</source>
        <translation>Es gibt {annotators} Annotatoren, aber {names} Namen; geben Sie einen Namen je Annotator an.</translation>
    </message>
    <message>
        <location filename="../core/classes/metrics.py"/>
        <source>There are {crowns} crowns but {plots} plots; give one plot per crown, or None.</source>
        <translation>Es gibt {crowns} Kronen, aber {plots} Plots; geben Sie einen Plot je Krone an, oder None.</translation>
    </message>
    <message>
        <location filename="../core/classes/metrics.py"/>
        <source>There are {crowns} crowns but {scores} scores '{name}'; give one score per crown.</source>
        <translation>Es gibt {crowns} Kronen, aber {scores} Werte '{name}'; geben Sie einen Wert je Krone an.</translation>
    </message>
    <message>
        <location filename="../core/classes/strata.py"/>
        <source>There are {crowns} crowns, but the list '{what}' has another number of values.</source>
        <translation>Es gibt {crowns} Kronen, aber die Liste '{what}' hat eine andere Anzahl von Werten.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>There are {crowns} {side} but {classes} classes; give one class per crown, or None.</source>
        <translation>Es gibt {crowns} {side}, aber {classes} Klassen; geben Sie eine Klasse je Krone an, oder None.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>There are {detections} detections, but {shares} shares of detections on ignored areas.</source>
        <translation>Es gibt {detections} Erkennungen, aber {shares} Anteile von Erkennungen auf zu ignorierenden Flächen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>There are {n_annotators} annotators but {names} names.</source>
        <translation>Es gibt {n_annotators} Annotatoren, aber {names} Namen.</translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>There are {n_predictions} predictions but {scores} scores; give one score per prediction.</source>
        <translation>Es gibt {n_predictions} Vorhersagen, aber {scores} Werte; geben Sie je Vorhersage einen Wert an.</translation>
    </message>
    <message>
        <location filename="../core/instances/average_precision.py"/>
        <source>There are {n_predictions} predictions but {shares} ignored shares; give one share per prediction.</source>
        <translation>Es gibt {n_predictions} Vorhersagen, aber {shares} zu ignorierende Anteile; geben Sie je Vorhersage einen Anteil an.</translation>
    </message>
    <message>
        <location filename="../core/classes/within.py"/>
        <source>There are {n} predictions but {values} {what}; give one per prediction.</source>
        <translation>Es gibt {n} Vorhersagen, aber {values} {what}; geben Sie einen Wert je Vorhersage an.</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>There are {patterns} patterns but weights of shape {shape}.</source>
        <translation>Es gibt {patterns} Muster, aber Gewichte der Form {shape}.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>There are {points} points but {n_points} labels; each point needs one.</source>
        <translation>Es gibt {points} Punkte, aber {n_points} Ids; jeder Punkt braucht eine.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>There are {resamples} resamples and {thresholds} thresholds. Give at least one of each.</source>
        <translation>Es gibt {resamples} Bootstrap-Stichproben und {thresholds} Schwellenwerte. Geben Sie von beidem mindestens eines an.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>There are {resamples} resamples. Give at least one.</source>
        <translation>Es gibt {resamples} Bootstrap-Stichproben. Geben Sie mindestens eine an.</translation>
    </message>
    <message>
        <location filename="../core/instances/overlap.py"/>
        <source>There are {targets} target labels but {predictions} predicted ones.</source>
        <translation>Es gibt {targets} Ids der Ziele, aber {predictions} der Vorhersagen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>There are {targets} targets, but the mask of unscorable ones has {ignored}.</source>
        <translation>Es gibt {targets} Ziele, aber die Maske der nicht bewertbaren hat {ignored} Einträge.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>There are {times:,.0f} times as many targets as crowns compared with them; targets are the crowns taken as true. Swap the layers if '{layer}' is the detector.</source>
        <translation>Es gibt {times:,.0f}-mal so viele Zielkronen wie damit verglichene Kronen; Zielkronen sind die, die als wahr gelten. Tauschen Sie die Layer, wenn „{layer}“ der Detektor ist.</translation>
    </message>
    <message>
        <location filename="../core/classes/agreement.py"/>
        <source>There are {units} units but {weights} weights; give one weight per unit.</source>
        <translation>Es gibt {units} Einheiten, aber {weights} Gewichte; geben Sie ein Gewicht je Einheit an.</translation>
    </message>
    <message>
        <location filename="../core/agreement/reviewed_areas.py"/>
        <source>There is a reviewed area of '{name}', but no annotator with this name.</source>
        <translation>Es gibt ein gesichtetes Gebiet von '{name}', aber keine Person mit diesem Namen.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>There is no annotation file in {given}; choose a file, a folder or a pattern such as *.csv.</source>
        <translation>In {given} gibt es keine Datei mit Annotationen; wählen Sie eine Datei, einen Ordner oder ein Muster wie *.csv.</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>There is no annotator to compare with the targets; add at least one layer of delineations.</source>
        <translation>Es gibt keinen Annotator zum Vergleich mit den Zielen; fügen Sie mindestens einen Umriss-Layer hinzu.</translation>
    </message>
    <message>
        <location filename="../core/agreement/disagreement.py"/>
        <source>There is no annotator {annotator}; the first is 0, the last {last}.</source>
        <translation>Es gibt keinen Annotator {annotator}; der erste ist 0, der letzte {last}.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>There is no coordinate system '{name}'; choose another one.</source>
        <translation>Es gibt kein Koordinatensystem „{name}“; wählen Sie ein anderes.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>There is no file {path}; choose a LAS, LAZ or COPC file.</source>
        <translation>Es gibt keine Datei {path}; wählen Sie eine LAS-, LAZ- oder COPC-Datei.</translation>
    </message>
    <message>
        <location filename="../ui/services/run_outcome.py"/>
        <source>There is no folder {folder} for the results. Create it, or choose another file.</source>
        <translation>Den Ordner {folder} für die Ergebnisse gibt es nicht. Legen Sie ihn an oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>There is no gallery to save yet. Select a set of parameters first.</source>
        <translation>Es gibt noch keine Galerie zum Speichern. Wählen Sie zuerst einen Parametersatz.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>There is no ground truth '{method}'; choose one of {methods}.</source>
        <translation>Es gibt keine Referenz „{method}“; wählen Sie eine von {methods}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>There is no other detector to compare it with.</source>
        <translation>Es gibt keinen anderen Detektor zum Vergleich.</translation>
    </message>
    <message>
        <location filename="../core/instances/pointtree.py"/>
        <source>There is no partition '{partition}'; choose one of {axes}.</source>
        <translation>Es gibt keinen Abschnitt „{partition}“; wählen Sie einen von {axes}.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreement_table.py"/>
        <source>There is no place where the annotators differ.</source>
        <translation>Es gibt keine Stelle, an der die Annotatoren abweichen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/correlations.py"/>
        <source>There is no place with a score.</source>
        <translation>Keine Stelle hat einen Wert.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/page.py"/>
        <source>There is no polygon layer and no raster in this project yet. Add what annotators drew and what detectors found (polygons with a score field, or rasters), or try the sample data.</source>
        <translation>In diesem Projekt gibt es noch weder Polygon-Layer noch Raster. Fügen Sie hinzu, was Annotatoren gezeichnet und Detektoren gefunden haben (Polygone mit einem Feld der Werte, oder Raster), oder versuchen Sie die Beispieldaten.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>There is no polygon layer and no raster in this project. Add what several annotators drew of the same place, one layer per annotator, or try the sample data.</source>
        <translation>In diesem Projekt gibt es weder Polygon-Layer noch Raster. Fügen Sie hinzu, was mehrere Annotatoren am selben Ort gezeichnet haben, je Annotator einen Layer, oder versuchen Sie die Beispieldaten.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>There is no polygon layer in this project yet. Add one with the crowns, or try the sample data.</source>
        <translation>In diesem Projekt gibt es noch keinen Polygon-Layer. Fügen Sie einen mit den Kronen hinzu, oder versuchen Sie die Beispieldaten.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/page.py"/>
        <source>There is no polygon layer in this project yet. Add the crowns as several people drew them, or try the sample data.</source>
        <translation>In diesem Projekt gibt es noch keinen Polygon-Layer. Fügen Sie die Kronen hinzu, wie mehrere Personen sie gezeichnet haben, oder versuchen Sie die Beispieldaten.</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>There is no raster of {names}, so the polygons with that value in field '{field}' do not count.</source>
        <translation>Es gibt kein Raster zu {names}, daher zählen die Polygone mit diesem Wert im Feld „{field}“ nicht.</translation>
    </message>
    <message>
        <location filename="../layers/expressions.py"/>
        <source>There is no region '{region}'; choose a, o, e or b.</source>
        <translation>Es gibt keine Region „{region}“; wählen Sie a, o, e oder b.</translation>
    </message>
    <message>
        <location filename="../core/detectors/crown_ranking.py"/>
        <source>There is no target crown that could be found.</source>
        <translation>Es gibt keine Zielkrone, die gefunden werden könnte.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/report.py"/>
        <source>There is no template {file}; choose another.</source>
        <translation>Die Vorlage {file} gibt es nicht; wählen Sie eine andere.</translation>
    </message>
    <message>
        <location filename="../core/status.py"/>
        <source>There is no {kind} '{name}'; choose one of {names}.</source>
        <translation>„{name}“ gibt es nicht ({kind}); wählen Sie aus {names}.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>There is no {side} instance {id}, but {of} is matched with it.</source>
        <translation>Es gibt keine Instanz {id} ({side}), aber {of} ist ihr zugeordnet.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>There is not enough memory. Use a smaller area, fewer layers or a larger pixel size.</source>
        <translation>Der Speicher reicht nicht. Verwenden Sie ein kleineres Gebiet, weniger Layer oder eine größere Pixelgröße.</translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>There is nothing to evaluate yet. Add two polygon layers (targets and predictions) or a labelled point cloud (LAS, LAZ, COPC), or try the sample data.</source>
        <translation>Es gibt noch nichts auszuwerten. Fügen Sie zwei Polygon-Layer (Ziele und Vorhersagen) oder eine beschriftete Punktwolke (LAS, LAZ, COPC) hinzu, oder versuchen Sie die Beispieldaten.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/page.py"/>
        <source>There is nothing to show: nothing is marked, or the layer is gone.</source>
        <translation>Es gibt nichts zu zeigen: Nichts ist markiert, oder der Layer ist weg.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>There is only one annotator, '{name}', so others are simulated: {count:,} warped copies of the delineations.</source>
        <translation>
            <numerusform>Es gibt nur einen Annotator, „{name}“; die anderen sind deshalb simuliert: {count:,} verzerrte Kopie der Umrisse.</numerusform>
            <numerusform>Es gibt nur einen Annotator, „{name}“; die anderen sind deshalb simuliert: {count:,} verzerrte Kopien der Umrisse.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>There is only one annotator: agreement and the comparison with a consensus require at least two.</source>
        <translation>Es gibt nur einen Annotator: Übereinstimmung und Vergleich mit einem Konsens benötigen mindestens zwei.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>There is only one detector.</source>
        <translation>Es gibt nur einen Detektor.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>There must be at least one partition and at most {most:,}, not {n_partitions}.</source>
        <translation>Es muss mindestens einen Abschnitt und höchstens {most:,} geben, nicht {n_partitions}.</translation>
    </message>
    <message>
        <location filename="../core/instances/matching.py"/>
        <source>There must be one height per target ({n_targets}); there are {heights}.</source>
        <translation>Es muss eine Höhe je Ziel geben ({n_targets}); es gibt {heights}.</translation>
    </message>
    <message>
        <location filename="../ui/shell/run_history.py"/>
        <source>These are the results of {time}. Later edits of the layers are not detected.</source>
        <translation>Dies sind die Ergebnisse von {time}. Spätere Änderungen der Layer werden nicht erkannt.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>These files have no known annotation format and were skipped: {files}.</source>
        <translation>Diese Dateien haben kein bekanntes Annotationsformat und wurden übergangen: {files}.</translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>These required Python libraries cannot be used:</source>
        <translation>Diese nötigen Python-Bibliotheken sind nicht verwendbar:</translation>
    </message>
    <message>
        <location filename="../ui/widgets/parts.py"/>
        <source>These results are out of date: {why} Run again.</source>
        <translation>Diese Ergebnisse sind veraltet: {why} Starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>These results are outdated. Search again first.</source>
        <translation>Diese Ergebnisse sind veraltet. Suchen Sie zuerst erneut.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Thin to lines of one pixel</source>
        <translation>Auf Linien von einem Pixel verdünnen</translation>
    </message>
    <message>
        <location filename="../core/detectors/thinning.py"/>
        <source>Thinning needs a raster (rows and columns), not {ndim} dimensions.</source>
        <translation>Das Verdünnen braucht ein Raster (Zeilen und Spalten), nicht {ndim} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../ui/instances/page.py"/>
        <source>This crown has no outline, or is no longer in its layer.</source>
        <translation>Diese Krone hat keinen Umriss oder ist nicht mehr in ihrem Layer.</translation>
    </message>
    <message>
        <location filename="../ui/review/scored_layer.py"/>
        <location filename="../ui/scoring/page.py"/>
        <source>This crown is no longer in its layer.</source>
        <translation>Diese Krone ist nicht mehr in ihrem Layer.</translation>
    </message>
    <message>
        <location filename="../core/instances/matching.py"/>
        <source>This matching method takes the tallest target first, so it needs the targets' heights.</source>
        <translation>Dieses Verfahren nimmt das höchste Ziel zuerst und braucht deshalb die Höhen der Ziele.</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>This project has no runs yet. Run something on another page first.</source>
        <translation>Dieses Projekt hat noch keine Läufe. Führen Sie zuerst auf einer anderen Seite etwas aus.</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>This requires Python libraries that cannot be used here: {names}. Install them in the RandCrowns panel, or run this line in a terminal, then start QGIS again: {line}</source>
        <translation>Hierfür sind Python-Bibliotheken nötig, die hier nicht verwendbar sind: {names}. Installieren Sie sie im Bedienfeld RandCrowns, oder führen Sie diese Zeile in einem Terminal aus, und starten Sie QGIS dann neu: {line}</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>This tab is about areas: select areas above to see it.</source>
        <translation>In diesem Reiter geht es um Flächen: Wählen Sie oben Flächen, um ihn zu sehen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Three quarters (0.75-GT)</source>
        <translation>Drei Viertel (0.75-GT)</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Threshold</source>
        <translation>Schwellenwert</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Threshold for wrong pairs</source>
        <translation>Schwellenwert für falsche Paare</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Thresholds</source>
        <translation>Schwellenwerte</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Thresholds side by side</source>
        <translation>Schwellenwerte nebeneinander</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Tile {number} has {n_annotators} annotators, but the tiles before it have {other_n_annotators}.</source>
        <translation>Kachel {number} hat {n_annotators} Annotatoren, die Kacheln davor haben jedoch {other_n_annotators}.</translation>
    </message>
    <message>
        <location filename="../core/detectors/faces.py"/>
        <source>Tiles of {side:g} m cannot be made here. Give a side for at most {most:,} tiles.</source>
        <translation>Kacheln von {side:g} m sind hier nicht möglich. Geben Sie eine Seitenlänge an, die höchstens {most:,} Kacheln ergibt.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>Tiles of {side} pixels are too small. Give a side of at least one pixel.</source>
        <translation>Kacheln von {side} Pixeln sind zu klein. Geben Sie eine Seitenlänge von mindestens einem Pixel an.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Tiles should be wider than a crown; whole crowns are resampled by plots if there are any. Automatic: an eighth of the side of a square as large as the study area, and at least the median crown's diameter.</source>
        <translation>Kacheln sollten breiter als eine Krone sein; ganze Kronen werden nach Plots neu gezogen, falls es welche gibt. Automatisch: ein Achtel der Seite eines Quadrats von der Größe des Untersuchungsgebiets, mindestens der mediane Kronendurchmesser.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/provenance.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Time and memory</source>
        <translation>Zeit und Speicher</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Time and memory of each step, except the writing of the outputs.</source>
        <translation>Zeit und Speicher jedes Schritts, außer dem Schreiben der Ausgaben.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Tolerates the uncertainty of drawn outlines (Stewart et al. 2021).</source>
        <translation>Toleriert die Unsicherheit gezeichneter Umrisse (Stewart et al. 2021).</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Too large from</source>
        <translation>Zu groß ab</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Too small</source>
        <translation>Zu klein</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Too small from</source>
        <translation>Zu klein ab</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Training areas</source>
        <translation>Trainingsflächen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Trees require two attributes: the id of the target and of the predicted tree.</source>
        <translation>Bäume benötigen zwei Attribute: die Id des Ziels und die des vorhergesagten Baums.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../core/scoring/parameters.py"/>
        <source>True negative inner boundary (omega)</source>
        <translation>Sicher keine Krone ab (Omega)</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>True negative inner boundary.</source>
        <translation>Sicher keine Krone ab.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>True negative pairs (b)</source>
        <translation>Richtig negative Paare (b)</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <location filename="../core/scoring/parameters.py"/>
        <source>True positive boundary (alpha)</source>
        <translation>Sicher Krone ab (Alpha)</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>True positive boundary.</source>
        <translation>Sicher Krone ab.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>True positive pairs (a)</source>
        <translation>Richtig positive Paare (a)</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>True positive rate, 0 to 1.</source>
        <translation>Richtig-Positiv-Rate, 0 bis 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>True positives: targets that were found.</source>
        <translation>Richtig Positive: gefundene Ziele.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>Try another threshold or a wider grid.</source>
        <translation>Versuchen Sie einen anderen Schwellenwert oder ein weiteres Gitter.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Tune parameters</source>
        <translation>Parameter abstimmen</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Two annotators are named '{twice}'; give each a name of their own.</source>
        <translation>Zwei Annotatoren heißen „{twice}“; geben Sie jedem einen eigenen Namen.</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Two attributes of a labelled point cloud are compared; sizes are numbers of points.</source>
        <translation>Zwei Attribute einer beschrifteten Punktwolke werden verglichen; Größen sind Punktzahlen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Two numbers</source>
        <translation>Zwei Zahlen</translation>
    </message>
    <message>
        <location filename="../algorithms/multiple_images.py"/>
        <source>Two of the rasters of several images have the same name; rename one.</source>
        <translation>Zwei der Raster mehrerer Bilder haben denselben Namen; benennen Sie eines um.</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>Two polygon layers are compared; sizes are areas.</source>
        <translation>Zwei Polygon-Layer werden verglichen; Größen sind Flächen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Two-sided p-value of the hypothesis of no correlation, from tiles and not from pixels. Significant below 1 - certainty.</source>
        <translation>Zweiseitiger p-Wert der Hypothese, dass es keine Korrelation gibt, aus Kacheln statt aus Pixeln. Signifikant unter 1 - Sicherheit.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <source>Typical crowns</source>
        <translation>Typische Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Typical crowns of {layer}</source>
        <translation>Typische Kronen von {layer}</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Typical targets</source>
        <translation>Typische Ziele</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Uncertain</source>
        <translation>Unsicher</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>Unexpected error ({kind}: {why}). Nothing was written. Please report it with the details in the log.</source>
        <translation>Unerwarteter Fehler ({kind}: {why}). Es wurde nichts geschrieben. Bitte melden Sie ihn mit den Einzelheiten aus dem Protokoll.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Unit of lengths (and, squared, of areas): m, or px for images without a georeference</source>
        <translation>Einheit der Längen (und, im Quadrat, der Flächen): m, bei Bildern ohne Georeferenz px</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Unit of the value.</source>
        <translation>Einheit des Wertes.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Units that were resampled for the intervals: plots or crowns.</source>
        <translation>Einheiten, die für die Intervalle neu gezogen wurden: Plots oder Kronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Unlike the others</source>
        <translation>Anders als die anderen</translation>
    </message>
    <message>
        <location filename="../core/agreement/outlier_test.py"/>
        <source>Unlike the others, beyond chance (5 %, adjusted for all annotators): {names}.</source>
        <translation>Anders als die anderen, über den Zufall hinaus (5 %, für alle Personen adjustiert): {names}.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Unmatched delineations</source>
        <translation>Umrisse ohne Partner</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Unmatched predictions if only some crowns were drawn.</source>
        <translation>Vorhersagen ohne Partner, wenn nur einige Kronen gezeichnet wurden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Unmatched predictions that are no false positives.</source>
        <translation>Vorhersagen ohne Partner, die keine Fehlalarme sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Unmatched predictions.</source>
        <translation>Vorhersagen ohne Partner.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Unmatched targets</source>
        <translation>Zielkronen ohne Partner</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Unmatched targets count</source>
        <translation>Ziele ohne Partner zählen</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>Unmatched targets.</source>
        <translation>Ziele ohne Partner.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Unmatched, first</source>
        <translation>Ohne Partner, erster</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Unmatched, second</source>
        <translation>Ohne Partner, zweiter</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>Unreviewed only</source>
        <translation>Nur ungeprüfte</translation>
    </message>
    <message>
        <location filename="../ui/review/verdict_bar.py"/>
        <source>Unsure</source>
        <translation>Unsicher</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Upper end of the 95 % interval.</source>
        <translation>Oberes Ende des 95-%-Intervalls.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Upper skew limit</source>
        <translation>Obere Grenze des Positivanteils</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Use these</source>
        <translation>Diese verwenden</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Used only for images that are georeferenced without a coordinate system, such as images with a world file.</source>
        <translation>Gilt nur für Bilder, die ohne Koordinatensystem georeferenziert sind, etwa Bilder mit World-Datei.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Value of marked pixels</source>
        <translation>Wert markierter Pixel</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Value of the plot field.</source>
        <translation>Wert des Plotfeldes.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Value of the plot field; all: all plots together.</source>
        <translation>Wert des Plotfeldes; all: alle Plots zusammen.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Value of the plot field; all: every target.</source>
        <translation>Wert des Plotfeldes; all: alle Zielkronen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Value that means no tree: predictions</source>
        <translation>Wert für keinen Baum: Vorhersagen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>Value that means no tree: targets</source>
        <translation>Wert für keinen Baum: Ziele</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>Values of rasters</source>
        <translation>Werte der Raster</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Values to try, from the first to the last by a step. The last is tried only if a step reaches it. As text: numbers with spaces between them, or first:last:step, such as 0.1:1.0:0.1. Default: the grid of the paper (Table III).</source>
        <translation>Zu versuchende Werte, vom ersten bis zum letzten in Schritten. Der letzte wird nur versucht, wenn ein Schritt ihn erreicht. Als Text: Zahlen mit Leerzeichen dazwischen oder erster:letzter:Schritt, etwa 0.1:1.0:0.1. Vorgabe: das Gitter der Veröffentlichung (Tabelle III).</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <location filename="../ui/tuning/panel.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>Variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Variance averaged over the targets (Eq. 15).</source>
        <translation>Varianz, gemittelt über die Zielkronen (Gl. 15).</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>Variance of RandCrowns</source>
        <translation>Varianz von RandCrowns</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Variance of RandCrowns (Eq. 15), averaged over targets with a score.</source>
        <translation>Varianz von RandCrowns (Gl. 15), gemittelt über die Zielkronen mit einem Wert.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <source>Variance of RandCrowns at the gamma of the best set</source>
        <translation>Varianz von RandCrowns beim Gamma des besten Satzes</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Variance of the crown's {score} over all delineation layers (Stewart et al. 2021, Eq. 15).</source>
        <translation>Varianz von {score} der Krone über alle Umriss-Layer (Stewart et al. 2021, Gl. 15).</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Variance over the delineations of the target.</source>
        <translation>Varianz über die Umrisse der Zielkrone.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Variance over the grid as a picture</source>
        <translation>Varianz über das Gitter als Bild</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Variance over the targets that every set can score.</source>
        <translation>Varianz über die Zielkronen, die jeder Satz bewerten kann.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Variance {score}</source>
        <translation>Varianz {score}</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Verdicts of another reviewer</source>
        <translation>Urteile eines anderen Prüfers</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Verdicts of other reviewers.</source>
        <translation>Urteile anderer Prüfer.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Verdicts of reviewers</source>
        <translation>Urteile der Prüfer</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Verdicts on crowns of the run, as saved on page Review.</source>
        <translation>Urteile über Kronen des Laufs, wie auf der Seite Prüfung gespeichert.</translation>
    </message>
    <message>
        <location filename="../algorithms/provenance.py"/>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <location filename="../core/agreement/votes.py"/>
        <source>Vote tables can be merged only if they have the same annotators and pixel size.</source>
        <translation>Stimmentabellen lassen sich nur zusammenführen, wenn sie dieselben Annotatoren und dieselbe Pixelgröße haben.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Votes</source>
        <translation>Stimmen</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Votes, discards the annotators with the least overlap with the result, and votes again (Langerak et al. 2010).</source>
        <translation>Stimmt ab, verwirft die Annotatoren mit der geringsten Überlappung mit dem Ergebnis und stimmt erneut ab (Langerak et al. 2010).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>Wall-clock time.</source>
        <translation>Verstrichene Zeit.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Ward's clustering of the annotators on 1 - F1.</source>
        <translation>Wards Cluster der Annotatoren auf 1 - F1.</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>Ward's distance on 1 - F1</source>
        <translation>Wards Abstand auf 1 - F1</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Ward's distance on 1 - F1.</source>
        <translation>Wards Abstand auf 1 - F1.</translation>
    </message>
    <message>
        <location filename="../algorithms/crown_algorithm.py"/>
        <source>Warnings about the results</source>
        <translation>Warnungen zu den Ergebnissen</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Warnings and notes</source>
        <translation>Warnungen und Hinweise</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Warped copies of a single annotator</source>
        <translation>Verzerrte Kopien eines einzelnen Annotators</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <location filename="../core/tuning/wrong_pairs.py"/>
        <source>Warped copies: rotation</source>
        <translation>Verzerrte Kopien: Drehung</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <location filename="../core/tuning/wrong_pairs.py"/>
        <source>Warped copies: scale</source>
        <translation>Verzerrte Kopien: Skala</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <location filename="../core/tuning/wrong_pairs.py"/>
        <source>Warped copies: shift</source>
        <translation>Verzerrte Kopien: Verschiebung</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>Weight with which LSML straightens its outline; no unit. Published: 0.</source>
        <translation>Gewicht, mit dem LSML seine Kontur glättet; ohne Einheit. Veröffentlicht: 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>What the pixels of an annotator's raster hold. Pixels without data are never marked.</source>
        <translation>Was die Pixel des Rasters einer Person enthalten. Pixel ohne Daten sind nie markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <location filename="../resources/report.html"/>
        <location filename="../resources/report_paper.html"/>
        <source>What was compared</source>
        <translation>Was verglichen wurde</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>Where annotators differ, the largest first.</source>
        <translation>Wo Annotatoren abweichen, die größten zuerst.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Whether the tables and curves are about areas or about whole crowns.</source>
        <translation>Ob Tabellen und Kurven von Flächen oder ganzen Kronen handeln.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>Which delineation belongs to which target. The IDTReeS preset has a pairing of its own.</source>
        <translation>Welcher Umriss zu welcher Zielkrone gehört. Die Voreinstellung IDTReeS hat eine eigene Paarung.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Which is better by area is unknown: no pixel has a score from every detector.</source>
        <translation>Welcher nach Fläche besser ist, ist unbekannt: Kein Pixel hat einen Wert von jedem Detektor.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Whole crowns and areas disagree.</source>
        <translation>Ganze Kronen und Flächen widersprechen sich.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Whole crowns are compared with annotators that are polygons; these are rasters: {names}.</source>
        <translation>Ganze Kronen werden mit Annotatoren verglichen, die Polygone sind; Raster sind: {names}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <source>Whole crowns found or missed, per annotator.</source>
        <translation>Ganze Kronen, gefunden oder verfehlt, je Annotator.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Whole crowns: AP, all points</source>
        <translation>Ganze Kronen: AP, alle Punkte</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>Whole crowns: recall</source>
        <translation>Ganze Kronen: Trefferquote</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Whole crowns: recall {each} ({score} of at least {threshold:g}).</source>
        <translation>Ganze Kronen: Trefferquote {each} ({score} von mindestens {threshold:g}).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Whole crowns: {best} and {second} tie (AP {value}, all points).</source>
        <translation>Ganze Kronen: {best} und {second} sind gleichauf (AP {value}, alle Punkte).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (AP, all points).</source>
        <translation>Ganze Kronen: {best} {value}, {second} {other} (AP, alle Punkte).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (AP, all points). {best} can be called better.</source>
        <translation>Ganze Kronen: {best} {value}, {second} {other} (AP, alle Punkte). {best} kann besser genannt werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>Whole crowns: {best} {value}, {second} {other} (AP, all points). {best} cannot be called better.</source>
        <translation>Ganze Kronen: {best} {value}, {second} {other} (AP, alle Punkte). {best} kann nicht besser genannt werden.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>Whole run but writing</source>
        <translation>Ganzer Lauf ohne Schreiben</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>Why n/a</source>
        <translation>Warum kein Wert</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Why the crown is excluded.</source>
        <translation>Warum die Krone ausgeschlossen ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Why the pair is in the gallery.</source>
        <translation>Warum das Paar in der Galerie ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Why the set cannot be chosen.</source>
        <translation>Warum der Satz nicht gewählt werden kann.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Why there is no variance.</source>
        <translation>Warum es keine Varianz gibt.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Width of region b.</source>
        <translation>Breite der Region b.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>Width of the true negative region.</source>
        <translation>Breite der Region, die sicher keine Krone ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Window for the contrast</source>
        <translation>Fenster für den Kontrast</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>With one annotator and one plot there is nothing to resample.</source>
        <translation>Bei einem Annotator und einem Plot gibt es nichts neu zu ziehen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>With one annotator and one tile there is nothing to resample. Use smaller tiles.</source>
        <translation>Bei einem Annotator und einer Kachel gibt es nichts neu zu ziehen. Verwenden Sie kleinere Kacheln.</translation>
    </message>
    <message>
        <location filename="../core/agreement/consensus.py"/>
        <source>With one annotator this ground truth would be that annotator's own drawing.</source>
        <translation>Bei einem Annotator wäre diese Referenz dessen eigene Zeichnung.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/lengths_field.py"/>
        <source>With these values the crown has no area that is surely crown: it would be too small to score.</source>
        <translation>Mit diesen Werten hat die Krone keine Fläche, die sicher Krone ist: Sie wäre zu klein für eine Bewertung.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>With two annotators SIMPLE ends with the polygons of one of them, those of the larger area unless they tie; which of the two is right cannot be estimated.</source>
        <translation>Bei zwei Annotatoren endet SIMPLE mit den Polygonen des einen, bei ungleicher Fläche mit denen der größeren; welcher von beiden recht hat, lässt sich nicht schätzen.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>With two annotators, Smyth's bound is half the share of the area on which they differ.</source>
        <translation>Bei zwei Annotatoren ist Smyths Schranke der halbe Anteil der Fläche, über die sie sich nicht einig sind.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>With two annotators, the prior alone decides whether STAPLE keeps what both marked or what either marked.</source>
        <translation>Bei zwei Annotatoren entscheidet allein der Prior, ob STAPLE behält, was beide oder was einer von beiden markiert hat.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>With two annotators, whatever either of them marked is in the consensus, so positive predictive value is 1 by construction.</source>
        <translation>Bei zwei Annotatoren gehört zum Konsens, was einer von beiden markiert hat; der positive Vorhersagewert ist deshalb zwangsläufig 1.</translation>
    </message>
    <message>
        <location filename="../core/agreement/agreement_messages.py"/>
        <source>With two annotators, whatever either of them marked is in the consensus, so specificity and positive predictive value are 1 by construction.</source>
        <translation>Bei zwei Annotatoren gehört zum Konsens, was einer von beiden markiert hat; Spezifität und positiver Vorhersagewert sind deshalb zwangsläufig 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Without</source>
        <translation>Ohne</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Without outliers (Excl-0.5-GT)</source>
        <translation>Ohne Ausreißer (Excl-0.5-GT)</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>Without this layer, each annotator in turn is the target, and the other annotators are scored against it. With this layer, its crowns are the only targets, and every annotator is scored against them.</source>
        <translation>Ohne diesen Layer ist jeder Annotator der Reihe nach das Ziel, und die anderen Annotatoren werden gegen ihn bewertet. Mit diesem Layer sind nur dessen Kronen die Zielkronen, und jeder Annotator wird gegen sie bewertet.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Worst and typical crowns</source>
        <translation>Schlechteste und typische Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <source>Worst crowns</source>
        <translation>Schlechteste Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <source>Worst crowns of {layer}</source>
        <translation>Schlechteste Kronen von {layer}</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>Worst targets</source>
        <translation>Schlechteste Ziele</translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>Write an apostrophe before a text that begins like a formula (=, +, - or @), in CSV files and copied tables. A spreadsheet would compute the text otherwise.</source>
        <translation>In CSV-Dateien und kopierten Tabellen einem Text, der wie eine Formel beginnt (=, +, - oder @), einen Apostroph voranstellen. Sonst würde eine Tabellenkalkulation den Text berechnen.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Writes a report of runs as HTML or PDF: conclusions, parameters, tables, plots and maps.</source>
        <translation>Schreibt einen Bericht über Läufe als HTML oder PDF: Folgerungen, Parameter, Tabellen, Diagramme und Karten.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Writes targets and predictions as COCO, DeepForest, Pascal VOC, GeoJSON, GeoPackage or tables.</source>
        <translation>Schreibt Zielkronen und Vorhersagen als COCO, DeepForest, Pascal VOC, GeoJSON, GeoPackage oder Tabellen.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <source>Writes the part of each image around the crowns as a new image (GeoTIFF, in folder images); with a plot field, one part per plot. Otherwise the files name the original images.</source>
        <translation>Schreibt den Teil jedes Bildes um die Kronen als neues Bild (GeoTIFF, im Ordner images); mit einem Plotfeld einen Teil je Plot. Sonst nennen die Dateien die ursprünglichen Bilder.</translation>
    </message>
    <message>
        <location filename="../algorithms/algorithm_catalogue.py"/>
        <source>Writes the results of a run as one GeoPackage with styles, or as GeoJSON, GeoParquet, XLSX or CSV.</source>
        <translation>Schreibt die Ergebnisse eines Laufs als ein GeoPackage mit Stilen oder als GeoJSON, GeoParquet, XLSX oder CSV.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Written to a temporary folder: {files}.</source>
        <translation>In einen temporären Ordner geschrieben: {files}.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/outputs.py"/>
        <source>Written to {folder}: {files}.</source>
        <translation>In {folder} geschrieben: {files}.</translation>
    </message>
    <message>
        <location filename="../ui/report/page.py"/>
        <source>Written: {link} in {folder}</source>
        <translation>Geschrieben: {link} in {folder}</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>Wrong pairs</source>
        <translation>Falsche Paare</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Your last verdict on the crown.</source>
        <translation>Ihr letztes Urteil über die Krone.</translation>
    </message>
    <message>
        <location filename="../ui/review/page.py"/>
        <source>Your name, saved with every verdict.</source>
        <translation>Ihr Name, der mit jedem Urteil gespeichert wird.</translation>
    </message>
    <message>
        <location filename="../ui/options/form.py"/>
        <source>Your name, saved with every verdict. Default: your login name.</source>
        <translation>Ihr Name, der mit jedem Urteil gespeichert wird. Vorgabe: Ihr Anmeldename.</translation>
    </message>
    <message>
        <location filename="../algorithms/report/schema/parameters.py"/>
        <source>Your own Jinja2 template for the HTML file. Default: the plugin's template, resources/report.html.</source>
        <translation>Eine eigene Jinja2-Vorlage für die HTML-Datei. Vorgabe: die Vorlage der Erweiterung, resources/report.html.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>Your own share</source>
        <translation>Eigener Anteil</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>Your verdict: {verdict}.</source>
        <translation>Eigenes Urteil: {verdict}.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/editors.py"/>
        <source>a GeoPackage file</source>
        <translation>eine GeoPackage-Datei</translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud_fields.py"/>
        <source>a LAS, LAZ or COPC file</source>
        <translation>eine LAS-, LAZ- oder COPC-Datei</translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>a layer in memory</source>
        <translation>ein Layer im Speicher</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>a line per annotator</source>
        <translation>eine Linie je Annotator</translation>
    </message>
    <message>
        <location filename="../core/classes/strata.py"/>
        <source>a stratum has fewer than {minimum} crowns</source>
        <translation>ein Stratum hat weniger als {minimum} Kronen</translation>
    </message>
    <message>
        <location filename="../core/classes/strata.py"/>
        <source>a stratum occurs in fewer than {minimum} plots</source>
        <translation>ein Stratum kommt in weniger als {minimum} Plots vor</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>a x mean</source>
        <translation>a x Mittel</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>a, o, e or b.</source>
        <translation>a, o, e oder b.</translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>a: covered, surely crown</source>
        <translation>a: bedeckt, sicher Krone</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../resources/regions.qml"/>
        <source>a: surely crown</source>
        <translation>a: sicher Krone</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>above your limit</source>
        <translation>über Ihrer Grenze</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>aggregate</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>agreed areas fixed</source>
        <translation>einstimmige Flächen festgehalten</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>agreement ratio (Eq. 3)</source>
        <translation>Übereinstimmungsverhältnis (Gl. 3)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>all but 0</source>
        <translation>alle außer 0</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/tables.py"/>
        <source>all classes</source>
        <translation>alle Klassen</translation>
    </message>
    <message>
        <location filename="../ui/shell/comparison_form.py"/>
        <source>all crowns were drawn</source>
        <translation>alle Kronen wurden gezeichnet</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <location filename="../algorithms/detectors/tables.py"/>
        <source>all images</source>
        <translation>alle Bilder</translation>
    </message>
    <message>
        <location filename="../core/classes/metrics.py"/>
        <source>all reference crowns, or all predictions, have the same class</source>
        <translation>alle Referenzkronen oder alle Vorhersagen haben dieselbe Klasse</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>all targets of wrong pairs are too small to be scored, so the set cannot be judged</source>
        <translation>alle Zielkronen falscher Paare sind zu klein für eine Bewertung, daher lässt sich der Satz nicht beurteilen</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>all: band and median</source>
        <translation>alle: Band und Median</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>alpha (m)</source>
        <translation>Alpha (m)</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>alpha {alpha:g} m, omega {omega:g} m, gamma {gamma:g}</source>
        <translation>Alpha {alpha:g} m, Omega {omega:g} m, Gamma {gamma:g}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/compare_annotators.py"/>
        <source>annotators</source>
        <translation>Annotatoren</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>any</source>
        <translation>alle</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>any score</source>
        <translation>jeder Wert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>area</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <source>areas</source>
        <translation>Flächen</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>arrays</source>
        <translation>Arrays</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>as before</source>
        <translation>wie vorher</translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>as given</source>
        <translation>wie angegeben</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>as shown</source>
        <translation>wie dargestellt</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>assignment, statistics</source>
        <translation>Zuordnung, Statistik</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>at least so many annotators</source>
        <translation>mindestens so viele Annotatoren</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>at least {share:g}</source>
        <translation>mindestens {share:g}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <location filename="../algorithms/scoring/schema/parameters.py"/>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>b: not covered, surely not crown</source>
        <translation>b: nicht abgedeckt, sicher keine Krone</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../resources/regions.qml"/>
        <source>b: surely not crown</source>
        <translation>b: sicher keine Krone</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>band {number}</source>
        <translation>Kanal {number}</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>both</source>
        <translation>beide</translation>
    </message>
    <message>
        <location filename="../ui/widgets/fields.py"/>
        <source>by</source>
        <translation>um</translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>c: covered, surely not crown</source>
        <translation>c: bedeckt, sicher keine Krone</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>can be chosen</source>
        <translation>kann gewählt werden</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>cannot be imported: {why}</source>
        <translation>lässt sich nicht importieren: {why}</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>changed since {verdict}</source>
        <translation>{verdict}, seither geändert</translation>
    </message>
    <message>
        <location filename="../layers/files/staging.py"/>
        <source>choose another file.</source>
        <translation>Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud_fields.py"/>
        <source>choose one</source>
        <translation>wählen Sie eines</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>chunk {number} of {all} states a wrong size</source>
        <translation>Block {number} von {all} gibt eine falsche Größe an</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>class; aggregate: combined classes; mean: of the classes, or with aggregates.</source>
        <translation>Klasse; Zusammenfassung: zusammengefasste Klassen; Mittel: der Klassen, oder mit Zusammenfassungen.</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>cloud: {file}</source>
        <translation>Wolke: {file}</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>clusters of annotators</source>
        <translation>Cluster der Annotatoren</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>clusters of annotators (* outlier)</source>
        <translation>Cluster (* Ausreißer)</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>clusters of annotators (* outlier, ** unlike the others)</source>
        <translation>Cluster der Personen (* Ausreißer, ** anders als die anderen)</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>compressed point cloud files (LAZ, COPC)</source>
        <translation>komprimierte Punktwolken (LAZ, COPC)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>consensus</source>
        <translation>Konsens</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>consensus without {name}</source>
        <translation>Konsens ohne {name}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>contrast of grey</source>
        <translation>Kontrast des Graus</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>covered (a)</source>
        <translation>bedeckt (a)</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../algorithms/output_types.py"/>
        <location filename="../ui/services/layer_info.py"/>
        <source>crowns</source>
        <translation>Kronen</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>crowns not counted</source>
        <translation>Kronen nicht gezählt</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>curvature {weight:g}</source>
        <translation>Krümmung {weight:g}</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>custom coordinate system</source>
        <translation>benutzerdefiniertes Koordinatensystem</translation>
    </message>
    <message>
        <location filename="../layers/localization.py"/>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <source>d: not covered, surely crown</source>
        <translation>d: nicht abgedeckt, sicher Krone</translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <location filename="../ui/review/review_list.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>delineation</source>
        <translation>Umriss</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>delineation not judged</source>
        <translation>Umriss nicht beurteilt</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>delineations not judged</source>
        <translation>Umrisse nicht beurteilt</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>delineations not judged: {number:,}</source>
        <translation>Umrisse nicht beurteilt: {number:,}</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>delineations: {layer}</source>
        <translation>Umrisse: {layer}</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>detection</source>
        <translation>Erkennung</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>distance to the trunk</source>
        <translation>Abstand zum Stamm</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../resources/regions.qml"/>
        <source>e: outer edge</source>
        <translation>e: äußerer Rand</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>each plot</source>
        <translation>jedem Plot</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>each score class</source>
        <translation>jeder Wertklasse</translation>
    </message>
    <message>
        <location filename="../core/tuning/variance.py"/>
        <source>each target has only one delineation, but a variance requires two: choose at least three annotators, or two and a layer of targets</source>
        <translation>jede Zielkrone hat nur einen Umriss, eine Varianz benötigt jedoch zwei: Wählen Sie mindestens drei Annotatoren, oder zwei und einen Ziel-Layer</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>effect of STAPLE's prior</source>
        <translation>Wirkung des Priors von STAPLE</translation>
    </message>
    <message>
        <location filename="../resources/report.html"/>
        <source>en</source>
        <translation>de</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>every crown has a score</source>
        <translation>jede Krone hat einen Wert</translation>
    </message>
    <message>
        <location filename="../core/tuning/variance.py"/>
        <source>every target is narrower than twice alpha, or only its edge lies within the image extent; choose a smaller alpha</source>
        <translation>jede Zielkrone ist schmaler als das Doppelte von Alpha, oder nur ihr Rand liegt in der Bildausdehnung; wählen Sie ein kleineres Alpha</translation>
    </message>
    <message>
        <location filename="../core/tuning/variance.py"/>
        <source>every target is narrower than twice alpha; choose a smaller alpha</source>
        <translation>jede Zielkrone ist schmaler als das Doppelte von Alpha; wählen Sie ein kleineres Alpha</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <location filename="../algorithms/agreement/schema/parameters.py"/>
        <source>exact areas</source>
        <translation>exakte Flächen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>extra</source>
        <translation>überzählig</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../resources/matched_instances.qml"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>false positive</source>
        <translation>falsch positiv</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>false positive rate</source>
        <translation>Falsch-Positiv-Rate</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>false positives</source>
        <translation>falsch positive</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>farthest point</source>
        <translation>fernster Punkt</translation>
    </message>
    <message>
        <location filename="../ui/services/interrupted_runs.py"/>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>fixed</source>
        <translation>korrigiert</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>found (true positive)</source>
        <translation>gefunden (richtig positiv)</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>found (true positive), or not found (false negative).</source>
        <translation>gefunden (richtig positiv) oder nicht gefunden (falsch negativ).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>found: it has a target (true positive); false positive: it has none; uncertain: it does not count; not judged: it has none, but only some crowns were drawn.</source>
        <translation>gefunden: Sie hat ein Ziel (richtig positiv); falsch positiv: Sie hat keines; unsicher: Sie zählt nicht; nicht beurteilt: Sie hat keines, aber es wurden nur einige Kronen gezeichnet.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>free (b)</source>
        <translation>frei (b)</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <location filename="../algorithms/run_history.py"/>
        <source>from {before} to {after}</source>
        <translation>von {before} bis {after}</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>gamma {gamma:g}</source>
        <translation>Gamma {gamma:g}</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>geometry</source>
        <translation>Geometrie</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>gone</source>
        <translation>weg</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>ground truth</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/report_content.py"/>
        <source>ground truths</source>
        <translation>Referenzen</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>has unsaved edits</source>
        <translation>hat nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>height above the lowest point</source>
        <translation>Höhe über dem tiefsten Punkt</translation>
    </message>
    <message>
        <location filename="../core/classes/within.py"/>
        <source>ignored shares</source>
        <translation>Anteile in ignorierten Gebieten</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>in degrees, converted to metres</source>
        <translation>in Grad, in Meter umgerechnet</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>in {unit}, converted to metres</source>
        <translation>in {unit}, in Meter umgerechnet</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>instances</source>
        <translation>Instanzen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>intensity</source>
        <translation>Helligkeit</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results.py"/>
        <source>interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <location filename="../layers/raster/images.py"/>
        <source>it cannot be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>it does not specify how its points are compressed</source>
        <translation>sie gibt nicht an, wie ihre Punkte komprimiert sind</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>it has no header of a LAS file</source>
        <translation>sie hat keinen Kopf einer LAS-Datei</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>it is a link that leads to itself; choose another file.</source>
        <translation>es ist eine Verknüpfung, die auf sich selbst führt; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../layers/styles/styles.py"/>
        <source>it is not valid XML</source>
        <translation>kein gültiges XML</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>it specifies chunks of {number:,} points</source>
        <translation>sie gibt Blöcke von {number:,} Punkten an</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>it specifies {number:,} chunks</source>
        <translation>sie gibt {number:,} Blöcke an</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>its best match by {name} fits another crown better</source>
        <translation>der beste Partner von {name} passt besser zu einer anderen Krone</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>its best match by {name} fits another crown just as well</source>
        <translation>der beste Partner von {name} passt ebenso gut zu einer anderen Krone</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>its best match by {name} has an IoU of only {iou:.2f}</source>
        <translation>der beste Partner von {name} hat nur einen IoU von {iou:.2f}</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>its delineation by {name} is outside the image extent</source>
        <translation>der Umriss von {name} liegt außerhalb der Bildausdehnung</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>its files cannot be opened under this name, or their format does not support their content; choose another folder or format.</source>
        <translation>Die Dateien lassen sich unter diesem Namen nicht öffnen, oder ihr Format unterstützt ihren Inhalt nicht; wählen Sie einen anderen Ordner oder ein anderes Format.</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>its folder {folder} does not exist or cannot be written to; choose another folder.</source>
        <translation>Den Ordner {folder} gibt es nicht, oder er ist nicht beschreibbar; wählen Sie einen anderen.</translation>
    </message>
    <message>
        <location filename="../layers/vector/write.py"/>
        <source>its format does not allow it</source>
        <translation>das Format erlaubt es nicht</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>its header specifies {number:,} extended header records</source>
        <translation>ihr Kopf gibt {number:,} erweiterte Kopfeinträge an</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>its header specifies {number:,} header records</source>
        <translation>ihr Kopf gibt {number:,} Kopfeinträge an</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>its name is too long; choose a shorter one.</source>
        <translation>der Name ist zu lang; wählen Sie einen kürzeren.</translation>
    </message>
    <message>
        <location filename="../layers/crs.py"/>
        <source>its own coordinate system</source>
        <translation>sein eigenes Koordinatensystem</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/schema/parameters.py"/>
        <location filename="../core/exchange/formats.py"/>
        <source>label raster</source>
        <translation>Label-Raster</translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>labeled_mask must have one value per point ({points}); it has {values}.</source>
        <translation>labeled_mask muss einen Wert je Punkt haben ({points}); es hat {values}.</translation>
    </message>
    <message>
        <location filename="../core/instances/ground.py"/>
        <source>labeled_mask must say of every point whether it is labelled: true or false, 1 or 0.</source>
        <translation>labeled_mask muss von jedem Punkt sagen, ob er beschriftet ist: wahr oder falsch, 1 oder 0.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>largest disagreements</source>
        <translation>größte Abweichungen</translation>
    </message>
    <message>
        <location filename="../ui/scoring/page.py"/>
        <source>layer Regions excluded because it is large; the toolbox has '{name}'</source>
        <translation>Layer Regionen ausgeschlossen, weil er groß ist; die Werkzeugkiste hat „{name}“</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>layer {name} was edited.</source>
        <translation>Der Layer {name} wurde bearbeitet.</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>layer {name} was removed.</source>
        <translation>Der Layer {name} wurde entfernt.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>less than 1</source>
        <translation>weniger als 1</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>limit not set</source>
        <translation>keine Grenze gesetzt</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>limited by extent</source>
        <translation>durch Ausdehnung begrenzt</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>low overlap</source>
        <translation>geringe Überlappung</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>low variance, but wrong pairs score too high</source>
        <translation>kleine Varianz, aber falsche Paare haben zu hohe Werte</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>marked ({unit}²)</source>
        <translation>markiert ({unit}²)</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>marked by anybody</source>
        <translation>von irgendjemandem markiert</translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>match</source>
        <translation>zugeordnet</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>matched</source>
        <translation>zugeordnet</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>matched: it belongs to a target; unmatched, not judged: it belongs to none.</source>
        <translation>zugeordnet: Er gehört zu einer Zielkrone; ohne Partner, nicht beurteilt: Er gehört zu keiner.</translation>
    </message>
    <message>
        <location filename="../resources/scored_delineations.qml"/>
        <source>matches no target</source>
        <translation>passt zu keinem Ziel</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>matching: {detection} (detection), {segmentation} (segmentation)</source>
        <translation>Zuordnung: {detection} (Erkennung), {segmentation} (Segmentierung)</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <location filename="../algorithms/estimation_parameters.py"/>
        <source>mean - a x SD</source>
        <translation>Mittel - a x SD</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>mean of the targets</source>
        <translation>Mittel der Ziele</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>mean with aggregates</source>
        <translation>Mittel mit Zusammenfassungen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>merged</source>
        <translation>zusammengefasst</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>metres</source>
        <translation>Meter</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>missed</source>
        <translation>verfehlt</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>missed targets: {number:,}</source>
        <translation>Zielkronen verfehlt: {number:,}</translation>
    </message>
    <message>
        <location filename="../resources/scored_targets.qml"/>
        <source>missed: score 0</source>
        <translation>verfehlt: Wert 0</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>mixed up with QGIS's own geometry library</source>
        <translation>mit der Geometriebibliothek von QGIS vermischt</translation>
    </message>
    <message>
        <location filename="../resources/regions.qml"/>
        <source>m²</source>
        <translation>m²</translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <location filename="../core/classes/strata.py"/>
        <location filename="../layers/localization.py"/>
        <location filename="../resources/matched_instances.qml"/>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <location filename="../ui/agreement/results.py"/>
        <location filename="../ui/detectors/results.py"/>
        <location filename="../ui/tuning/plots.py"/>
        <location filename="../ui/widgets/table_model.py"/>
        <source>n/a</source>
        <translation>k. A.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <location filename="../algorithms/parameter_types.py"/>
        <location filename="../resources/report_methods.html"/>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud_fields.py"/>
        <location filename="../ui/services/layer_info.py"/>
        <source>no coordinate system</source>
        <translation>kein Koordinatensystem</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>no coordinate system: set one in the layer's properties</source>
        <translation>kein Koordinatensystem: Setzen Sie eines in den Eigenschaften des Layers</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>no crown has a score</source>
        <translation>keine Krone hat einen Wert</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>no crowns in it</source>
        <translation>keine Kronen darin</translation>
    </message>
    <message>
        <location filename="../ui/review/side_by_side.py"/>
        <source>no delineation</source>
        <translation>kein Umriss</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>no earlier run</source>
        <translation>kein früherer Lauf</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>no geometry</source>
        <translation>ohne Geometrie</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>no image</source>
        <translation>kein Bild</translation>
    </message>
    <message>
        <location filename="../ui/widgets/boxes.py"/>
        <source>no layer</source>
        <translation>kein Layer</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>no match</source>
        <translation>ohne Partner</translation>
    </message>
    <message>
        <location filename="../core/classes/metrics.py"/>
        <source>no matched crowns with a class on both sides</source>
        <translation>keine zugeordneten Kronen mit einer Klasse auf beiden Seiten</translation>
    </message>
    <message>
        <location filename="../layers/vector/reviewed_areas.py"/>
        <source>no names</source>
        <translation>keine Namen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../resources/matched_instances.qml"/>
        <source>no outline</source>
        <translation>kein Umriss</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>no pixel in the study area has data in every band</source>
        <translation>kein Pixel des Untersuchungsgebiets hat in jedem Kanal Daten</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>no plots</source>
        <translation>keine Plots</translation>
    </message>
    <message>
        <location filename="../ui/widgets/boxes.py"/>
        <source>no polygon layer</source>
        <translation>kein Polygon-Layer</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>no polygons in it</source>
        <translation>keine Polygone darin</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>no problem</source>
        <translation>kein Problem</translation>
    </message>
    <message>
        <location filename="../layers/raster/grid.py"/>
        <source>no reason given</source>
        <translation>ohne Angabe eines Grundes</translation>
    </message>
    <message>
        <location filename="../layers/raster/write.py"/>
        <source>no reason given; is the disk full?</source>
        <translation>ohne Angabe eines Grundes; ist der Datenträger voll?</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>no score</source>
        <translation>kein Wert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <source>no study area</source>
        <translation>kein Untersuchungsgebiet</translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>no variance</source>
        <translation>keine Varianz</translation>
    </message>
    <message>
        <location filename="../layers/styles/styles.py"/>
        <source>no: {names}</source>
        <translation>nein: {names}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/report_content.py"/>
        <source>nobody</source>
        <translation>niemandem</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>nobody marked anything</source>
        <translation>niemand hat etwas markiert</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/parameters.py"/>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <location filename="../ui/tuning/form.py"/>
        <source>none: each annotator in turn</source>
        <translation>keine: jeder Annotator der Reihe nach</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>not clipped</source>
        <translation>nicht beschnitten</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>not covered (d)</source>
        <translation>nicht bedeckt (d)</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>not found (false negative)</source>
        <translation>nicht gefunden (falsch negativ)</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <location filename="../algorithms/parameter_types.py"/>
        <source>not given</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>not installed</source>
        <translation>nicht installiert</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../algorithms/output_types.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../resources/matched_instances.qml"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>not recognised</source>
        <translation>nicht erkannt</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <location filename="../resources/scored_delineations.qml"/>
        <location filename="../resources/scored_targets.qml"/>
        <source>not scored</source>
        <translation>nicht bewertet</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>nothing to match</source>
        <translation>nichts zuzuordnen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <location filename="../resources/regions.qml"/>
        <source>o: up to where it may reach</source>
        <translation>o: bis wohin sie reichen darf</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>of an unknown version</source>
        <translation>unbekannter Version</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/parameters.py"/>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/parameters.py"/>
        <source>omega</source>
        <translation>Omega</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>omega (m)</source>
        <translation>Omega (m)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <source>one consensus without each of them</source>
        <translation>je ein Konsens ohne jeden von ihnen</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>only some crowns were drawn</source>
        <translation>nur einige Kronen wurden gezeichnet</translation>
    </message>
    <message>
        <location filename="../ui/shell/comparison_form.py"/>
        <source>only some crowns were drawn: {undefined} n/a</source>
        <translation>nur einige Kronen wurden gezeichnet: {undefined} entfallen</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>only the consensus</source>
        <translation>nur der Konsens</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>only {found} of {expected} rows reached the file. Its format may not support a value; choose another format.</source>
        <translation>Nur {found} von {expected} Zeilen kamen in der Datei an. Vielleicht unterstützt ihr Format einen Wert nicht; wählen Sie ein anderes Format.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results_panel.py"/>
        <source>only {name}</source>
        <translation>nur {name}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>outlier</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>outside (c)</source>
        <translation>außerhalb (c)</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>outside the extent</source>
        <translation>außerhalb der Ausdehnung</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>outside the image extent</source>
        <translation>außerhalb der Bildausdehnung</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>p, unlike the others</source>
        <translation>p, anders als die anderen</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>p-value of an image that is equal to the number of annotators.</source>
        <translation>p-Wert eines Bildes, das der Zahl der Annotatoren gleicht.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>p-value of the hypothesis of no correlation, from blocks and not from pixels.</source>
        <translation>p-Wert der Hypothese, dass es keine Korrelation gibt, aus Blöcken statt aus Pixeln.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>pairing: {pairing}</source>
        <translation>Paarung: {pairing}</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>pairwise F1, dark 0 to bright 1</source>
        <translation>paarweiser F1, dunkel 0 bis hell 1</translation>
    </message>
    <message>
        <location filename="../layers/installation.py"/>
        <source>pip of QGIS's own Python installs the libraries into {folder}, which only RandCrowns uses. QGIS's numpy stays as it is.</source>
        <translation>pip aus dem eigenen Python von QGIS installiert die Bibliotheken in {folder}, das nur RandCrowns verwendet. Das numpy von QGIS bleibt, wie es ist.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <source>pixels of {size:g} {unit}</source>
        <translation>Pixel von {size:g} {unit}</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>pixels, no georeference</source>
        <translation>Pixel, ohne Georeferenz</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <location filename="../layers/styles/print_layout.py"/>
        <location filename="../ui/shell/print_layouts.py"/>
        <source>plots</source>
        <translation>Plots</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>plots and pictures</source>
        <translation>Diagramme und Bilder</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>plots: {field}</source>
        <translation>Plots: {field}</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>point cloud files (LAS)</source>
        <translation>Punktwolken (LAS)</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>point cloud files (PLY)</source>
        <translation>Punktwolken-Dateien (PLY)</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>polygons not counted</source>
        <translation>Polygone nicht gezählt</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <location filename="../resources/matched_instances.qml"/>
        <source>precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>precision, F1 and the penalised mean</source>
        <translation>Präzision, F1 und das Mittel mit Abzug</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>precision, F1, PQ</source>
        <translation>Präzision, F1, PQ</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>precision, F1, PQ and AP</source>
        <translation>Präzision, F1, PQ und AP</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>precision, F1, penalised mean</source>
        <translation>Präzision, F1, Mittel mit Abzug</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>predictions</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>predictions: {attribute}</source>
        <translation>Vorhersagen: {attribute}</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>predictions: {layer}</source>
        <translation>Vorhersagen: {layer}</translation>
    </message>
    <message>
        <location filename="../ui/scoring/form.py"/>
        <source>preset: {preset}</source>
        <translation>Voreinstellung: {preset}</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>prior (expected share)</source>
        <translation>Prior (erwarteter Anteil)</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>prior any</source>
        <translation>Prior: von irgendjemandem</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>prior mean</source>
        <translation>Prior: Mittel</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>prior used </source>
        <translation>verwendeter Prior </translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>prior {prior:g}</source>
        <translation>Prior {prior:g}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/tables.py"/>
        <source>probability without {name}</source>
        <translation>Wahrscheinlichkeit ohne {name}</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_info.py"/>
        <source>raster</source>
        <translation>Raster</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <location filename="../resources/matched_instances.qml"/>
        <source>recall</source>
        <translation>Trefferquote</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>red: target, black: delineation, RC: RandCrowns</source>
        <translation>rot: Zielkrone, schwarz: Umriss, RC: RandCrowns</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>red: target, black: prediction.</source>
        <translation>rot: Ziel, schwarz: Vorhersage.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>reference crowns</source>
        <translation>Referenzkronen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>reports</source>
        <translation>Berichte</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>requires at least three annotators</source>
        <translation>benötigt mindestens drei Annotatoren</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>right pairs score too low</source>
        <translation>richtige Paare haben zu niedrige Werte</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>right pairs score {right:.2f} on average, no more than wrong ones ({score:.2f})</source>
        <translation>richtige Paare erreichen im Mittel {right:.2f}, nicht mehr als falsche ({score:.2f})</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>scored</source>
        <translation>bewertet</translation>
    </message>
    <message>
        <location filename="../resources/pairs.qml"/>
        <source>scored, not selected</source>
        <translation>bewertet, nicht gewählt</translation>
    </message>
    <message>
        <location filename="../core/classes/within.py"/>
        <source>scores</source>
        <translation>Werte</translation>
    </message>
    <message>
        <location filename="../resources/report_methods.html"/>
        <source>segmentation</source>
        <translation>Segmentierung</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>share of the marked area</source>
        <translation>Anteil der markierten Fläche</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>share of the tree's height</source>
        <translation>Anteil der Baumhöhe</translation>
    </message>
    <message>
        <location filename="../layers/styles/plots.py"/>
        <source>share of the tree's radius</source>
        <translation>Anteil des Baumradius</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>shifted</source>
        <translation>verschoben</translation>
    </message>
    <message>
        <location filename="../ui/instances/cloud_fields.py"/>
        <source>simulated trees next to those of the sample image</source>
        <translation>simulierte Bäume neben denen des Beispielbildes</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>some lines are in pixels and others in shares of the image's size</source>
        <translation>einige Zeilen sind in Pixeln und andere in Anteilen der Bildgröße</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>split</source>
        <translation>zerteilt</translation>
    </message>
    <message>
        <location filename="../layers/styles/print_layout.py"/>
        <source>subject of this page</source>
        <translation>Gegenstand dieser Seite</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <location filename="../resources/terms.qml"/>
        <location filename="../ui/review/review_list.py"/>
        <location filename="../ui/review/side_by_side.py"/>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>target</source>
        <translation>Zielkrone</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>targets limited by the extent: {number:,}</source>
        <translation>Zielkronen am Rand der Ausdehnung: {number:,}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>targets outside the extent: {number:,}</source>
        <translation>Zielkronen außerhalb der Ausdehnung: {number:,}</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>targets with a prediction</source>
        <translation>Ziele mit einer Vorhersage</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>targets without a prediction</source>
        <translation>Ziele ohne Vorhersage</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>targets without geometry: {number:,}</source>
        <translation>Zielkronen ohne Geometrie: {number:,}</translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>targets: each annotator in turn</source>
        <translation>Ziele: jeder Annotator der Reihe nach</translation>
    </message>
    <message>
        <location filename="../ui/instances/form.py"/>
        <source>targets: {attribute}, {number} is no tree</source>
        <translation>Ziele: {attribute}, {number} ist kein Baum</translation>
    </message>
    <message>
        <location filename="../ui/shell/comparison_form.py"/>
        <location filename="../ui/tuning/results.py"/>
        <source>targets: {layer}</source>
        <translation>Ziele: {layer}</translation>
    </message>
    <message>
        <location filename="../resources/regions.qml"/>
        <source>tau</source>
        <translation>tau</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>the box may be two corners, or centre and size of a box beyond the image</source>
        <translation>das Rechteck kann zwei Ecken sein, oder Mitte und Größe eines Rechtecks über das Bild hinaus</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>the coordinate system of layer {name} changed.</source>
        <translation>Das Koordinatensystem des Layers {name} hat sich geändert.</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>the data source of layer {name} changed.</source>
        <translation>Die Datenquelle des Layers {name} hat sich geändert.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>the file cannot be opened under this name; choose another name or folder.</source>
        <translation>die Datei lässt sich unter diesem Namen nicht öffnen; wählen Sie einen anderen Namen oder Ordner.</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>the filter of layer {name} changed.</source>
        <translation>Der Filter des Layers {name} hat sich geändert.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/layer_parameters.py"/>
        <source>the first {count}</source>
        <translation>
            <numerusform>den ersten</numerusform>
            <numerusform>die ersten {count}</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>the format does not support its content; choose another, such as .gpkg.</source>
        <translation>Das Format unterstützt den Inhalt nicht; wählen Sie ein anderes, etwa .gpkg.</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>the image is the same everywhere in the study area</source>
        <translation>das Bild ist im Untersuchungsgebiet überall gleich</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>the last value may be a score or the object's number</source>
        <translation>der letzte Wert kann ein Score oder die Nummer des Objekts sein</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>the last value may be an angle of a turned box, or a score below 0 or above 1</source>
        <translation>der letzte Wert kann ein Winkel eines gedrehten Rechtecks sein, oder ein Score unter 0 oder über 1</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>the last value may be the visibility of a key point, a score or a number</source>
        <translation>der letzte Wert kann die Sichtbarkeit eines Schlüsselpunkts, ein Score oder eine Nummer sein</translation>
    </message>
    <message>
        <location filename="../layers/styles/tree.py"/>
        <source>the map's coordinate system</source>
        <translation>das Koordinatensystem der Karte</translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>the mean decision</source>
        <translation>die mittlere Entscheidung</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>the number of annotators is the same everywhere in the study area</source>
        <translation>die Zahl der Annotatoren ist im Untersuchungsgebiet überall gleich</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>the number of annotators or the image varies in too few blocks (the number of annotators effectively in {effective:.1f}) to distinguish a correlation of 1 from none</source>
        <translation>die Zahl der Annotatoren oder das Bild schwankt in zu wenigen Blöcken (die Zahl der Annotatoren effektiv in {effective:.1f}), um eine Korrelation von 1 von keiner zu unterscheiden</translation>
    </message>
    <message>
        <location filename="../core/agreement/image_correlation.py"/>
        <source>the number of annotators varies in too few blocks (effectively in {effective:.1f}; at least {least} are needed)</source>
        <translation>die Zahl der Annotatoren schwankt in zu wenigen Blöcken (effektiv in {effective:.1f}; mindestens {least} sind nötig)</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>the others' delineations of it are not each other's best match</source>
        <translation>die Umrisse der anderen passen nicht gegenseitig am besten zueinander</translation>
    </message>
    <message>
        <location filename="../ui/shell/running_page.py"/>
        <source>the parameters above changed.</source>
        <translation>Die Parameter oben haben sich geändert.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>the repair changes the area of {count:,} crowns by more than 1 %</source>
        <translation>
            <numerusform>die Reparatur verändert die Fläche von {count:,} Kronen um mehr als 1 %</numerusform>
            <numerusform>die Reparatur verändert die Fläche von {count:,} Kronen um mehr als 1 %</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/classes/strata.py"/>
        <source>the scores do not vary between plots or crowns</source>
        <translation>die Werte unterscheiden sich nicht zwischen Plots oder Kronen</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>the selection of crowns changed.</source>
        <translation>Die Auswahl der Kronen hat sich geändert.</translation>
    </message>
    <message>
        <location filename="../core/agreement/staple_em.py"/>
        <source>the share that anybody marked</source>
        <translation>der Anteil, den irgendjemand markiert hat</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>the table of its compressed points is missing</source>
        <translation>die Tabelle ihrer komprimierten Punkte fehlt</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>the toolbox's own</source>
        <translation>wie das Werkzeug</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>the variance ({variance:.1e}) is below that of every set that can be chosen, but wrong pairs score {score} on average, and the threshold is {limit:g}</source>
        <translation>die Varianz ({variance:.1e}) liegt unter der jedes wählbaren Satzes, aber falsche Paare erreichen im Mittel {score}, und der Schwellenwert ist {limit:g}</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>the variance is low ({variance:.1e}) only because everything scores high: wrong pairs {score:.2f} on average, right ones {right:.2f}</source>
        <translation>die Varianz ist nur klein ({variance:.1e}), weil alle Werte hoch sind: falsche Paare im Mittel {score:.2f}, richtige {right:.2f}</translation>
    </message>
    <message>
        <location filename="../ui/review/queue_form.py"/>
        <source>the whole layer</source>
        <translation>dem ganzen Layer</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>they are no outlines, and may be boxes with key points (pose)</source>
        <translation>sie sind keine Umrisse und können Rechtecke mit Schlüsselpunkten (Pose) sein</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>they are pixels, and may be centre and size, corner and size, or two corners</source>
        <translation>sie sind Pixel und können Mitte und Größe, Ecke und Größe oder zwei Ecken sein</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>they do not count</source>
        <translation>sie zählen nicht</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>they may be triangles, or boxes with a score and the object's number</source>
        <translation>sie können Dreiecke sein, oder Rechtecke mit einem Score und der Nummer des Objekts</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>they may be triangles, or boxes with one more point or two more values</source>
        <translation>sie können Dreiecke sein, oder Rechtecke mit einem weiteren Punkt oder zwei weiteren Werten</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/schema/outputs.py"/>
        <location filename="../ui/tuning/results.py"/>
        <location filename="../ui/widgets/fields.py"/>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>too large</source>
        <translation>zu groß</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>too many crowns are too small</source>
        <translation>zu viele Kronen sind zu klein</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>too small</source>
        <translation>zu klein</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>too small targets: {number:,}</source>
        <translation>zu kleine Zielkronen: {number:,}</translation>
    </message>
    <message>
        <location filename="../resources/scored_targets.qml"/>
        <source>too small to score</source>
        <translation>zu klein zum Bewerten</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>typical</source>
        <translation>typisch</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <location filename="../ui/instances/results_panel.py"/>
        <source>uncertain</source>
        <translation>unsicher</translation>
    </message>
    <message>
        <location filename="../resources/matched_instances.qml"/>
        <source>uncertain (does not count)</source>
        <translation>unsicher (zählt nicht)</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>units of {unit:.4g} m, as its coordinates</source>
        <translation>Einheiten von {unit:.4g} m, wie die Koordinaten</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/schema/outputs.py"/>
        <source>unlike the others</source>
        <translation>anders als die anderen</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>unmatched</source>
        <translation>ohne Partner</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>unmatched delineation</source>
        <translation>Umriss ohne Partner</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>unmatched delineations</source>
        <translation>Umrisse ohne Partner</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>unmatched delineations: {number:,}</source>
        <translation>Umrisse ohne Partner: {number:,}</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>unmatched predictions</source>
        <translation>Vorhersagen ohne Partner</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>unmatched target</source>
        <translation>Zielkrone ohne Partner</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>unmatched targets</source>
        <translation>Zielkronen ohne Partner</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>unmatched targets: {number:,}</source>
        <translation>Zielkronen ohne Partner: {number:,}</translation>
    </message>
    <message>
        <location filename="../resources/scored_targets.qml"/>
        <source>unmatched: score 0</source>
        <translation>ohne Partner: Wert 0</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>unsure</source>
        <translation>unsicher</translation>
    </message>
    <message>
        <location filename="../ui/tuning/results.py"/>
        <source>var.</source>
        <translation>Var.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <location filename="../ui/tuning/plots.py"/>
        <source>variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance 0.0001 to 0.001</source>
        <translation>Varianz 0,0001 bis 0,001</translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance 0.001 to 0.01</source>
        <translation>Varianz 0,001 bis 0,01</translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance 0.01 and more</source>
        <translation>Varianz ab 0,01</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>variance of RandCrowns</source>
        <translation>Varianz von RandCrowns</translation>
    </message>
    <message>
        <location filename="../resources/target_variance.qml"/>
        <source>variance under 0.0001</source>
        <translation>Varianz unter 0,0001</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>within your limit</source>
        <translation>innerhalb Ihrer Grenze</translation>
    </message>
    <message>
        <location filename="../layers/styles/styles.py"/>
        <source>without {name}</source>
        <translation>ohne {name}</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>worst</source>
        <translation>schlechteste</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/report_content.py"/>
        <location filename="../algorithms/tuning/schema/report_content.py"/>
        <source>worst crowns</source>
        <translation>schlechteste Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/report_content.py"/>
        <source>worst targets</source>
        <translation>schlechteste Ziele</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>worst: the largest variance of RandCrowns; typical: about the median variance.</source>
        <translation>schlechteste: die größte Varianz von RandCrowns; typisch: etwa die mediane Varianz.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>wrong pairs score too high</source>
        <translation>falsche Paare haben zu hohe Werte</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>wrong pairs score {score} on average, and the threshold is {limit:g}</source>
        <translation>falsche Paare erreichen im Mittel {score}, und der Schwellenwert ist {limit:g}</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/schema/outputs.py"/>
        <source>xy: distance to the trunk; z: height above the lowest point.</source>
        <translation>xy: Abstand zum Stamm; z: Höhe über dem tiefsten Punkt.</translation>
    </message>
    <message>
        <location filename="../algorithms/parameter_types.py"/>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <location filename="../layers/styles/styles.py"/>
        <source>yes: {names}</source>
        <translation>ja: {names}</translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreement_table.py"/>
        <source>yes: {yes}
no: {no}</source>
        <translation>ja: {yes}
nein: {no}</translation>
    </message>
    <message>
        <location filename="../algorithms/report/runs.py"/>
        <source>{algorithm}: {about}, {day}</source>
        <translation>{algorithm}: {about}, {day}</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>{area:,.1f} {unit}² of it were marked by nobody.</source>
        <translation>Davon hat niemand {area:,.1f} {unit}² markiert.</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>{area} (polygons)</source>
        <translation>{area} (Polygone)</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>{area} (raster)</source>
        <translation>{area} (Raster)</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>{area} (rectangle)</source>
        <translation>{area} (Rechteck)</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} and {second} tied in all bootstrap samples.</source>
        <translation>{best} und {second} lagen in allen Bootstrap-Stichproben gleichauf.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} came first in {first:.1f} % of the bootstrap samples, {rival} in {rival_first:.1f} %.</source>
        <translation>{best} lag in {first:.1f} % der Bootstrap-Stichproben vorn, {rival} in {rival_first:.1f} %.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} came out ahead of {second} in {won:.1f} % of the bootstrap samples and tied with it in {tied:.1f} %.</source>
        <translation>{best} lag in {won:.1f} % der Bootstrap-Stichproben vor {second} und in {tied:.1f} % gleichauf.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} came out ahead of {second} in {won:.1f} % of the bootstrap samples.</source>
        <translation>{best} lag in {won:.1f} % der Bootstrap-Stichproben vor {second}.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} can be called better than {second}.</source>
        <translation>{best} kann besser genannt werden als {second}.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} cannot be called better than {second}.</source>
        <translation>{best} kann nicht besser genannt werden als {second}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{best} comes first under {most} of {every} annotators (whole crowns), {others}.</source>
        <translation>{best} liegt unter {most} von {every} Annotatoren vorn (ganze Kronen), {others}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{best} comes first under {most} of {every} annotators (whole crowns).</source>
        <translation>{best} liegt unter {most} von {every} Annotatoren vorn (ganze Kronen).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{best} comes first under {most} of {every} ground truths (areas), {others}.</source>
        <translation>{best} liegt unter {most} von {every} Referenzen vorn (Flächen), {others}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{best} comes first under {most} of {every} ground truths (areas).</source>
        <translation>{best} liegt unter {most} von {every} Referenzen vorn (Flächen).</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} has the highest AP (all points) but cannot be called the best.</source>
        <translation>{best} hat die höchste AP (alle Punkte), kann aber nicht der beste genannt werden.</translation>
    </message>
    <message>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{best} has the highest AUCR but cannot be called the best.</source>
        <translation>{best} hat den höchsten AUCR, kann aber nicht der beste genannt werden.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <location filename="../ui/agreement/results.py"/>
        <source>{count:,} annotators</source>
        <translation>
            <numerusform>{count:,} Annotator</numerusform>
            <numerusform>{count:,} Annotatoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/compare_annotators.py"/>
        <source>{count:,} areas below {least:g} m² (together {area:,.1f} m²) are not listed among the disagreements.</source>
        <translation>
            <numerusform>{count:,} Fläche unter {least:g} m² ({area:,.1f} m²) ist nicht unter den Abweichungen aufgeführt.</numerusform>
            <numerusform>{count:,} Flächen unter {least:g} m² (zusammen {area:,.1f} m²) sind nicht unter den Abweichungen aufgeführt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/panel.py"/>
        <location filename="../ui/scoring/results.py"/>
        <location filename="../ui/services/layer_info.py"/>
        <source>{count:,} crowns</source>
        <translation>
            <numerusform>{count:,} Krone</numerusform>
            <numerusform>{count:,} Kronen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>{count:,} crowns are not boxes: pycocotools compares their boxes or pixels, but RandCrowns their outlines.</source>
        <translation>
            <numerusform>{count:,} Krone ist kein Rechteck: pycocotools vergleicht ihr Rechteck oder ihre Pixel, RandCrowns dagegen ihren Umriss.</numerusform>
            <numerusform>{count:,} Kronen sind keine Rechtecke: pycocotools vergleicht ihre Rechtecke oder Pixel, RandCrowns dagegen ihre Umrisse.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/results.py"/>
        <source>{count:,} crowns had been deleted meanwhile.</source>
        <translation>
            <numerusform>{count:,} Krone war inzwischen gelöscht worden.</numerusform>
            <numerusform>{count:,} Kronen waren inzwischen gelöscht worden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/results.py"/>
        <source>{count:,} crowns had not been saved when the run began, and were saved or deleted meanwhile. Run again to score the current crowns.</source>
        <translation>
            <numerusform>{count:,} Krone war bei Beginn des Laufs nicht gespeichert und wurde inzwischen gespeichert oder gelöscht. Starten Sie erneut, um die aktuellen Kronen zu bewerten.</numerusform>
            <numerusform>{count:,} Kronen waren bei Beginn des Laufs nicht gespeichert und wurden inzwischen gespeichert oder gelöscht. Starten Sie erneut, um die aktuellen Kronen zu bewerten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/classes/idtrees.py"/>
        <source>{count:,} crowns have several classes with the highest probability: {crowns}. Each of these classes counts, as in the toolbox of IDTReeS 2020.</source>
        <translation>
            <numerusform>{count:,} Kronen haben mehrere Klassen mit der höchsten Wahrscheinlichkeit: {crowns}. Jede dieser Klassen zählt, wie in der Toolbox von IDTReeS 2020.</numerusform>
            <numerusform>{count:,} Kronen haben mehrere Klassen mit der höchsten Wahrscheinlichkeit: {crowns}. Jede dieser Klassen zählt, wie in der Toolbox von IDTReeS 2020.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>{count:,} crowns imported, {left:,} skipped.</source>
        <translation>
            <numerusform>{count:,} Krone importiert, {left:,} übergangen.</numerusform>
            <numerusform>{count:,} Kronen importiert, {left:,} übergangen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/import_export.py"/>
        <source>{count:,} crowns imported, {skipped} skipped; see the layer tree.</source>
        <translation>
            <numerusform>{count:,} Krone importiert, {skipped} übergangen; siehe Layerbaum.</numerusform>
            <numerusform>{count:,} Kronen importiert, {skipped} übergangen; siehe Layerbaum.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/comparison.py"/>
        <source>{count:,} crowns of '{layer}' have no plot</source>
        <translation>
            <numerusform>{count:,} Krone von „{layer}“ hat keinen Plot</numerusform>
            <numerusform>{count:,} Kronen von „{layer}“ haben keinen Plot</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns of another geometry type than polygon are skipped</source>
        <translation>
            <numerusform>{count:,} Krone mit anderer Geometrieart als Polygon wird übergangen</numerusform>
            <numerusform>{count:,} Kronen mit anderer Geometrieart als Polygon werden übergangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns of mixed geometry are reduced to polygons</source>
        <translation>
            <numerusform>{count:,} Krone mit gemischter Geometrie wird auf Polygone beschränkt</numerusform>
            <numerusform>{count:,} Kronen mit gemischter Geometrie werden auf Polygone beschränkt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns outside the extent are excluded</source>
        <translation>
            <numerusform>{count:,} Krone außerhalb der Ausdehnung wird ausgeschlossen</numerusform>
            <numerusform>{count:,} Kronen außerhalb der Ausdehnung werden ausgeschlossen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns partly outside the extent are clipped to it</source>
        <translation>
            <numerusform>{count:,} Krone liegt teilweise außerhalb der Ausdehnung und wird daran abgeschnitten</numerusform>
            <numerusform>{count:,} Kronen liegen teilweise außerhalb der Ausdehnung und werden daran abgeschnitten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns whose outlines cross themselves too often to be repaired are skipped</source>
        <translation>
            <numerusform>{count:,} Kronen, deren Umrisse sich für eine Reparatur zu oft selbst kreuzen, werden übersprungen</numerusform>
            <numerusform>{count:,} Kronen, deren Umrisse sich für eine Reparatur zu oft selbst kreuzen, werden übersprungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with Z or M values are reduced to two dimensions</source>
        <translation>
            <numerusform>{count:,} Krone mit Z- oder M-Werten wird auf zwei Dimensionen reduziert</numerusform>
            <numerusform>{count:,} Kronen mit Z- oder M-Werten werden auf zwei Dimensionen reduziert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with a score below the threshold are excluded</source>
        <translation>
            <numerusform>{count:,} Krone mit einem Wert unter dem Schwellenwert wird ausgeschlossen</numerusform>
            <numerusform>{count:,} Kronen mit einem Wert unter dem Schwellenwert werden ausgeschlossen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with an empty geometry are skipped</source>
        <translation>
            <numerusform>{count:,} Krone mit leerer Geometrie wird übergangen</numerusform>
            <numerusform>{count:,} Kronen mit leerer Geometrie werden übergangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with an invalid geometry are repaired</source>
        <translation>
            <numerusform>{count:,} Krone mit ungültiger Geometrie wird repariert</numerusform>
            <numerusform>{count:,} Kronen mit ungültiger Geometrie werden repariert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with an outline that cannot be read are skipped</source>
        <translation>
            <numerusform>{count:,} Krone mit unlesbarem Umriss wird übergangen</numerusform>
            <numerusform>{count:,} Kronen mit unlesbarem Umriss werden übergangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with coordinates that are not numbers are skipped</source>
        <translation>
            <numerusform>{count:,} Krone mit Koordinaten, die keine Zahlen sind, wird übergangen</numerusform>
            <numerusform>{count:,} Kronen mit Koordinaten, die keine Zahlen sind, werden übergangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with coordinates too large for any map are skipped</source>
        <translation>
            <numerusform>{count:,} Krone mit Koordinaten jenseits jeder Karte wird übergangen</numerusform>
            <numerusform>{count:,} Kronen mit Koordinaten jenseits jeder Karte werden übergangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with cracks or specks narrower than 0.001 mm are smoothed there</source>
        <translation>
            <numerusform>{count:,} Kronen mit Rissen oder Splittern schmaler als 0,001 mm werden dort geglättet</numerusform>
            <numerusform>{count:,} Kronen mit Rissen oder Splittern schmaler als 0,001 mm werden dort geglättet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with curved edges are approximated by straight edges</source>
        <translation>
            <numerusform>{count:,} Krone mit gebogenen Kanten wird durch gerade Kanten angenähert</numerusform>
            <numerusform>{count:,} Kronen mit gebogenen Kanten werden durch gerade Kanten angenähert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns with several parts are counted once</source>
        <translation>
            <numerusform>{count:,} Krone mit mehreren Teilen wird einmal gezählt</numerusform>
            <numerusform>{count:,} Kronen mit mehreren Teilen werden einmal gezählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without a score are excluded</source>
        <translation>
            <numerusform>{count:,} Krone ohne Wert wird ausgeschlossen</numerusform>
            <numerusform>{count:,} Kronen ohne Wert werden ausgeschlossen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without an annotator's name are excluded</source>
        <translation>
            <numerusform>{count:,} Krone ohne Namen eines Annotators wird ausgeschlossen</numerusform>
            <numerusform>{count:,} Kronen ohne Namen eines Annotators werden ausgeschlossen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without an area are skipped</source>
        <translation>
            <numerusform>{count:,} Krone ohne Fläche wird übergangen</numerusform>
            <numerusform>{count:,} Kronen ohne Fläche werden übergangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/geometry.py"/>
        <source>{count:,} crowns without geometry are skipped</source>
        <translation>
            <numerusform>{count:,} Krone ohne Geometrie wird übergangen</numerusform>
            <numerusform>{count:,} Kronen ohne Geometrie werden übergangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} delineations excluded: not drawn by all annotators.</source>
        <translation>
            <numerusform>{count:,} Umriss ausgeschlossen: nicht von allen Annotatoren gezeichnet.</numerusform>
            <numerusform>{count:,} Umrisse ausgeschlossen: nicht von allen Annotatoren gezeichnet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} delineations excluded: outside the image extent.</source>
        <translation>
            <numerusform>{count:,} Umriss ausgeschlossen: außerhalb der Bildausdehnung.</numerusform>
            <numerusform>{count:,} Umrisse ausgeschlossen: außerhalb der Bildausdehnung.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_import.py"/>
        <source>{count:,} files were read as {kind}.</source>
        <translation>
            <numerusform>{count:,} Datei wurde als {kind} gelesen.</numerusform>
            <numerusform>{count:,} Dateien wurden als {kind} gelesen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/annotations.py"/>
        <source>{count:,} images have the crowns of several files each, such as {image} those of {files}. If the files are of different images, one of the images was not found.</source>
        <translation>
            <numerusform>{count:,} Bilder haben die Kronen mehrerer Dateien, etwa {image} die von {files}. Gehören die Dateien zu verschiedenen Bildern, wurde eines der Bilder nicht gefunden.</numerusform>
            <numerusform>{count:,} Bilder haben die Kronen mehrerer Dateien, etwa {image} die von {files}. Gehören die Dateien zu verschiedenen Bildern, wurde eines der Bilder nicht gefunden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/scoring/form.py"/>
        <source>{count:,} layers</source>
        <translation>
            <numerusform>{count:,} Layer</numerusform>
            <numerusform>{count:,} Layer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../resources/report_parts.html"/>
        <source>{count:,} more rows are in the table of the run.</source>
        <translation>
            <numerusform>{count:,} weitere Zeile steht in der Tabelle des Laufs.</numerusform>
            <numerusform>{count:,} weitere Zeilen stehen in der Tabelle des Laufs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/services/message_bar.py"/>
        <source>{count:,} notes</source>
        <translation>
            <numerusform>{count:,} Hinweis</numerusform>
            <numerusform>{count:,} Hinweise</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/import_export.py"/>
        <source>{count:,} notes are in the log tab RandCrowns.</source>
        <translation>
            <numerusform>{count:,} Hinweis steht im Protokollreiter RandCrowns.</numerusform>
            <numerusform>{count:,} Hinweise stehen im Protokollreiter RandCrowns.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/agreement/disagreement_table.py"/>
        <source>{count:,} places</source>
        <translation>
            <numerusform>{count:,} Stelle</numerusform>
            <numerusform>{count:,} Stellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/instances/cloud_fields.py"/>
        <source>{count:,} points</source>
        <translation>
            <numerusform>{count:,} Punkt</numerusform>
            <numerusform>{count:,} Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>{count:,} points of layer '{layer}' count for point recall.</source>
        <translation>
            <numerusform>{count:,} Punkt des Layers „{layer}“ zählt für die Trefferquote der Punkte.</numerusform>
            <numerusform>{count:,} Punkte des Layers „{layer}“ zählen für die Trefferquote der Punkte.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/services/layer_info.py"/>
        <source>{count:,} polygons</source>
        <translation>
            <numerusform>{count:,} Polygon</numerusform>
            <numerusform>{count:,} Polygone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/predicted_cloud.py"/>
        <source>{count:,} predicted trees of {file} are not counted, because none of their points is the nearest of a point of {reference}.</source>
        <translation>
            <numerusform>{count:,} vorhergesagte Bäume von {file} zählen nicht, weil keiner ihrer Punkte der nächste eines Punktes von {reference} ist.</numerusform>
            <numerusform>{count:,} vorhergesagte Bäume von {file} zählen nicht, weil keiner ihrer Punkte der nächste eines Punktes von {reference} ist.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/instances/results.py"/>
        <source>{count:,} predictions</source>
        <translation>
            <numerusform>{count:,} Vorhersage</numerusform>
            <numerusform>{count:,} Vorhersagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>{count:,} predictions have no height in the height field; these count as high enough.</source>
        <translation>
            <numerusform>{count:,} Vorhersage hat keine Höhe im Höhenfeld; sie zählt als hoch genug.</numerusform>
            <numerusform>{count:,} Vorhersagen haben keine Höhe im Höhenfeld; sie zählen als hoch genug.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>{count:,} predictions have no score and are excluded from AP.</source>
        <translation>
            <numerusform>{count:,} Vorhersage hat keinen Wert und ist von der AP ausgeschlossen.</numerusform>
            <numerusform>{count:,} Vorhersagen haben keinen Wert und sind von der AP ausgeschlossen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>{count:,} predictions lie on areas to ignore with at least half of their area. If unmatched, they are uncertain.</source>
        <translation>
            <numerusform>{count:,} Vorhersage liegt mit mindestens der Hälfte ihrer Fläche auf zu ignorierenden Flächen. Ohne Partner ist sie unsicher.</numerusform>
            <numerusform>{count:,} Vorhersagen liegen mit mindestens der Hälfte ihrer Fläche auf zu ignorierenden Flächen. Ohne Partner sind sie unsicher.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>{count:,} predictions without a score were not exported because COCO's results require one.</source>
        <translation>
            <numerusform>{count:,} Vorhersage ohne Wert wurde nicht exportiert, da Ergebnisse von COCO einen benötigen.</numerusform>
            <numerusform>{count:,} Vorhersagen ohne Wert wurden nicht exportiert, da Ergebnisse von COCO einen benötigen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/consensus_methods.py"/>
        <source>{count:,} rounds</source>
        <translation>
            <numerusform>{count:,} Durchgang</numerusform>
            <numerusform>{count:,} Durchgänge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/instances/results.py"/>
        <source>{count:,} targets</source>
        <translation>
            <numerusform>{count:,} Ziel</numerusform>
            <numerusform>{count:,} Ziele</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} targets excluded: not drawn by all annotators.</source>
        <translation>
            <numerusform>{count:,} Zielkrone ausgeschlossen: nicht von allen Annotatoren gezeichnet.</numerusform>
            <numerusform>{count:,} Zielkronen ausgeschlossen: nicht von allen Annotatoren gezeichnet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{count:,} targets excluded: outside the image extent.</source>
        <translation>
            <numerusform>{count:,} Zielkrone ausgeschlossen: außerhalb der Bildausdehnung.</numerusform>
            <numerusform>{count:,} Zielkronen ausgeschlossen: außerhalb der Bildausdehnung.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/review/page.py"/>
        <source>{count:,} verdicts added.</source>
        <translation>
            <numerusform>{count:,} Urteil hinzugefügt.</numerusform>
            <numerusform>{count:,} Urteile hinzugefügt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/services/message_bar.py"/>
        <source>{count:,} warnings</source>
        <translation>
            <numerusform>{count:,} Warnung</numerusform>
            <numerusform>{count:,} Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/tables.py"/>
        <source>{count} annotators: mean F1 {f1}, pairs {least} to {most}; Fleiss' kappa {kappa}, Smyth's bound on the mean error {bound}.</source>
        <translation>
            <numerusform>{count} Annotator: mittlerer F1 {f1}, Paare {least} bis {most}; Fleiss’ Kappa {kappa}, Smyths Schranke für den mittleren Fehler {bound}.</numerusform>
            <numerusform>{count} Annotatoren: mittlerer F1 {f1}, Paare {least} bis {most}; Fleiss’ Kappa {kappa}, Smyths Schranke für den mittleren Fehler {bound}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/detectors/ranking_units.py"/>
        <source>{count} detectors on {rows:,} x {columns:,} pixels take too much memory. Choose larger pixels.</source>
        <translation>
            <numerusform>{count} Detektor auf {rows:,} x {columns:,} Pixeln braucht zu viel Speicher. Wählen Sie größere Pixel.</numerusform>
            <numerusform>{count} Detektoren auf {rows:,} x {columns:,} Pixeln brauchen zu viel Speicher. Wählen Sie größere Pixel.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/run_history.py"/>
        <source>{count} earlier runs are in the files</source>
        <translation>
            <numerusform>{count} früherer Lauf ist in den Dateien</numerusform>
            <numerusform>{count} frühere Läufe sind in den Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/multiple_images.py"/>
        <source>{count} images or plots were counted together; intervals are over them.</source>
        <translation>
            <numerusform>{count} Bild oder Plot wurde gezählt; die Intervalle gelten darüber.</numerusform>
            <numerusform>{count} Bilder oder Plots wurden zusammen gezählt; die Intervalle gelten über sie.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../ui/shell/print_layouts.py"/>
        <source>{count} print layouts show this run now.</source>
        <translation>
            <numerusform>{count} Drucklayout zeigt jetzt diesen Lauf.</numerusform>
            <numerusform>{count} Drucklayouts zeigen jetzt diesen Lauf.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/report/report.py"/>
        <source>{count} runs: {titles}.</source>
        <translation>
            <numerusform>{count} Lauf: {titles}.</numerusform>
            <numerusform>{count} Läufe: {titles}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/layer_parameters.py"/>
        <source>{count} selected features</source>
        <translation>
            <numerusform>{count} gewähltes Objekt</numerusform>
            <numerusform>{count} gewählte Objekte</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>{done:,} of {all:,} reviewed</source>
        <translation>{done:,} von {all:,} geprüft</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/export_folder.py"/>
        <source>{files} in folder {folder} are not as an export wrote them, so they stay; choose another folder.</source>
        <translation>
            <numerusform>{files} im Ordner {folder} ist nicht so, wie ein Export es schrieb, und bleibt darum; wählen Sie einen anderen Ordner.</numerusform>
            <numerusform>{files} im Ordner {folder} sind nicht so, wie ein Export sie schrieb, und bleiben darum; wählen Sie einen anderen Ordner.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/files/staging.py"/>
        <source>{files} would belong to {file}, which does not exist; choose another name for the output.</source>
        <translation>{files} würde zu {file} gehören, aber diese Datei gibt es nicht; wählen Sie einen anderen Namen für die Ausgabe.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>{file} cannot be read as a point cloud; it is damaged or ends early ({why}). Copy or download it again.</source>
        <translation>{file} ist nicht als Punktwolke lesbar; sie ist beschädigt oder endet zu früh ({why}). Kopieren oder laden Sie sie neu.</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>{file} cannot be written to; check your rights to it and to its folder, or choose another file.</source>
        <translation>In {file} lässt sich nicht schreiben; prüfen Sie Ihre Rechte an Datei und Ordner oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>{file} changed.</source>
        <translation>{file} hat sich geändert.</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>{file} could not be read or written; check that nothing else changes it, or choose another file.</source>
        <translation>{file} ließ sich nicht lesen oder schreiben; prüfen Sie, dass nichts anderes sie ändert, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../ui/services/run_outcome.py"/>
        <source>{file} does not say in which folder it is. Choose the results file with the button next to it.</source>
        <translation>{file} gibt nicht an, in welchem Ordner die Datei liegt. Wählen Sie die Ergebnisdatei mit der Schaltfläche daneben.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>{file} does not say its coordinate system; choose the system of its coordinates. For local coordinates in metres any system in metres will do.</source>
        <translation>{file} nennt kein Koordinatensystem; wählen Sie das System der Koordinaten. Für lokale Koordinaten in Metern genügt jedes System in Metern.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>{file} ends early: it has only {found:,} of {expected:,} points. Copy or download it again.</source>
        <translation>{file} endet zu früh: Die Datei hat nur {found:,} von {expected:,} Punkten. Kopieren oder laden Sie sie neu.</translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{file} has a heading but no rows.</source>
        <translation>{file} hat eine Kopfzeile, aber keine Zeilen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/annotations.py"/>
        <source>{file} has more than {most:,} annotations (row {row:,} is one too many); raise the score threshold, or split the file.</source>
        <translation>{file} hat mehr als {most:,} Annotationen (Zeile {row:,} ist eine zu viel); erhöhen Sie den kleinsten Wert oder teilen Sie die Datei.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>{file} has no attribute '{name}' with one number per point; it has {names}.</source>
        <translation>{file} hat kein Attribut „{name}“ mit einer Zahl je Punkt; sie hat {names}.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>{file} has no column {axis}; it has {names}. A point cloud needs columns x, y and z, named in its first line or header.</source>
        <translation>{file} hat keine Spalte {axis}; vorhanden sind {names}. Eine Punktwolke braucht die Spalten x, y und z, benannt in der ersten Zeile oder im Dateikopf.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>{file} has no element 'vertex' with points.</source>
        <translation>{file} hat kein Element „vertex“ mit Punkten.</translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{file} has no heading; its columns were read as {columns}.</source>
        <translation>{file} hat keine Kopfzeile; die Spalten wurden als {columns} gelesen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file} has no points.</source>
        <translation>{file} hat keine Punkte.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>{file} has several attributes named '{name}'; the later one is called '{other}' here.</source>
        <translation>{file} hat mehrere Attribute namens „{name}“; das spätere heißt hier „{other}“.</translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{file} has several columns called {columns}; the first of each was read.</source>
        <translation>{file} hat mehrere Spalten namens {columns}; gelesen wurde jeweils die erste.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>{file} holds an array of shape {shape}; a point cloud needs named fields, or a row of at least x, y and z per point.</source>
        <translation>{file} enthält ein Array der Form {shape}; eine Punktwolke braucht benannte Felder oder je Punkt eine Zeile mit mindestens x, y und z.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file} is a file of {program}, which cannot be imported; export it there as COCO, Pascal VOC or YOLO.</source>
        <translation>{file} ist eine Datei von {program}, die nicht importiert werden kann; exportieren Sie sie dort als COCO, Pascal VOC oder YOLO.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>{file} is a file; choose a folder for the output.</source>
        <translation>{file} ist eine Datei; wählen Sie einen Ordner für die Ausgabe.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file} is a list of class names, without crowns; choose the folder with the files of crowns.</source>
        <translation>{file} ist eine Liste von Klassennamen ohne Kronen; wählen Sie den Ordner mit den Dateien der Kronen.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file} is chosen both as the file to import and as 'Images of'; choose the results as the file, or leave 'Images of' empty.</source>
        <translation>{file} ist sowohl als zu importierende Datei als auch unter „Bilder aus“ gewählt; wählen Sie die Ergebnisse als Datei, oder lassen Sie „Bilder aus“ leer.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file} is empty; choose another file.</source>
        <translation>{file} ist leer; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../layers/databases.py"/>
        <source>{file} is in use: another program, or unsaved edits in QGIS, keep it locked. Save or close there and run again, or choose another file.</source>
        <translation>{file} ist in Benutzung: Ein anderes Programm oder nicht gespeicherte Änderungen in QGIS halten sie gesperrt. Speichern oder schließen Sie dort und starten Sie erneut, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo.py"/>
        <source>{file} is larger than {size} MB, which is too large for a list of class names, and was not read; classes without a name are numbers.</source>
        <translation>{file} ist größer als {size} MB, zu groß für eine Liste von Klassennamen, und wurde nicht gelesen; Klassen ohne Namen sind Nummern.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file} is not recognised as a file that can be imported: DeepForest (.csv), Pascal VOC or CVAT (.xml), COCO, LabelMe, Label Studio or VIA (.json), YOLO (.txt), shapefile, GeoPackage or GeoJSON. If it is such a file, choose its format.</source>
        <translation>{file} wird nicht als importierbare Datei erkannt: DeepForest (.csv), Pascal VOC oder CVAT (.xml), COCO, LabelMe, Label Studio oder VIA (.json), YOLO (.txt), Shapefile, GeoPackage oder GeoJSON. Wenn es eine solche Datei ist, wählen Sie ihr Format.</translation>
    </message>
    <message>
        <location filename="../layers/files/geopackage.py"/>
        <source>{file} was changed by another program during the run, so nothing was written. Run again.</source>
        <translation>{file} wurde während des Laufs von einem anderen Programm geändert, daher wurde nichts geschrieben. Starten Sie erneut.</translation>
    </message>
    <message>
        <location filename="../ui/services/layer_watch.py"/>
        <source>{file} was removed.</source>
        <translation>{file} wurde entfernt.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: 0 is read as no tree in attribute '{name}', but its {points:,} points are as many as a tree has ({least:,} to {most:,}). If 0 is a tree, change the id for no tree to {other}.</source>
        <translation>{file}: 0 gilt im Attribut „{name}“ als kein Baum, aber seine {points:,} Punkte sind so viele, wie ein Baum hat ({least:,} bis {most:,}). Ist 0 ein Baum, ändern Sie die Id für keinen Baum auf {other}.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: 0 is the id of a tree in attribute '{name}', but its points spread over {width:.0f} m, any other tree over at most {most:.0f} m. If they have no tree, write 0 into 'Further values that mean no tree'.</source>
        <translation>{file}: 0 ist in Attribut „{name}“ die Nummer eines Baums, aber seine Punkte erstrecken sich über {width:.0f} m, jeder andere Baum über höchstens {most:.0f} m. Wenn sie zu keinem Baum gehören, schreiben Sie 0 in „Weitere Werte für keinen Baum“.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: attribute '{name}' has no tree: no point has the id of a tree.</source>
        <translation>{file}: Das Attribut „{name}“ hat keinen Baum: Kein Punkt hat die Id eines Baums.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: different trees may have the same number, because attribute '{name}' cannot tell {number} from the next number. Store whole numbers, or number the trees from 1 on.</source>
        <translation>{file}: Verschiedene Bäume haben möglicherweise dieselbe Nummer, da das Attribut „{name}“ {number} nicht von der nächsten Zahl unterscheiden kann. Speichern Sie ganze Zahlen oder nummerieren Sie die Bäume ab 1.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: every point has a tree in attribute '{name}'. Check that {invalid} is its id for no tree. Most points have {common} ({share:.0%}).</source>
        <translation>{file}: Im Attribut „{name}“ hat jeder Punkt einen Baum. Prüfen Sie, ob {invalid} die Id für keinen Baum ist. Die meisten Punkte haben {common} ({share:.0%}).</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: every point has a tree in attribute '{name}'. Check that {invalid} is its id for no tree. Most points have {common} ({share:.0%}). {of_zero:.0%} have 0.</source>
        <translation>{file}: Im Attribut „{name}“ hat jeder Punkt einen Baum. Prüfen Sie, ob {invalid} die Id für keinen Baum ist. Die meisten Punkte haben {common} ({share:.0%}). {of_zero:.0%} haben 0.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: every point needs finite coordinates, but those of point {number} are not numbers; remove such points, or check the scale and offset in the file's header.</source>
        <translation>{file}: Jeder Punkt braucht endliche Koordinaten, aber die von Punkt {number} sind keine Zahlen; entfernen Sie solche Punkte oder prüfen Sie Skala und Verschiebung im Kopf der Datei.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: files that cannot be read as images: {images}. They may be damaged, or of another format.</source>
        <translation>{file}: nicht als Bild lesbare Dateien: {images}. Sie sind vielleicht beschädigt oder haben ein anderes Format.</translation>
    </message>
    <message>
        <location filename="../layers/raster/images.py"/>
        <source>{file}: image '{image}' may be one of several in the image folder: {images}. Choose the folder of the right one, or import the files of each folder separately.</source>
        <translation>{file}: Das Bild „{image}“ kann eines von mehreren im Bilderordner sein: {images}. Wählen Sie den Ordner des richtigen, oder importieren Sie die Dateien jedes Ordners einzeln.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: images not found beside the file or in the folder of the images: {images}. Choose the images' folder.</source>
        <translation>{file}: Bilder, die weder neben der Datei noch im Ordner der Bilder gefunden wurden: {images}. Wählen Sie den Ordner der Bilder.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: images of another size than the file specifies: {images}. Crowns were taken as pixels of the image.</source>
        <translation>{file}: Bilder mit anderer Größe, als die Datei angibt: {images}. Die Kronen wurden als Pixel des Bildes gelesen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo.py"/>
        <source>{file}: its list 'names' is missing, invalid or not as long as 'nc' declares; classes without a name are numbers.</source>
        <translation>{file}: Die Liste „names“ fehlt, ist ungültig oder nicht so lang, wie „nc“ angibt; Klassen ohne Namen sind Nummern.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/label_raster.py"/>
        <source>{file}: its numbers were taken for numbers of crowns, {count:,} in all.</source>
        <translation>
            <numerusform>{file}: Die Zahlen gelten als Nummern von Kronen, insgesamt {count:,}.</numerusform>
            <numerusform>{file}: Die Zahlen gelten als Nummern von Kronen, insgesamt {count:,}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/label_raster.py"/>
        <source>{file}: its numbers were taken for {classes:,} classes. Pixels of one class that touch are a crown, {count:,} in all.</source>
        <translation>
            <numerusform>{file}: Die Zahlen gelten als {classes:,} Klassen. Pixel einer Klasse, die sich berühren, sind eine Krone, insgesamt {count:,}.</numerusform>
            <numerusform>{file}: Die Zahlen gelten als {classes:,} Klassen. Pixel einer Klasse, die sich berühren, sind eine Krone, insgesamt {count:,}.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: its outlines were taken for map coordinates, because they lie on the images there.</source>
        <translation>{file}: Die Umrisse wurden als Kartenkoordinaten gelesen, da sie so auf den Bildern liegen.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: its outlines were taken for pixels of its images.</source>
        <translation>{file}: Die Umrisse wurden als Pixel der Bilder gelesen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: no target and prediction overlap, because no point has both. Check the two attributes.</source>
        <translation>{file}: Kein Ziel und keine Vorhersage überlappen einander, da kein Punkt beide hat. Prüfen Sie die beiden Attribute.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: point {number} lies at {place}, which is no place on earth; remove such points, or check the scale and offset in the file's header.</source>
        <translation>{file}: Punkt {number} liegt bei {place}, was kein Ort auf der Erde ist; entfernen Sie solche Punkte oder prüfen Sie Skala und Verschiebung im Kopf der Datei.</translation>
    </message>
    <message>
        <location filename="../core/exchange/label_studio.py"/>
        <source>{file}: some images were annotated several times, and all crowns were read. The field annotator says who drew each.</source>
        <translation>{file}: Einige Bilder wurden mehrfach annotiert, und alle Kronen wurden gelesen. Das Feld annotator gibt an, wer sie gezeichnet hat.</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>{file}: the boxes were read as two corners (x1, y1, x2, y2), since as centre and size they would lie outside the image.</source>
        <translation>{file}: Die Rechtecke wurden als zwei Ecken (x1, y1, x2, y2) gelesen, da sie als Mitte und Größe außerhalb des Bildes lägen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>{file}: the coordinates are above 1 and were read as pixels, not as shares of the image's size.</source>
        <translation>{file}: Die Koordinaten liegen über 1 und wurden als Pixel gelesen, nicht als Anteile der Bildgröße.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/vector_files.py"/>
        <source>{file}: the coordinates of {count:,} crowns cannot be of its coordinate system {crs}, which is in degrees. They may be metres; give the file the system of its coordinates, for example with the tool 'Assign projection'.</source>
        <translation>
            <numerusform>{file}: Die Koordinaten von {count:,} Krone können nicht in ihrem Koordinatensystem {crs} sein, das in Grad ist. Vielleicht sind es Meter; geben Sie der Datei das System ihrer Koordinaten, zum Beispiel mit dem Werkzeug „Projektion zuweisen“.</numerusform>
            <numerusform>{file}: Die Koordinaten von {count:,} Kronen können nicht in ihrem Koordinatensystem {crs} sein, das in Grad ist. Vielleicht sind es Meter; geben Sie der Datei das System ihrer Koordinaten, zum Beispiel mit dem Werkzeug „Projektion zuweisen“.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: the ids in attribute '{name}' have gaps ({missing:,} missing, as {examples}).</source>
        <translation>{file}: Die Ids im Attribut „{name}“ haben Lücken ({missing:,} fehlen, etwa {examples}).</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>{file}: the last value of the lines was read as the number of the object (field object_id), as trackers write it.</source>
        <translation>{file}: Der letzte Wert der Zeilen wurde als Nummer des Objekts gelesen (Feld object_id), wie Programme zur Verfolgung von Objekten sie schreiben.</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>{file}: the lines were read as boxes with key points (pose); the key points were left out.</source>
        <translation>{file}: Die Zeilen wurden als Rechtecke mit Schlüsselpunkten (Pose) gelesen; die Schlüsselpunkte wurden weggelassen.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: the names and sizes of its images are those of {truth}.</source>
        <translation>{file}: Namen und Größen der Bilder sind die aus {truth}.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: the pixels of {images} do not lie upright (EXIF orientation). The crowns were taken for pixels of the upright image, as annotation tools show it; QGIS shows the image as it is stored, with the crowns on it.</source>
        <translation>{file}: Die Pixel von {images} liegen nicht aufrecht (EXIF-Ausrichtung). Die Kronen wurden als Pixel des aufrechten Bildes gelesen, wie Annotationsprogramme es zeigen; QGIS zeigt das Bild, wie es gespeichert ist, mit den Kronen darauf.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/evaluate_point_cloud.py"/>
        <source>{file}: {common} is the id of a tree in attribute '{name}', and {share:.0%} of all points have it, many more than any other tree. If these points have no tree, change the id for no tree from {invalid} to {common}, and give the points with {invalid} that id too.</source>
        <translation>{file}: {common} ist im Attribut „{name}“ die Id eines Baums, und {share:.0%} aller Punkte haben sie, viel mehr als bei jedem anderen Baum. Haben diese Punkte keinen Baum, ändern Sie die Id für keinen Baum von {invalid} auf {common}, und geben Sie auch den Punkten mit {invalid} diese Id.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: a coordinate is missing or is no number (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Eine Koordinate fehlt oder ist keine Zahl (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Eine Koordinate fehlt oder ist keine Zahl (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: it names no image (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Sie nennt kein Bild (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Sie nennen kein Bild (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its geometry cannot be read (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihre Geometrie ist nicht lesbar (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihre Geometrie ist nicht lesbar (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image has no georeference or no coordinate system, and other images are on the map (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihr Bild hat keine Georeferenz oder kein Koordinatensystem, und andere Bilder liegen auf der Karte (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihr Bild hat keine Georeferenz oder kein Koordinatensystem, und andere Bilder liegen auf der Karte (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image is not found or cannot be read, and other images are on the map (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihr Bild fehlt oder ist nicht lesbar, und andere Bilder liegen auf der Karte (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihr Bild fehlt oder ist nicht lesbar, und andere Bilder liegen auf der Karte (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image is not found, and the format needs the size of the image (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihr Bild wurde nicht gefunden, und das Format benötigt die Größe des Bildes (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihr Bild wurde nicht gefunden, und das Format benötigt die Größe des Bildes (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its image is not in the file's list of images (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihr Bild steht nicht in der Liste der Bilder (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihr Bild steht nicht in der Liste der Bilder (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its mask has another size than its image (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihre Maske hat eine andere Größe als ihr Bild (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihre Maske hat eine andere Größe als ihr Bild (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its mask has no pixel (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihre Maske hat kein Pixel (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihre Maske hat kein Pixel (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its mask spans more than 100,000,000 pixels, which need too much memory (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotationen wurden übersprungen: ihre Maske erstreckt sich über mehr als 100 Millionen Pixel, die zu viel Speicher brauchen (Zeilen {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übersprungen: ihre Maske erstreckt sich über mehr als 100 Millionen Pixel, die zu viel Speicher brauchen (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its outline crosses itself too often to be repaired (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotationen wurden übersprungen: ihr Umriss kreuzt sich für eine Reparatur zu oft selbst (Zeilen {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übersprungen: ihr Umriss kreuzt sich für eine Reparatur zu oft selbst (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its score is below the threshold (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihr Wert liegt unter dem kleinsten (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihr Wert liegt unter dem kleinsten (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: its shape is neither a polygon, a rectangle nor a point (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Ihre Form ist weder Polygon noch Rechteck noch Punkt (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Ihre Form ist weder Polygon noch Rechteck noch Punkt (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: the box has no width or no height (x2 &lt;= x1, y2 &lt;= y1, or a size that is not above 0) (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Das Rechteck hat keine Breite oder keine Höhe (x2 &lt;= x1, y2 &lt;= y1, oder eine Größe nicht über 0) (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Das Rechteck hat keine Breite oder keine Höhe (x2 &lt;= x1, y2 &lt;= y1, oder eine Größe nicht über 0) (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: the counts of its run-length encoding do not sum to the size of its mask (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Die Summe ihrer Lauflängen ist nicht die Größe ihrer Maske (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Die Summe ihrer Lauflängen ist nicht die Größe ihrer Maske (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were skipped: the polygon has fewer than 3 points (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übergangen: Das Polygon hat weniger als 3 Punkte (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übergangen: Das Polygon hat weniger als 3 Punkte (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: a part of its outline cannot be read and was left out (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ein Teil ihres Umrisses kann nicht gelesen werden und wurde weggelassen (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ein Teil ihrer Umrisse kann nicht gelesen werden und wurde weggelassen (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: it lies outside its image (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Sie liegt außerhalb ihres Bildes (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Sie liegen außerhalb ihres Bildes (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: it names no image and was taken for the only image of the file (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Sie nennt kein Bild und wurde dem einzigen Bild der Datei zugeordnet (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Sie nennen kein Bild und wurden dem einzigen Bild der Datei zugeordnet (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its box was taken as two corners (x1, y1, x2, y2), as its mode or the areas say (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihr Rechteck wurde als zwei Ecken (x1, y1, x2, y2) gelesen, wie sein Modus oder die Flächen sagen (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Rechtecke wurden als zwei Ecken (x1, y1, x2, y2) gelesen, wie ihr Modus oder die Flächen sagen (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its box was turned by the rotation in its attributes (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihr Rechteck wurde um die Drehung in ihren Attributen gedreht (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Rechtecke wurden um die Drehung in ihren Attributen gedreht (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its class has no name (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihre Klasse hat keinen Namen (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Klassen haben keinen Namen (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its file name is not that of its image number, which was taken (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihr Dateiname ist nicht der ihrer Bildnummer, die verwendet wurde (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Dateinamen sind nicht die ihrer Bildnummern, die verwendet wurden (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its iscrowd is no number and was taken for 0 (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihr iscrowd ist keine Zahl und wurde als 0 gelesen (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihr iscrowd ist keine Zahl und wurde als 0 gelesen (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its outline or mask cannot be used, so its box was taken (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihr Umriss oder ihre Maske ist nicht verwendbar, daher wurde ihr Rechteck genommen (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Umrisse oder Masken sind nicht verwendbar, daher wurden ihre Rechtecke genommen (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its parts overlap and were joined, as pycocotools does, not cut out as holes (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihre Teile überlappen sich und wurden vereinigt, wie in pycocotools, nicht als Löcher ausgeschnitten (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Teile überlappen sich und wurden vereinigt, wie in pycocotools, nicht als Löcher ausgeschnitten (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its score is no finite number and was left empty (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihr Wert ist keine endliche Zahl und blieb leer (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Werte sind keine endlichen Zahlen und blieben leer (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: its score is not between 0 and 1 and was kept (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Ihr Wert liegt nicht zwischen 0 und 1 und wurde behalten (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Ihre Werte liegen nicht zwischen 0 und 1 und wurden behalten (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: no image has its number, so its image was found by its name (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotation wurde übernommen, ist aber zweifelhaft: Kein Bild hat ihre Nummer, daher wurde ihr Bild nach dem Namen gefunden (Zeile {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: Kein Bild hat ihre Nummer, daher wurde ihr Bild nach dem Namen gefunden (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/annotations.py"/>
        <source>{file}: {count:,} annotations were taken, but each is doubtful: only the polygons of its geometry were taken, not its points and lines (rows {rows}).</source>
        <translation>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: nur die Polygone ihrer Geometrie wurden übernommen, nicht deren Punkte und Linien (Zeilen {rows}).</numerusform>
            <numerusform>{file}: {count:,} Annotationen wurden übernommen, sind aber zweifelhaft: nur die Polygone ihrer Geometrie wurden übernommen, nicht deren Punkte und Linien (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: {count:,} images are without crowns: {images}.</source>
        <translation>
            <numerusform>{file}: {count:,} Bild ist ohne Kronen: {images}.</numerusform>
            <numerusform>{file}: {count:,} Bilder sind ohne Kronen: {images}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points ({share:.1%}) are left out ({conditions}).</source>
        <translation>
            <numerusform>{file}: {count:,} Punkte ({share:.1%}) werden ausgelassen ({conditions}).</numerusform>
            <numerusform>{file}: {count:,} Punkte ({share:.1%}) werden ausgelassen ({conditions}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points ({share:.1%}) have the flag 'withheld' of deleted points. They are counted; to leave them out, give withheld=1 as points to leave out.</source>
        <translation>
            <numerusform>{file}: {count:,} Punkte ({share:.1%}) haben das Kennzeichen 'withheld' gelöschter Punkte. Sie zählen mit; um sie wegzulassen, geben Sie withheld=1 bei den wegzulassenden Punkten an.</numerusform>
            <numerusform>{file}: {count:,} Punkte ({share:.1%}) haben das Kennzeichen 'withheld' gelöschter Punkte. Sie zählen mit; um sie wegzulassen, geben Sie withheld=1 bei den wegzulassenden Punkten an.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have no number in attribute '{name}'; they belong to no instance ({number}).</source>
        <translation>
            <numerusform>{file}: {count:,} Punkt hat im Attribut „{name}“ keine Zahl; er gehört zu keiner Instanz ({number}).</numerusform>
            <numerusform>{file}: {count:,} Punkte haben im Attribut „{name}“ keine Zahl; sie gehören zu keiner Instanz ({number}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have {number} in attribute '{name}', the largest or smallest number of its type; they are taken to belong to no instance.</source>
        <translation>
            <numerusform>{file}: {count:,} Punkte haben in Attribut „{name}“ den Wert {number}, die größte oder kleinste Zahl des Datentyps; sie gelten als zu keiner Instanz gehörig.</numerusform>
            <numerusform>{file}: {count:,} Punkte haben in Attribut „{name}“ den Wert {number}, die größte oder kleinste Zahl des Datentyps; sie gelten als zu keiner Instanz gehörig.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have {number} in attribute '{name}', where numbers cannot be negative; they are taken to belong to no instance.</source>
        <translation>
            <numerusform>{file}: {count:,} Punkt hat {number} im Attribut „{name}“, in dem Zahlen nicht negativ sein können; er gilt als zu keiner Instanz gehörig.</numerusform>
            <numerusform>{file}: {count:,} Punkte haben {number} im Attribut „{name}“, in dem Zahlen nicht negativ sein können; sie gelten als zu keiner Instanz gehörig.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have {number} in attribute '{name}', which is -1 where numbers cannot be negative; they are taken to belong to no instance.</source>
        <translation>
            <numerusform>{file}: {count:,} Punkt hat {number} im Attribut „{name}“, was -1 entspricht, wo Zahlen nicht negativ sein können; er gilt als zu keiner Instanz gehörig.</numerusform>
            <numerusform>{file}: {count:,} Punkte haben {number} im Attribut „{name}“, was -1 entspricht, wo Zahlen nicht negativ sein können; sie gelten als zu keiner Instanz gehörig.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/cloud/points.py"/>
        <source>{file}: {count:,} points have {number} in attribute '{name}', which the file declares to mean no data; they belong to no instance.</source>
        <translation>
            <numerusform>{file}: {count:,} Punkte haben in Attribut „{name}“ den Wert {number}, der laut Datei keine Daten bedeutet; sie gehören zu keiner Instanz.</numerusform>
            <numerusform>{file}: {count:,} Punkte haben in Attribut „{name}“ den Wert {number}, der laut Datei keine Daten bedeutet; sie gehören zu keiner Instanz.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/coco.py"/>
        <source>{file}: {count:,} results have the flag iscrowd. Results are predictions, so they are imported as crowns, as pycocotools reads them.</source>
        <translation>
            <numerusform>{file}: {count:,} Ergebnisse haben das Kennzeichen iscrowd. Ergebnisse sind Vorhersagen und werden daher als Kronen importiert, wie pycocotools sie liest.</numerusform>
            <numerusform>{file}: {count:,} Ergebnisse haben das Kennzeichen iscrowd. Ergebnisse sind Vorhersagen und werden daher als Kronen importiert, wie pycocotools sie liest.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/exchange/shapes.py"/>
        <source>{file}: {count:,} shapes were joined by their group and label; each group is one crown.</source>
        <translation>
            <numerusform>{file}: {count:,} Formen wurden nach Gruppe und Bezeichnung verbunden; jede Gruppe ist eine Krone.</numerusform>
            <numerusform>{file}: {count:,} Formen wurden nach Gruppe und Bezeichnung verbunden; jede Gruppe ist eine Krone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/annotations.py"/>
        <source>{file}: {images} have no georeference. Their crowns are in pixels, and lie on them in QGIS.</source>
        <translation>
            <numerusform>{file}: {images} hat keine Georeferenz. Die Kronen des Bildes sind in Pixeln und liegen in QGIS darauf.</numerusform>
            <numerusform>{file}: {images} haben keine Georeferenz. Die Kronen der Bilder sind in Pixeln und liegen in QGIS darauf.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/report/runs.py"/>
        <source>{first} and {other}</source>
        <translation>{first} und {other}</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>{first} and {other}: {count:,} crowns not compared because they changed between the verdicts</source>
        <translation>
            <numerusform>{first} und {other}: {count:,} Krone nicht verglichen, da sie sich zwischen den Urteilen geändert hat</numerusform>
            <numerusform>{first} und {other}: {count:,} Kronen nicht verglichen, da sie sich zwischen den Urteilen geändert haben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>{first} and {other}: {count:,} crowns, {share:.0%} equal verdicts, kappa {kappa}</source>
        <translation>
            <numerusform>{first} und {other}: {count:,} Krone, {share:.0%} gleiche Urteile, Kappa {kappa}</numerusform>
            <numerusform>{first} und {other}: {count:,} Kronen, {share:.0%} gleiche Urteile, Kappa {kappa}</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/provenance.py"/>
        <source>{first} vs {other}</source>
        <translation>{first} und {other}</translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>{first}, {other}, {both}&lt;br&gt;F1 {f1:.3f}, {shared:,.1f} {unit}² shared, PQ {pq}</source>
        <translation>{first}, {other}, {both}&lt;br&gt;F1 {f1:.3f}, {shared:,.1f} {unit}² gemeinsam, PQ {pq}</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>{fn:,.1f} m² of the certain part not covered ({size_ratio:.1f} times the crown): too small</source>
        <translation>{fn:,.1f} m² des sicheren Teils nicht bedeckt (das {size_ratio:.1f}-fache der Krone): zu klein</translation>
    </message>
    <message>
        <location filename="../ui/services/run_outcome.py"/>
        <source>{folder} is a folder; add the name of a file for the results.</source>
        <translation>{folder} ist ein Ordner; fügen Sie den Namen einer Datei für die Ergebnisse an.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/point_tables.py"/>
        <source>{folder}: {files} files are read as one tree each, in attribute '{name}'; {without} files of ground or noise have no tree.</source>
        <translation>{folder}: {files} Dateien werden als je ein Baum gelesen, in Attribut „{name}“; {without} Dateien mit Boden oder Rauschen haben keinen Baum.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>{format} does not name images, so none are cut out. Choose COCO, DeepForest or Pascal VOC, or switch off 'Cut out the images'.</source>
        <translation>{format} nennt keine Bilder, daher werden keine ausgeschnitten. Wählen Sie COCO, DeepForest oder Pascal VOC, oder schalten Sie „Bilder ausschneiden“ aus.</translation>
    </message>
    <message>
        <location filename="../algorithms/exchange/crown_export.py"/>
        <source>{format} stores crowns in pixels. Choose the images on which the crowns lie.</source>
        <translation>{format} speichert Kronen in Pixeln. Wählen Sie die Bilder, auf denen die Kronen liegen.</translation>
    </message>
    <message>
        <location filename="../algorithms/instances/tables.py"/>
        <source>{found:,} of {targets:,} targets found by {predictions:,} predictions; {metrics}.</source>
        <translation>{found:,} von {targets:,} Zielen durch {predictions:,} Vorhersagen gefunden; {metrics}.</translation>
    </message>
    <message>
        <location filename="../ui/instances/results.py"/>
        <source>{found} of {targets} found, {left} of {predictions} not judged; see the layer tree.</source>
        <translation>{found} von {targets} gefunden, {left} von {predictions} nicht beurteilt; siehe Layerbaum.</translation>
    </message>
    <message>
        <location filename="../ui/instances/results.py"/>
        <source>{found} of {targets} found, {left} of {predictions} unmatched; see the layer tree.</source>
        <translation>{found} von {targets} gefunden, {left} von {predictions} ohne Partner; siehe Layerbaum.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>{given} was not used: the IDTReeS preset has its own lengths. Choose 'Own values' to use it.</source>
        <translation>{given} wurde nicht verwendet: Die Voreinstellung IDTReeS hat eigene Längen. Wählen Sie dafür „Eigene Werte“.</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>{given} was not used: the preset scores with alpha {alpha:g} m, omega {omega:g} m and gamma {gamma:g}. Choose 'Own values' to use it.</source>
        <translation>{given} wurde nicht verwendet: Die Voreinstellung bewertet mit Alpha {alpha:g} m, Omega {omega:g} m und Gamma {gamma:g}. Wählen Sie dafür „Eigene Werte“.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/instances/evaluate_instances.py"/>
        <source>{inside:,} of {count:,} points of layer '{layer}' lie in a predicted crown.</source>
        <translation>
            <numerusform>{inside:,} von {count:,} Punkt des Layers „{layer}“ liegt in einer vorhergesagten Krone.</numerusform>
            <numerusform>{inside:,} von {count:,} Punkten des Layers „{layer}“ liegen in einer vorhergesagten Krone.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>{kind} '{name}' is listed twice. Give each a name of its own.</source>
        <translation>{kind} „{name}“ ist zweimal aufgeführt. Geben Sie jedem einen eigenen Namen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>{kind}s must be a dict of arrays, or a list of them, not a {type}.</source>
        <translation>{kind}: erwartet wird ein dict von Arrays oder eine Liste davon, nicht {type}.</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>{label}, from</source>
        <translation>{label}, von</translation>
    </message>
    <message>
        <location filename="../algorithms/output_types.py"/>
        <source>{label}, to</source>
        <translation>{label}, bis</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/file_layers.py"/>
        <source>{label}: layer '{layer}' of {file} was taken ({kind}, {count:,} features). The other layers of the file are not used: {others}.</source>
        <translation>
            <numerusform>{label}: Der Layer '{layer}' von {file} wurde genommen ({kind}, {count:,} Objekte). Die anderen Layer der Datei werden nicht verwendet: {others}.</numerusform>
            <numerusform>{label}: Der Layer '{layer}' von {file} wurde genommen ({kind}, {count:,} Objekte). Die anderen Layer der Datei werden nicht verwendet: {others}.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../layers/sample.py"/>
        <source>{layer} (simulated, seed {seed})</source>
        <translation>{layer} (simuliert, Startwert {seed})</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>{layer}: there are no crowns in it. Remove this layer or choose another one.</source>
        <translation>{layer}: Der Layer enthält keine Kronen. Entfernen Sie ihn oder wählen Sie einen anderen.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/classes/values.py"/>
        <source>{layer}: {count:,} of {total:,} crowns have no class. They are matched, but their class is not judged.</source>
        <translation>
            <numerusform>{layer}: {count:,} von {total:,} Kronen haben keine Klasse. Sie werden zugeordnet, aber ihre Klasse wird nicht bewertet.</numerusform>
            <numerusform>{layer}: {count:,} von {total:,} Kronen haben keine Klasse. Sie werden zugeordnet, aber ihre Klasse wird nicht bewertet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/scoring/answer.py"/>
        <source>{layer}: {means} over {scored:,} of {targets:,} targets; {counts}.</source>
        <translation>
            <numerusform>{layer}: {means} über {scored:,} von {targets:,} Zielkronen; {counts}.</numerusform>
            <numerusform>{layer}: {means} über {scored:,} von {targets:,} Zielkronen; {counts}.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/services/libraries_dialog.py"/>
        <source>{least} or later</source>
        <translation>{least} oder neuer</translation>
    </message>
    <message>
        <location filename="../ui/review/side_by_side.py"/>
        <source>{left} more delineations are not shown.</source>
        <translation>{left} weitere Umrisse sind nicht gezeigt.</translation>
    </message>
    <message>
        <location filename="../layers/styles/pictures.py"/>
        <source>{length:g} {unit}</source>
        <translation>{length:g} {unit}</translation>
    </message>
    <message>
        <location filename="../ui/agreement/results.py"/>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>{low}–{high}</source>
        <translation>{low}–{high}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <source>{method} [{key}]{parameters}, from {people} ({names}), {units}</source>
        <translation>{method} [{key}]{parameters}, aus {people} ({names}), {units}</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/make_consensus.py"/>
        <source>{method}, without each annotator</source>
        <translation>{method}, ohne jeden Annotator</translation>
    </message>
    <message>
        <location filename="../core/classes/idtrees.py"/>
        <source>{missing:,} reference crowns have no probabilities, and {unknown:,} crowns with probabilities are not in the reference. They are excluded, as in the toolbox of IDTReeS 2020.</source>
        <translation>{missing:,} Referenzkronen haben keine Wahrscheinlichkeiten, und {unknown:,} Kronen mit Wahrscheinlichkeiten fehlen in der Referenz. Sie werden ausgeschlossen, wie in der Toolbox von IDTReeS 2020.</translation>
    </message>
    <message numerus="yes">
        <location filename="../core/detectors/conclusion.py"/>
        <source>{names} have no score inside the study area, so {best} is the only detector to rank.</source>
        <translation>
            <numerusform>{names} hat im Untersuchungsgebiet keinen Wert, daher ist {best} der einzige Detektor zum Ordnen.</numerusform>
            <numerusform>{names} haben im Untersuchungsgebiet keinen Wert, daher ist {best} der einzige Detektor zum Ordnen.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../ui/review/side_by_side.py"/>
        <source>{name} (no match)</source>
        <translation>{name} (ohne Partner)</translation>
    </message>
    <message>
        <location filename="../ui/detectors/results_panel.py"/>
        <source>{name} (the raster above all layers)</source>
        <translation>{name} (das Raster über allen Layern)</translation>
    </message>
    <message>
        <location filename="../ui/services/run_outcome.py"/>
        <source>{name} already exists and is not a GeoPackage. Choose another file for the results.</source>
        <translation>{name} gibt es schon, und die Datei ist kein GeoPackage. Wählen Sie eine andere Datei für die Ergebnisse.</translation>
    </message>
    <message>
        <location filename="../ui/services/run_outcome.py"/>
        <source>{name} cannot be written in {folder}. Choose a folder for which you have write permission.</source>
        <translation>{name} lässt sich in {folder} nicht schreiben. Wählen Sie einen Ordner, für den Sie Schreibrechte haben.</translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>{name} contains values of type {dtype}, but numbers are required. Select a numeric field.</source>
        <translation>{name} enthält Werte vom Typ {dtype}, nötig sind aber Zahlen. Wählen Sie ein Zahlenfeld.</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>{name} ended after {seconds:.1f} s.</source>
        <translation>{name} endete nach {seconds:.1f} s.</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>{name} failed after {seconds:.1f} s.</source>
        <translation>{name} scheiterte nach {seconds:.1f} s.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} found nothing inside the study area: its AUCR is at chance level, half way between the skew limits.</source>
        <translation>{name} hat im Untersuchungsgebiet nichts gefunden: Sein AUCR liegt auf Zufallsniveau, in der Mitte zwischen den Grenzen des Positivanteils.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} found nothing on the pixels of raster '{raster}': its AUCR is at chance level, half way between the skew limits.</source>
        <translation>{name} hat auf den Pixeln des Rasters „{raster}“ nichts gefunden: Sein AUCR liegt auf Zufallsniveau, in der Mitte zwischen den Grenzen des Positivanteils.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>{name} from</source>
        <translation>{name} von</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has an AP (all points) of {low} to {high} under {number} annotators (whole crowns).</source>
        <translation>{name} hat unter {number} Annotatoren eine AP (alle Punkte) von {low} bis {high} (ganze Kronen).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has an AP (all points) of {low} under {number} annotators (whole crowns).</source>
        <translation>{name} hat unter {number} Annotatoren eine AP (alle Punkte) von {low} (ganze Kronen).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has an AP (all points) of {low} under {who} (whole crowns).</source>
        <translation>{name} hat unter {who} eine AP (alle Punkte) von {low} (ganze Kronen).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has an AUCR of {low} to {high} under {number} ground truths.</source>
        <translation>{name} hat unter {number} Referenzen einen AUCR von {low} bis {high}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has an AUCR of {low} under {number} ground truths.</source>
        <translation>{name} hat unter {number} Referenzen einen AUCR von {low}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has an AUCR of {low} under {who}.</source>
        <translation>{name} hat unter {who} einen AUCR von {low}.</translation>
    </message>
    <message>
        <location filename="../core/crs.py"/>
        <source>{name} has no coordinate system. Set it with set_crs, or pass only the polygons (.geometry.to_numpy()) if they are in metres.</source>
        <translation>{name} hat kein Koordinatensystem. Setzen Sie es mit set_crs, oder übergeben Sie nur die Polygone (.geometry.to_numpy()), wenn sie in Metern sind.</translation>
    </message>
    <message>
        <location filename="../core/tuning/experiment.py"/>
        <source>{name} has no crown there</source>
        <translation>{name} hat dort keine Krone</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has no value under any ground truth.</source>
        <translation>{name} hat unter keiner Referenz einen Wert.</translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>{name} has rows of different length: give one number per unit.</source>
        <translation>{name} hat verschieden lange Zeilen: Geben Sie eine Zahl je Einheit.</translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{name} has rows with more values than its heading has columns. Put values that contain a comma, such as outlines and labels, in quotes.</source>
        <translation>{name} hat Zeilen mit mehr Werten, als die Überschrift Spalten hat. Setzen Sie Werte, die ein Komma enthalten, etwa Umrisse und Klassen, in Anführungszeichen.</translation>
    </message>
    <message>
        <location filename="../core/detectors/ranking.py"/>
        <source>{name} has shape {shape}, the first detector {other_shape}. Give both the same grid.</source>
        <translation>{name} hat die Form {shape}, der erste Detektor {other_shape}. Geben Sie beiden dasselbe Gitter.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>{name} has shape {shape}, the score {other_shape}. Give both the same grid.</source>
        <translation>{name} hat die Form {shape}, der Wert {other_shape}. Geben Sie beiden dasselbe Gitter.</translation>
    </message>
    <message>
        <location filename="../core/detectors/bootstrap.py"/>
        <source>{name} has shape {shape}, the vote table {other_shape}. Give both the same grid.</source>
        <translation>{name} hat die Form {shape}, die Stimmentabelle {other_shape}. Geben Sie beiden dasselbe Gitter.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has the same score everywhere inside the study area: its AUCR is at chance level, half way between the skew limits.</source>
        <translation>{name} hat überall im Untersuchungsgebiet denselben Wert: Sein AUCR liegt auf Zufallsniveau, in der Mitte zwischen den Grenzen des Positivanteils.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} has the same score everywhere on the pixels of raster '{raster}': its AUCR is at chance level, half way between the skew limits.</source>
        <translation>{name} hat überall auf den Pixeln des Rasters „{raster}“ denselben Wert: Sein AUCR liegt auf Zufallsniveau, in der Mitte zwischen den Grenzen des Positivanteils.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>{name} has values other than 0 and 1. Mark each unit with 1 (object) or 0 (none).</source>
        <translation>{name} hat andere Werte als 0 und 1. Markieren Sie jede Einheit mit 1 (Objekt) oder 0 (keines).</translation>
    </message>
    <message>
        <location filename="../core/detectors/faces.py"/>
        <source>{name} has {polygons} polygons but {scores} scores. Give one score each.</source>
        <translation>{name} hat {polygons} Polygone, aber {scores} Werte. Geben Sie jedem Polygon einen Wert.</translation>
    </message>
    <message>
        <location filename="../core/detectors/curves.py"/>
        <source>{name} holds {dtype} values where 0 and 1 are needed.</source>
        <translation>{name} enthält Werte der Art {dtype}, wo 0 und 1 nötig sind.</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>{name} lies {distance:,.0f} km away from all other annotators. Check the layers' coordinate systems.</source>
        <translation>{name} liegt {distance:,.0f} km von allen anderen Annotatoren entfernt. Prüfen Sie die Koordinatensysteme der Layer.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>{name} marked nothing, and the consensus is empty.</source>
        <translation>{name} hat nichts markiert, und der Konsens ist leer.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/page.py"/>
        <source>{name} marked nothing.</source>
        <translation>{name} hat nichts markiert.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/plots.py"/>
        <source>{name} marked {area:,.1f} {unit}²</source>
        <translation>{name} hat {area:,.1f} {unit}² markiert</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>{name} marks nothing inside the study area. This annotator counts as having marked nothing.</source>
        <translation>{name} markiert im Untersuchungsgebiet nichts. Dieser Annotator zählt als einer, der nichts markiert hat.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>{name} mean</source>
        <translation>{name}, Mittel</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>{name} must be a number, not {value}.</source>
        <translation>{name} muss eine Zahl sein, nicht {value}.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>{name} must be a whole number of 64 bits, not {value}.</source>
        <translation>{name} muss eine ganze Zahl mit 64 Bit sein, nicht {value}.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>{name} must be a whole number, not {value}.</source>
        <translation>{name} muss eine ganze Zahl sein, nicht {value}.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>{name} must be whole numbers, not {dtype}.</source>
        <translation>{name} müssen ganze Zahlen sein, nicht {dtype}.</translation>
    </message>
    <message>
        <location filename="../core/validation.py"/>
        <source>{name} must be {expected}, not {value}.</source>
        <translation>{name} muss {expected} sein, nicht {value}.</translation>
    </message>
    <message>
        <location filename="../core/instances/labelled_points.py"/>
        <source>{name} must have one id per {side} instance ({number}); it has {ids}.</source>
        <translation>{name} muss eine Id je Instanz haben ({side}: {number}); es sind {ids}.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>{name} to</source>
        <translation>{name} bis</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} under {number}</source>
        <translation>{name} unter {number}</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/schema/outputs.py"/>
        <source>{name} variance</source>
        <translation>{name}, Varianz</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>{name} was cancelled after {seconds:.1f} s.</source>
        <translation>{name} wurde nach {seconds:.1f} s abgebrochen.</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>{name} {least} or later ({found})</source>
        <translation>{name} {least} oder neuer ({found})</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{name} {share} %</source>
        <translation>{name} {share} %</translation>
    </message>
    <message>
        <location filename="../algorithms/common_parameters.py"/>
        <source>{name} {value:g}</source>
        <translation>{name} {value:g}</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <location filename="../algorithms/instances/tables.py"/>
        <location filename="../algorithms/scoring/answer.py"/>
        <source>{name} {value}</source>
        <translation>{name} {value}</translation>
    </message>
    <message>
        <location filename="../ui/instances/results_panel.py"/>
        <source>{name} {value}. {meaning}</source>
        <translation>{name} {value}. {meaning}</translation>
    </message>
    <message>
        <location filename="../core/crs.py"/>
        <source>{name}: '{crs}' is not a coordinate system. Pass a code such as 'EPSG:32617', or none if the polygons are in metres.</source>
        <translation>{name}: '{crs}' ist kein Koordinatensystem. Geben Sie einen Code wie 'EPSG:32617' an, oder keinen, wenn die Polygone in Metern sind.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>{name}: a class must be a text, a whole number or a boolean, not a collection.</source>
        <translation>{name}: Eine Klasse muss ein Text, eine ganze Zahl oder ein Wahrheitswert sein, keine Sammlung.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: a plot must be a text or a number, no list.</source>
        <translation>{name}: Ein Plot muss ein Text oder eine Zahl sein, keine Liste.</translation>
    </message>
    <message>
        <location filename="../core/geometry/overlay.py"/>
        <source>{name}: a polygon has coordinates that are not numbers; remove or redraw it.</source>
        <translation>{name}: Ein Polygon hat Koordinaten, die keine Zahlen sind; entfernen oder zeichnen Sie es neu.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>{name}: all {count:,} polygons lie in the excluded areas, so none counts.</source>
        <translation>
            <numerusform>{name}: Das eine Polygon liegt in den ausgeschlossenen Flächen und zählt nicht.</numerusform>
            <numerusform>{name}: Alle {count:,} Polygone liegen in den ausgeschlossenen Flächen, keines zählt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>{name}: all {count:,} polygons lie outside the study area or in the excluded areas, so none counts.</source>
        <translation>
            <numerusform>{name}: Das eine Polygon liegt außerhalb des Untersuchungsgebiets oder in den ausgeschlossenen Flächen und zählt nicht.</numerusform>
            <numerusform>{name}: Alle {count:,} Polygone liegen außerhalb des Untersuchungsgebiets oder in den ausgeschlossenen Flächen, keines zählt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>{name}: all {count:,} polygons lie outside the study area, so none counts.</source>
        <translation>
            <numerusform>{name}: Das eine Polygon liegt außerhalb des Untersuchungsgebiets und zählt nicht.</numerusform>
            <numerusform>{name}: Alle {count:,} Polygone liegen außerhalb des Untersuchungsgebiets, keines zählt.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: crowns without geometry in rows {rows}.</source>
        <translation>{name}: Kronen ohne Geometrie in den Zeilen {rows}.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <location filename="../core/crs.py"/>
        <source>{name}: every item must be a shapely geometry or None.</source>
        <translation>{name}: Jedes Element muss eine Geometrie von shapely oder None sein.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: expected a one-dimensional array of polygons, got {ndim} dimensions.</source>
        <translation>{name}: Erwartet wird ein eindimensionales Array von Polygonen, nicht {ndim} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: expected one id per polygon, got {ndim} dimensions.</source>
        <translation>{name}: Erwartet wird eine Id je Polygon, nicht {ndim} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: ids must be whole numbers.</source>
        <translation>{name}: Ids müssen ganze Zahlen sein.</translation>
    </message>
    <message>
        <location filename="../core/crs.py"/>
        <source>{name}: in the coordinate system {crs}, a metre on the map is not a metre on the ground. Reproject the layer, for example with to_crs({zone}).</source>
        <translation>{name}: Im Koordinatensystem {crs} ist ein Meter auf der Karte kein Meter am Boden. Projizieren Sie den Layer um, zum Beispiel mit to_crs({zone}).</translation>
    </message>
    <message>
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>{name}: no polygon that can be used, so this annotator marked nothing.</source>
        <translation>{name}: kein brauchbares Polygon, dieser Annotator hat also nichts markiert.</translation>
    </message>
    <message>
        <location filename="../core/geometry/overlay.py"/>
        <source>{name}: only polygons can be compared, but there is a {kind} among the geometries.</source>
        <translation>{name}: Nur Polygone können verglichen werden, aber unter den Geometrien ist: {kind}.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: only polygons can be crowns. Check rows {rows}.</source>
        <translation>{name}: Nur Polygone können Kronen sein. Prüfen Sie die Zeilen {rows}.</translation>
    </message>
    <message>
        <location filename="../core/crs.py"/>
        <source>{name}: the coordinate system {crs} is not in metres. Reproject the layer, for example with to_crs({zone}).</source>
        <translation>{name}: Das Koordinatensystem {crs} ist nicht in Metern. Projizieren Sie den Layer um, zum Beispiel mit to_crs({zone}).</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/field_types.py"/>
        <source>{name}: the fields {fields} are missing, since the plugin cannot read their values.</source>
        <translation>
            <numerusform>{name}: Die Felder {fields} fehlen, weil die Erweiterung ihre Werte nicht lesen kann.</numerusform>
            <numerusform>{name}: Die Felder {fields} fehlen, weil die Erweiterung ihre Werte nicht lesen kann.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/vector/field_types.py"/>
        <source>{name}: the fields {fields} contain text, since the format has no type for their values.</source>
        <translation>
            <numerusform>{name}: Die Felder {fields} enthalten Text, weil das Format keinen Typ für ihre Werte hat.</numerusform>
            <numerusform>{name}: Die Felder {fields} enthalten Text, weil das Format keinen Typ für ihre Werte hat.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/crs.py"/>
        <source>{name}: the layer is in {own_crs}, but its coordinate system is given as {crs}. Pass none, or reproject the layer.</source>
        <translation>{name}: Der Layer ist in {own_crs}, als Koordinatensystem ist aber {crs} angegeben. Geben Sie keines an oder projizieren Sie den Layer um.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: the polygons in rows {rows} are not valid. Repair them first, for example with repair_outlines of randcrowns.core.</source>
        <translation>{name}: Die Polygone in den Zeilen {rows} sind ungültig. Reparieren Sie sie zuerst, zum Beispiel mit repair_outlines aus randcrowns.core.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: the polygons in rows {rows} have coordinates beyond {largest:,.0f} m, which exist on no map. Remove or redraw them.</source>
        <translation>{name}: Die Polygone der Zeilen {rows} haben Koordinaten jenseits von {largest:,.0f} m, die es auf keiner Karte gibt. Entfernen Sie sie oder zeichnen Sie sie neu.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{name}: there are no crowns in it, of which copies could be made. Choose another layer.</source>
        <translation>{name}: Der Layer enthält keine Kronen, von denen Kopien erstellt werden könnten. Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>{name}: there must be one class per crown, not an array of {ndim} dimensions.</source>
        <translation>{name}: Jede Krone braucht genau eine Klasse, kein Feld mit {ndim} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: two crowns have the same id.</source>
        <translation>{name}: Zwei Kronen haben dieselbe Id.</translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/multiple_images.py"/>
        <source>{name}: {count:,} polygons have nothing in field '{field}' and do not count.</source>
        <translation>
            <numerusform>{name}: {count:,} Polygon hat im Feld „{field}“ keinen Wert und zählt nicht.</numerusform>
            <numerusform>{name}: {count:,} Polygone haben im Feld „{field}“ keinen Wert und zählen nicht.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../core/crowns.py"/>
        <source>{name}: {count:,} polygons with cracks or specks narrower than 0.001 mm are smoothed there (rows {rows}).</source>
        <translation>
            <numerusform>{name}: {count:,} Polygone mit Rissen oder Splittern schmaler als 0,001 mm werden dort geglättet (Zeilen {rows}).</numerusform>
            <numerusform>{name}: {count:,} Polygone mit Rissen oder Splittern schmaler als 0,001 mm werden dort geglättet (Zeilen {rows}).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/spreadsheets.py"/>
        <source>{name}: {count:,} texts have an apostrophe in front, because a spreadsheet would take them for formulas. You can switch this off in the options of RandCrowns.</source>
        <translation>
            <numerusform>{name}: {count:,} Texten ist ein Apostroph vorangestellt, weil eine Tabellenkalkulation sie für Formeln halten würde. Das können Sie in den Optionen von RandCrowns abschalten.</numerusform>
            <numerusform>{name}: {count:,} Texten ist ein Apostroph vorangestellt, weil eine Tabellenkalkulation sie für Formeln halten würde. Das können Sie in den Optionen von RandCrowns abschalten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../algorithms/agreement/vote_counting.py"/>
        <source>{name}: {counted:,.1f} {unit}² were counted in pixels of {size:g} {unit}, but {drawn:,.1f} {unit}² were drawn. Choose smaller pixels, or 0 for exact areas.</source>
        <translation>
            <numerusform>{name}: {counted:,.1f} {unit}² wurden in Pixeln von {size:g} {unit} gezählt, aber {drawn:,.1f} {unit}² gezeichnet. Wählen Sie kleinere Pixel, oder 0 für exakte Flächen.</numerusform>
            <numerusform>{name}: {counted:,.1f} {unit}² wurden in Pixeln von {size:g} {unit} gezählt, aber {drawn:,.1f} {unit}² gezeichnet. Wählen Sie kleinere Pixel, oder 0 für exakte Flächen.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: {geometry} geometries but {ids} ids.</source>
        <translation>{name}: {geometry} Geometrien, aber {ids} Ids.</translation>
    </message>
    <message>
        <location filename="../core/crowns.py"/>
        <source>{name}: {geometry} geometries but {plots} plots.</source>
        <translation>{name}: {geometry} Geometrien, aber {plots} Plots.</translation>
    </message>
    <message>
        <location filename="../core/classes/values.py"/>
        <source>{name}: {value} is not a class. Classes are texts, whole numbers or booleans; choose another field, or write whole numbers.</source>
        <translation>{name}: {value} ist keine Klasse. Klassen sind Texte, ganze Zahlen oder Wahrheitswerte; wählen Sie ein anderes Feld oder schreiben Sie ganze Zahlen.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>{name}: {why}</source>
        <translation>{name}: {why}</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/review_texts.py"/>
        <source>{number:,} changed since</source>
        <translation>{number:,} seither geändert</translation>
    </message>
    <message>
        <location filename="../ui/services/message_bar.py"/>
        <source>{numbers} beside the answer. {text}</source>
        <translation>{numbers} neben der Antwort. {text}</translation>
    </message>
    <message>
        <location filename="../layers/styles/styles.py"/>
        <source>{number} of {all}</source>
        <translation>{number} von {all}</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>{number} of {all} targets ({share}) are narrower than twice alpha and have no score</source>
        <translation>{number} von {all} Zielkronen ({share}) sind schmaler als das Doppelte von Alpha und haben keinen Wert</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>{number} of {all} targets ({share}) are narrower than twice alpha, or have only their edge within the image extent, and have no score</source>
        <translation>{number} von {all} Zielkronen ({share}) sind schmaler als das Doppelte von Alpha oder haben nur ihren Rand in der Bildausdehnung und haben keinen Wert</translation>
    </message>
    <message>
        <location filename="../algorithms/report/pages.py"/>
        <source>{number} of {pages}</source>
        <translation>{number} von {pages}</translation>
    </message>
    <message>
        <location filename="../algorithms/layer_parameters.py"/>
        <source>{number} {label:lower}</source>
        <translation>{number} {label}</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <location filename="../layers/localization.py"/>
        <source>{number}%</source>
        <translation>{number} %</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/score_crowns.py"/>
        <source>{odd} of {all} plots are not 20 x 20 m like the images of IDTReeS 2020.</source>
        <translation>{odd} von {all} Plots sind nicht 20 x 20 m groß wie die Bilder von IDTReeS 2020.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/tune.py"/>
        <source>{offered:,} of {sets:,} sets can be chosen; the best is alpha {alpha:g} m, omega {omega:g} m, gamma {gamma:g}.</source>
        <translation>{offered:,} von {sets:,} Sätzen können gewählt werden; der beste ist Alpha {alpha:g} m, Omega {omega:g} m, Gamma {gamma:g}.</translation>
    </message>
    <message>
        <location filename="../algorithms/tuning/experiment.py"/>
        <source>{one_of} and {other}</source>
        <translation>{one_of} und {other}</translation>
    </message>
    <message>
        <location filename="../layers/files/verdict_file.py"/>
        <source>{other} holds no verdicts (no table {table}); choose a file with the verdicts of a review.</source>
        <translation>{other} enthält keine Urteile (keine Tabelle {table}); wählen Sie eine Datei mit den Urteilen einer Prüfung.</translation>
    </message>
    <message>
        <location filename="../core/review/problems.py"/>
        <source>{parts} delineations lie in the crown: split</source>
        <translation>{parts} Umrisse liegen in der Krone: zerteilt</translation>
    </message>
    <message>
        <location filename="../layers/files/vector_files.py"/>
        <source>{path} cannot be read as a file of its extension, and may be of the format {format}. Give it the extension of its format, or save it as GeoPackage.</source>
        <translation>{path} kann nicht als Datei seiner Endung gelesen werden und hat vielleicht das Format {format}. Geben Sie der Datei die Endung ihres Formats, oder speichern Sie sie als GeoPackage.</translation>
    </message>
    <message>
        <location filename="../core/exchange/values.py"/>
        <source>{path} cannot be read: {why}.</source>
        <translation>{path} ist nicht lesbar: {why}.</translation>
    </message>
    <message>
        <location filename="../layers/files/label_raster.py"/>
        <source>{path} cannot be read; it is damaged, or it is no raster.</source>
        <translation>{path} kann nicht gelesen werden; die Datei ist beschädigt oder kein Raster.</translation>
    </message>
    <message>
        <location filename="../layers/files/vector_files.py"/>
        <source>{path} cannot be read; it is damaged, or it is not a vector file.</source>
        <translation>{path} ist nicht lesbar; die Datei ist beschädigt oder keine Vektordatei.</translation>
    </message>
    <message>
        <location filename="../ui/services/save_dialog.py"/>
        <source>{path} cannot be written: {why}. Choose another folder or name.</source>
        <translation>{path} lässt sich nicht schreiben: {why}. Wählen Sie einen anderen Ordner oder Namen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/values.py"/>
        <source>{path} contains a whole number of thousands of digits, which no file of annotations needs; get it again from its source.</source>
        <translation>{path} enthält eine ganze Zahl mit Tausenden von Ziffern, die keine Annotationsdatei braucht; holen Sie die Datei noch einmal von ihrer Quelle.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{path} contains results only, and its ground truth cannot be used: {why}</source>
        <translation>{path} enthält nur Ergebnisse, und die zugehörige Referenz ist nicht verwendbar: {why}</translation>
    </message>
    <message>
        <location filename="../core/exchange/xml_files.py"/>
        <source>{path} declares entities, which no file of annotations needs; remove them.</source>
        <translation>{path} deklariert Entitäten, die keine Annotationsdatei braucht; entfernen Sie sie.</translation>
    </message>
    <message>
        <location filename="../layers/files/vector_files.py"/>
        <source>{path} has no layer '{name}'; it has {layers}.</source>
        <translation>{path} hat keinen Layer „{name}“, sondern {layers}.</translation>
    </message>
    <message>
        <location filename="../layers/files/vector_files.py"/>
        <source>{path} has several layers with polygons: {layers}. In one layer they would be mixed. Import them one by one: write |layername=… after the path of the file.</source>
        <translation>{path} hat mehrere Layer mit Polygonen: {layers}. In einem Layer würden sie vermischt. Importieren Sie sie einzeln: Schreiben Sie |layername=… hinter den Pfad der Datei.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{path} holds results only, and several ground truths beside it fit: {truths}. Choose the one of the results as 'Images of'.</source>
        <translation>{path} enthält nur Ergebnisse, und mehrere Referenzdateien daneben passen: {truths}. Wählen Sie die der Ergebnisse bei „Bilder aus“.</translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path} holds results only, which name images by number. Choose the ground truth with these images as 'Images of'.</source>
        <translation>{path} enthält nur Ergebnisse, die Bilder mit Nummern benennen. Wählen Sie die Referenzdatei mit diesen Bildern bei „Bilder aus“.</translation>
    </message>
    <message>
        <location filename="../layers/files/vector_files.py"/>
        <source>{path} is GeoParquet, which this GDAL cannot read. Save it as GeoPackage, or install GDAL with Parquet (package libgdal-arrow-parquet of conda).</source>
        <translation>{path} ist GeoParquet, das dieses GDAL nicht lesen kann. Speichern Sie es als GeoPackage, oder installieren Sie GDAL mit Parquet (Paket libgdal-arrow-parquet von conda).</translation>
    </message>
    <message>
        <location filename="../core/exchange/cvat.py"/>
        <source>{path} is a file 'CVAT for video', which cannot be imported; export it from CVAT as 'CVAT for images' or COCO.</source>
        <translation>{path} ist eine Datei 'CVAT for video', die nicht importiert werden kann; exportieren Sie sie aus CVAT als 'CVAT for images' oder COCO.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>{path} is a folder; give '{name}' the name of a file in it, such as {example}.</source>
        <translation>{path} ist ein Ordner; geben Sie „{name}“ den Namen einer Datei darin, etwa {example}.</translation>
    </message>
    <message>
        <location filename="../algorithms/destinations.py"/>
        <source>{path} is a folder; give '{name}' the name of a file.</source>
        <translation>{path} ist ein Ordner; geben Sie „{name}“ den Namen einer Datei.</translation>
    </message>
    <message>
        <location filename="../layers/files/staging.py"/>
        <source>{path} is a folder; give the output the name of a file.</source>
        <translation>{path} ist ein Ordner; geben Sie der Ausgabe den Namen einer Datei.</translation>
    </message>
    <message>
        <location filename="../core/exchange/values.py"/>
        <source>{path} is larger than {size} GB, which does not fit into memory; split it.</source>
        <translation>{path} ist größer als {size} GB und passt nicht in den Speicher; teilen Sie die Datei.</translation>
    </message>
    <message>
        <location filename="../core/exchange/values.py"/>
        <source>{path} is nested too deeply to be a file of annotations.</source>
        <translation>{path} ist zu tief geschachtelt für eine Datei mit Annotationen.</translation>
    </message>
    <message>
        <location filename="../layers/files/label_raster.py"/>
        <source>{path} is no label raster: its pixels hold colours or fractions, and no numbers of crowns or classes. Choose a raster of one band with whole numbers.</source>
        <translation>{path} ist kein Labelraster: Die Pixel enthalten Farben oder Brüche und keine Nummern von Kronen oder Klassen. Wählen Sie ein Raster mit einem Band und ganzen Zahlen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path} is not a COCO file: it needs the lists images and annotations.</source>
        <translation>{path} ist keine COCO-Datei: Die Listen images und annotations sind nötig.</translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{path} is not a DeepForest table: it needs a column image_path, and xmin, ymin, xmax, ymax, or geometry, or x, y. It has: {columns}.</source>
        <translation>{path} ist keine DeepForest-Tabelle: Nötig ist eine Spalte image_path, und xmin, ymin, xmax, ymax, oder geometry, oder x, y. Vorhanden sind: {columns}.</translation>
    </message>
    <message>
        <location filename="../core/exchange/labelme.py"/>
        <source>{path} is not a LabelMe file: it needs the list shapes.</source>
        <translation>{path} ist keine LabelMe-Datei: Die Liste shapes ist nötig.</translation>
    </message>
    <message>
        <location filename="../core/exchange/voc.py"/>
        <source>{path} is not a Pascal VOC file: its root is '{tag}', not 'annotation'.</source>
        <translation>{path} ist keine Pascal-VOC-Datei: Ihre Wurzel ist „{tag}“, nicht „annotation“.</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo.py"/>
        <source>{path} is not a YOLO file: line {row} is neither 'class x y width height' nor 'class x1 y1 …'.</source>
        <translation>{path} ist keine YOLO-Datei: Zeile {row} ist weder „class x y width height“ noch „class x1 y1 …“.</translation>
    </message>
    <message>
        <location filename="../core/exchange/values.py"/>
        <source>{path} is not a complete JSON file: it ends early or is wrong in line {line}, column {column}; get it again from its source.</source>
        <translation>{path} ist keine vollständige JSON-Datei: Sie endet zu früh oder ist in Zeile {line}, Spalte {column} fehlerhaft; holen Sie sie neu von ihrer Quelle.</translation>
    </message>
    <message>
        <location filename="../core/exchange/xml_files.py"/>
        <source>{path} is not a complete XML file: it ends early or is wrong in line {line}, column {column}; get it again from its source.</source>
        <translation>{path} ist keine vollständige XML-Datei: Sie endet zu früh oder ist in Zeile {line}, Spalte {column} fehlerhaft; holen Sie sie neu von ihrer Quelle.</translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{path} is not a complete table: {why}.</source>
        <translation>{path} ist keine vollständige Tabelle: {why}.</translation>
    </message>
    <message>
        <location filename="../core/exchange/cvat.py"/>
        <source>{path} is not a file of CVAT: its root is '{tag}', not 'annotations'.</source>
        <translation>{path} ist keine Datei von CVAT: Das Wurzelelement ist '{tag}', nicht 'annotations'.</translation>
    </message>
    <message>
        <location filename="../core/exchange/label_studio.py"/>
        <source>{path} is not a file of Label Studio: it needs a list of tasks.</source>
        <translation>{path} ist keine Datei von Label Studio: Sie braucht eine Liste von Aufgaben.</translation>
    </message>
    <message>
        <location filename="../core/exchange/via.py"/>
        <source>{path} is not a file of the VGG Image Annotator (VIA 1 or 2): it needs file names and regions.</source>
        <translation>{path} ist keine Datei des VGG Image Annotator (VIA 1 oder 2): Sie braucht Dateinamen und Regionen.</translation>
    </message>
    <message>
        <location filename="../core/exchange/deepforest.py"/>
        <source>{path} is not text in UTF-8; save it as UTF-8.</source>
        <translation>{path} ist kein Text in UTF-8; speichern Sie die Datei als UTF-8.</translation>
    </message>
    <message>
        <location filename="../core/exchange/values.py"/>
        <source>{path} is not text in {encoding} (byte {byte:,}); save it as UTF-8.</source>
        <translation>{path} ist kein Text in {encoding} (Byte {byte:,}); speichern Sie die Datei als UTF-8.</translation>
    </message>
    <message>
        <location filename="../layers/files/vector_files.py"/>
        <source>{path} names its coordinate system by an address, which is not opened. Save the file in QGIS with its coordinate system, for example as GeoPackage.</source>
        <translation>{path} nennt sein Koordinatensystem durch eine Adresse, die nicht geöffnet wird. Speichern Sie die Datei in QGIS mit ihrem Koordinatensystem, zum Beispiel als GeoPackage.</translation>
    </message>
    <message>
        <location filename="../core/exchange/values.py"/>
        <source>{path} names the encoding {encoding}, which is unknown; save it as UTF-8.</source>
        <translation>{path} nennt die Kodierung {encoding}, die unbekannt ist; speichern Sie die Datei als UTF-8.</translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path} needs a ground truth with the lists images and annotations.</source>
        <translation>{path} braucht eine Referenz mit den Listen images und annotations.</translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path}: image {number} of the list has no file_name or no id.</source>
        <translation>{path}: Bild {number} der Liste hat kein file_name oder keine id.</translation>
    </message>
    <message>
        <location filename="../core/exchange/coco.py"/>
        <source>{path}: images '{first}' and '{second}' have the same id {id}, so that their crowns cannot be told apart. Give each image an id of its own.</source>
        <translation>{path}: Die Bilder „{first}“ und „{second}“ haben dieselbe id {id}, sodass ihre Kronen nicht unterscheidbar sind. Geben Sie jedem Bild eine eigene id.</translation>
    </message>
    <message>
        <location filename="../core/exchange/yolo_columns.py"/>
        <source>{path}: the meaning of the values is ambiguous: {meanings}. Line {row} is '{line}'. Write the lines as 'class x y width height' or 'class x1 y1 x2 y2 x3 y3 …' in shares of the image's size, or declare key points (kpt_shape) in data.yaml.</source>
        <translation>{path}: Was die Werte der Zeilen bedeuten, ist nicht erkennbar: {meanings}. Zeile {row} lautet '{line}'. Schreiben Sie die Zeilen als 'class x y width height' oder 'class x1 y1 x2 y2 x3 y3 …' in Anteilen der Bildgröße, oder geben Sie Schlüsselpunkte (kpt_shape) in data.yaml an.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{pattern} does not exist; choose a file, a folder or a pattern such as *.csv.</source>
        <translation>{pattern} gibt es nicht; wählen Sie eine Datei, einen Ordner oder ein Muster wie *.csv.</translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreement_table.py"/>
        <source>{places} where annotators differ, together {area:,.1f} {unit}².</source>
        <translation>{places}, an denen Annotatoren abweichen, zusammen {area:,.1f} {unit}².</translation>
    </message>
    <message>
        <location filename="../ui/agreement/disagreement_table.py"/>
        <source>{rank:,} of {all:,}: {area:,.2f} {unit}²
{yes} yes: {who_yes}
{no} no: {who_no}</source>
        <translation>{rank:,} von {all:,}: {area:,.2f} {unit}²
{yes} ja: {who_yes}
{no} nein: {who_no}</translation>
    </message>
    <message>
        <location filename="../layers/vector/read.py"/>
        <source>{read} crowns of layer '{layer}' were read. Its web service does not report how many there are.</source>
        <translation>Vom Layer „{layer}“ wurden {read} Kronen gelesen. Sein Webdienst meldet nicht zuverlässig, wie viele es sind.</translation>
    </message>
    <message>
        <location filename="../layers/files/annotations.py"/>
        <source>{results} holds results and {truth} a ground truth; in one layer, predictions would be mixed with targets. Import them one after the other. For the results, choose the ground truth as 'Images of'.</source>
        <translation>{results} enthält Ergebnisse und {truth} eine Referenz; in einem Layer wären Vorhersagen mit Referenzkronen vermischt. Importieren Sie sie nacheinander. Wählen Sie für die Ergebnisse die Referenzdatei bei „Bilder aus“.</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>{scored:,} of {targets:,} crowns</source>
        <translation>{scored:,} von {targets:,} Kronen</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>{score} from</source>
        <translation>{score} von</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>{score} in the earlier run.</source>
        <translation>{score} im früheren Lauf.</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>{score} in the later run.</source>
        <translation>{score} im späteren Lauf.</translation>
    </message>
    <message>
        <location filename="../algorithms/scoring/schema/outputs.py"/>
        <source>{score} to</source>
        <translation>{score} bis</translation>
    </message>
    <message>
        <location filename="../ui/scoring/panel.py"/>
        <source>{score} {mean}, 95 % interval {low} to {high}. {help}</source>
        <translation>{score} {mean}, 95-%-Intervall {low} bis {high}. {help}</translation>
    </message>
    <message>
        <location filename="../ui/widgets/crown_list.py"/>
        <source>{score} {times}: {told}.</source>
        <translation>{score} {times}: {told}.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/panel.py"/>
        <source>{set}: the crowns on which annotators differ most, and typical ones.</source>
        <translation>{set}: die Kronen, bei denen Annotatoren am meisten abweichen, und typische.</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; can be chosen (rank {rank}).</source>
        <translation>{set}: Varianz {variance}, mittlerer Wert {mean}, falsche Paare {wrong}; kann gewählt werden (Rang {rank}).</translation>
    </message>
    <message>
        <location filename="../ui/tuning/plots.py"/>
        <source>{set}: variance {variance}, mean score {mean}, wrong pairs {wrong}; refused: {reason}.</source>
        <translation>{set}: Varianz {variance}, mittlerer Wert {mean}, falsche Paare {wrong}; abgelehnt: {reason}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{share} % of the area is excluded for all detectors ({gone:,} of {every:,} pixels). Area without scores: {who}.</source>
        <translation>{share} % der Fläche sind für alle Detektoren ausgeschlossen ({gone:,} von {every:,} Pixeln). Fläche ohne Werte: {who}.</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{share} % of the area is excluded for all detectors, since {name} has no scores there ({gone:,} of {every:,} pixels).</source>
        <translation>{share} % der Fläche sind für alle Detektoren ausgeschlossen, da {name} dort keine Werte hat ({gone:,} von {every:,} Pixeln).</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <source>{share} % of the study area lies outside raster '{first}' and is not counted.</source>
        <translation>{share} % des Untersuchungsgebiets liegen außerhalb des Rasters „{first}“ und werden nicht gezählt.</translation>
    </message>
    <message>
        <location filename="../core/tuning/search.py"/>
        <source>{share} of the right pairs are missed: the delineation does not reach the true positive region, and the score is 0</source>
        <translation>{share} der richtigen Paare sind verfehlt: Der Umriss erreicht die Richtig-Positiv-Region nicht, und der Wert ist 0</translation>
    </message>
    <message>
        <location filename="../core/messages.py"/>
        <source>{shown} and {rest:,} more</source>
        <translation>{shown} und {rest:,} weitere</translation>
    </message>
    <message>
        <location filename="../layers/styles/figures.py"/>
        <source>{shown} of {all} values of gamma.</source>
        <translation>{shown} von {all} Werten von Gamma.</translation>
    </message>
    <message>
        <location filename="../layers/cloud/header.py"/>
        <source>{source} cannot be read as a point cloud; choose a LAS, LAZ, COPC, PLY, NPY, NPZ, TXT or CSV file.</source>
        <translation>{source} lässt sich nicht als Punktwolke lesen; wählen Sie eine LAS-, LAZ-, COPC-, PLY-, NPY-, NPZ-, TXT- oder CSV-Datei.</translation>
    </message>
    <message numerus="yes">
        <location filename="../layers/files/export.py"/>
        <source>{table}: {count:,} infinite numbers in field '{field}' are empty in {form}, which has none.</source>
        <translation>
            <numerusform>{table}: {count:,} unendliche Zahl im Feld „{field}“ ist leer in {form}, das keine kennt.</numerusform>
            <numerusform>{table}: {count:,} unendliche Zahlen im Feld „{field}“ sind leer in {form}, das keine kennt.</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/rank_detectors.py"/>
        <source>{truth}: {why}</source>
        <translation>{truth}: {why}</translation>
    </message>
    <message>
        <location filename="../core/arrays.py"/>
        <source>{value} ({between})</source>
        <translation>{value} ({between})</translation>
    </message>
    <message>
        <location filename="../algorithms/report/content.py"/>
        <source>{value} ({low}–{high})</source>
        <translation>{value} ({low}–{high})</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>{version} does not work: {why}</source>
        <translation>{version} funktioniert nicht: {why}</translation>
    </message>
    <message>
        <location filename="../layers/libraries.py"/>
        <source>{version} in {where} lacks what is needed</source>
        <translation>{version} in {where} fehlt etwas Nötiges</translation>
    </message>
    <message>
        <location filename="../ui/scoring/results.py"/>
        <source>{what}: {layer}</source>
        <translation>{what}: {layer}</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>{where}: not found, or unmatched, because only crowns of the same plot are compared. Enter the plot.</source>
        <translation>{where}: nicht gefunden oder ohne Partner, da nur Kronen desselben Plots verglichen werden. Tragen Sie den Plot ein.</translation>
    </message>
    <message>
        <location filename="../ui/review/review_list.py"/>
        <source>{who}: {verdict} before it changed</source>
        <translation>{who}: {verdict} vor der Änderung</translation>
    </message>
    <message>
        <location filename="../algorithms/detectors/ranking_messages.py"/>
        <location filename="../algorithms/report/content.py"/>
        <location filename="../core/detectors/conclusion.py"/>
        <source>{why}</source>
        <translation>{why}</translation>
    </message>
    <message>
        <location filename="../layers/files/staging.py"/>
        <source>{why} These files are already written: {files}.</source>
        <translation>{why} Diese Dateien sind bereits geschrieben: {files}.</translation>
    </message>
    <message>
        <location filename="../ui/detectors/form.py"/>
        <location filename="../ui/shell/comparison_form.py"/>
        <source>{why}.</source>
        <translation>{why}.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>{why}. If only some crowns were drawn, crowns that match no target may be right. Switch '{option}' off, because {undefined} count them as false.</source>
        <translation>{why}. Wenn nur einige Kronen gezeichnet wurden, können Kronen ohne Zielkrone richtig sein. Schalten Sie „{option}“ aus, da {undefined} sie als falsch zählen.</translation>
    </message>
    <message>
        <location filename="../core/comparison.py"/>
        <source>{why}; '{option}' is off: crowns that match no target are not judged, and {undefined} are n/a.</source>
        <translation>{why}; „{option}“ ist aus: Kronen ohne Zielkrone werden nicht beurteilt, und {undefined} entfallen.</translation>
    </message>
    <message>
        <location filename="../ui/shell/comparison_form.py"/>
        <source>⇅ Swap</source>
        <translation>⇅ Tauschen</translation>
    </message>
</context>
</TS>
