"""Messages about the images that annotation files name."""

from __future__ import annotations

from collections.abc import Sequence

from randcrowns.core.exchange.annotations import Image
from randcrowns.core.exchange.exif import UPRIGHT, is_on_its_side
from randcrowns.core.exchange.image_finder import FoundImage
from randcrowns.core.messages import Message, abbreviate, note, warning


def doubtful_image_messages(
    file: str,
    named: Sequence[Image],
    found_images: Sequence[FoundImage],
    annotated: Sequence[FoundImage],
) -> list[Message]:
    """Return messages about images whose pixels are turned, or that have an unexpected size.

    Args:
        file: name of the annotation file.
        named: (n,) images as the file describes them.
        found_images: (n,) images as they were found, in the same order.
        annotated: the images with annotations.
    """
    messages = []
    turned = [image.name for image in annotated if image.orientation != UPRIGHT]
    if turned:
        template = (
            "{file}: the pixels of {images} do not lie upright (EXIF orientation). The crowns were "
            "taken for pixels of the upright image, as annotation tools show it; QGIS shows the "
            "image as it is stored, with the crowns on it."
        )
        messages.append(
            note("exchange.turned_image", template, file=file, images=abbreviate(turned))
        )

    resized = []
    for named_image, found_image in zip(named, found_images):
        if _has_other_size(named_image, found_image):
            resized.append(named_image.name)
    if resized:
        template = (
            "{file}: images of another size than the file specifies: {images}. Crowns were taken "
            "as pixels of the image."
        )
        messages.append(
            warning("exchange.size_of_image", template, file=file, images=abbreviate(resized))
        )
    return messages


def _has_other_size(named: Image, found_image: FoundImage) -> bool:
    """Return True if an annotation file specifies another size than the image that was found."""
    if not (found_image.path and named.width):
        return False
    sizes = [(found_image.width, found_image.height)]
    if is_on_its_side(found_image.orientation):
        # Some programs write the size of the stored pixels, but count those of the upright image.
        sizes.append((found_image.height, found_image.width))
    return (named.width, named.height) not in sizes
