"""A Dask cluster or this process, either of which processes tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from distributed import Client

#: A ``distributed.Client``, the address of a scheduler as a text or
#: :class:`randcrowns.batch.cluster.TlsAddress`, a :class:`ThisProcess`, or None for a new cluster
#: on this machine.
Scheduler = Any


class ThisProcess:
    """In place of a cluster: the tiles are processed one after the other in this process.

    This needs neither Dask nor other processes, and is quicker for small layers.
    """


#: What processes the tiles.
Runner = Union["Client", ThisProcess]
