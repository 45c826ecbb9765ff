<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<!-- Target crowns by classes of RandCrowns. This style can be loaded by hand for scored targets; it then shows the scores of the first delineation layer. To show those of another layer, set the layer variable randcrowns_prefix (Layer Properties, Variables) to the prefix of its fields, for example annotator_2 for annotator_2_rc. -->
<qgis labelsEnabled="1" version="3.22.0-RandCrowns" styleCategories="Symbology|Labeling|MapTips">
 <renderer-v2 referencescale="-1" forceraster="0" symbollevels="0" enableorderby="0" attr="with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), CASE WHEN attribute($currentfeature, @p || '_rc') >= 0.9 THEN 'c5' WHEN attribute($currentfeature, @p || '_rc') >= 0.75 THEN 'c4' WHEN attribute($currentfeature, @p || '_rc') >= 0.5 THEN 'c3' WHEN attribute($currentfeature, @p || '_rc') >= 0.25 THEN 'c2' WHEN attribute($currentfeature, @p || '_status') IN ('missed', 'unmatched', 'target_too_small') THEN attribute($currentfeature, @p || '_status') WHEN attribute($currentfeature, @p || '_rc') IS NULL THEN 'none' ELSE 'c1' END)" type="categorizedSymbol">
  <categories>
   <category symbol="0" render="true" value="c5" label="RandCrowns 0.9 to 1"/>
   <category symbol="1" render="true" value="c4" label="RandCrowns 0.75 to 0.9"/>
   <category symbol="2" render="true" value="c3" label="RandCrowns 0.5 to 0.75"/>
   <category symbol="3" render="true" value="c2" label="RandCrowns 0.25 to 0.5"/>
   <category symbol="4" render="true" value="c1" label="RandCrowns 0 to 0.25"/>
   <category symbol="5" render="true" value="missed" label="not detected (not reached): score 0"/>
   <category symbol="6" render="true" value="unmatched" label="not detected (no pair): score 0"/>
   <category symbol="7" render="true" value="target_too_small" label="too small to score"/>
   <category symbol="8" render="true" value="none" label="not scored"/>
  </categories>
  <symbols>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="0">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="4,90,141,64" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="4,90,141,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.5" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="solid" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="1">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="43,140,190,64" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="43,140,190,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.5" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="solid" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="2">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="116,169,207,64" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="116,169,207,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.5" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="solid" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="3">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="179,191,220,64" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="179,191,220,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.5" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="solid" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="4">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="220,208,232,64" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="220,208,232,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.5" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="solid" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="5">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="208,28,139,160" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="208,28,139,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.6" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="b_diagonal" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="6">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="208,28,139,255" type="QString" name="outline_color"/>
      <Option value="dash" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="7">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="128,128,128,255" type="QString" name="outline_color"/>
      <Option value="dot" type="QString" name="outline_style"/>
      <Option value="0.6" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="8">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="160,160,160,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.3" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
  </symbols>
 </renderer-v2>
 <labeling type="simple">
  <settings calloutType="simple">
   <text-style fontWeight="50" fontSizeMapUnitScale="3x:0,0,0,0,0,0" textOpacity="1" fontWordSpacing="0" allowHtml="0" fontItalic="0" fontLetterSpacing="0" fontUnderline="0" fontKerning="1" blendMode="0" fontFamily="Open Sans" previewBkgrdColor="255,255,255,255" fieldName="with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), format_number(attribute($currentfeature, @p || '_rc'), 2))" textColor="26,26,26,255" fontSizeUnit="Point" fontSize="8" multilineHeight="1" fontStrikeout="0" textOrientation="horizontal" capitalization="0" useSubstitutions="0" namedStyle="" isExpression="1" legendString="Aa">
    <families/>
    <text-buffer bufferDraw="1" bufferBlendMode="0" bufferSizeUnits="MM" bufferJoinStyle="128" bufferColor="255,255,255,255" bufferOpacity="1" bufferSize="0.80000000000000004" bufferSizeMapUnitScale="3x:0,0,0,0,0,0" bufferNoFill="1"/>
    <text-mask maskedSymbolLayers="" maskSize="1.5" maskJoinStyle="128" maskOpacity="1" maskType="0" maskEnabled="0" maskSizeUnits="MM" maskSizeMapUnitScale="3x:0,0,0,0,0,0"/>
    <background shapeSizeType="0" shapeBlendMode="0" shapeSizeY="0" shapeOffsetMapUnitScale="3x:0,0,0,0,0,0" shapeRadiiY="0" shapeBorderWidth="0" shapeBorderWidthMapUnitScale="3x:0,0,0,0,0,0" shapeRadiiMapUnitScale="3x:0,0,0,0,0,0" shapeRotationType="0" shapeRotation="0" shapeDraw="0" shapeBorderColor="128,128,128,255" shapeOpacity="1" shapeSizeX="0" shapeSVGFile="" shapeSizeMapUnitScale="3x:0,0,0,0,0,0" shapeRadiiUnit="MM" shapeType="0" shapeOffsetY="0" shapeJoinStyle="64" shapeOffsetUnit="MM" shapeBorderWidthUnit="MM" shapeSizeUnit="MM" shapeFillColor="255,255,255,255" shapeOffsetX="0" shapeRadiiX="0">
     <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="fillSymbol">
      <layer locked="0" pass="0" enabled="1" class="SimpleFill">
       <Option type="Map">
        <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
        <Option value="255,255,255,255" type="QString" name="color"/>
        <Option value="bevel" type="QString" name="joinstyle"/>
        <Option value="0,0" type="QString" name="offset"/>
        <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
        <Option value="MM" type="QString" name="offset_unit"/>
        <Option value="128,128,128,255" type="QString" name="outline_color"/>
        <Option value="no" type="QString" name="outline_style"/>
        <Option value="0" type="QString" name="outline_width"/>
        <Option value="MM" type="QString" name="outline_width_unit"/>
        <Option value="solid" type="QString" name="style"/>
       </Option>
      </layer>
     </symbol>
    </background>
    <shadow shadowOffsetUnit="MM" shadowOpacity="0.69999999999999996" shadowBlendMode="6" shadowOffsetDist="1" shadowDraw="0" shadowUnder="0" shadowRadiusMapUnitScale="3x:0,0,0,0,0,0" shadowOffsetGlobal="1" shadowColor="0,0,0,255" shadowRadiusAlphaOnly="0" shadowScale="100" shadowOffsetMapUnitScale="3x:0,0,0,0,0,0" shadowOffsetAngle="135" shadowRadius="1.5" shadowRadiusUnit="MM"/>
    <dd_properties>
     <Option type="Map">
      <Option value="" type="QString" name="name"/>
      <Option name="properties"/>
      <Option value="collection" type="QString" name="type"/>
     </Option>
    </dd_properties>
    <substitutions/>
   </text-style>
   <text-format autoWrapLength="0" placeDirectionSymbol="0" formatNumbers="0" leftDirectionSymbol="&lt;" multilineAlign="3" plussign="0" reverseDirectionSymbol="0" decimals="3" rightDirectionSymbol=">" addDirectionSymbol="0" useMaxLineLengthForAutoWrap="1" wrapChar=""/>
   <placement xOffset="0" priority="5" polygonPlacementFlags="2" offsetUnits="MM" overrunDistance="0" distUnits="MM" overrunDistanceMapUnitScale="3x:0,0,0,0,0,0" lineAnchorClipping="0" repeatDistanceMapUnitScale="3x:0,0,0,0,0,0" fitInPolygonOnly="0" rotationAngle="0" predefinedPositionOrder="TR,TL,BR,BL,R,L,TSR,BSR" lineAnchorType="0" centroidInside="0" geometryGenerator="" placementFlags="10" preserveRotation="1" geometryGeneratorType="PointGeometry" geometryGeneratorEnabled="0" yOffset="0" lineAnchorPercent="0.5" dist="0" maxCurvedCharAngleOut="-25" repeatDistanceUnits="MM" distMapUnitScale="3x:0,0,0,0,0,0" placement="1" overrunDistanceUnit="MM" quadOffset="4" repeatDistance="0" offsetType="0" labelOffsetMapUnitScale="3x:0,0,0,0,0,0" rotationUnit="AngleDegrees" maxCurvedCharAngleIn="25" centroidWhole="0" layerType="UnknownGeometry"/>
   <rendering scaleMax="2500" obstacle="0" maxNumLabels="2000" upsidedownLabels="0" zIndex="0" minFeatureSize="6" drawLabels="1" limitNumLabels="0" fontMaxPixelSize="10000" obstacleFactor="1" scaleVisibility="1" mergeLines="0" unplacedVisibility="0" fontMinPixelSize="0" labelPerPart="0" displayAll="0" obstacleType="1" scaleMin="0" fontLimitPixelSize="0"/>
   <dd_properties>
    <Option type="Map">
     <Option value="" type="QString" name="name"/>
     <Option name="properties"/>
     <Option value="collection" type="QString" name="type"/>
    </Option>
   </dd_properties>
   <callout type="simple">
    <Option type="Map">
     <Option value="pole_of_inaccessibility" type="QString" name="anchorPoint"/>
     <Option value="0" type="int" name="blendMode"/>
     <Option type="Map" name="ddProperties">
      <Option value="" type="QString" name="name"/>
      <Option name="properties"/>
      <Option value="collection" type="QString" name="type"/>
     </Option>
     <Option value="false" type="bool" name="drawToAllParts"/>
     <Option value="0" type="QString" name="enabled"/>
     <Option value="point_on_exterior" type="QString" name="labelAnchorPoint"/>
     <Option value="&lt;symbol alpha=&quot;1&quot; clip_to_extent=&quot;1&quot; force_rhr=&quot;0&quot; type=&quot;line&quot; name=&quot;symbol&quot;>&lt;data_defined_properties>&lt;Option type=&quot;Map&quot;>&lt;Option value=&quot;&quot; type=&quot;QString&quot; name=&quot;name&quot;/>&lt;Option name=&quot;properties&quot;/>&lt;Option value=&quot;collection&quot; type=&quot;QString&quot; name=&quot;type&quot;/>&lt;/Option>&lt;/data_defined_properties>&lt;layer locked=&quot;0&quot; pass=&quot;0&quot; enabled=&quot;1&quot; class=&quot;SimpleLine&quot;>&lt;Option type=&quot;Map&quot;>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;align_dash_pattern&quot;/>&lt;Option value=&quot;square&quot; type=&quot;QString&quot; name=&quot;capstyle&quot;/>&lt;Option value=&quot;5;2&quot; type=&quot;QString&quot; name=&quot;customdash&quot;/>&lt;Option value=&quot;3x:0,0,0,0,0,0&quot; type=&quot;QString&quot; name=&quot;customdash_map_unit_scale&quot;/>&lt;Option value=&quot;MM&quot; type=&quot;QString&quot; name=&quot;customdash_unit&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;dash_pattern_offset&quot;/>&lt;Option value=&quot;3x:0,0,0,0,0,0&quot; type=&quot;QString&quot; name=&quot;dash_pattern_offset_map_unit_scale&quot;/>&lt;Option value=&quot;MM&quot; type=&quot;QString&quot; name=&quot;dash_pattern_offset_unit&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;draw_inside_polygon&quot;/>&lt;Option value=&quot;bevel&quot; type=&quot;QString&quot; name=&quot;joinstyle&quot;/>&lt;Option value=&quot;60,60,60,255&quot; type=&quot;QString&quot; name=&quot;line_color&quot;/>&lt;Option value=&quot;solid&quot; type=&quot;QString&quot; name=&quot;line_style&quot;/>&lt;Option value=&quot;0.3&quot; type=&quot;QString&quot; name=&quot;line_width&quot;/>&lt;Option value=&quot;MM&quot; type=&quot;QString&quot; name=&quot;line_width_unit&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;offset&quot;/>&lt;Option value=&quot;3x:0,0,0,0,0,0&quot; type=&quot;QString&quot; name=&quot;offset_map_unit_scale&quot;/>&lt;Option value=&quot;MM&quot; type=&quot;QString&quot; name=&quot;offset_unit&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;ring_filter&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;trim_distance_end&quot;/>&lt;Option value=&quot;3x:0,0,0,0,0,0&quot; type=&quot;QString&quot; name=&quot;trim_distance_end_map_unit_scale&quot;/>&lt;Option value=&quot;MM&quot; type=&quot;QString&quot; name=&quot;trim_distance_end_unit&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;trim_distance_start&quot;/>&lt;Option value=&quot;3x:0,0,0,0,0,0&quot; type=&quot;QString&quot; name=&quot;trim_distance_start_map_unit_scale&quot;/>&lt;Option value=&quot;MM&quot; type=&quot;QString&quot; name=&quot;trim_distance_start_unit&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;tweak_dash_pattern_on_corners&quot;/>&lt;Option value=&quot;0&quot; type=&quot;QString&quot; name=&quot;use_custom_dash&quot;/>&lt;Option value=&quot;3x:0,0,0,0,0,0&quot; type=&quot;QString&quot; name=&quot;width_map_unit_scale&quot;/>&lt;/Option>&lt;prop k=&quot;align_dash_pattern&quot; v=&quot;0&quot;/>&lt;prop k=&quot;capstyle&quot; v=&quot;square&quot;/>&lt;prop k=&quot;customdash&quot; v=&quot;5;2&quot;/>&lt;prop k=&quot;customdash_map_unit_scale&quot; v=&quot;3x:0,0,0,0,0,0&quot;/>&lt;prop k=&quot;customdash_unit&quot; v=&quot;MM&quot;/>&lt;prop k=&quot;dash_pattern_offset&quot; v=&quot;0&quot;/>&lt;prop k=&quot;dash_pattern_offset_map_unit_scale&quot; v=&quot;3x:0,0,0,0,0,0&quot;/>&lt;prop k=&quot;dash_pattern_offset_unit&quot; v=&quot;MM&quot;/>&lt;prop k=&quot;draw_inside_polygon&quot; v=&quot;0&quot;/>&lt;prop k=&quot;joinstyle&quot; v=&quot;bevel&quot;/>&lt;prop k=&quot;line_color&quot; v=&quot;60,60,60,255&quot;/>&lt;prop k=&quot;line_style&quot; v=&quot;solid&quot;/>&lt;prop k=&quot;line_width&quot; v=&quot;0.3&quot;/>&lt;prop k=&quot;line_width_unit&quot; v=&quot;MM&quot;/>&lt;prop k=&quot;offset&quot; v=&quot;0&quot;/>&lt;prop k=&quot;offset_map_unit_scale&quot; v=&quot;3x:0,0,0,0,0,0&quot;/>&lt;prop k=&quot;offset_unit&quot; v=&quot;MM&quot;/>&lt;prop k=&quot;ring_filter&quot; v=&quot;0&quot;/>&lt;prop k=&quot;trim_distance_end&quot; v=&quot;0&quot;/>&lt;prop k=&quot;trim_distance_end_map_unit_scale&quot; v=&quot;3x:0,0,0,0,0,0&quot;/>&lt;prop k=&quot;trim_distance_end_unit&quot; v=&quot;MM&quot;/>&lt;prop k=&quot;trim_distance_start&quot; v=&quot;0&quot;/>&lt;prop k=&quot;trim_distance_start_map_unit_scale&quot; v=&quot;3x:0,0,0,0,0,0&quot;/>&lt;prop k=&quot;trim_distance_start_unit&quot; v=&quot;MM&quot;/>&lt;prop k=&quot;tweak_dash_pattern_on_corners&quot; v=&quot;0&quot;/>&lt;prop k=&quot;use_custom_dash&quot; v=&quot;0&quot;/>&lt;prop k=&quot;width_map_unit_scale&quot; v=&quot;3x:0,0,0,0,0,0&quot;/>&lt;data_defined_properties>&lt;Option type=&quot;Map&quot;>&lt;Option value=&quot;&quot; type=&quot;QString&quot; name=&quot;name&quot;/>&lt;Option name=&quot;properties&quot;/>&lt;Option value=&quot;collection&quot; type=&quot;QString&quot; name=&quot;type&quot;/>&lt;/Option>&lt;/data_defined_properties>&lt;/layer>&lt;/symbol>" type="QString" name="lineSymbol"/>
     <Option value="0" type="double" name="minLength"/>
     <Option value="3x:0,0,0,0,0,0" type="QString" name="minLengthMapUnitScale"/>
     <Option value="MM" type="QString" name="minLengthUnit"/>
     <Option value="0" type="double" name="offsetFromAnchor"/>
     <Option value="3x:0,0,0,0,0,0" type="QString" name="offsetFromAnchorMapUnitScale"/>
     <Option value="MM" type="QString" name="offsetFromAnchorUnit"/>
     <Option value="0" type="double" name="offsetFromLabel"/>
     <Option value="3x:0,0,0,0,0,0" type="QString" name="offsetFromLabelMapUnitScale"/>
     <Option value="MM" type="QString" name="offsetFromLabelUnit"/>
    </Option>
   </callout>
  </settings>
 </labeling>
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <mapTip>&lt;b>[% replace(replace(replace(replace(with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), @p), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;br>&lt;table>&lt;tr>&lt;td>RandCrowns&lt;/td>&lt;td>&amp;nbsp;&lt;b>[% replace(replace(replace(replace(with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), coalesce(format_number(attribute($currentfeature, @p || '_rc'), 3), 'n/a')), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;/td>&lt;/tr>&lt;tr>&lt;td>IoU&lt;/td>&lt;td>&amp;nbsp;&lt;b>[% replace(replace(replace(replace(with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), coalesce(format_number(attribute($currentfeature, @p || '_iou'), 3), 'n/a')), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;/td>&lt;/tr>&lt;tr>&lt;td>IoUCrowns&lt;/td>&lt;td>&amp;nbsp;&lt;b>[% replace(replace(replace(replace(with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), coalesce(format_number(attribute($currentfeature, @p || '_iouc'), 3), 'n/a')), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;/td>&lt;/tr>&lt;/table>[% replace(replace(replace(replace(replace(with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), coalesce(represent_value(attribute($currentfeature, @p || '_status'), @p || '_status'), 'not scored')), '_', ' '), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;br>[% replace(replace(replace(replace(with_variable('p', coalesce(@randcrowns_prefix, regexp_substr(array_to_string(map_akeys(attributes($currentfeature))), '([^,]+)_rc(?:,|$)')), coalesce(nullif(attribute($currentfeature, @p || '_rc_cause'), ''), represent_value(attribute($currentfeature, @p || '_rc_problem'), @p || '_rc_problem'), '')), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]</mapTip>
 <layerGeometryType>2</layerGeometryType>
</qgis>
