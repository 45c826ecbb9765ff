"""What pages need that is no widget: runs, messages, memory, facts about layers."""
