"""The pages of the dock, one file each; :mod:`randcrowns.ui.registry` lists them."""
