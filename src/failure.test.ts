import { expect, test } from 'vitest';
import { ExitCode, Failure } from './failure.js';

test('a failure is a usage error unless it says otherwise', () => {
  expect(new Failure('no such file').exitCode).toBe(ExitCode.usage);
  expect(new Failure('cannot connect', ExitCode.runFailed).exitCode).toBe(1);
});
