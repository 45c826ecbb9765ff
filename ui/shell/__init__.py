"""The dock, its pages, and how a page runs."""
