import { goodAnswer, type Said, type SessionScript } from './arbitrary-answers.js';
import {
  type ScriptedConnection,
  type ScriptedRequest,
  ScriptedServer,
} from '../fixtures/scripted-server.js';

const handshakePosts = 2;
const patienceMs = 50;

interface Life {
  readonly script: SessionScript;
  readonly stream: ScriptedConnection;
  posts: number;
}

/** A server that says what its scripts say, one script a session, and remembers what calls it received. */
export class ArbitraryServer {
  /** How often each id came in a call. */
  readonly received = new Map<number, number>();
  private readonly lives: Life[] = [];
  private highestId = 0;
  private wire!: ScriptedServer;

  private constructor(private readonly scripts: readonly SessionScript[]) {}

  static async listen(scripts: readonly SessionScript[]): Promise<ArbitraryServer> {
    const server = new ArbitraryServer(scripts);
    server.wire = await ScriptedServer.listen((request) => server.take(request));
    return server;
  }

  get url(): string {
    return `${this.wire.origin}/sse`;
  }

  close(): Promise<void> {
    return this.wire.close();
  }

  private take({ method, target, body, connection }: ScriptedRequest): void {
    if (method === 'GET') {
      const script = this.scripts[this.lives.length % this.scripts.length]!;
      this.lives.push({ script, stream: connection, posts: 0 });
      this.say(script.opening, connection, connection, 1, `/m?s=${this.lives.length - 1}`);
      return;
    }
    const life = this.lives[Number(/=(\d+)$/.exec(target)?.[1])];
    if (life === undefined) return connection.reset();
    const { id = 1, method: of } = JSON.parse(body) as { id?: number; method?: string };
    if (of === 'tools/call') this.received.set(id, (this.received.get(id) ?? 0) + 1);
    this.highestId = Math.max(this.highestId, id);
    const { answers } = life.script;
    const step = life.posts++;
    const said = answers[step % answers.length]!;
    this.say(said, connection, life.stream, id, target);
    // Nobody waits for the rest of a handshake that has gone wrong.
    if (step < handshakePosts && said !== goodAnswer) setTimeout(() => life.stream.end(), patienceMs);
  }

  private say(
    all: readonly Said[],
    post: ScriptedConnection,
    stream: ScriptedConnection,
    id: number,
    path: string,
  ): void {
    for (const { on, text, cuts, ending } of all) {
      const connection = on === 'post' ? post : stream;
      const filled = text
        .replaceAll('$PATH', path)
        .replace(/\$ID\+(-?\d+)/g, (_, by: string) => String(id + Number(by)))
        .replace(/\$NEXT\+(\d+)/g, (_, by: string) => String(this.highestId + 1 + Number(by)))
        .replaceAll('$ID', String(id));
      void connection.writeApart(pieces(Buffer.from(filled, 'latin1'), cuts)).then(() => {
        if (ending === 'end') connection.end();
        else if (ending === 'reset') connection.reset();
      });
    }
  }
}

function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((share) => Math.floor(share * bytes.length)), bytes.length].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, piece) => bytes.subarray(at[piece], end));
}
