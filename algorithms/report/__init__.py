"""Runs told on a page that can be quoted: HTML and PDF."""
