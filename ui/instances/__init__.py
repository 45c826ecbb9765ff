"""Page Instances: detection and segmentation metrics of single trees."""
