"""`felt house`: the house's books, with its approvals, users, tables and progressives."""

from typing import Final

from feltworks.cli.main import CommandGroup

house: Final = CommandGroup(
    "house",
    "Keep the books of approvals, users, tables and jackpots.",
    {
        "adjust": "feltworks.cli.house.progressive:adjust",
        "approvals": "feltworks.cli.house.approvals:approvals",
        "backup": "feltworks.cli.house.books:backup",
        "balance": "feltworks.cli.house.journal:balance",
        "check-table": "feltworks.cli.house.law:check_table",
        "close": "feltworks.cli.house.closing:close",
        "closed": "feltworks.cli.house.closing:closed",
        "contribute": "feltworks.cli.house.progressive:contribute",
        "approve": "feltworks.cli.house.approvals:approve",
        "tally": "feltworks.cli.house.progressive:tally",
        "day-end": "feltworks.cli.house.progressive:day_end",
        "deposit": "feltworks.cli.house.progressive:deposit",
        "deposit-check": "feltworks.cli.house.progressive:deposit_check",
        "export": "feltworks.cli.house.journal:export",
        "hold": "feltworks.cli.house.closing:hold",
        "journal": "feltworks.cli.house.journal:journal",
        "key": "feltworks.cli.house.books:key",
        "maximum": "feltworks.cli.house.progressive:maximum",
        "notice": "feltworks.cli.house.progressive:notice",
        "open": "feltworks.cli.house.progressive:open_progressive",
        "profile": "feltworks.cli.house.law:profile",
        "register": "feltworks.cli.house.register:register",
        "remove": "feltworks.cli.house.progressive:remove",
        "restoration": "feltworks.cli.house.books:restoration",
        "restore": "feltworks.cli.house.books:restore",
        "seed": "feltworks.cli.house.progressive:seed",
        "summary": "feltworks.cli.house.closing:summary",
        "table": "feltworks.cli.house.tables:table",
        "today": "feltworks.cli.house.register:today",
        "users": "feltworks.cli.house.users:users",
        "verify": "feltworks.cli.house.journal:verify",
        "win": "feltworks.cli.house.progressive:win",
    },
)
