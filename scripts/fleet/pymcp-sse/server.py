# pymcp-sse with its defaults; the log level is given because 0.4.0 cannot work one out (it forgets an import).
import asyncio
import sys

from pymcp_sse.server import BaseMCPServer
from pymcp_sse.utils import configure_logging

configure_logging(level="WARNING")
server = BaseMCPServer("fleet-pymcp-sse")
counts: dict[str, int] = {}


@server.register_tool("echo")
async def echo(message: str):
    return message


@server.register_tool("sleep")
async def sleep(ms: float):
    await asyncio.sleep(min(max(ms, 0), 60_000) / 1000)
    return f"slept {ms:g}"


@server.register_tool("payload")
async def payload(bytes: int):
    return "x" * min(max(bytes, 0), 16_777_216)


@server.register_tool("counter")
async def counter(server_session_id: str):
    counts[server_session_id] = counts.get(server_session_id, 0) + 1
    return str(counts[server_session_id])


server.run(host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
