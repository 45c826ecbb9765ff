"""Small widgets the pages are made of."""
