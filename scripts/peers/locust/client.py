# Locust as a library, with its fast HTTP client: one session a user. What it is told and what it says is in ../../fleet/README.md, Clients.
import json
import sys
from http.client import HTTPConnection
from time import perf_counter
from urllib.parse import urljoin, urlsplit

# First of all: it makes what is imported after it cooperative.
from locust import FastHttpUser, constant_throughput, task
from locust.env import Environment
import gevent
from gevent.event import AsyncResult

told = json.loads(sys.argv[1])
url = urlsplit(told["url"])
accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
stateless = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "peers-locust", "version": "1"},
}
started = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "peers-locust", "version": "1"},
}


def say(**value) -> None:
    print(json.dumps(value), flush=True)


class Caller(FastHttpUser):
    host = f"{url.scheme}://{url.netloc}"
    if "perSecond" in told:
        wait_time = constant_throughput(told["perSecond"] / told["sessions"])
    path = url.path
    ids = 0

    def on_start(self) -> None:
        self.sent_headers = dict(accepted)
        self.waiting: dict[int, AsyncResult] = {}
        if told["transport"] == "stateless":
            self.sent_headers |= {
                "MCP-Protocol-Version": "2026-07-28",
                "Mcp-Method": "tools/call",
                "Mcp-Name": told["tool"],
            }
            return
        if told["transport"] == "sse":
            self.open_stream()
        answer = self.ask("initialize", started, "initialize")
        if told["transport"] == "sessions":
            self.sent_headers |= {
                "MCP-Protocol-Version": "2025-11-25",
                "Mcp-Session-Id": answer.headers["mcp-session-id"],
            }
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, "initialized")

    @task
    def call(self) -> None:
        params = {"name": told["tool"], "arguments": told["arguments"]}
        if told["transport"] == "stateless":
            params["_meta"] = stateless
        if told["transport"] != "sse":
            with self.ask("tools/call", params, "call", catch_response=True) as answer:
                if "result" not in answer.json() or answer.json()["result"].get("isError"):
                    answer.failure("no result")
            return
        start = perf_counter()
        error = None
        try:
            answered = self.ask("tools/call", params, "post").get(timeout=30)
            if "result" not in answered or answered["result"].get("isError"):
                error = ValueError("no result")
        except BaseException as problem:
            if not isinstance(problem, Exception):
                raise
            error = problem
        self.environment.events.request.fire(
            request_type="POST",
            name="call",
            response_time=(perf_counter() - start) * 1000,
            response_length=0,
            exception=error,
            context={},
        )

    def ask(self, method: str, params: dict, name: str, **more):
        Caller.ids += 1
        message = {"jsonrpc": "2.0", "id": Caller.ids, "method": method, "params": params}
        if told["transport"] != "sse":
            return self.post(message, name, **more)
        self.waiting[Caller.ids] = result = AsyncResult()
        self.post(message, name)
        if method == "initialize":
            result.get(timeout=30)
        return result

    def post(self, message: dict, name: str, **more):
        return self.client.post(self.path, data=json.dumps(message), headers=self.sent_headers, name=name, **more)

    # Its client reads whole answers, so that the event stream is read beside it.
    def open_stream(self) -> None:
        connection = HTTPConnection(url.netloc)
        connection.request("GET", url.path, headers={"Accept": "text/event-stream"})
        stream = connection.getresponse()
        endpoint = AsyncResult()
        gevent.spawn(self.read_events, connection, stream, endpoint)
        self.path = urljoin(url.path, endpoint.get(timeout=30))

    def read_events(self, connection, stream, endpoint: AsyncResult) -> None:
        name = data = ""
        for line in iter(stream.readline, b""):
            text = line.decode().rstrip("\r\n")
            if text.startswith("event:"):
                name = text[6:].strip()
            elif text.startswith("data:"):
                data = text[5:].strip()
            elif text == "" and name == "endpoint":
                endpoint.set(data)
                name = ""
            elif text == "" and data != "":
                message = json.loads(data)
                if waiting := self.waiting.pop(message.get("id"), None):
                    waiting.set(message)
                data = ""


def main() -> None:
    environment = Environment(user_classes=[Caller])
    runner = environment.create_local_runner()
    runner.start(told["sessions"], spawn_rate=told["sessions"])
    runner.spawning_greenlet.join()
    say(at="ready", sessions=runner.user_count, failed=0)
    gevent.sleep(told["warmupSeconds"])
    environment.stats.reset_all()
    say(at="measuring")
    gevent.sleep(told["seconds"])
    calls = environment.stats.get("call", "POST")
    seconds = told["seconds"]
    percentile = lambda share: calls.get_response_time_percentile(share) if calls.num_requests > 0 else None
    say(
        at="done",
        sessions=runner.user_count,
        calls=calls.num_requests - calls.num_failures,
        errors=calls.num_failures,
        seconds=seconds,
        p50Ms=percentile(0.5),
        p95Ms=percentile(0.95),
        p99Ms=percentile(0.99),
        maxMs=calls.max_response_time,
        firstError=next((str(error.error) for error in environment.stats.errors.values()), None),
    )
    # The figures of this process can still be read; whoever started it says when it may close.
    gevent.get_hub().threadpool.apply(sys.stdin.read)


main()
