"""Read point cloud files and layers."""
