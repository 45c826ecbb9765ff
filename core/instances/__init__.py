"""Matching instances and measuring segmentation: crowns and point clouds (pointtree.evaluation)."""
