// The official Go SDK's own servers, by mode, and loops around its client (`client JSON`, see ../README.md, Clients).
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if len(os.Args) < 3 && (len(os.Args) < 2 || os.Args[1] != "stdio") {
		log.Fatal("usage: server stdio | sse|sessions|sessions-json|sessionless|sessionless-json PORT | client JSON")
	}
	switch mode := os.Args[1]; mode {
	case "client":
		runClient(os.Args[2])
	case "stdio":
		if err := newServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
	case "sse":
		serve("/sse", mcp.NewSSEHandler(serverOf, nil))
	default:
		serve("/mcp", mcp.NewStreamableHTTPHandler(serverOf, &mcp.StreamableHTTPOptions{
			Stateless:    strings.HasPrefix(mode, "sessionless"),
			JSONResponse: strings.HasSuffix(mode, "-json"),
		}))
	}
}

func serve(path string, handler http.Handler) {
	mux := http.NewServeMux()
	mux.Handle(path, handler)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], mux))
}

var shared = newServer()

func serverOf(*http.Request) *mcp.Server { return shared }

type echoArguments struct {
	Message string `json:"message"`
}

type sleepArguments struct {
	Ms float64 `json:"ms"`
}

type payloadArguments struct {
	Bytes int `json:"bytes"`
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "fleet-go-sdk", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo"},
		func(_ context.Context, _ *mcp.CallToolRequest, in echoArguments) (*mcp.CallToolResult, any, error) {
			return text(in.Message), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "sleep"},
		func(_ context.Context, _ *mcp.CallToolRequest, in sleepArguments) (*mcp.CallToolResult, any, error) {
			time.Sleep(time.Duration(min(max(in.Ms, 0), 60_000) * float64(time.Millisecond)))
			return text(fmt.Sprintf("slept %g", in.Ms)), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "payload"},
		func(_ context.Context, _ *mcp.CallToolRequest, in payloadArguments) (*mcp.CallToolResult, any, error) {
			return text(strings.Repeat("x", min(max(in.Bytes, 0), 16_777_216))), nil, nil
		})
	counts := &sessionCounts{}
	mcp.AddTool(server, &mcp.Tool{Name: "counter"},
		func(_ context.Context, request *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			return text(fmt.Sprint(counts.next(request.Session))), nil, nil
		})
	return server
}

func text(value string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: value}}}
}

// A count for each session, forgotten when the session ends.
type sessionCounts struct {
	lock   sync.Mutex
	counts map[*mcp.ServerSession]int
}

func (c *sessionCounts) next(session *mcp.ServerSession) int {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.counts == nil {
		c.counts = map[*mcp.ServerSession]int{}
	}
	if c.counts[session] == 0 {
		go func() {
			_ = session.Wait()
			c.lock.Lock()
			defer c.lock.Unlock()
			delete(c.counts, session)
		}()
	}
	c.counts[session]++
	return c.counts[session]
}
