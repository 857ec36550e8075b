import { expect, test, vi } from 'vitest';
import { redact } from '../text/secrets.js';
import { planScenario } from './load-scenario.js';

test('secrets of the environment that a server is given with ours are hidden in what it says', () => {
  vi.stubEnv('REVIEWED_API_TOKEN', 'tapioca-77-umbrella');
  vi.stubEnv('REVIEWED_KEY', import.meta.dirname);
  vi.stubEnv('OLDPWD', '/where/nobody/is');
  try {
    planScenario({
      target: { command: ['node', 'server.js'], env: { OWN_SECRET: 'marzipan-12-lantern' } },
      sessions: 1,
      load: { model: 'count', calls: 1 },
      calls: [{ method: 'ping' }],
    });
  } finally {
    vi.unstubAllEnvs();
  }
  const places = `in ${import.meta.dirname}, ${process.cwd()} and /where/nobody/is`;
  expect(redact(places), 'folders are called PWD, and files keys').toBe(places);
  expect(redact('it said: {"a":"tapioca-77-umbrella"} marzipan-12-lantern')).toBe('it said: {"a":"***"} ***');
});
