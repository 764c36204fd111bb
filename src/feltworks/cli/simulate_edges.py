"""Rounds dealt until they are enough: each wager's edge with its error, held against the exact one."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from feltworks.cli.late_interrupts import counting_is_over
from feltworks.cli.simulate_bar import rounds_bar
from feltworks.cli.simulate_plan import a_part, a_seed, planned
from feltworks.cli.simulate_result import described
from feltworks.errors import BadOption
from feltworks.simulation.checkpoint import load_checkpoint
from feltworks.simulation.run import Run

if TYPE_CHECKING:
    from feltworks.simulation.workers import WorkerPool

_ROUNDS = 10_000_000


class EdgesAsked:
    """A run of so many rounds, or until its errors are small enough; or the one that a checkpoint keeps."""

    def __init__(self, game: str, seed: int | None, table: dict[str, Any], said: dict[str, Any]) -> None:
        rounds, checkpoint = said["rounds"], said["checkpoint"]
        until = a_part("--until", said["until"], "0.01%")
        if said["resume"] is not None:
            own = {"game": game, "seed": seed, **table}
            self.run = _resumed(said["resume"], checkpoint, rounds, until, own)
        else:
            limit = _ROUNDS if rounds is None and until is None else rounds
            plan = planned(game, alone=True, **table)
            self.run = Run(plan, a_seed(seed), rounds=limit, until=until, checkpoint=checkpoint)

    def simulated(self, crew: "WorkerPool", command: str) -> tuple[dict[str, Any], Callable[[], str]]:
        """Count it, watched by whoever is there."""
        self.run.save()  # a checkpoint that cannot be written is found before any work
        with rounds_bar() as told:
            found = self.run.simulate(crew, told)
            if not found.tally.rounds:
                raise KeyboardInterrupt  # nothing was dealt that could be shown
            counting_is_over()
        document = described(self.run, found, workers=crew.size, command=command)
        return document, lambda: self._drawn(document)

    def _drawn(self, document: dict[str, Any]) -> str:
        from feltworks.simulation.plots import convergence_svg
        from feltworks.simulation.run import snapshots

        exact = {name: each["exact"] for name, each in document["wagers"].items()}
        title = f"{self.run.plan.game}: {self.run.tally.rounds:,} rounds, seed {self.run.seed}"
        return convergence_svg(title, snapshots(self.run), exact)


def _resumed(
    path: Path, checkpoint: Path | None, rounds: int | None, until: float | None, said: dict[str, Any]
) -> Run:
    """What is simulated stands in the file; how long and by whom may be said anew."""
    begun = load_checkpoint(path)
    if said.pop("game") not in ("", begun.plan.game):
        raise BadOption("--resume", str(path), f"a run of that game; this one is of {begun.plan.game}")
    if extra := [name for name, value in said.items() if value not in (None, "", False)]:
        wanted = f"no other {extra[0].replace('_', ' ')}: the run in the file has its own"
        raise BadOption("--resume", str(path), wanted)
    if rounds is None and until is None:
        rounds, until = begun.rounds, begun.until
    if rounds is not None and rounds < begun.tally.rounds:
        raise BadOption("--rounds", rounds, f"at least the {begun.tally.rounds:,} that {path} has counted")
    return Run(begun.plan, begun.seed, rounds=rounds, until=until, checkpoint=checkpoint or path, begun=begun)
