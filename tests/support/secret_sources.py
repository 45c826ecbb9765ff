"""Spellings of sources that contain the secret :data:`HIDDEN_WORD`, of every kind of provider."""

from __future__ import annotations

from typing import NamedTuple

HIDDEN_WORD = "geheim"


class SecretSource(NamedTuple):
    """A source with a secret.

    Attributes:
        provider: key of the provider.
        source: the source.
        public: part that remains; empty if nothing does.
    """

    provider: str
    source: str
    public: str = ""


_TABLE = 'key=\'id\' table="forest"."trees" (geom)'
_PG = "dbname='inventory' host=db.example.org port=5432"
_URL = "https://example.org/data/trees.gpkg"

SECRET_SOURCES = [
    # Databases
    SecretSource("postgres", f"{_PG} user='u' password='geheim' {_TABLE}", "inventory"),
    SecretSource("postgres", f"{_PG} user='u' password=geheim {_TABLE}", "forest"),
    SecretSource("postgres", rf"{_PG} user='u' password='it\'s geheim' {_TABLE}", "trees"),
    SecretSource("postgres", f'{_PG} password="geheim" {_TABLE}', "inventory"),
    SecretSource("postgres", f"{_PG} passwd='geheim' {_TABLE}", "trees"),
    SecretSource("postgres", f"{_PG} sslpassword='geheim' sslmode=require {_TABLE}", "trees"),
    SecretSource("postgres", f"{_PG} sslkey='/home/u/geheim.key' {_TABLE}", "trees"),
    SecretSource("postgres", f"{_PG} user='geheim' {_TABLE}", "trees"),
    SecretSource("postgres", f"{_PG} options='-c token=geheim' {_TABLE}", "trees"),
    SecretSource("postgres", f"{_PG} token=geheim {_TABLE}", "trees"),
    SecretSource("postgres", f"{_PG} authcfg=geheim1 {_TABLE}", "trees"),
    SecretSource("postgres", f"{_PG} PASSWORD = 'geheim' {_TABLE}"),
    SecretSource("postgres", f"{_PG} {_TABLE} sql= password='geheim'", "trees"),
    SecretSource("postgres", f"{_PG} {_TABLE} sql=true -- geheim", "trees"),
    SecretSource("postgres", f"{_PG} {_TABLE} sql=x = 1 token=geheim", "trees"),
    SecretSource(
        "postgres", f"dbname='postgresql://u:geheim@db.example.org/inventory' {_TABLE}", "trees"
    ),
    SecretSource("postgres", f"dbname='inventory password=geheim' host=h {_TABLE}", "trees"),
    SecretSource(
        "postgres",
        f"{_PG} key='id' table=\"(SELECT * FROM dblink('password=geheim') AS t(id int))\" (geom)",
        "inventory",
    ),
    SecretSource("postgres", f"service='trees' password='geheim' {_TABLE}", "service='trees'"),
    SecretSource("postgresraster", f"{_PG} password='geheim' {_TABLE}", "trees"),
    SecretSource("mssql", f"dbname='inventory' host=h password={{geheim}} {_TABLE}", "inventory"),
    SecretSource("mssql", f"service='driver={{ODBC}};UID=u;PWD={{geheim}}' {_TABLE}"),
    SecretSource("mssql", f"dbname='inventory' host='h;PWD=geheim' {_TABLE}", "inventory"),
    SecretSource("oracle", f"dbname='u/geheim@//h:1521/inventory' {_TABLE}"),
    SecretSource("oracle", f"dbname='inventory' host=h user='u' password='geheim' {_TABLE}"),
    SecretSource("hana", f"dbname='inventory' host=h password='geheim' {_TABLE}"),
    SecretSource("spatialite", f"dbname='/data/trees.sqlite?key=geheim' {_TABLE}", "trees"),
    # Drivers of GDAL for databases
    SecretSource("ogr", "PG:dbname='inventory' host=h user='u' password='geheim'", "inventory"),
    SecretSource("ogr", r"PG:dbname=inventory host=h password='it\'s geheim' user=u", "inventory"),
    SecretSource("ogr", "PG:dbname=inventory password='dbname=geheim host=geheim'", "inventory"),
    SecretSource("ogr", "PG:dbname=inventory password='a|geheim' tables=trees", "inventory"),
    SecretSource("ogr", "PG:password=geheim host=h|layername=trees", "trees"),
    SecretSource("ogr", "PG:service=trees sslpassword=geheim", "trees"),
    SecretSource("ogr", "MYSQL:inventory,user=u,password=geheim,host=h", "inventory"),
    SecretSource("ogr", "MYSQL:inventory,passwd='geheim',tables=trees", "inventory"),
    SecretSource("ogr", "MSSQL:server=h;database=inventory;uid=u;pwd=geheim", "inventory"),
    SecretSource("ogr", "MSSQL:server=h;database=inventory;pwd={a;server=geheim}", "inventory"),
    SecretSource("ogr", "MSSQL:server=h;pwd=a server=geheim;tables=trees", "server=h"),
    SecretSource("ogr", "OCI:u/geheim@h:1521/inventory:trees"),
    SecretSource("ogr", "OCI:u/ge@heim/geheim@h/inventory"),
    SecretSource("ogr", "ODBC:u/geheim@trees"),
    SecretSource("ogr", "MongoDBv3:mongodb://u:geheim@h/inventory"),
    SecretSource("ogr", "ES:https://u:geheim@h:9200"),
    SecretSource("ogr", "CARTO:trees API_KEY=geheim"),
    SecretSource("ogr", "AmigoCloud:1234 AMIGOCLOUD_API_KEY=geheim"),
    # Addresses
    SecretSource("ogr", "/vsicurl/https://u:geheim@example.org/trees.gpkg", "trees.gpkg"),
    SecretSource("ogr", "/vsicurl/https://u:ge@geheim@example.org/trees.gpkg", "trees.gpkg"),
    SecretSource("ogr", "/vsicurl/https://u:geheim/b@example.org/trees.gpkg"),
    SecretSource("ogr", "/vsicurl/https://u:12?geheim@example.org/trees.gpkg"),
    SecretSource("ogr", "/vsicurl/https://u:12#geheim@example.org/trees.gpkg"),
    SecretSource("ogr", f"/vsicurl/{_URL}?token=geheim", "trees.gpkg"),
    SecretSource("ogr", f"/vsicurl/{_URL}?api_key=geheim|layername=oaks", "layername=oaks"),
    SecretSource(
        "ogr", f"/vsicurl/{_URL}?sv=2022&sr=b&sig=geheim%2Bx%3D&se=2030-01-01", "trees.gpkg"
    ),
    SecretSource(
        "gdal",
        "/vsicurl/https://b.s3.amazonaws.com/trees.tif?X-Amz-Credential=geheim&X-Amz-Signature=geheim",
        "trees.tif",
    ),
    SecretSource("gdal", "/vsicurl/https://example.org/a;jsessionid=geheim/trees.tif", "trees.tif"),
    SecretSource("gdal", "/vsicurl/https://example.org/token=geheim/trees.tif", "example.org"),
    SecretSource("gdal", "/vsicurl/https://example.org/token%3Dgeheim/trees.tif", "example.org"),
    SecretSource(
        "gdal",
        "/vsicurl?header.Authorization=Bearer%20geheim&url=https%3A%2F%2Fexample.org%2Ftrees.tif",
        "trees.tif",
    ),
    SecretSource(
        "gdal", "/vsicurl?userpwd=geheim&url=https%3A%2F%2Fu%3Ageheim%40h%2Fa.tif", "a.tif"
    ),
    SecretSource("gdal", "/vsizip//vsicurl/https://u:geheim@h/trees.zip/a.tif", "trees.zip"),
    SecretSource("gdal", "/vsizip/vsicurl/https://u:geheim@h/trees.zip/a.tif"),
    SecretSource("gdal", "/vsizip/{/vsicurl/https://u:geheim@h/trees.zip}/a.tif"),
    SecretSource("gdal", "/vsis3/bucket/trees.tif?X-Amz-Security-Token=geheim", "trees.tif"),
    SecretSource("gdal", "/vsis3/KEY:geheim@bucket/trees.tif"),
    SecretSource("gdal", "/vsiaz/container/trees.tif|option:AZURE_SAS=geheim", "trees.tif"),
    SecretSource("gdal", "/vsis3/b/trees.tif|credential:AWS_SECRET_ACCESS_KEY=geheim", "trees.tif"),
    SecretSource("gdal", "https://example.org/trees.tif?access_token=geheim", "trees.tif"),
    SecretSource("gdal", "ftp://u:geheim@example.org/trees.tif", "trees.tif"),
    SecretSource("gdal", "https://example.org/trees.tif%253Ftoken%253Dgeheim", "example.org"),
    SecretSource("ogr", "file://u:geheim@example.org/trees.gpkg"),
    SecretSource("ogr", "//u:geheim@example.org/share/trees.gpkg"),
    SecretSource("ogr", r"\\u:geheim@example.org\share\trees.gpkg"),
    SecretSource("delimitedtext", "file://u:geheim@example.org/trees.csv?xField=x"),
    SecretSource("delimitedtext", "file://u:geheim?@example.org/trees.csv?xField=x"),
    SecretSource("gdal", "WMS:https://u:geheim@example.org/wms?layers=trees", "example.org"),
    SecretSource("gdal", "<GDAL_WMS><UserPwd>u:geheim</UserPwd></GDAL_WMS>"),
    SecretSource("ogr", '<OGRVRTDataSource><SrcDataSource>PG:password=geheim"/>'),
    SecretSource("ogr", '{"type": "FeatureCollection", "token": "geheim"}'),
    SecretSource("ogr", "/data/trees.gpkg?vfs_key=geheim", "/data/trees.gpkg"),
    # Services
    SecretSource("WFS", "url='https://u:geheim@example.org/wfs' typename='trees'", "trees"),
    SecretSource("WFS", "url='https://example.org/wfs?token=geheim' typename='trees'", "trees"),
    SecretSource("WFS", "url='https://h/wfs' typename='trees' password='geheim'", "trees"),
    SecretSource("WFS", "url='https://h/wfs' typename='trees' http-header:X='geheim'", "trees"),
    SecretSource("OAPIF", "url='https://h/api?apikey=geheim' typename='trees'", "trees"),
    SecretSource(
        "arcgisfeatureserver", "url='https://h/trees/0?token=geheim' crs='EPSG:3857'", "trees"
    ),
    SecretSource("arcgismapserver", "url='https://h/trees' authcfg=geheim1 layer='0'", "trees"),
    SecretSource(
        "wms", "layers=trees&password=geheim&username=u&url=https://h/wms?k%3Dgeheim", "trees"
    ),
    SecretSource("wms", "type=xyz&url=https://h/{z}/{x}/{y}.png?key=geheim&zmax=9", "zmax=9"),
    SecretSource("wcs", "identifier=trees&url=https://u:geheim@h/wcs", "trees"),
    SecretSource("vectortile", "type=xyz&url=https://h/%7Bz%7D.pbf?key=geheim", "type=xyz"),
    SecretSource(
        "delimitedtext", "file:///data/trees.csv?xField=x&yField=y&token=geheim", "xField=x"
    ),
    SecretSource("delimitedtext", "https://h/trees.csv?xField=x&key=geheim", "trees.csv"),
    SecretSource("ept", "https://example.org/trees/ept.json?token=geheim", "ept.json"),
    SecretSource("mdal", 'Ugrid:"https://u:geheim@h/trees.nc":mesh'),
    SecretSource("virtual", "?layer=ogr:PG%3Apassword%3Dgeheim:trees&query=SELECT"),
    SecretSource("virtualraster", "?crs=EPSG:4326&layer:uri=https://u:geheim@h/a.tif"),
    SecretSource("unknown", "u/geheim@trees"),
]
