package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type told struct {
	URL           string          `json:"url"`
	Transport     string          `json:"transport"`
	Sessions      int             `json:"sessions"`
	InFlight      int             `json:"inFlight"`
	Calls         *int64          `json:"calls"`
	WarmupSeconds float64         `json:"warmupSeconds"`
	Seconds       float64         `json:"seconds"`
	Tool          string          `json:"tool"`
	Arguments     json.RawMessage `json:"arguments"`
}

type books struct {
	left               atomic.Int64
	stopped, measuring atomic.Bool
	lock               sync.Mutex
	micros             []int64
	errors             int
	firstError         *string
}

func (b *books) fail(text string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.errors++
	b.note(text)
}

func (b *books) note(text string) {
	if b.firstError == nil {
		b.firstError = &text
	}
}

func say(value map[string]any) {
	line, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}

func open(told told) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "fleet-go-sdk-client", Version: "1.0.0"}, nil)
	options := &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: told.URL}
	switch told.Transport {
	case "sessions":
	case "stateless":
		options.ProtocolVersion = "2026-07-28"
	case "sse":
		transport = &mcp.SSEClientTransport{Endpoint: told.URL}
	default:
		return nil, fmt.Errorf("no transport %s", told.Transport)
	}
	return client.Connect(context.Background(), transport, options)
}

func runClient(text string) {
	var told told
	if err := json.Unmarshal([]byte(text), &told); err != nil {
		log.Fatal(err)
	}
	books := &books{}
	sessions := openAll(told, books)

	counted := told.Calls != nil
	if counted {
		books.left.Store(*told.Calls)
	}
	books.measuring.Store(counted)
	var loops sync.WaitGroup
	start := time.Now()
	for _, session := range sessions {
		for range told.InFlight {
			loops.Go(func() { keepCalling(session, told, books) })
		}
	}
	var seconds float64
	if counted {
		loops.Wait()
		seconds = time.Since(start).Seconds()
	} else {
		time.Sleep(time.Duration(told.WarmupSeconds * float64(time.Second)))
		start = time.Now()
		books.measuring.Store(true)
		say(map[string]any{"at": "measuring"})
		time.Sleep(time.Duration(told.Seconds * float64(time.Second)))
		books.measuring.Store(false)
		books.stopped.Store(true)
		seconds = time.Since(start).Seconds()
		loops.Wait()
	}

	slices.Sort(books.micros)
	say(map[string]any{
		"at": "done", "sessions": len(sessions), "calls": len(books.micros), "errors": books.errors, "seconds": seconds,
		"p50Ms": percentile(books.micros, 0.5), "p95Ms": percentile(books.micros, 0.95),
		"p99Ms": percentile(books.micros, 0.99), "maxMs": percentile(books.micros, 1), "firstError": books.firstError,
	})
	// The figures of this process can still be read; whoever started it says when it may close.
	_, _ = io.Copy(io.Discard, os.Stdin)
	for _, session := range sessions {
		_ = session.Close()
	}
}

func openAll(told told, books *books) []*mcp.ClientSession {
	var opening sync.WaitGroup
	var sessions []*mcp.ClientSession
	for range told.Sessions {
		opening.Go(func() {
			session, err := open(told)
			books.lock.Lock()
			defer books.lock.Unlock()
			if err != nil {
				books.note(err.Error())
				return
			}
			sessions = append(sessions, session)
		})
	}
	opening.Wait()
	say(map[string]any{"at": "ready", "sessions": len(sessions), "failed": told.Sessions - len(sessions)})
	return sessions
}

func keepCalling(session *mcp.ClientSession, told told, books *books) {
	var micros []int64
	for !books.stopped.Load() && (told.Calls == nil || books.left.Add(-1) >= 0) {
		start := time.Now()
		result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: told.Tool, Arguments: told.Arguments})
		took := time.Since(start).Microseconds()
		switch {
		case !books.measuring.Load():
		case err != nil:
			books.fail(err.Error())
		case result.IsError:
			books.fail("isError")
		default:
			micros = append(micros, took)
		}
	}
	books.lock.Lock()
	defer books.lock.Unlock()
	books.micros = append(books.micros, micros...)
}

func percentile(sorted []int64, share float64) *float64 {
	if len(sorted) == 0 {
		return nil
	}
	ms := float64(sorted[int(math.Ceil(share*float64(len(sorted))))-1]) / 1000
	return &ms
}
