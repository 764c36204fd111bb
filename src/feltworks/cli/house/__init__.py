"""`felt house`: the house's books: what may be offered, who may do what, and where the money is."""

from typing import Final

from feltworks.cli.group import CommandGroup

house: Final = CommandGroup(
    "house",
    "Keep the books of approvals, users, tables and jackpots.",
    {
        "adjust": "feltworks.cli.house.progressive:adjust",
        "approvals": "feltworks.cli.house.approvals:approvals",
        "balance": "feltworks.cli.house.journal:balance",
        "check-table": "feltworks.cli.house.law:check_table",
        "contribute": "feltworks.cli.house.progressive:contribute",
        "day-end": "feltworks.cli.house.progressive:day_end",
        "deposit": "feltworks.cli.house.progressive:deposit",
        "deposit-check": "feltworks.cli.house.progressive:deposit_check",
        "export": "feltworks.cli.house.journal:export",
        "journal": "feltworks.cli.house.journal:journal",
        "maximum": "feltworks.cli.house.progressive:maximum",
        "open": "feltworks.cli.house.progressive:open_progressive",
        "profile": "feltworks.cli.house.law:profile",
        "remove": "feltworks.cli.house.progressive:remove",
        "seed": "feltworks.cli.house.progressive:seed",
        "table": "feltworks.cli.house.tables:table",
        "users": "feltworks.cli.house.users:users",
        "verify": "feltworks.cli.house.journal:verify",
        "win": "feltworks.cli.house.progressive:win",
    },
)
