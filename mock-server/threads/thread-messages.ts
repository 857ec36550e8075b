import type { BodyHead } from '../sessions/stream.js';
import type { HttpReply } from '../http/http-reply.js';
import type { McpHeaders } from '../http/mcp-headers.js';
import type { StatsSnapshot } from '../stats.js';

/** What threads of one server say to each other. `ref` numbers are the asking thread's own. */
export type ThreadMessage =
  // A POST that landed on the wrong thread (`ref` -1: it has been accepted there), and its answer
  | {
      kind: 'post';
      ref: number;
      site: number;
      workspace: string;
      key: string | undefined;
      body: string;
      bytes: number;
    }
  | { kind: 'reply'; ref: number; reply: HttpReply }
  // A session that has opened or closed
  | { kind: 'session'; site: number; id: string; open: boolean }
  // A request for a session of Streamable HTTP that lives on another thread; its answer is a reply, or a body that begins
  | { kind: 'mcp'; ref: number; headers: McpHeaders; body: string; bytes: number }
  | { kind: 'mcp-stream'; ref: number; headers: McpHeaders }
  | { kind: 'mcp-end'; ref: number; headers: McpHeaders }
  | { kind: 'begin'; ref: number; head: BodyHead }
  | { kind: 'start'; ref: number; head: BodyHead }
  // A stream of a workspace that lives on another thread
  | { kind: 'open'; ref: number; site: number; workspace: string; host: string }
  | { kind: 'write'; ref: number; chunk: string | Uint8Array }
  | { kind: 'end'; ref: number; how: 'end' | 'destroy'; last?: string }
  | { kind: 'refused'; ref: number; reply: HttpReply }
  | { kind: 'blocked'; ref: number }
  | { kind: 'drained'; ref: number }
  | { kind: 'lost'; ref: number; why: 'client' | 'unread' }
  // Counts
  | { kind: 'stats'; ref: number; reset: boolean }
  | { kind: 'counted'; ref: number; snapshot: StatsSnapshot };

/** What the main thread says to a thread of the server. */
export type MainToThread =
  | { kind: 'listening'; baseUrl: string }
  | { kind: 'stats' }
  | { kind: 'end'; reason: string }
  | { kind: 'close' };

/** What a thread of the server says to the main thread. */
export type ThreadToMain =
  | { kind: 'ready'; descriptor: unknown }
  | { kind: 'stats'; snapshot: StatsSnapshot }
  | { kind: 'ended' }
  | { kind: 'closed'; snapshot: StatsSnapshot };
