"""Pairs that are replaced keep their indices, and are found as in a table that is searched."""

from __future__ import annotations

import numpy as np
import pytest

from randcrowns.core.scoring import editable_crowns
from randcrowns.core.scoring.editable_crowns import PairTable

N_MEMBERS = 9


@pytest.mark.parametrize("few_rows", [0, 64])
@pytest.mark.parametrize("seed", range(20))
def test_pairs_are_found_by_both_members_after_any_replacement(
    seed: int, few_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The expected pairs are a set of target, delineation and score; it has no indices."""
    monkeypatch.setattr(editable_crowns, "_FEW_ROWS", few_rows)
    rng = np.random.default_rng(seed)

    def draw(n: int) -> dict[str, np.ndarray]:
        pairs = rng.permutation(N_MEMBERS * N_MEMBERS)[:n]
        targets, delineations = np.divmod(pairs, N_MEMBERS)
        return {"target": targets, "delineation": delineations, "score": rng.random(n)}

    def as_set(columns: dict[str, np.ndarray]) -> set[tuple[int, int, float]]:
        return set(zip(*(columns[name].tolist() for name in ("target", "delineation", "score"))))

    first = draw(int(rng.integers(0, 30)))
    expected = as_set(first)
    table = PairTable(first)
    for _ in range(12):
        side = ("target", "delineation")[rng.integers(2)]
        rows = np.unique(rng.integers(0, N_MEMBERS + 3, rng.integers(0, 4)))
        removed = table.find(side, rows)
        place = ("target", "delineation").index(side)
        of_rows = {pair for pair in expected if pair[place] in rows.tolist()}
        assert as_set(table.select(removed)) == of_rows
        assert len(removed) == len(of_rows)
        new = draw(int(rng.integers(0, 9)))
        others = expected - of_rows
        is_free = [
            pair not in {other[:2] for other in others}
            for pair in zip(new["target"].tolist(), new["delineation"].tolist())
        ]
        new = {name: values[np.array(is_free, dtype=bool)] for name, values in new.items()}
        table.replace(removed, new)
        expected = others | as_set(new)
        indices = table.indices()
        assert as_set(table.select(indices)) == expected
        assert len(indices) == len(expected)
        for side in ("target", "delineation"):
            found = table.find(side, np.arange(N_MEMBERS))
            assert found.tolist() == indices.tolist()
