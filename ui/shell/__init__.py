"""The dock, and the base classes of its pages."""
