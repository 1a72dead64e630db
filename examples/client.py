"""A whole player in 60 lines: makes a table with three bots on a server (its only argument) and plays to the end."""

import asyncio
import itertools
import json
import random
import sys
import urllib.request

from websockets.asyncio.client import connect  # pip install websockets


def post(url: str, body: dict) -> dict:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def patch(state: dict, changes: list) -> None:
    """[path, value] sets, [path] takes away."""
    for path, *value in changes:
        at = state
        for key in path[:-1]:
            at = at[key]
        if value:
            at[path[-1]] = value[0]
        else:
            del at[path[-1]]


async def play(server: str) -> list[str]:
    new = {"host": {"name": "Robin"}, "bots": ["schemer"] * 3, "options": {"bot_speed": "instant"}}
    seat = post(f"{server}/api/tables", new)
    async with connect(f"{server.replace('http', 'ws', 1)}/ws/tables/{seat['table']}") as ws:
        await ws.send(json.dumps({"t": "hello", "v": 3, "token": seat["token"]}))
        await ws.send(json.dumps({"t": "start", "id": "start"}))
        state, asked, ids = {}, None, itertools.count()
        async for raw in ws:
            heard = json.loads(raw)
            if heard["t"] == "welcome":
                state = heard["state"]
            elif heard["t"] == "update":
                patch(state, [*heard["patch"], [["clock"], heard["clock"]]])
                for line in heard.get("log", []):
                    print(line["text"])
            elif heard["t"] == "answer" and not heard["ok"]:  # too late, or too fast: look again
                asked = await asyncio.sleep(0.1 * (heard["code"] == "too_fast"))
            if state["table"]["status"] == "over":
                return [state["table"]["seats"][s]["name"] for s in state["game"]["winners"]]
            now = (state["clock"]["window"], list(state["moves"]))
            if state["prompt"]["must"] and now != asked:
                asked = now
                key = state["prompt"]["primary"] or random.choice(now[1])
                await ws.send(json.dumps({"t": "act", "id": f"m{next(ids)}", "window": now[0], "moves": [key]}))


if __name__ == "__main__":
    print("The winner:", asyncio.run(play(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8765")))
