"""Declarations of the topic: its inputs, its outputs, and how a report shows them."""
