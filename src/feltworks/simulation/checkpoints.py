"""A run as it is kept in a file: what is simulated, from which seed, and what has been counted so far."""

from pathlib import Path

import msgspec
from msgspec import Struct

from feltworks import __version__
from feltworks.errors import FeltError, LogError
from feltworks.simulation.blocks import BATCH
from feltworks.simulation.fingerprint import fingerprint
from feltworks.simulation.plan import Plan
from feltworks.simulation.tally import PackedTally
from feltworks.simulation.whole_files import write_whole


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """Whole batches from the first on; whoever resumes it gets the tally of a run that never stopped."""

    plan: Plan
    seed: int
    batches: int
    tally: PackedTally
    rounds: int | None = None
    until: float | None = None
    version: str = __version__
    fingerprint: str = ""

    def save(self, path: Path) -> None:
        """Write the file whole or not at all."""
        signed = msgspec.structs.replace(self, fingerprint=fingerprint(self.plan))
        write_whole(path, msgspec.json.encode(signed))


def load_checkpoint(path: Path) -> Checkpoint:
    """A run to be taken up again; refuses one that other code or other rules began."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except msgspec.MsgspecError as trouble:
        raise LogError(f"{path} is no checkpoint of a simulation: {str(trouble).lower()}") from None
    if found.fingerprint != fingerprint(found.plan):
        raise FeltError(
            f"{path} was begun by feltworks {found.version} with other sources or rules;"
            " take it up there, or begin the run anew"
        )
    if found.batches < 0 or found.tally.rounds != found.batches * BATCH:
        raise LogError(f"{path} is no checkpoint of a simulation: it has other rounds than its batches")
    return found
