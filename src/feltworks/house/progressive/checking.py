"""Does a progressive's journal follow its rules? Every act is carried out again and its lines compared."""

from collections.abc import Iterator
from datetime import date

from feltworks.errors import FeltError
from feltworks.house.journal.posting import Posting
from feltworks.house.journal.reading import book_number
from feltworks.house.journal.verify import Verified, verify
from feltworks.house.progressive.acts import Opening, decoded
from feltworks.house.progressive.applying import apply
from feltworks.house.progressive.chart import CHART
from feltworks.house.progressive.fund import Fund, Standing
from feltworks.house.progressive.standing import read_standing
from feltworks.house.progressive.terms import Wagered
from feltworks.house.storage.database import Database


class Retraced:
    """A progressive carried out again from its opening, posting by posting."""

    def __init__(self) -> None:
        self.fund: Fund | None = None
        self._wagered: Wagered | None = None

    def inspect(self, posting: Posting) -> Iterator[str]:
        """Carry the posting's act out and compare."""
        try:
            lines = self._lines(posting)
        except (FeltError, ValueError) as trouble:
            yield f"posting {posting.number} cannot have been posted: {trouble}"
            return
        if lines != posting.entries:
            yield f"posting {posting.number} has other lines than its act ({posting.kind}) brings about"

    def _lines(self, posting: Posting) -> tuple[object, ...]:
        act, day = decoded(posting.facts), date.fromisoformat(posting.day)
        if isinstance(act, Opening):
            self._wagered = Wagered(act.terms)
            self.fund = Fund(act.terms, Standing.opened(day), dict.fromkeys(CHART, 0))
        if self.fund is None or self._wagered is None:
            raise ValueError("it stands before the opening")
        apply(self.fund, self._wagered, act, day)
        return tuple(self.fund.lines())


def verify_progressive(database: Database, name: str) -> Verified:
    """Recompute seals, balances, lines and state of one progressive."""
    retraced = Retraced()
    with database.reading() as connection:
        verified = verify(connection, name, retraced.inspect)
        kept = read_standing(connection, book_number(connection, name))
    if retraced.fund is not None and retraced.fund.standing != kept:
        verified.troubles.append("its state is not the one that its postings lead to")
    return verified
