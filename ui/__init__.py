"""User interface: the dock, its pages, tables, plots and map highlights; it computes nothing."""
