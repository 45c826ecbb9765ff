"""What pages need that is no widget: runs, messages, settings, facts about layers."""
