"""Evaluation of instances: crown polygons and labelled point clouds."""
