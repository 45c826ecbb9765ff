"""Checks of the attributes of points whose trees or classes are compared."""

from __future__ import annotations

from typing import NamedTuple

from randcrowns.core.errors import InputError


class ComparedAttributes(NamedTuple):
    """Names of the attributes that are compared; "" for none.

    >>> ComparedAttributes("tree", "found").check(has_prediction_file=False)
    """

    target: str = ""  #: attribute with the target trees.
    prediction: str = ""  #: attribute with the predicted trees.
    true_class: str = ""  #: attribute with the true classes.
    predicted_class: str = ""  #: attribute with the predicted classes.

    def check(self, has_prediction_file: bool) -> None:
        """Raise an InputError if neither trees nor classes can be compared.

        Args:
            has_prediction_file: True if the predictions are in a file of their own, where
                attributes may have the same names.
        """
        if bool(self.true_class) is not bool(self.predicted_class):
            raise InputError(
                "cloud.one_class_attribute",
                "Classes require two attributes: the true class and the predicted one.",
            )
        if bool(self.target) is not bool(self.prediction):
            raise InputError(
                "cloud.one_tree_attribute",
                "Trees require two attributes: the id of the target and of the predicted tree.",
            )
        if not self.target and not self.true_class:
            raise InputError(
                "cloud.attributes_not_chosen",
                "Choose the attributes with the ids of the trees, or those with the classes.",
            )
        pairs = ((self.target, self.prediction), (self.true_class, self.predicted_class))
        for reference, predicted in pairs:
            if reference and reference == predicted and not has_prediction_file:
                raise InputError(
                    "cloud.same_attribute",
                    "Targets and predictions are the same attribute, '{name}'; choose another.",
                    name=reference,
                )
