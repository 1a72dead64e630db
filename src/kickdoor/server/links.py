"""Links that carry a seat to another device: signed, good for ten minutes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from typing import Final

from kickdoor.server.trouble import Trouble

SECONDS: Final = 600


class Links:
    """Makes and reads such codes; the secret is shared by all servers of a journal."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def make(self, table: str, token_mark: str) -> str:
        """A code for the seat whose token has this fingerprint."""
        body = f"{table}.{token_mark}.{int(time.time()) + SECONDS}"
        return base64.urlsafe_b64encode(f"{body}.{self._sign(body)}".encode()).decode().rstrip("=")

    def read(self, table: str, code: str) -> str:
        """The fingerprint that a code stands for."""
        try:
            text = base64.urlsafe_b64decode(code.encode() + b"=" * (-len(code) % 4)).decode()
            where, mark, until, sign = text.split(".")
            expires = int(until)
        except (ValueError, binascii.Error, UnicodeError):
            raise Trouble("bad_link", "This link is damaged. Make a new one on the other device.") from None
        mine = self._sign(f"{where}.{mark}.{until}")
        if where != table or not hmac.compare_digest(sign.encode(), mine.encode()):
            raise Trouble("bad_link", "This link does not belong to this table.")
        if expires < time.time():
            raise Trouble("expired", "This link has expired: it was good for ten minutes. Make a new one.")
        return mark

    def _sign(self, body: str) -> str:
        return hmac.new(self._secret, body.encode(), hashlib.sha256).hexdigest()[:40]
