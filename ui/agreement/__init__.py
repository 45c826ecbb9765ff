"""Page Annotators."""
