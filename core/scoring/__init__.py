"""RandCrowns, IoU and IoUCrowns of crowns and layers (Stewart et al. 2021)."""
