"""Which inputs go together, the tensors of a batch, made ahead of their step, and predictions."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import torch

from pipeline.contracts.example import Prediction
from pipeline.core.ids import draw
from pipeline.training.features import IGNORED, Features, Ragged
from pipeline.training.head import Decoder, Network

Rows = npt.NDArray[np.int64]
#: Batches whose inputs are sorted by length together: little padding, and still a draw.
_POOL: Final = 32
#: Batches that are made ahead.
_AHEAD: Final = 4
#: On a GPU, lengths are filled up to a multiple of this.
_MULTIPLE: Final = 8


def input_keys(features: Features, ids: Sequence[str]) -> list[str]:
    """Return a name for each input: its example's id and its number within the example."""
    starts = np.searchsorted(features.owners, features.owners, side="left")
    numbers = np.arange(len(features)) - starts
    pairs = zip(features.owners.tolist(), numbers.tolist(), strict=True)
    return [f"{ids[owner]}#{number}" for owner, number in pairs]


def draw_batches(
    features: Features, keys: Sequence[str], *, size: int, seed: int, epoch: int
) -> list[Rows]:
    """Return the batches of an epoch: a keyed draw, with inputs of similar length together.

    The same inputs give the same batches in whatever order they stand.
    """
    purpose = f"baseline-order-{epoch}"
    order = sorted(range(len(keys)), key=lambda i: (draw(seed, purpose, keys[i]), keys[i]))
    lengths = features.tokens.lengths
    batches: list[Rows] = []
    for begin in range(0, len(order), size * _POOL):
        pool = np.array(order[begin : begin + size * _POOL], dtype=np.int64)
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[at : at + size] for at in range(0, len(pool), size)]
    purpose = f"baseline-batches-{epoch}"
    return sorted(batches, key=lambda rows: (draw(seed, purpose, keys[rows[0]]), keys[rows[0]]))


def by_length(features: Features, *, size: int) -> list[Rows]:
    """Return batches of similar length, the longest first, so that a lack of memory shows early."""
    order = np.argsort(-features.tokens.lengths, kind="stable")
    return [order[at : at + size] for at in range(0, len(order), size)]


def batch_of(features: Features, rows: Rows, *, pad: int, multiple: int = 1) -> dict[str, Any]:
    """Return the tensors of some inputs, on the CPU; see pipeline/training/head.py."""
    tokens = features.tokens
    lengths = torch.from_numpy(tokens.lengths[rows])
    ids = _tensor(tokens.pad(rows, pad, multiple=multiple))
    tensors = {
        "input_ids": ids,
        "attention_mask": (torch.arange(ids.shape[1]) < lengths[:, None]).long(),
    }
    if features.segments is not None:
        tensors["token_type_ids"] = _tensor(features.segments.pad(rows, 0, multiple=multiple))
    for name, column in features.columns.items():
        if isinstance(column, Ragged):
            fill = features.fills.get(name, IGNORED)
            tensors[name] = _tensor(column.pad(rows, fill, multiple=multiple))
        else:
            tensors[name] = _tensor(column[rows])
    return tensors


#: What makes the parts of a batch of the inputs with these numbers: tensors by name, on the CPU.
Maker = Callable[[Rows], list[dict[str, torch.Tensor]]]


class Feed:
    """The parts of batches, made by a thread ahead of who takes them.

    `waited` are the seconds for which the taker stood still.
    """

    def __init__(self, make: Maker, batches: Sequence[Rows], *, device: Any) -> None:
        self.make, self.batches = make, batches
        self.device = torch.device(device)
        self.waited = 0.0

    def __iter__(self) -> Iterator[tuple[Rows, list[dict[str, torch.Tensor]]]]:
        batch_queue: queue.Queue[Any] = queue.Queue(maxsize=_AHEAD)
        stop = threading.Event()
        maker = threading.Thread(target=self._make, args=(batch_queue, stop), daemon=True)
        maker.start()
        try:
            for rows in self.batches:
                begin = perf_counter()
                parts = batch_queue.get()
                if isinstance(parts, BaseException):
                    raise parts
                self.waited += perf_counter() - begin
                yield rows, [self._send(tensors) for tensors in parts]
        finally:
            stop.set()
            while not batch_queue.empty():
                batch_queue.get_nowait()
            maker.join()

    def _send(self, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {k: v.to(self.device, non_blocking=True) for k, v in tensors.items()}

    def _make(self, batch_queue: queue.Queue[Any], stop: threading.Event) -> None:
        cuda = self.device.type == "cuda"
        try:
            for rows in self.batches:
                if stop.is_set():
                    return
                parts = self.make(rows)
                batch_queue.put(
                    [{k: v.pin_memory() for k, v in part.items()} for part in parts]
                    if cuda
                    else parts
                )
        except Exception as error:  # whatever goes wrong, the taker must know of it
            batch_queue.put(error)


def feed(features: Features, batches: Sequence[Rows], *, pad: int, device: Any) -> Feed:
    """Return the tensors of batches of encoded examples, each in one part."""
    multiple = _MULTIPLE if torch.device(device).type == "cuda" else 1
    batch = partial(batch_of, features, pad=pad, multiple=multiple)
    return Feed(lambda rows: [batch(rows)], batches, device=device)


class Batches(Protocol):
    """What a training learns from, epoch by epoch."""

    @property
    def per_epoch(self) -> int:
        """Return the number of batches of an epoch."""

    def feed(self, epoch: int, begin: int, device: Any) -> Feed:
        """Return the batches of an epoch from the one with this number on."""


@dataclass(frozen=True)
class ExampleBatches:
    """Encoded examples in batches of `size`, in a keyed order; `keys` name the inputs."""

    features: Features
    keys: Sequence[str]
    size: int
    seed: int
    pad: int

    @property
    def per_epoch(self) -> int:
        return -(-len(self.features) // self.size)

    def feed(self, epoch: int, begin: int, device: Any) -> Feed:
        """Return the batches of an epoch from the one with this number on."""
        rows = draw_batches(self.features, self.keys, size=self.size, seed=self.seed, epoch=epoch)
        return feed(self.features, rows[begin:], pad=self.pad, device=device)


def _tensor(values: npt.NDArray[Any]) -> torch.Tensor:
    kind = np.float32 if values.dtype.kind == "f" else np.int64
    return torch.from_numpy(np.ascontiguousarray(values, dtype=kind))


def predict(
    network: Network,
    features: Features,
    decoder: Decoder,
    *,
    pad: int,
    size: int,
    device: Any,
    stop: Callable[[], bool] = lambda: False,
) -> list[Prediction]:
    """Return one prediction an example; `size` inputs are with the network at a time.

    Raises KeyboardInterrupt when `stop`, asked before every batch, says so.
    """
    learning = network.training
    network.eval()
    with torch.inference_mode():
        batches = by_length(features, size=size)
        for rows, (batch,) in feed(features, batches, pad=pad, device=device):
            check_stop(stop)
            outputs = {  # as numpy, which has no bfloat16
                name: (tensor.float() if tensor.is_floating_point() else tensor).cpu().numpy()
                for name, tensor in network(batch).items()
                if name != "loss"
            }
            decoder.take(rows, outputs)
    network.train(learning)
    return decoder.predictions()


def check_stop(stop: Callable[[], bool]) -> None:
    """Raise KeyboardInterrupt if the user asked to stop."""
    if stop():
        raise KeyboardInterrupt
