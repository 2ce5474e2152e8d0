"""All faults by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fault import Fault
from fault_damage import CutRawFile, DamagedShard
from fault_disks import FullReleases, FullWork, ReadOnly
from fault_kills import KilledBuild, KilledServer, KilledWorker, LostDaskWorker, LostWrites
from fault_limits import ClockJump, FewDescriptors

FAULTS: Final[Mapping[str, type[Fault]]] = MappingProxyType(
    {
        "killed worker": KilledWorker,
        "killed build": KilledBuild,
        "killed server": KilledServer,
        "lost Dask worker": LostDaskWorker,
        "lost writes": LostWrites,
        "full work disk": FullWork,
        "full releases disk": FullReleases,
        "read-only folder": ReadOnly,
        "damaged shard": DamagedShard,
        "cut raw file": CutRawFile,
        "few descriptors": FewDescriptors,
        "clock jump": ClockJump,
    }
)
