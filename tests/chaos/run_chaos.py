"""`make chaos`: rounds of builds of all eight tasks under faults that a seed draws.

    python tests/chaos/run_chaos.py --seed 1 --rounds 50      all rounds
    python tests/chaos/run_chaos.py --seed 1 --round 7        that one round again

Prints a line for each round, and for one that failed what was wrong and how to repeat it; then how
often each fault ended how. Exit code 1 if a round failed. `--folder` is kept, and holds the
reference build for the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from build_site import make_reference
from fault_table import FAULTS
from round_draw import draw_round
from round_play import Outcome, play

#: The faults with their engines, as rounds are drawn from them.
CHOICES = [(name, fault.engines) for name, fault in FAULTS.items()]


def main() -> int:
    """Play the rounds that the command line names; returns the exit code."""
    options = _options()
    with TemporaryDirectory(prefix="klue-chaos-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        reference = make_reference(folder.resolve(), tuple(options.words.split()))
        outcomes = []
        for number in options.round or range(options.rounds):
            begin, used = time.monotonic(), _seconds_used()
            chosen = draw_round(options.seed, number, CHOICES)
            place = folder.resolve() / f"round-{options.seed}-{number}"
            outcome = play(chosen, reference, place, keep=options.keep)
            outcomes.append(outcome)
            _tell(outcome, time.monotonic() - begin, _seconds_used() - used)
            if options.json is not None:
                text = json.dumps([asdict(o) for o in outcomes], ensure_ascii=False, indent=1)
                options.json.write_text(text + "\n", "utf-8")
    _say(table(outcomes))
    return int(any(outcome.wrong for outcome in outcomes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--round", type=int, nargs="+", help="only these, counted from 0")
    parser.add_argument("--folder", type=Path, help="where to build, kept; else a temporary folder")
    parser.add_argument("--keep", action="store_true", help="keep folders of rounds that went well")
    parser.add_argument("--json", type=Path, help="a file for all outcomes")
    parser.add_argument("--words", default="", help="more words of the command")
    return parser.parse_args()


def _tell(outcome: Outcome, seconds: float, used: float) -> None:
    chosen = outcome.round
    stages = "all stages" if chosen.from_nothing else f"{chosen.width} stages"
    missed = "" if outcome.struck or outcome.deed else "; it did not strike"
    deed = f" ({outcome.deed}{missed})" if outcome.deed or missed else ""
    mark = "WRONG" if outcome.wrong else "ok"
    place = f"{chosen.engine}, {stages}"
    times = f"{seconds:.0f} s, {used:.0f} s of CPU"
    _say(f"{chosen.number:3} {mark:5} {chosen.fault}: {outcome.end}{deed} [{place}, {times}]")
    if outcome.said:
        _say(f"          {outcome.said[-300:]}")
    for line in outcome.wrong:
        _say(f"    wrong: {line}")
    if outcome.wrong:
        script = Path(__file__).relative_to(Path(__file__).resolve().parents[2])
        _say(f"    again: python {script} --seed {chosen.seed} --round {chosen.number}")


def _seconds_used() -> float:
    """Return the CPU time of this process and its children; killed ones of these count for none."""
    return sum(os.times()[:4])


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes by fault as a table of Markdown."""
    ends = ("same", "error", "killed", "other input", "absent")
    counts = Counter((outcome.round.fault, outcome.end) for outcome in outcomes)
    failed = Counter(outcome.round.fault for outcome in outcomes if outcome.wrong)
    lines = [f"| fault | {' | '.join(ends)} | failed |", "|---" * (len(ends) + 2) + "|"]
    for name in FAULTS:
        row = [*(counts[name, end] for end in ends), failed[name]]
        lines.append(f"| {name} | {' | '.join(map(str, row))} |")
    total = [*(sum(counts[n, end] for n in FAULTS) for end in ends), sum(failed.values())]
    return "\n".join([*lines, f"| all | {' | '.join(map(str, total))} |"])


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
