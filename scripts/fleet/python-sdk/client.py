# A loop around the Python SDK's own client: what it is told and what it says is in ../README.md, Clients.
import json
import math
import sys
import time
from contextlib import AsyncExitStack

import anyio
from mcp.client.client import Client
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client

told = json.loads(sys.argv[1])
modes = {
    "sse": "legacy",
    "sessions": "legacy",
    "stateless": "2026-07-28",
    "stdio": "legacy",
    "stdio-stateless": "2026-07-28",
}


class Books:
    left = told.get("calls")
    running = True
    measuring = told.get("calls") is not None
    ms: list[float] = []
    errors = 0
    first_error: str | None = None


def say(**value) -> None:
    print(json.dumps(value), flush=True)


def note(error: object) -> None:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    Books.first_error = Books.first_error or f"{type(error).__name__}: {error}"


def server():
    if told["transport"].startswith("stdio"):
        command, *args = told["command"]
        return stdio_client(StdioServerParameters(command=command, args=args))
    return sse_client(told["url"]) if told["transport"] == "sse" else told["url"]


# Each session lives in a task of its own, since the SDK's task groups must end where they began.
async def run_session(ready: anyio.Semaphore, go: anyio.Event, over: anyio.Event, counts: dict[str, int]) -> None:
    async with AsyncExitStack() as stack:
        try:
            mode = modes[told["transport"]]
            client = await stack.enter_async_context(Client(server(), mode=mode))
        except Exception as error:
            note(error)
            counts["failed"] += 1
            ready.release()
            return
        counts["sessions"] += 1
        ready.release()
        await go.wait()
        async with anyio.create_task_group() as loops:
            for _ in range(told["inFlight"]):
                loops.start_soon(keep_calling, client)
        ready.release()
        await over.wait()


async def keep_calling(client: Client) -> None:
    while Books.running:
        if Books.left is not None:
            if Books.left <= 0:
                return
            Books.left -= 1
        start = time.perf_counter()
        failure: object = None
        try:
            result = await client.call_tool(told["tool"], told["arguments"])
            if result.is_error:
                failure = "isError"
        except Exception as error:
            failure = error
        if not Books.measuring:
            continue
        if failure is None:
            Books.ms.append((time.perf_counter() - start) * 1000)
        else:
            Books.errors += 1
            note(failure)


def percentile(ordered: list[float], share: float) -> float | None:
    return ordered[math.ceil(share * len(ordered)) - 1] if ordered else None


async def main() -> None:
    counts = {"sessions": 0, "failed": 0}
    ready, go, over = anyio.Semaphore(0), anyio.Event(), anyio.Event()
    async with anyio.create_task_group() as tasks:
        for _ in range(told["sessions"]):
            tasks.start_soon(run_session, ready, go, over, counts)
        for _ in range(told["sessions"]):
            await ready.acquire()
        say(at="ready", **counts)
        start = time.perf_counter()
        go.set()
        if Books.left is None:
            await anyio.sleep(told["warmupSeconds"])
            Books.measuring = True
            start = time.perf_counter()
            say(at="measuring")
            await anyio.sleep(told["seconds"])
            Books.measuring = Books.running = False
            seconds = time.perf_counter() - start
        for _ in range(counts["sessions"]):
            await ready.acquire()
        if Books.left is not None:
            seconds = time.perf_counter() - start
        ordered = sorted(Books.ms)
        say(
            at="done",
            sessions=counts["sessions"],
            calls=len(ordered),
            errors=Books.errors,
            seconds=seconds,
            p50Ms=percentile(ordered, 0.5),
            p95Ms=percentile(ordered, 0.95),
            p99Ms=percentile(ordered, 0.99),
            maxMs=percentile(ordered, 1),
            firstError=Books.first_error,
        )
        # The figures of this process can still be read; whoever started it says when it may close.
        await anyio.to_thread.run_sync(sys.stdin.read)
        over.set()


anyio.run(main)
