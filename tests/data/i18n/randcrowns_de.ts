<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>RandCrowns</name>
    <message>
        <source>No crowns in {layer}.</source>
        <translation>Keine Kronen in {layer}.</translation>
    </message>
    <message numerus="yes">
        <source>{count:,} crowns</source>
        <translation>
            <numerusform>{count:,} Krone</numerusform>
            <numerusform>{count:,} Kronen</numerusform>
        </translation>
    </message>
</context>
</TS>
