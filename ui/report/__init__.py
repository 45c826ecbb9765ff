"""Page Report: select runs, preview the report, and save it as HTML or PDF."""
