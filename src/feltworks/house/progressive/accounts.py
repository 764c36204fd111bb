"""The accounts of a progressive and what each holds."""

from typing import Final

from msgspec import Struct

from feltworks.rules.jackpot import BACKUP as BACKUP
from feltworks.rules.jackpot import JACKPOT as JACKPOT
from feltworks.rules.jackpot import OVERFLOW as OVERFLOW
from feltworks.rules.jackpot import SECOND_BACKUP as SECOND_BACKUP
from feltworks.rules.jackpot import SEED as SEED


class Account(Struct, frozen=True):
    """An account; its kind says whether its balance is a debit or a credit."""

    name: str
    kind: str
    title: str

    @property
    def sign(self) -> int:
        """Turns a balance, in which debits count up, into the amount held or owed."""
        return -1 if self.kind in ("prize", "owed", "income") else 1


UNCOUNTED: Final = "uncounted"
TRAY: Final = "tray"
BOX: Final = "box"
BANK: Final = "bank"
FEE: Final = "fee"
RECEIPTS: Final = "receipts"
HOUSE: Final = "house"
BORNE: Final = "borne"

CHART: Final = {
    account.name: account
    for account in (
        Account(JACKPOT, "prize", "jackpot as posted"),
        Account(BACKUP, "prize", "first backup jackpot"),
        Account(SECOND_BACKUP, "prize", "second backup jackpot"),
        Account(OVERFLOW, "prize", "prize money above the maximum, not displayed"),
        Account(UNCOUNTED, "owed", "wagers in the box that are not yet divided"),
        Account(SEED, "asset", "seed still to recover"),
        Account(TRAY, "asset", "tray awards still to recover"),
        Account(BOX, "asset", "second drop box"),
        Account(BANK, "asset", "bank account of the progressive"),
        Account(FEE, "income", "fee"),
        Account(RECEIPTS, "income", "gross receipts"),
        Account(HOUSE, "house", "taken over by the house, put in where negative"),
        Account(BORNE, "house", "borne by the house, over and short"),
    )
}
SIGNS: Final = {name: account.sign for name, account in CHART.items()}
PRIZES: Final = (JACKPOT, BACKUP, SECOND_BACKUP, OVERFLOW)
