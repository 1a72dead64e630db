"""What bots find out about cards is found out once, and forgotten with the mixes of cards that come and go."""

from __future__ import annotations

import copy

import pytest

from kickdoor.bots import findings, make, play_out
from kickdoor.bots.findings import Findings
from kickdoor.engine.setup import new_game


def test_it_is_about_this_card_and_no_other() -> None:
    elf, troll = new_game(["Ann", "Bob", "Cid"], seed=1).lib.defs[:2]
    found: Findings[str] = Findings()
    assert found.about(elf) is None
    assert found.keep(elf, "pointed") == "pointed"
    assert (found.about(elf), found.about(troll)) == ("pointed", None)


def test_the_cards_of_ever_new_mixes_are_let_go() -> None:
    defs = new_game(["Ann", "Bob", "Cid"], seed=1).lib.defs
    found: Findings[int] = Findings()
    most = 0
    for mix in range(2 * findings.MOST // len(defs) + 2):
        for d in map(copy.copy, defs):  # every mix has cards of its own
            assert found.about(d) is None, "what was known of a card that has gone, and lay where this one lies"
            assert found.keep(d, mix) == found.about(d) == mix
        most = max(most, len(found))
    assert findings.MOST / 2 < most <= findings.MOST


@pytest.mark.parametrize("kind", ["greedy", "schemer"])
def test_forgetting_changes_no_game(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def game() -> object:
        g = new_game([str(s) for s in range(4)], seed=5)
        play_out(g, [make(kind, s) for s in range(4)], 20_000)
        return g.winners, g.turns, g.key()

    before = game()
    monkeypatch.setattr(findings, "MOST", 1)
    assert game() == before
