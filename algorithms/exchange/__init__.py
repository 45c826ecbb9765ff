"""Import and export of crowns in the file formats of other programs."""
