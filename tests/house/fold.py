"""The progressive a second time, told from the rules alone: a plain fold over what the journal says happened.

It shares no code with the package. Money lies in pots as people speak of them, and every cent that is added
asks anew where it belongs.
"""

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from tests.house.desk import CINCOS, FLUSH, NOTHING, QUADS, ROYALS, STRAIGHT_FLUSH

FIXED = {STRAIGHT_FLUSH: 15_000, QUADS: 10_000, FLUSH: 7_500}
POTS = [
    "jackpot",
    "backup",
    "second-backup",
    "overflow",
    "uncounted",
    "seed",
    "tray",
    "box",
    "bank",
    "fee",
    "receipts",
    "house",
    "borne",
]


class Pots:
    """What lies where after some events."""

    def __init__(self) -> None:
        self.of = dict.fromkeys(POTS, 0)
        self.terms: dict[str, Any] = {}
        self.started, self.maximum, self.stopped, self.removed = 0, None, False, False

    def happens(self, facts: str) -> None:
        event = json.loads(facts)
        getattr(self, "on_" + event.pop("act").replace(" ", "_"))(**event)

    def on_open(self, terms: dict[str, Any]) -> None:
        self.terms = {
            "recovery": "1", "fee": "0", "to_backup": "1", "backups": 2, "increment": 0, "seed": 50_000,
            "recovers_tray": True, "carries_shortfall": False, **terms,
        }  # fmt: skip
        self.on_seed(self.terms["seed"])

    def on_tally(self, digest: str) -> None:
        """A first count moves nothing."""

    def on_seed(self, cents: int = 0, from_overflow: int = 0) -> None:
        self.of["jackpot"] += cents + from_overflow
        self.of["seed"] += cents
        self.of["overflow"] -= from_overflow

    def on_contribute(self, table: str, round: str, wagers: int) -> None:
        self.of["box"] += 100 * wagers
        at_once = self.terms["increment"] * wagers
        self.of["uncounted"] += 100 * wagers - at_once
        self.addition(at_once, recovers=False)  # the meter moves with every wager

    def on_round(self, hands: list[str], posted: int | None = None, paid_from: str = "house", **_: str) -> None:
        losers = hands.count(NOTHING)
        base = self.of["jackpot"] if posted is None else min(posted, self.of["jackpot"])
        royals, cincos = len([hand for hand in hands if hand in ROYALS]), CINCOS in hands
        self.on_contribute("", "", losers)
        if cincos and royals:
            paid = base  # the royals have their quarter and Cincos everything they leave
        elif cincos:
            paid = base
        else:
            paid = royals * (base // 4)
        self.of["jackpot"] -= paid
        self.of[paid_from] -= paid
        fixed = sum(FIXED.get(hand, 0) for hand in hands)
        self.of["tray"] += fixed
        self.of["house"] -= fixed
        if cincos or royals == 4:
            self.next_jackpot()
        elif royals and self.terms["keeps_smallest_seed"]:
            fresh = max(50_000 - self.of["jackpot"], 0)
            self.of["jackpot"] += fresh
            self.of["seed"] += fresh

    def next_jackpot(self) -> None:
        if self.started:
            self.of["jackpot"] += self.of["backup"]
            self.of["backup"], self.of["second-backup"] = self.of["second-backup"], 0
            self.started -= 1
            fresh = max(50_000 - self.of["jackpot"], 0)
        else:
            fresh = self.terms["seed"]
        self.of["jackpot"] += fresh
        self.of["seed"] += fresh
        if self.maximum is not None and self.of["jackpot"] > self.maximum:
            self.of["overflow"] += self.of["jackpot"] - self.maximum
            self.of["jackpot"] = self.maximum

    def on_day_end(self, counted: int | None = None, first: dict[str, int] | None = None, **_: Any) -> None:
        if first:
            counted = sum(int(cents) * pieces for cents, pieces in first.items())
        lying = self.of["box"] if counted is None else counted
        off = lying - self.of["box"]
        self.of["uncounted"] += off
        if self.of["uncounted"] < 0:
            self.of["borne"] -= self.of["uncounted"]
            self.of["uncounted"] = 0
        self.of["house"] += lying
        back = min(self.of["tray"], self.of["uncounted"]) if self.terms["recovers_tray"] else 0
        self.of["tray"] -= back
        if not (self.terms["carries_shortfall"] and self.terms["recovers_tray"]):
            self.of["borne"] += self.of["tray"]
            self.of["tray"] = 0
        left = self.of["uncounted"] - back
        fee = int(left * Fraction(self.terms["fee"]))
        self.of["fee"] += fee
        self.of["box"] = self.of["uncounted"] = 0
        self.addition(left - fee)

    def addition(self, cents: int, *, recovers: bool = True) -> None:
        back = min(self.of["seed"], int(cents * Fraction(self.terms["recovery"]))) if recovers else 0
        self.of["seed"] -= back
        cents -= back
        if not cents:
            return
        self.start_backups()
        divided = False
        while cents:
            if self.started and not divided:
                divided = True
                to_jackpot = cents - int(cents * Fraction(self.terms["to_backup"]))
                if self.maximum is not None:
                    to_jackpot = min(to_jackpot, max(self.maximum - self.of["jackpot"], 0))
                self.of["jackpot"] += to_jackpot
                cents -= to_jackpot
                continue
            pot, room = self.next_cent()
            step = cents if room is None else min(room, cents)
            self.of[pot] += step
            cents -= step
            self.start_backups()
        self.start_backups()

    def start_backups(self) -> None:
        wanted = self.terms["backups"]
        if self.started == 0 and wanted > 0 and self.of["jackpot"] >= 500_000:
            self.started = 1
        if self.started == 1 and wanted > 1 and self.of["backup"] >= 500_000:
            self.started = 2

    def next_cent(self) -> tuple[str, int | None]:
        """Where the next cent goes, and how many go there before that may change."""
        below = None if self.maximum is None else max(self.maximum - self.of["jackpot"], 0)
        jackpot = self.of["jackpot"]
        levels = []
        if self.started == 0:
            levels = [500_000 - jackpot] if self.terms["backups"] else []
        else:
            if self.of["backup"] < 500_000:
                return "backup", 500_000 - self.of["backup"]
            if self.started == 2 and self.of["second-backup"] < 500_000:
                return "second-backup", 500_000 - self.of["second-backup"]
            if jackpot >= 2_000_000:
                return "backup", None
            levels = [2_000_000 - jackpot]
        rooms = [room for room in [*levels, below] if room is not None and room > 0]
        if below == 0:
            return "overflow", None
        return "jackpot", min(rooms) if rooms else None

    def on_deposit(self, cents: int) -> None:
        self.of["bank"] += cents
        self.of["house"] -= cents

    def on_withdraw(self, cents: int) -> None:
        self.on_deposit(-cents)

    def on_seizure(self, cents: int) -> None:
        self.on_deposit(-cents)
        self.stopped = True

    def on_deposit_test(self) -> None:
        prizes = sum(self.of[pot] for pot in POTS[:4])
        self.stopped = self.of["bank"] < prizes

    def on_maximum(self, cents: int | None) -> None:
        self.maximum = cents

    def on_adjust(self, account: str, cents: int, reason: str) -> None:
        self.of[account] += cents
        if reason == "malfunction":
            self.of["borne"] += cents
        elif reason == "seed recovery":
            self.of["seed"] += cents
        elif reason == "gross receipts":
            self.of["receipts"] -= cents
        else:
            self.of["overflow"] -= cents

    def on_notice(self, authority: str) -> None:
        """A notice moves no money."""

    def on_remove(self, plan: list[dict[str, Any]], **_: str) -> None:
        for part in plan:
            self.of[part["account"]] -= part["cents"]
            if part["to"] == "players":
                self.of["house"] -= part["cents"]
            elif part["to"] == "gross receipts":
                self.of["receipts"] += part["cents"]
            else:
                self.of["seed"] -= part["cents"]
        self.of["borne"] += self.of["seed"] + self.of["tray"]
        self.of["house"] += self.of["bank"]
        self.of["seed"] = self.of["tray"] = self.of["bank"] = 0
        self.removed = True


def folded(events: Iterable[str]) -> Pots:
    pots = Pots()
    for facts in events:
        pots.happens(facts)
    return pots
