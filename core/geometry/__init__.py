"""Areas, offsets and overlays of polygons."""
