// mcp-go's own servers, by mode. Over HTTP+SSE a third argument turns its ping requests on, at that interval.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

var counts sync.Map

func main() {
	hooks := &server.Hooks{}
	hooks.AddOnUnregisterSession(func(_ context.Context, session server.ClientSession) {
		counts.Delete(session.SessionID())
	})
	s := server.NewMCPServer("fleet-mcp-go", "1.0.0", server.WithToolCapabilities(false), server.WithHooks(hooks))
	s.AddTool(mcp.NewTool("echo", mcp.WithString("message", mcp.Required())), echo)
	s.AddTool(mcp.NewTool("sleep", mcp.WithNumber("ms", mcp.Required())), sleep)
	s.AddTool(mcp.NewTool("payload", mcp.WithNumber("bytes", mcp.Required())), payload)
	s.AddTool(mcp.NewTool("counter"), counter)

	if len(os.Args) < 3 {
		if len(os.Args) == 2 && os.Args[1] == "stdio" {
			log.Fatal(server.ServeStdio(s))
		}
		log.Fatal("usage: server stdio | sse PORT [PING] | sessions PORT | sessionless PORT")
	}
	mode, address := os.Args[1], "127.0.0.1:"+os.Args[2]
	if mode == "sse" {
		log.Fatal(server.NewSSEServer(s, sseOptions()...).Start(address))
	}
	log.Fatal(server.NewStreamableHTTPServer(s, server.WithStateLess(mode == "sessionless")).Start(address))
}

func sseOptions() []server.SSEOption {
	if len(os.Args) < 4 {
		return nil
	}
	every, err := time.ParseDuration(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	return []server.SSEOption{server.WithKeepAliveInterval(every)}
}

func echo(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	message, err := request.RequireString("message")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	return mcp.NewToolResultText(message), nil
}

func sleep(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ms, err := request.RequireFloat("ms")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	time.Sleep(time.Duration(min(max(ms, 0), 60_000) * float64(time.Millisecond)))
	return mcp.NewToolResultText(fmt.Sprintf("slept %g", ms)), nil
}

func payload(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	bytes, err := request.RequireInt("bytes")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	return mcp.NewToolResultText(strings.Repeat("x", min(max(bytes, 0), 16_777_216))), nil
}

func counter(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	session := server.ClientSessionFromContext(ctx)
	seen, _ := counts.LoadOrStore(session.SessionID(), &sessionCount{})
	return mcp.NewToolResultText(fmt.Sprint(seen.(*sessionCount).next())), nil
}

type sessionCount struct {
	lock sync.Mutex
	n    int
}

func (c *sessionCount) next() int {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.n++
	return c.n
}
