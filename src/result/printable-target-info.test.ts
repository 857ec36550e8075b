import { expect, test } from 'vitest';
import { keepUrl } from '../text/secrets.js';
import { printableTargetInfo } from './printable-target-info.js';

test('a query that says the same as we do leaves our words alone', () => {
  const url = 'http://h/sse?mode=classic-prod&x=protocol&y=workspace-eu';
  keepUrl(url);
  const target = {
    url,
    transport: 'sse' as const,
    era: 'sessions' as const,
    protocolVersion: '2025-06-18',
    bodies: [],
    dialect: 'classic-prod',
    server: { name: 'protocol', version: '1' },
    builtIn: false,
  };
  expect(printableTargetInfo(target)).toEqual({
    ...target,
    url: 'http://h/sse?mode=***&x=***&y=***',
    server: { name: '***', version: '1' },
  });
});
