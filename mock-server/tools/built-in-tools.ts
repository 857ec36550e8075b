import { chance, Choice } from '../calls/chance.js';
import { missingField, wrongField } from '../protocol/bad-params.js';
import { ToolFailed } from './tool.js';
import type { InputSchema, Tool } from './tool.js';

const largestPayloadBytes = 64 * 1024 * 1024;
const longestSleepMs = 3_600_000;

/** echo, sleep, payload, fail, random, counter. */
export function builtInTools(seed: number): Tool[] {
  return [echo, sleep, payload(), fail, random(seed), counter];
}

const echo: Tool = {
  name: 'echo',
  description: 'Returns its message as it came.',
  inputSchema: schema({ message: 'string' }, ['message']),
  returnType: 'str',
  run({ message }) {
    if (typeof message === 'string') return JSON.stringify(message);
    return message === undefined ? missingField('message') : wrongField('message', 'a string');
  },
};

const sleep: Tool = {
  name: 'sleep',
  description: 'Answers after the given number of milliseconds.',
  inputSchema: schema({ ms: 'number' }, ['ms']),
  returnType: 'str',
  run({ ms }) {
    if (ms === undefined) return missingField('ms');
    if (typeof ms !== 'number' || !(ms >= 0 && ms <= longestSleepMs))
      return wrongField('ms', `a number from 0 to ${longestSleepMs}`);
    return `"slept ${ms} ms"`;
  },
  workNs: ({ ms }) => (typeof ms === 'number' && ms >= 0 && ms <= longestSleepMs ? ms * 1e6 : 0),
};

function payload(): Tool {
  // Large results are asked for again and again in the same size: keep the last one.
  let cached = '""';
  return {
    name: 'payload',
    description: 'Returns a text of exactly the given number of bytes.',
    inputSchema: schema({ bytes: 'integer' }, ['bytes']),
    returnType: 'str',
    run({ bytes }) {
      if (bytes === undefined) return missingField('bytes');
      if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 0 || bytes > largestPayloadBytes)
        return wrongField('bytes', `a whole number from 0 to ${largestPayloadBytes}`);
      if (cached.length !== bytes + 2) cached = `"${textOfBytes(bytes)}"`;
      return cached;
    },
  };
}

/** A readable ASCII text of that many bytes, which JSON does not escape. */
export function textOfBytes(bytes: number): string {
  return '0123456789abcdef'.repeat(Math.ceil(bytes / 16)).slice(0, bytes);
}

const fail: Tool = {
  name: 'fail',
  description: 'Always fails, with the given message if there is one.',
  inputSchema: schema({ message: 'string' }, []),
  returnType: 'str',
  run: ({ message }) =>
    new ToolFailed(typeof message === 'string' ? message : 'The tool failed, as it was asked to'),
};

function random(seed: number): Tool {
  return {
    name: 'random',
    description: 'Returns a number from 0 up to 1, decided by seed, session and call.',
    inputSchema: schema({}, []),
    returnType: 'float',
    run: (_args, caller, callOrdinal) => String(chance(seed, caller.ordinal, callOrdinal, Choice.randomTool)),
  };
}

const counter: Tool = {
  name: 'counter',
  description: 'Counts up from 1, per session.',
  inputSchema: schema({}, []),
  returnType: 'int',
  run: (_args, caller) => String(++caller.counter),
};

function schema(properties: Record<string, string>, required: string[]): InputSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
    required,
  };
}
