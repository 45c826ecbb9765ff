"""Point cloud files and layers."""
