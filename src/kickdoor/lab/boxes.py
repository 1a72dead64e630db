"""A box looked at as a whole: what it is made of, what its cards say, which talk to which, and what shows them.

    python -m kickdoor.lab.boxes                          the base boxes, beside classic
    python -m kickdoor.lab.boxes bites                    one box
    python -m kickdoor.lab.boxes bites --only structure   the table for docs/sets/bites.md
    python -m kickdoor.lab.boxes bites --parts            each step, condition and figure left out in turn
    python -m kickdoor.lab.boxes --json                   the same as one JSON object

It ends with status 1 if a card says nothing, does not fit, has no scenario of its own, or has only scenarios that would
not notice if it did nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from kickdoor.cards.packs import find_pack, known_packs, members, read_pack
from kickdoor.cards.reading import ReadingError
from kickdoor.lab import command, links, noticing, structure, wording
from kickdoor.lab.card_changes import EVERYTHING

SECTIONS: Final = ("structure", "words", "links", "scenarios")
TALK: Final = 25  # cards of a box that refer to others of it
WHOLE: Final = 168


def base_boxes() -> list[str]:
    """The boxes that are games of their own: each has an edition under its own name."""
    heads = [read_pack(find_pack(p)).head for p in known_packs()]
    found = [h.id for h in heads if h.edition == h.id]
    return sorted(found, key=lambda p: p != structure.MODEL)


def size(pack: str) -> int:
    """How many pieces of cardboard there are."""
    return sum(c.copies for c in read_pack(find_pack(pack)).cards)


def look(pack: str, sections: Sequence[str] = SECTIONS, each_part: bool = False) -> dict[str, Any]:
    """Everything about one box, as plain numbers and words."""
    found: dict[str, Any] = {"pack": pack, "cards": size(pack)}
    if "structure" in sections:
        found["structure"] = structure.counted(pack)
    if "words" in sections:
        found["words"] = _words(pack)
    if "links" in sections:
        found["links"] = links.links(pack)
    if "scenarios" in sections:
        tried = [*noticing.trials(pack), *(noticing.trials(pack, each_part=True) if each_part else ())]
        missed = [asdict(change) for change, noticed in tried if not noticed]
        found["scenarios"] = {"unshown": noticing.unshown(pack), "tried": len(tried), "unnoticed": missed}
    return found


def _words(pack: str) -> dict[str, Any]:
    mine = wording.words_of(pack)
    id = read_pack(find_pack(pack)).head.id
    others = [w for p in base_boxes() if p != id for w in wording.words_of(p)]
    return {
        "too_long": list(wording.too_long(pack)),
        "lengthy": list(wording.lengthy(pack)),
        "wordless": wording.wordless(pack),
        "twice": [[asdict(a), asdict(b)] for a, b in wording.twice(mine, others)],
        "worn": [{"pattern": p, "cards": cards} for p, cards in wording.worn(mine)],
    }


def faults(found: dict[str, Any]) -> int:
    """How much of what was found is wrong, and not only worth a look."""
    words, shown = found.get("words", {}), found.get("scenarios", {})
    whole = [u for u in shown.get("unnoticed", ()) if u["what"] == EVERYTHING]
    lists = (words.get("too_long", ()), words.get("wordless", ()), shown.get("unshown", ()), whole)
    return sum(len(x) for x in lists)


# -- telling ------------------------------------------------------------------------------------------------------


def told(found: dict[str, Any]) -> str:
    """One box as a page."""
    pack = found["pack"]
    lines = [f"# {pack}: {found['cards']} cards", ""]
    if "structure" in found:
        lines += [structure.markdown(list(dict.fromkeys((structure.MODEL, pack)))), ""]
    if "words" in found:
        lines += _told_words(found["words"])
    if "links" in found:
        lines += [f"{len(found['links'])} cards refer to others of the box ({TALK} are wanted):", ""]
        lines += [f"- {card}: {', '.join(to)}" for card, to in found["links"].items()] + [""]
    if "scenarios" in found:
        shown = found["scenarios"]
        lines += _listed("No scenario of their own", shown["unshown"])
        what = f"Left out, and no scenario would notice (of {shown['tried']:,} changes)"
        lines += _listed(what, [f"{u['card']}: {u['what']}" for u in shown["unnoticed"]])
    return "\n".join(lines)


def _told_words(words: dict[str, Any]) -> list[str]:
    pairs = [f"{a['card']} and {b['pack']}:{b['card']}: {a['text']}" for a, b in words["twice"]]
    worn = [f"{w['pattern']} ({len(w['cards'])} cards)" for w in words["worn"]]
    return [
        *_listed("Too long for the card", words["too_long"]),
        *_listed("Long, for the middle of a fight", words["lengthy"]),
        *_listed("Do something and say nothing", words["wordless"]),
        *_listed("Said twice", pairs),
        *_listed("Patterns on many cards", worn),
    ]


def _listed(what: str, entries: Sequence[str]) -> list[str]:
    return [f"{what}: {len(entries) or 'none'}.", *(f"- {e}" for e in entries), ""]


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.boxes` (`make boxes`)."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.boxes", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("packs", nargs="*", metavar="PACK", help="ids or folders (default: the base boxes)")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="only this part; may be said several times")
    parser.add_argument(
        "--parts", action="store_true", help="leave out each step, condition and figure in turn as well"
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    args = parser.parse_args(argv)
    try:
        found = [look(p, args.only or SECTIONS, args.parts) for p in members(args.packs) or base_boxes()]
    except ReadingError as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps({"boxes": found}, indent=1, ensure_ascii=False))
    else:
        print("\n".join(told(f) for f in found))
    return 1 if any(faults(f) for f in found) else 0


if __name__ == "__main__":
    sys.exit(command.run(main))
