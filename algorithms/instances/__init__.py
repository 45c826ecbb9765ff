"""Evaluating instances: crown polygons and labelled point clouds."""
