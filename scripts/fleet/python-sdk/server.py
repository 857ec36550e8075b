# The Python SDK's own server class on its transports, by mode: `server.py MODE PORT`; defaults but for the log level.
import asyncio
import sys

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("fleet-python-sdk", log_level="WARNING")
counts: dict[str, int] = {}


@server.tool()
async def echo(message: str) -> str:
    return message


@server.tool()
async def sleep(ms: float) -> str:
    await asyncio.sleep(min(max(ms, 0), 60_000) / 1000)
    return f"slept {ms:g}"


@server.tool()
async def payload(bytes: int) -> str:
    return "x" * min(max(bytes, 0), 16_777_216)


@server.tool()
async def counter(ctx: Context) -> str:
    session_id = session_of(ctx.request_context.request)
    counts[session_id] = counts.get(session_id, 0) + 1
    return str(counts[session_id])


# In 2.x a ServerSession lives for one request only; the session id of the POST is what lasts. Without sessions, all are one.
def session_of(request) -> str:
    if request is None:
        return ""
    return request.query_params.get("session_id") or request.headers.get("mcp-session-id") or ""


mode = sys.argv[1]
if mode == "stdio":
    server.run("stdio")
else:
    address = {"host": "127.0.0.1", "port": int(sys.argv[2])}
    if mode == "sse":
        server.run("sse", **address)
    else:
        server.run(
            "streamable-http",
            stateless_http=mode.startswith("sessionless"),
            json_response=mode.endswith("-json"),
            **address,
        )
