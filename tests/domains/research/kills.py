"""Kills a run before everything it does to a file, runs it again, and compares with a run that nobody killed.

Prints one line of JSON for each kill: the step, how the child ended, and what differed afterwards.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

STEPS = ("fsync", "replace", "link", "unlink", "mkdir")


def _support() -> ModuleType:
    spec = spec_from_file_location("support_research", Path(__file__).parents[2] / "support_research.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Modules:
    """As much of a patcher as putting the judge into its place takes."""

    def setitem(self, table: dict[str, Any], name: str, value: object) -> None:
        table[name] = value


def run(bed: Any, fetcher: Any) -> list[str]:
    """What became of each stage."""
    from pincite.domains.research.stage_runner import run as run_stages

    return [step.state for step in run_stages(bed.work(fetcher))]


def killed(bed: Any, made: ModuleType, at: int) -> bool:
    """Run in a child that dies before its step of that number; whether it did."""
    child = os.fork()
    if child == 0:
        left = [at]

        def counting(really: Any) -> Any:
            def step(*arguments: Any, **more: Any) -> Any:
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return really(*arguments, **more)

            return step

        for name in STEPS:
            setattr(os, name, counting(getattr(os, name)))
        code = 1
        try:
            run(bed, made.Fetching())
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def seen(bed: Any) -> dict[str, bytes]:
    """Every file of the topic but what a killed writer left half-written, which nobody reads."""
    return {name: data for name, data in bed.state().items() if not Path(name).name.startswith(".pincite-")}


def main(folder: Path, stride: int) -> None:
    """Every kill there is, or every second one."""
    made = _support()
    # Nobody cuts the power: what was written is there without waiting for the disk.
    os.fsync = lambda _: None
    made.stand_in(_Modules())
    whole = made.Bed(folder / "whole").given()
    run(whole, made.Fetching())
    wanted = seen(whole)
    for at in range(1, 200, stride):
        bed = made.Bed(folder / str(at)).given()
        if not killed(bed, made, at):
            break
        # Nothing under a final name is ever half-written.
        broken = [name for name, data in seen(bed).items() if data != wanted.get(name)]
        kept = sum(name.startswith("snapshots/") for name in seen(bed))
        fetcher = made.Fetching()
        states = run(bed, fetcher)
        differing = [name for name in wanted.keys() | seen(bed).keys() if wanted.get(name) != seen(bed).get(name)]
        again = run(bed, made.no_fetcher)
        print(
            json.dumps(
                {
                    "at": at,
                    "broken": broken,
                    "differing": differing,
                    "fetched": len(fetcher.asked),
                    "kept": kept,
                    "states": states,
                    "again": again,
                }
            )
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
