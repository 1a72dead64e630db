"""The rulebook: every rule of the game in our own words, under the ids that rulings cite.

>>> from kickdoor import rulebook
>>> rulebook.rule("COMBAT-20").says
'You cannot steal while you are in combat.'
>>> [found.id for _, found in rulebook.search("steal in combat", limit=3)]
['CLASS-11', 'CLASS-12', 'COMBAT-20']

The text lies in ``pages/``, one file per chapter. Nothing here knows the engine or the cards.
"""

from kickdoor.rulebook.index import search
from kickdoor.rulebook.pages import Chapter, Rule, RuleError, all_rules, chapter, chapters, rule
from kickdoor.rulebook.same import equivalent

__all__ = ["Chapter", "Rule", "RuleError", "all_rules", "chapter", "chapters", "equivalent", "rule", "search"]
