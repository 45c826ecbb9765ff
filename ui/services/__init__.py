"""Services of the pages without widgets: runs, messages, settings, information about layers."""
