"""A clear no: a word for programs, a sentence for people, and the rule behind it if there is one."""

from __future__ import annotations

from kickdoor.engine.value.reasons import Reason


class Trouble(Exception):
    """Something that cannot be done; nothing has changed."""

    def __init__(self, code: str, says: str, rule: str = "", wait: int = 0) -> None:
        super().__init__(says)
        self.code = code
        self.says = says
        self.rule = rule
        self.wait = wait  # seconds, where it would go then

    @classmethod
    def because(cls, reason: Reason) -> Trouble:
        """A refusal of the rules."""
        return cls("refused", reason.says, reason.rule)
