"""The fair deal: the commitment before the cards, the revealed seed, and the check of the cards."""

from feltworks.cli.terminal import palette
from feltworks.cli.terminal.screen import Screen
from feltworks.cli.terminal.witness import Witness
from feltworks.dealing.shoes import Commitment
from feltworks.errors import NotNow
from feltworks.table.replay import check_cards


def show_commitment(screen: Screen, commitment: Commitment, *, known: str) -> None:
    """Before the first card: the hash that binds the house, in full when it is a new one."""
    shoe = f"Fair deal: shoe {commitment.shoe_number}"
    if commitment.digest == known:
        at = f"card {commitment.position + 1} of {commitment.cards}"
        screen.print(f"{shoe} goes on with {at}, hash {known[:12]}…", palette.SOFT)
        return
    screen.print(
        f"{shoe} of {commitment.cards} cards is fixed before the first card by this hash:", palette.SOFT
    )
    screen.print(f"hash {commitment.digest}", palette.SOFT)


def show_reveal(screen: Screen, witness: Witness) -> None:
    """After the round: the seed, or when it will be shown."""
    commitment, reveal = witness.table.commitment, witness.reveal
    if commitment is not None and reveal is None:
        dealt = f"{commitment.position + witness.cards_drawn} of {commitment.cards} cards dealt"
        screen.print(f"Fair deal: {dealt}; the seed is revealed when the shoe ends.", palette.SOFT)
    elif reveal is not None:
        screen.print(f"seed {reveal.seed} (verify)", palette.SOFT)


def show_last_seed(screen: Screen, commitment: Commitment, seed: str) -> None:
    """The seed of a shoe that is left before its end."""
    screen.print(f"Fair deal: shoe {commitment.shoe_number} ends here; this was its seed:", palette.SOFT)
    screen.print(f"seed {seed}", palette.SOFT)


def check_deal(witness: Witness) -> str:
    """Check the last round's cards against the revealed seed; returns the verdict."""
    commitment, reveal = witness.table.commitment, witness.reveal
    if commitment is None:
        raise NotNow("no round has been dealt yet; verify checks the last one")
    if reveal is None:
        raise NotNow("the seed of this shoe is revealed when the shoe is over; verify then")
    shown = witness.table.view(witness.player).round
    assert shown is not None
    check_cards(witness.table.game.terms.shoe, commitment, reveal.seed, witness.events, shown)
    first, last = commitment.position + 1, commitment.position + witness.cards_drawn
    return (
        f"The seed matches the hash, and the cards you saw are where it puts them: cards {first} to "
        f"{last} of the shoe. By hand: docs/explanation/dealing.md; many rounds at once: felt deal-check."
    )
