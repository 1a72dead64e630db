"""Tables over HTTP and WebSocket: seats without accounts, a journal written before anybody sees a move."""
