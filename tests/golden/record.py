"""Rewrites the golden transcripts: `python -m tests.golden.record`, from the project's root.

Every transcript in this folder is played anew by its own heading. To add one, write a file that holds the
heading alone, or name a game: `python -m tests.golden.record casino-war` begins `casino-war.txt`.
"""

import sys

from tests.golden.transcript import FOLDER, Heading, transcript


def record(*games: str) -> None:
    """Write all transcripts, and new ones for these games."""
    for game in games:
        (FOLDER / f"{game}.txt").write_text(str(Heading(game)), encoding="utf-8")
    for path in sorted(FOLDER.glob("*.txt")):
        heading = Heading.of(path.read_text(encoding="utf-8"))
        path.write_text(transcript(heading), encoding="utf-8")


if __name__ == "__main__":
    record(*sys.argv[1:])
