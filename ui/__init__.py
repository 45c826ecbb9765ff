"""What the user sees: the dock, its pages, tables, plots and map highlights. Runs algorithms, computes nothing."""
