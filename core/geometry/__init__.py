"""Areas, overlays and faces of polygons."""
