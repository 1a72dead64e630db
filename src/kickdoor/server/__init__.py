"""Tables over HTTP and WebSocket: seats without accounts, a journal that is written before anybody sees a move, clocks."""
