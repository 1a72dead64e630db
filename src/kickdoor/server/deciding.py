"""What the people at a table may do: a command becomes entries for the journal, or is refused and changes nothing."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final

import msgspec

import kickdoor
from kickdoor.bots import ALIASES, CHARACTERS, KINDS, TUTOR, Character
from kickdoor.engine.kernel import when_card, why_not_card
from kickdoor.engine.table import accessories
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.engine.views import prospect
from kickdoor.paper.grammar import capital
from kickdoor.paper.plain import one_line
from kickdoor.server import consent, menu, playable
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import (
    BOT,
    COLOURS,
    OPEN,
    PERSON,
    STANDIES,
    crowd_name,
    fingerprint,
    fit_avatar,
    fit_name,
    guest_name,
    nameless,
)
from kickdoor.server.consent import Away
from kickdoor.server.games import deal, made
from kickdoor.server.table import LOBBY, OVER, Table
from kickdoor.server.trouble import Trouble
from kickdoor.voice import asking, words

ANY_TIME: Final = frozenset({"bot_speed", "watchers", "listed", "timer", "window", "decision", "grace"})  # no rules

NOT_LOBBY: Final = ("started", "The game has begun. That is settled in the lobby, before it.")
NOT_HOST: Final = ("not_host", "Only the host of the table can do that.")
NOT_SEATED: Final = ("watching", "You are watching. Take a seat to do that.")
NOT_TOGETHER: Final = (
    "not_together",
    "Only offers, trades, sales and charity are put together from several moves. Make the others one by one.",
)
EASY: Final = "easy"  # the easiest company that still makes sense
LOT: Final = "lot"  # the character that is none: somebody who does not sit there yet
SAYS_ITSELF: Final = (pr.TakeBack, pr.Leave)  # what becomes of a bot that stands in
STALE: Final = ("stale", "Something has happened since. Look again, then choose.")

# -- deciding: in the lobby ---------------------------------------------------------------------------------


def sit(t: Table, name: str, sex: str, seat: int | None, token: str, avatar: str = "") -> list[en.Entries]:
    """Somebody comes in by the link. Where every seat is taken, the last bot makes room: people come first."""
    again = _for_who_comes_last(t)
    if t.status != LOBBY and not again:
        raise Trouble("started", "The game has begun. You can watch, and sit down for the next one.")
    free = [i for i, c in enumerate(t.chairs) if c.who == OPEN] or _bots_that_give_way(t)
    if not free:
        raise Trouble("full", "Every seat at this table is taken. You can watch.")
    if seat is not None and seat not in free:
        raise Trouble("taken", "That seat is taken. Choose another.")
    name = guest_name(t.names()) if nameless(name) else fit_name(name, t.names())
    if sex not in ("male", "female"):
        raise Trouble("bad_sex", "A munchkin starts as male or female (CHAR-10).", "CHAR-10")
    return [*again, en.Sat(free[0] if seat is None else seat, name, sex, fingerprint(token), fit_avatar(avatar))]


def _for_who_comes_last(t: Table) -> list[en.Entries]:
    """A game that is over, and nobody left who could begin another: whoever sits down finds the lobby."""
    if t.status != OVER or any(c.who == PERSON for c in t.chairs):
        return []
    return [en.Again(), new_seal(), *_after_a_lesson(t)]


def _bots_that_give_way(t: Table) -> list[int]:
    """At a table that waits for people; a lesson needs the company it was written for."""
    return [] if t.options.lesson else [i for i, c in enumerate(t.chairs) if c.who == BOT][-1:]


def decide(t: Table, seat: int, m: Any, away: Away = (), gone: Sequence[int] = ()) -> list[en.Entries]:
    """The entries that a command makes. `away`: the people who need not be asked, for votes; `gone`: those whose line
    is gone, for a game that begins without them."""
    if seat < 0 and type(m) not in (pr.Say, pr.Phrase):
        raise Trouble(*NOT_SEATED)
    if type(m) is pr.Start:
        return _start(t, seat, m, gone)
    done = _DECIDE[type(m)](t, seat, m, away)
    back = seat >= 0 and t.chairs[seat].standin and type(m) not in SAYS_ITSELF
    return [en.StandIn(seat, False), *done] if back else done  # whoever says anything is there again


def new_seal(seed: int | None = None) -> en.Sealed:
    """A shuffle that nobody knows yet (unless somebody wants the same deal again)."""
    return en.Sealed(secrets.randbits(63) if seed is None else seed, secrets.token_hex(16))


def _host(t: Table, seat: int) -> None:
    if seat != t.host:
        raise Trouble(*NOT_HOST)


def _lobby(t: Table) -> None:
    if t.status != LOBBY:
        raise Trouble(*NOT_LOBBY)


def _ready(t: Table, seat: int, m: pr.Ready, away: Away) -> list[en.Entries]:
    _lobby(t)
    return [en.ReadySet(seat, m.ready)]


def _colour(t: Table, seat: int, m: pr.Colour, away: Away) -> list[en.Entries]:
    _lobby(t)
    if not op.rules(t.options).components.board:
        raise Trouble("no_board", "This game has no board, and so no standies whose colour one could choose.", "MM-3")
    if m.colour >= max(STANDIES, len(t.chairs)):
        raise Trouble("bad_colour", f"There are standies in: {', '.join(COLOURS[:STANDIES])}.", "MM-3")
    whose = next((c.name for i, c in enumerate(t.chairs) if c.colour == m.colour and i != seat), "")
    if whose:
        raise Trouble("taken", f"{whose} has the {COLOURS[m.colour]} standies. Take others.", "MM-3")
    return [en.ColourSet(seat, m.colour)]


def _bring(t: Table, seat: int, m: pr.Bring, away: Away) -> list[en.Entries]:
    _lobby(t)
    if accessories.MODULE not in t.rules().modules:
        raise Trouble.because(r.ACCESSORIES_OFF)
    lib = op.cards(t.options)
    known = {d.name.lower(): d.name for d in lib.unique if d.kind == "accessory"}
    odd = next((thing for thing in m.things if thing.lower() not in known), "")
    if odd:
        there = ", ".join(known.values()) or "nothing, in these sets"
        raise Trouble("no_thing", f"Nobody can bring {odd[:40]!r}. There are: {there}.")
    mine = [known[thing.lower()] for thing in m.things]
    for thing in mine:
        copies = len(lib.by_name[thing.lower()])
        if mine.count(thing) + sum(c.things.count(thing) for c in t.chairs if c is not t.chairs[seat]) > copies:
            raise Trouble("no_thing", f"There are only {copies} of {thing} at a table.")
    return [en.Brought(seat, mine)]


def brought(t: Table, chairs: Sequence[int], rules: Ruleset) -> dict[str, list[str]]:
    """What everybody brings to the next game, as far as this table plays with it (CAP-52)."""
    if accessories.MODULE not in rules.modules:
        return {}
    known = op.cards(t.options).by_name
    mine = {t.chairs[i].name: [x for x in t.chairs[i].things if x.lower() in known] for i in chairs}
    return {name: things for name, things in mine.items() if things}


def _set_bot(t: Table, seat: int, m: pr.SetBot, away: Away) -> list[en.Entries]:
    """Who sits there is up to the host; a person whose seat is freed may sit down again by the link."""
    _host(t, seat)
    _lobby(t)
    if m.seat >= len(t.chairs) or m.seat == t.host:
        raise Trouble(
            "taken", "That is your own seat, or there is none. Get up to leave it, or hand the host's part on."
        )
    freed: list[en.Entries] = [en.GotUp(m.seat, seat)] if t.chairs[m.seat].who == PERSON else []
    return freed if freed and not m.bot else [*freed, bot_for(t, m.seat, m.bot)]


def bot_for(t: Table, seat: int, bot: str | None) -> en.BotSat:
    if not bot:
        return en.BotSat(seat, "")
    chair = t.chairs[seat]
    bot = _drawn(t, seat, bot)
    if not op.known_bot(bot):
        raise Trouble("bad_bot", f"There is no bot {bot[:20]!r}. There are: {', '.join(KINDS)}.")
    who, was = character_of(bot), character_of(chair.bot)
    taken = [c.name for i, c in enumerate(t.chairs) if c.who != OPEN and i != seat]
    if who is not None and who.name not in taken:
        return en.BotSat(seat, bot, who.name, who.sex, who.face)
    stays = chair.who == BOT and was == who
    name, sex = (chair.name, chair.sex) if stays else crowd_name([*taken, *(c.name for c in CHARACTERS.values())])
    return en.BotSat(seat, bot, name, sex, who.face if who is not None else "")


def character_of(bot: str) -> Character | None:
    """Who a bot is, if it is anybody."""
    return CHARACTERS.get(bot.partition(":")[2])


def _drawn(t: Table, seat: int, bot: str) -> str:
    """`kind:lot` with a character by lot: one that does not sit at the table yet, as long as there is one."""
    kind, _, who = bot.partition(":")
    if who != LOT:
        return bot
    here = {c.bot.partition(":")[2] for i, c in enumerate(t.chairs) if c.who == BOT and i != seat}
    free = [c for c in CHARACTERS if c not in here] or list(CHARACTERS)
    return f"{kind}:{secrets.choice(free)}"


def _make_host(t: Table, seat: int, m: pr.MakeHost, away: Away) -> list[en.Entries]:
    _host(t, seat)
    if m.seat == seat or m.seat >= len(t.chairs) or t.chairs[m.seat].who != PERSON:
        raise Trouble("no_heir", "Only another person at this table can be the host.")
    return [en.HostSet(m.seat)]


def _avatar(t: Table, seat: int, m: pr.Avatar, away: Away) -> list[en.Entries]:
    return [en.AvatarSet(seat, fit_avatar(m.avatar))]


def _options(t: Table, seat: int, m: pr.Options, away: Away) -> list[en.Entries]:
    _host(t, seat)
    changes = dict(m.options)
    if not changes.keys() <= ANY_TIME:
        _lobby(t)
    seats = changes.pop("seats", len(t.chairs))
    used = sum(c.who != OPEN for c in t.chairs)
    if not isinstance(seats, int) or not max(used, 2) <= seats <= 12:
        raise Trouble("bad_option", "A table has as many seats as people at it, and at most twelve.", "SETUP-1")
    new = op.changed(t.options, changes)
    if not changes.keys() <= ANY_TIME:
        playable.check(new, used)
    return [en.OptionsSet(op.difference(t.options, new), seats, some=True, last=True)]


def _start(t: Table, seat: int, m: pr.Start, gone: Sequence[int]) -> list[en.Entries]:
    """Everybody is ready, or not there: then a bot stands in for him, or the game begins without him."""
    _host(t, seat)
    _lobby(t)
    slow = [i for i, c in enumerate(t.chairs) if c.who == PERSON and not c.ready and i != seat]
    absent = [i for i in slow if i in gone and m.absent != "wait"]
    if slow != absent:
        names = ", ".join(f"{t.chairs[i].name} (away)" if i in gone else t.chairs[i].name for i in slow)
        raise Trouble("not_ready", f"Not everybody is ready: {names}.")
    freed = absent if m.absent == "free" else []
    chairs = [i for i, c in enumerate(t.chairs) if c.who != OPEN and i not in freed]
    up: list[en.Entries] = [en.GotUp(i, seat) for i in freed]
    bots = [en.StandIn(chairs.index(i), True, ", who is away") for i in absent if i not in freed]
    return [*up, dealing(t, chairs), *bots]


def dealing(t: Table, chairs: list[int]) -> en.Dealt:
    """The entry that begins a game; refused here if the rules do not allow such a table."""
    sat = [t.chairs[i] for i in chairs]
    rules = _dated(t.rules())
    w = en.Dealt(
        seed=t.next_seed,
        salt=t.next_salt,
        players=[c.name for c in sat],
        sexes=[c.sex for c in sat],
        chairs=chairs,
        version=kickdoor.__version__,
        cards=op.cards(t.options).hash,
        rules=msgspec.to_builtins(rules),
        bots=[c.bot for c in sat],
        things=brought(t, chairs, rules),
    )
    try:
        deal(w, t.options)
    except Refused as e:
        raise Trouble.because(e.reason) from None
    return w


def _dated(rules: Ruleset) -> Ruleset:
    """Things that people bring ask for the day of the game; the engine has no calendar (FQ-PROMO-1)."""
    if accessories.MODULE not in rules.modules or rules.accessories.date:
        return rules
    dated = msgspec.structs.replace(rules.accessories, date=date.today().isoformat())
    return msgspec.structs.replace(rules, accessories=dated)


def _rematch(t: Table, seat: int, m: pr.Rematch, away: Away) -> list[en.Entries]:
    if t.status != OVER:
        raise Trouble("not_over", "This game is not over yet.")
    back: list[en.Entries] = [en.Again(), new_seal(), en.ReadySet(seat, True), *_after_a_lesson(t)]
    if not m.bots:
        return back
    _host(t, seat)
    bots = [(i, c, EASY if c.bot == TUTOR else c.bot) for i, c in enumerate(t.chairs) if c.who == BOT]
    others = [(i, c, _rung(kind, m.bots)) for i, c, kind in bots]
    if not any(bot for _, _, bot in others):
        raise Trouble("no_rung", f"There is no company that plays {m.bots} than this.")
    return [*back, *(en.BotSat(i, bot, c.name, c.sex, c.avatar) for i, c, bot in others if bot)]


def _after_a_lesson(t: Table) -> list[en.Entries]:
    """What was shown is now played: no stacked deck, the rules of the box, and company that plays for itself."""
    if not t.options.lesson:
        return []
    free = op.changed(t.options, {"lesson": "", "rules": {}})
    tutors = [(i, c) for i, c in enumerate(t.chairs) if c.who == BOT and c.bot == TUTOR]
    return [
        en.OptionsSet(msgspec.to_builtins(free), len(t.chairs)),
        *(en.BotSat(i, EASY, c.name, c.sex, c.avatar) for i, c in tutors),
    ]


def _rung(kind: str, towards: pr.Towards) -> str:
    """The next bot of the ladder, with the same manners; nothing where it ends."""
    base, _, manners = kind.partition(":")
    base = ALIASES.get(base, base)
    at = KINDS.index(base) + (1 if towards == "harder" else -1) if base in KINDS else -1
    if not 0 <= at < len(KINDS):
        return ""
    return f"{KINDS[at]}:{manners}" if manners else KINDS[at]


def _leave(t: Table, seat: int, m: pr.Leave, away: Away) -> list[en.Entries]:
    return [en.GotUp(seat)]


# -- deciding: at the table ---------------------------------------------------------------------------------


def _act(t: Table, seat: int, m: pr.Act, away: Away) -> list[en.Entries]:
    g = consent.playing(t)
    if m.window != t.window:
        raise Trouble(*STALE)
    moves = [menu.parts(k) for k in m.moves]
    if not _one_thing(moves):
        raise Trouble(*NOT_TOGETHER)
    return [prepare(t, g, seat, moves, "person")]


def _one_thing(moves: Sequence[menu.Parts]) -> bool:
    """A single move, or one draft: what shows something cannot be tried out with a last move that is sure to fail."""
    first, *more = [m[0] for m in moves]
    if not more:
        return True
    *middle, last = more
    return (
        (first == mv.ADD or first in menu.DRAFTS) and set(middle) <= {mv.ADD} and last in (mv.ADD, mv.PROPOSE, mv.DONE)
    )


def prepare(
    t: Table, g: Game, seat: int, parts: Sequence[tuple[int, int, int, int]], by: str, reason: str = ""
) -> en.Made:
    """Moves as an entry, carried out on a copy that becomes the game once the entry is in the journal."""
    w = en.Made(seat, list(parts), by, reason)
    try:
        t.prepared = (w, *made(g, w))
    except Refused as e:
        raise Trouble.because(e.reason) from None
    return w


def draft(t: Table, seat: int, m: pr.Draft) -> pr.DraftState:
    """What could follow these moves, which are not made."""
    g = consent.playing(t)
    first, *more = [menu.parts(k) for k in m.moves]
    if first[0] not in menu.DRAFTS or any(p[0] != mv.ADD for p in more):
        raise Trouble("no_draft", "Only offers, trades, sales and charity are put together beforehand.")
    try:
        g, _ = made(g, en.Made(seat, [first, *more]))
    except Refused as e:
        raise Trouble.because(e.reason) from None
    headline, rule = words.sentence(g, seat, True), asking.rule(g, seat)
    out: pr.DraftState = {"moves": menu.moves(g, seat), "headline": headline, "rule": rule}
    top = g.stack[-1]
    if isinstance(top, fr.Draft) and top.kind == fr.HELP_DRAFT and g.fight is not None:
        out["prospect"] = prospect(g, top.to if g.fight.main == seat else seat)
        if top.picks != mv.PICKS_UNSAID:
            out["picks"] = menu.PICKS[top.picks]
    return out


def why(t: Table, seat: int, m: pr.WhyNot) -> tuple[str, str]:
    """Why a card of one's own cannot be used now."""
    g = consent.playing(t)
    p = g.players[seat]
    if m.card not in p.hand and m.card not in p.table:
        raise Trouble("not_yours", "That card is not yours.", "FQ-CARD-21")
    reason = why_not_card(g, seat, m.card)
    if reason is None:
        return "", "You can use it now."
    return reason.rule, _with_its_time(g, seat, m.card, reason.says)


def _with_its_time(g: Game, seat: int, card: int, says: str) -> str:
    """Why not now, and when: said once."""
    when, before = when_card(g, seat, card)
    if when and when not in says:
        verb = "played" if card in g.players[seat].hand else "used"
        return f"{says} It can be {verb} {when}{f'; {before}' if before else ''}."
    return f"{says} {capital(before)}." if before else says


def _say(t: Table, seat: int, m: pr.Say, away: Away) -> list[en.Entries]:
    text = one_line(m.text)
    if not text:
        raise Trouble("empty", "There is nothing in that message.")
    return [en.Chatted(seat, t.chairs[seat].name if seat >= 0 else "A spectator", text)]


def _phrase(t: Table, seat: int, m: pr.Phrase, away: Away) -> list[en.Entries]:
    if m.phrase not in op.PHRASES:
        raise Trouble("no_phrase", "There is no such phrase.")
    name = t.chairs[seat].name if seat >= 0 else "A spectator"
    return [en.Chatted(seat, name, op.PHRASES[m.phrase], m.phrase)]


def _auto(t: Table, seat: int, m: pr.Auto, away: Away) -> list[en.Entries]:
    return [en.AutoSet(seat, m.mode)]


def _open_hand(t: Table, seat: int, m: pr.OpenHand, away: Away) -> list[en.Entries]:
    consent.playing(t)
    return [en.HandOpen(seat, m.on)]


def _take_back(t: Table, seat: int, m: pr.TakeBack, away: Away) -> list[en.Entries]:
    if not t.chairs[seat].standin:
        raise Trouble("yours", "Nobody plays for you.")
    return [en.StandIn(seat, False)]


_DECIDE: Final[dict[type, Callable[[Table, int, Any, Away], list[en.Entries]]]] = {
    pr.Act: _act,
    pr.Say: _say,
    pr.Phrase: _phrase,
    pr.Ready: _ready,
    pr.Colour: _colour,
    pr.Bring: _bring,
    pr.Rematch: _rematch,
    pr.Leave: _leave,
    pr.TakeBack: _take_back,
    pr.SetBot: _set_bot,
    pr.MakeHost: _make_host,
    pr.Avatar: _avatar,
    pr.Options: _options,
    pr.Auto: _auto,
    pr.OpenHand: _open_hand,
    pr.Undo: consent.undo,
    pr.Propose: consent.propose,
    pr.Vote: consent.vote,
    pr.Wake: consent.wake,
}
