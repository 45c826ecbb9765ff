"""Changes to what the algorithms declare that are meant: each with the reason why nothing that works stops working."""

from __future__ import annotations

__all__ = ["ACCEPTED"]

#: (algorithm, parameter or "output NAME", attribute) -> reason. An empty attribute stands for all of a parameter that
#: came or went, an empty parameter for the algorithm itself (its attributes "parameters" and "outputs" are the orders).
ACCEPTED: dict[tuple[str, str, str], str] = {}

#: Algorithm -> its outputs of text that came beside REMARKS, and those that went.
_TEXTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "scorecrowns": (("WARNING",), ()),
    "targetregions": (("WARNING",), ()),
    "compareannotators": (("WARNING",), ()),
    "consensus": (("WARNING",), ()),
    "rankdetectors": (("WARNING",), ()),
    "evaluateinstances": ((), ("HEIGHTS",)),
    "evaluatepointcloud": ((), ("HEIGHTS",)),
    "annotatorvariance": ((), ()),
    "tuneparameters": ((), ()),
}
for _algorithm, (_came, _went) in _TEXTS.items():
    ACCEPTED[_algorithm, "", "outputs"] = "all algorithms end with the three outputs that remarks are told in"
    ACCEPTED[_algorithm, "output REMARKS", ""] = "all remarks, for programs; REPORT and WARNING say them in words"
    ACCEPTED.update({(_algorithm, f"output {name}", ""): "every algorithm has it" for name in _came})
    ACCEPTED.update({(_algorithm, f"output {name}", ""): "it is among the remarks, under a key" for name in _went})
