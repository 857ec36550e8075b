# FastMCP for Python on its SSE transport, defaults but for the banner and the log level.
import asyncio
import sys

from fastmcp import Context, FastMCP

server = FastMCP("fleet-fastmcp-py")


@server.tool
async def echo(message: str) -> str:
    return message


@server.tool
async def sleep(ms: float) -> str:
    await asyncio.sleep(min(max(ms, 0), 60_000) / 1000)
    return f"slept {ms:g}"


@server.tool
async def payload(bytes: int) -> str:
    return "x" * min(max(bytes, 0), 16_777_216)


@server.tool
async def counter(ctx: Context) -> str:
    count = (await ctx.get_state("count") or 0) + 1
    await ctx.set_state("count", count)
    return str(count)


server.run(transport="sse", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False, log_level="WARNING")
