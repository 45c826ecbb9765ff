"""Algorithm that presents runs in a report, as HTML and PDF."""
