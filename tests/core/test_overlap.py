import numpy as np

from randcrowns.core.overlap import OverlapTable


def test_iou_is_shared_over_union() -> None:
    table = OverlapTable(
        target=np.array([0, 1]),
        prediction=np.array([0, 0]),
        shared=np.array([2.0, 1.0]),
        target_size=np.array([4.0, 1.0]),
        prediction_size=np.array([3.0]),
    )
    np.testing.assert_array_equal(table.iou, [2 / 5, 1 / 3])
