"""A person at a table of bots in a terminal: what is shown, what is typed, and what comes of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from kickdoor.app import saves, screen
from kickdoor.app.cards_command import plain, spellings
from kickdoor.app.terminal import game_console
from kickdoor.bots import KINDS, Bot, Choice, Table, advice, known, make, remarks
from kickdoor.bots.driver import IDLE_TALK, Stuck, ask, only_pass
from kickdoor.engine.facts import strength
from kickdoor.engine.kernel import legal, to_act, why_not_card
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.frames import Combat, Curse, Draft, Flee, Roll, Turn
from kickdoor.engine.value.game import BEFORE_DOOR, Game
from kickdoor.engine.value.moves import Move, seat_of
from kickdoor.engine.views import view
from kickdoor.rulebook import RuleError, rule, search
from kickdoor.voice import asking, naming, words
from kickdoor.voice.telling import Line, tell

LOG_KEPT: Final = 400
LATELY: Final = 12  # lines of bots that are not said again so soon
STREAK: Final = 5000  # moves of bots in a row

HELP: Final = """\
A number         makes that move. '3 2' picks the second choice of line 3 at once. So does a unique part of its words.
Enter            makes the move marked (Enter).
more             lists the moves that are seldom needed: taking off, trading, giving up, showing your hand.
hand             shows your hand in full.      table  shows the table again.
?3 or why CARD   says why a card of yours cannot be used now, and by which rule.
hint             says what the strongest bot would do in your place, and why.
card NAME        shows any card of this game.
rule COMBAT-19   shows a rule.                 rule WORDS  searches the rules.
log 30           shows the last 30 things that happened.
skip             you are done with everything until this turn is over, unless somebody involves you.
quit             saves and leaves.             kickdoor resume  goes on exactly there."""


class Leave(Exception):
    """The person gets up; the game is saved."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


class Session:
    """A person, some bots, a table and a screen."""

    def __init__(self, game: Game, you: int, bots: list[tuple[str, int]], seed: int, path: Path) -> None:
        self.table = Table(game)
        self.you = you
        self.kinds = bots
        self.bots: list[Bot] = [make(kind if known(kind) else "random", n) for kind, n in bots]
        self.seed = seed
        self.path = path
        self.log: list[Line] = []
        self.untold: list[Line] = []
        self._lately: list[str] = []
        self.seen: set[int] = set()  # cards of the hand whose text was shown
        self.skip = -1  # the turn in which the person wants no more questions
        self.shown_turn = -1
        self.drawn: object = None
        self.out: Console = game_console()

    @property
    def game(self) -> Game:
        return self.table.game

    # -- saving -----------------------------------------------------------------------------------------------

    def save(self) -> None:
        t = self.table
        saves.write(
            self.path,
            saves.Saved(
                self.you,
                self.kinds,
                self.seed,
                t.count,
                t.turn,
                [(m.seat, m.verb, m.card, m.target, m.extra) for m in t.recent],
                t.heard,
                [(x.text, x.rule, x.tone, x.said) for x in self.log[-LOG_KEPT:]],
                saves.pack_game(self.game),
                t.ledger.plain(),
            ),
        )

    # -- the loop ---------------------------------------------------------------------------------------------

    def run(self) -> int:
        """Play until somebody wins or the person leaves; returns the exit status."""
        try:
            self._play()
        except Leave as e:
            return e.status
        return 0

    def _play(self) -> None:
        streak = 0
        while True:
            turn = self.table.next()
            if turn is None:
                self._over()
                return
            s, must = turn
            if s == self.you:
                move = self._mine(must)
                streak = 0
                if move is not None:
                    self._apply(move, "")
                    self.save()
            else:
                choice = ask(self.table, self.bots, s, must)
                streak += 1
                if choice is not None:
                    self._apply(choice.move, self._said(choice))
                if streak > STREAK:
                    raise Stuck("the other players go round in circles; please report this game")

    def _said(self, choice: Choice) -> str:
        """What a bot says to its move: never the same twice in a row."""
        s = seat_of(choice.move.target)
        whom = self.game.players[s].name if 0 <= s != choice.move.seat else ""
        text, line = remarks.reworded(choice.reason, whom, self.table.count + choice.move.seat, self._lately)
        self._lately = [*self._lately, line][-LATELY:]
        return f"{choice.first} {text}".strip()

    def _apply(self, move: Move, reason: str) -> None:
        lines = tell(self.game, self.table.apply(move), self.you)
        if self.game.events is not None:
            self.game.events.clear()
        if lines and reason and move.seat != self.you:
            lines[0] = lines[0]._replace(said=reason)
        self.log += lines
        self.untold += lines

    def _over(self) -> None:
        self._news()
        g = self.game
        self.save()
        self.out.print(screen.board(g, view(g, self.you), self.out.width))
        names = " and ".join(g.players[s].name for s in g.winners)
        won = self.you in g.winners
        self.out.print()
        self.out.print(
            f"{'You win' if won and len(g.winners) == 1 else f'{names} wins'} after {g.turns} turns. Seed {self.seed}.",
            style="bold",
        )
        self.out.print(
            "Nobody will ever hear the end of it." if won else "They cheated. Everybody does.",
            style="italic dim",
        )

    # -- when to ask ------------------------------------------------------------------------------------------

    def _mine(self, must: bool) -> Move | None:
        g = self.game
        moves = legal(g, self.you)
        if must:
            quiet = self._may_pass(moves)
            if quiet is not None:
                return quiet
        elif not self._worth_asking(moves):
            return None
        return self._ask(must)

    def _may_pass(self, moves: list[Move]) -> Move | None:
        """The pass that goes without saying: nothing else to do, or the person asked not to be asked."""
        g = self.game
        done = next((m for m in moves if m.verb == mv.PASS), None)
        if done is None or any(o.to == self.you for o in g.offers):
            return None
        fight = g.fight
        involved = fight is not None and self.you in (fight.main, fight.helper)
        if involved and isinstance(g.stack[-1], (Combat, Flee)):
            return None
        if only_pass(moves) is not None or self.skip == g.turns:
            return done
        acts = {m.verb for m in moves} - IDLE_TALK - {mv.PASS}
        if acts == {mv.OFFER_HELP} and fight is not None and strength.winning(g):
            return done
        return None

    def _worth_asking(self, moves: list[Move]) -> bool:
        """In somebody else's quiet moment: offers always; cards before the door, or when just received."""
        g = self.game
        if any(m.verb == mv.DECLINE for m in moves):
            return True
        plays = [m for m in moves if m.verb in (mv.PLAY, mv.USE)]
        if not plays or self.skip == g.turns:
            return False
        fresh = {c for s, c in g.fresh if s == self.you}
        f = g.stack[-1]
        return any(m.card in fresh for m in plays) or (isinstance(f, Turn) and f.phase == BEFORE_DOOR)

    # -- asking -----------------------------------------------------------------------------------------------

    def _ask(self, must: bool) -> Move | None:
        """Show the table and wait for a move."""
        self.save()
        self._show(must)
        more = False
        while True:
            entries = words.menu(self.game, legal(self.game, self.you), self.you)
            if not must:
                entries.insert(0, words.Entry(words.ANSWER, "Let it be", ()))
            chosen = 0 if not must else words.primary(self.game, entries)
            self.out.print(screen.menu(entries, chosen, more))
            while True:
                text = self._read(f"Your move, 1 to {len(entries)}, or help: ")
                if text == "more":
                    more = True
                    break
                if self._command(text, must):
                    continue
                if text == "skip":
                    self.skip = self.game.turns
                    done = next((m for m in legal(self.game, self.you) if m.verb == mv.PASS), None)
                    if not must or done is not None:
                        return done if must else None
                    self.out.print("You cannot skip this one: it needs an answer.")
                    continue
                picked = self._pick(entries, text, chosen)
                if picked is None:
                    continue
                if not picked.moves:
                    return None
                move = self._which(picked, text)
                if move is not None:
                    return move
                break

    def _pick(self, entries: list[words.Entry], text: str, chosen: int) -> words.Entry | None:
        """The line that was meant; says what would be right when none was."""
        if not text:
            if chosen >= 0:
                return entries[chosen]
            self.out.print(f"Type a number from 1 to {len(entries)}.")
            return None
        first = text.split()[0].rstrip(".)")
        if first.isdecimal():
            if 1 <= int(first) <= len(entries):
                return entries[int(first) - 1]
            self.out.print(f"There is no move {first}. Type a number from 1 to {len(entries)}.")
            return None
        found = [e for e in entries if text.lower() in e.text.lower()]
        if len(found) == 1:
            return found[0]
        if found:
            self.out.print(f"That could be {len(found)} of the moves. Type its number.")
        else:
            self.out.print(Text(f"I do not know '{text}'. Type a number from 1 to {len(entries)}, or help."))
        return None

    def _which(self, entry: words.Entry, text: str) -> Move | None:
        """Of a line with several targets, the one; None to go back."""
        if len(entry.moves) == 1:
            return entry.moves[0]
        rest = text.split()[1:]
        if entry.moves[0].verb == mv.ADD and asking.treasures(entry.moves[0]) >= 0:
            return self._how_many(entry, rest)
        labels = [words.say(self.game, m, self.you) for m in entry.moves]
        if rest and rest[0].isdecimal() and 1 <= int(rest[0]) <= len(labels):
            return entry.moves[int(rest[0]) - 1]
        self.out.print(Text(entry.text, "bold"))
        short = without_prefix(labels)
        self.out.print(screen.numbered([(i, label, False) for i, label in enumerate(short, 1)]))
        while True:
            got = self._read(f"Which one, 1 to {len(labels)}? Enter goes back: ")
            if not got:
                return None
            if got.isdecimal() and 1 <= int(got) <= len(labels):
                return entry.moves[int(got) - 1]
            if not self._command(got, True):
                self.out.print(f"Type a number from 1 to {len(labels)}, or Enter to go back.")

    def _how_many(self, entry: words.Entry, rest: list[str]) -> Move | None:
        """A number of Treasures is said as a number."""
        by_number = {asking.treasures(m): m for m in entry.moves}
        known = ", ".join(str(n) for n in sorted(by_number))
        while True:
            got = rest.pop() if rest else self._read(f"How many Treasures ({known})? Enter goes back: ")
            if not got:
                return None
            if got.isdecimal() and int(got) in by_number:
                return by_number[int(got)]
            if not self._command(got, True):
                self.out.print(f"Type one of {known}, or Enter to go back.")

    def _read(self, prompt: str) -> str:
        """One line from the person; leaving is always possible and always saves."""
        try:
            self.out.print(Text(prompt, "bold"), end="")
            line = input().encode("utf-8", "replace").decode("utf-8")
            if not sys.stdin.isatty():
                self.out.print(Text(line))  # so that a transcript reads like a game
        except EOFError:
            self.out.print()
            self._leave(0)
        except UnicodeDecodeError:
            return "(not text)"
        except KeyboardInterrupt:
            self.out.print()
            self._leave(130)
        return " ".join(line.split())

    def _leave(self, status: int) -> None:
        self.save()
        self.out.print(f"Saved. Go on with: kickdoor resume{self._where()}")
        raise Leave(status)

    def _where(self) -> str:
        return "" if self.path == saves.default_path() else f" {self.path}"

    # -- showing ----------------------------------------------------------------------------------------------

    def _news(self) -> None:
        if self.untold:
            self.out.print()
            self.out.print(screen.news(self.untold))
            self.untold = []

    def _show(self, must: bool, full: bool = False) -> None:
        """News, the players, the fight, the hand, and what is waited for; less of it where less has changed."""
        g = self.game
        width = self.out.width
        self._news()
        if isinstance(g.stack[-1], Draft) and not full:
            self.out.print(Text(words.headline(g, self.you, must), "bold yellow"))
            return
        v = view(g, self.you)
        if g.turn == self.you and isinstance(g.stack[-1], Turn) and g.stack[-1].phase == BEFORE_DOOR:
            self._unsee_once()
        aside = isinstance(g.stack[-1], (Curse, Roll)) and g.turn != self.you
        if full or (must and not aside and self._changed()):
            self.out.print(screen.line(self.out))
            self.out.print(screen.board(g, v, width))
        if v["fight"] is not None:
            self.out.print(screen.fight(g, v["fight"], width))
        cards = g.players[self.you].hand
        unseen = [c for c in cards if c not in self.seen]
        if full or unseen or (must and (g.turn == self.you or v["fight"] is not None)):
            self.out.print(screen.hand(g, cards, width, unseen))
        self.seen |= set(cards)
        if g.door_card >= 0 and g.turn == self.you:
            self.out.print(screen.card_panel(g.lib.defs[g.door_card], "Behind the door:", min(width, 70)))
        self.out.print()
        self.out.print(Text(words.headline(g, self.you, must), "bold yellow"))

    def _changed(self) -> bool:
        """Is the table different from when it was last drawn, as far as everybody's cards and levels go?"""
        now = [(p.level, p.dead, p.sex, len(p.hand), *p.table) for p in self.game.players]
        state = (now, sorted(self.game.equipped), self.game.turns)
        if state == self.drawn:
            return False
        self.drawn = state
        return True

    def _unsee_once(self) -> None:
        """At the start of one's own turn the whole hand is shown in full."""
        if self.shown_turn != self.game.turns:
            self.shown_turn = self.game.turns
            self.seen = set()

    # -- commands ---------------------------------------------------------------------------------------------

    def _command(self, text: str, must: bool) -> bool:
        """Carry out what is not a move; False if it was none of these."""
        word, _, rest = text.partition(" ")
        word = word.lower()
        if text.startswith("?") and len(text) > 1:
            self._why(text[1:].strip())
            return True
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.out.print(Text(HELP)),
            "h": lambda _: self.out.print(Text(HELP)),
            "?": lambda _: self.out.print(Text(HELP)),
            "why": self._why,
            "hint": self._hint,
            "rule": self._rule,
            "rules": self._rule,
            "card": self._card,
            "log": self._log,
            "hand": self._hand,
            "table": lambda _: self._show(must, full=True),
            "quit": lambda _: self._leave(0),
            "q": lambda _: self._leave(0),
            "exit": lambda _: self._leave(0),
            "save": self._save_now,
        }
        fn = commands.get(word)
        if fn is None:
            return False
        fn(rest.strip())
        return True

    def _save_now(self, _: str) -> None:
        self.save()
        self.out.print(Text(f"Saved in {self.path}."))

    def _why(self, text: str) -> None:
        """Why a card of one's own, or any on the table, cannot be used now."""
        card = self._find(text)
        if card is None:
            return
        name = naming.card_name(self.game, card)
        reason = why_not_card(self.game, self.you, card)
        if reason is None:
            self.out.print(Text(f"{name} can be used now: look for it among your moves."))
            return
        self.out.print(Text(f"{name}: {reason.says} ({reason.rule})"))

    def _hint(self, _: str) -> None:
        """What would you do? The strongest bot's answer, by what this seat sees."""
        seat, bot = self.table.seat(self.you), make(KINDS[-1], self.seed)
        choice = bot.choose(seat) if self.you in to_act(self.game) else bot.interject(seat)
        said = words.say(self.game, choice.move, self.you) if choice is not None else "Let it be for now"
        self.out.print(Text(f"I would: {said}. {advice.why(self.table.seat(self.you), choice)}"))

    def _find(self, text: str) -> int | None:
        """The card that is meant: by its number in the hand, or by its name."""
        g = self.game
        hand = g.players[self.you].hand
        if text.isdecimal():
            if 1 <= int(text) <= len(hand):
                return hand[int(text) - 1]
            self.out.print(f"Your hand has {len(hand)} cards; ?1 asks about the first.")
            return None
        near = [*hand, *g.players[self.you].table, *(c for p in g.players for c in p.table)]
        if g.door_card >= 0:
            near.append(g.door_card)
        if g.fight is not None:
            near += [x.card for x in g.fight.foes]
        for c in near:
            if text and any(plain(text) in name for name in spellings(g.lib.defs[c])):
                return c
        self.out.print(Text(f"No card '{text}' in your hand or on the table. Try ?1, or why and a part of its name."))
        return None

    def _rule(self, text: str) -> None:
        if not text:
            self.out.print("Say which: rule COMBAT-19, or rule and what it is about.")
            return
        try:
            self.out.print(screen.rule_page(rule(text.upper())))
            return
        except RuleError as e:
            if any(ch.isdigit() for ch in text) and " " not in text:
                self.out.print(Text(f"{e}"))
                return
        found = search(text, 3)
        for _, r in found:
            self.out.print(screen.rule_page(r))
        if not found:
            self.out.print(Text(f"No rule speaks of '{text}'."))

    def _card(self, text: str) -> None:
        """Any card of this game, by name or a part of it."""
        cards = self.game.lib.unique
        defs = {name: d for d in cards for name in spellings(d)} | {plain(d.name): d for d in cards}
        want = plain(text)
        if text.isdecimal() and 1 <= int(text) <= len(self.game.players[self.you].hand):
            want = plain(self.game.lib.defs[self.game.players[self.you].hand[int(text) - 1]].name)
        found = defs.get(want) or next((d for n, d in defs.items() if want and want in n), None)
        if found is None:
            near = get_close_matches(want, defs, 1, 0.5)
            hint = f" Did you mean {defs[near[0]].name}?" if near else ""
            self.out.print(Text(f"No card '{text}' in this game.{hint}"))
            return
        self.out.print(screen.card_panel(found, width=min(self.out.width, 70)))

    def _log(self, text: str) -> None:
        n = int(text) if text.isdecimal() and int(text) > 0 else 20
        if not self.log:
            self.out.print("Nothing has happened yet.")
            return
        self.out.print(screen.news(self.log[-n:], rules=True))

    def _hand(self, _: str) -> None:
        cards = self.game.players[self.you].hand
        self.out.print(screen.hand(self.game, cards, self.out.width, cards))


def without_prefix(labels: Sequence[str]) -> list[str]:
    """What differs: 'Play it on Ann', 'Play it on Bob' become 'Ann', 'Bob'."""
    split = [label.split() for label in labels]
    same = 0
    while all(len(w) > same + 1 and w[same] == split[0][same] for w in split):
        same += 1
    return [" ".join(w[same:]) for w in split]


# -- beginning and going on -----------------------------------------------------------------------------------------
