import type { HttpReply } from './http-reply.js';
import { httpReply } from './http-reply.js';
import type { MockApp } from './mock-app.js';
import type { Post } from './post.js';
import { Router } from './router.js';
import type { Route } from './router.js';
import type { StatsSnapshot } from './stats.js';

/** What both engines have in common: the app, the way to it, and the answers that need neither stream nor message. */
export interface Front {
  readonly app: MockApp;
  readonly router: Router;
  /** Answers the routes `health`, `stats`, `redirect` and `refused`. */
  answerPlain(route: Route, query: string, request: Post): void;
}

/** Puts a front before an app; `stats` may have to ask other threads. */
export function frontOf(
  app: MockApp,
  loopbackOnly: boolean,
  stats: (reset: boolean, done: (snapshot: StatsSnapshot) => void) => void,
): Front {
  return {
    app,
    router: new Router(app, loopbackOnly),
    answerPlain(route, query, request) {
      const reply = (answer: HttpReply): void => void request.answer(answer);
      if (route.kind === 'refused')
        return route.site ? app.refuse(request, route.reply!) : reply(route.reply!);
      if (route.kind === 'redirect') {
        const location = route.site!.messagesPath + (query === '' ? '' : `?${query}`);
        return reply(httpReply(307, '', '', { headers: [['Location', location]] }));
      }
      if (route.kind === 'health') return reply(json(health(app)));
      stats(new URLSearchParams(query).has('reset'), (snapshot) => reply(json(snapshot)));
    },
  };
}

function health(app: MockApp): object {
  return {
    status: 'ok',
    service: 'mcp-bench mock',
    active_sessions: app.stats.sessionsOpen,
    available_tools: app.tools.names,
  };
}

function json(value: object): HttpReply {
  return httpReply(200, `${JSON.stringify(value)}\n`, 'application/json');
}
