// k6 with an extension for what its own HTTP client cannot read: a session over HTTP+SSE, by the official Go SDK's client.
package main

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.k6.io/k6/cmd"
	"go.k6.io/k6/js/modules"
)

type module struct{}

type instance struct{}

func (module) NewModuleInstance(modules.VU) modules.Instance { return instance{} }

func (instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{"openSse": openSse}}
}

type session struct{ client *mcp.ClientSession }

func openSse(url string) (*session, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "peers-k6", Version: "1.0.0"}, nil)
	options := &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	opened, err := client.Connect(context.Background(), &mcp.SSEClientTransport{Endpoint: url}, options)
	if err != nil {
		return nil, err
	}
	return &session{opened}, nil
}

// Call makes one call and returns the milliseconds that it took.
func (s *session) Call(tool string, arguments map[string]any) (float64, error) {
	start := time.Now()
	result, err := s.client.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return 0, err
	}
	if result.IsError {
		return 0, errors.New("isError")
	}
	return float64(time.Since(start).Microseconds()) / 1000, nil
}

func main() {
	modules.Register("k6/x/mcp", module{})
	cmd.Execute()
}
