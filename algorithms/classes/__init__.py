"""Classes and strata of crowns: parameters, outputs and tables that several algorithms share."""
