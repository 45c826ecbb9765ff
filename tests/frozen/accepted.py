"""Changes to what the algorithms declare that are meant: each with the reason why nothing that works stops working."""

from __future__ import annotations

__all__ = ["ACCEPTED"]

#: (algorithm, parameter or "output NAME", attribute) -> reason. An empty attribute stands for all of a parameter that
#: came or went, an empty parameter for the algorithm itself (its attributes "parameters" and "outputs" are the orders).
ACCEPTED: dict[tuple[str, str, str], str] = {}
