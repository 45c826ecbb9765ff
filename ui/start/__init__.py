"""Page Start: the jobs of the plugin, and what the project still needs for each."""
