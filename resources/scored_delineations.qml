<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<!-- Delineations without a target; the others, which are not drawn at first, by their highest RandCrowns with a target. -->
<qgis labelsEnabled="0" version="3.22.0-RandCrowns" styleCategories="Symbology|Labeling|MapTips">
 <renderer-v2 referencescale="-1" forceraster="0" symbollevels="0" enableorderby="0" attr="CASE WHEN coalesce(@randcrowns_layer, &quot;layer&quot;) &lt;> &quot;layer&quot; THEN 'other' WHEN &quot;status&quot; IN ('unmatched', 'not_judged') THEN &quot;status&quot; ELSE CASE WHEN &quot;randcrowns&quot; IS NULL THEN 'none' WHEN &quot;randcrowns&quot; &lt; 0.25 THEN 'c1' WHEN &quot;randcrowns&quot; &lt; 0.5 THEN 'c2' WHEN &quot;randcrowns&quot; &lt; 0.75 THEN 'c3' WHEN &quot;randcrowns&quot; &lt; 0.9 THEN 'c4' ELSE 'c5' END END" type="categorizedSymbol">
  <categories>
   <category symbol="5" render="true" value="unmatched" label="false detection"/>
   <category symbol="7" render="true" value="not_judged" label="not judged"/>
   <category symbol="0" render="false" value="c5" label="RandCrowns 0.9 to 1"/>
   <category symbol="1" render="false" value="c4" label="RandCrowns 0.75 to 0.9"/>
   <category symbol="2" render="false" value="c3" label="RandCrowns 0.5 to 0.75"/>
   <category symbol="3" render="false" value="c2" label="RandCrowns 0.25 to 0.5"/>
   <category symbol="4" render="false" value="c1" label="RandCrowns 0 to 0.25"/>
   <category symbol="6" render="false" value="none" label="not scored"/>
  </categories>
  <symbols>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="0">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="4,90,141,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="1">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="43,140,190,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="2">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="116,169,207,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="3">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="179,191,220,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="4">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="220,208,232,255" type="QString" name="outline_color"/>
      <Option value="solid" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
   <symbol alpha="1" clip_to_extent="1" force_rhr="0" type="fill" name="5">
    <layer locked="0" pass="0" enabled="1" class="SimpleFill">
     <Option type="Map">
      <Option value="3x:0,0,0,0,0,0" type="QString" name="border_width_map_unit_scale"/>
      <Option value="0,0,0,0" type="QString" name="color"/>
      <Option value="bevel" type="QString" name="joinstyle"/>
      <Option value="0,0" type="QString" name="offset"/>
      <Option value="3x:0,0,0,0,0,0" type="QString" name="offset_map_unit_scale"/>
      <Option value="MM" type="QString" name="offset_unit"/>
      <Option value="240,228,66,255" type="QString" name="outline_color"/>
      <Option value="dash" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
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
      <Option value="128,128,128,255" type="QString" name="outline_color"/>
      <Option value="dot" type="QString" name="outline_style"/>
      <Option value="0.3" type="QString" name="outline_width"/>
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
      <Option value="153,153,153,255" type="QString" name="outline_color"/>
      <Option value="dash" type="QString" name="outline_style"/>
      <Option value="0.7" type="QString" name="outline_width"/>
      <Option value="MM" type="QString" name="outline_width_unit"/>
      <Option value="no" type="QString" name="style"/>
     </Option>
    </layer>
   </symbol>
  </symbols>
 </renderer-v2>
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <mapTip>&lt;b>[% replace(replace(replace(replace("layer", '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %] [% replace(replace(replace(replace("delineation_id", '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;br>&lt;table>&lt;tr>&lt;td>RandCrowns&lt;/td>&lt;td>&amp;nbsp;&lt;b>[% replace(replace(replace(replace(coalesce(format_number("randcrowns", 3), 'n/a'), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;/td>&lt;/tr>&lt;tr>&lt;td>IoU&lt;/td>&lt;td>&amp;nbsp;&lt;b>[% replace(replace(replace(replace(coalesce(format_number("iou", 3), 'n/a'), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;/td>&lt;/tr>&lt;tr>&lt;td>IoUCrowns&lt;/td>&lt;td>&amp;nbsp;&lt;b>[% replace(replace(replace(replace(coalesce(format_number("iou_crowns", 3), 'n/a'), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;/b>&lt;/td>&lt;/tr>&lt;/table>[% replace(replace(replace(replace(replace(coalesce(represent_value("status"), ''), '_', ' '), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]&lt;br>[% replace(replace(replace(replace(coalesce(attribute($currentfeature, 'rc_cause'), ''), '&amp;', '&amp;amp;'), '&lt;', '&amp;lt;'), '>', '&amp;gt;'), '"', '&amp;quot;') %]</mapTip>
 <layerGeometryType>2</layerGeometryType>
</qgis>
