import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeFileWhole } from '../../src/result/write-file.js';
import type { VersusResult } from '../../src/versus/versus-result.js';
import { replaceSection } from '../peers/replace-section.js';
import { type TransportContest, transportsMarkdown } from './transports-report.js';

// A program: the contests between the transports of single servers, those that were held, as one table in a section of the docs.

const { values } = parseArgs({
  options: {
    contest: { type: 'string', multiple: true },
    docs: { type: 'string' },
    section: { type: 'string' },
  },
});
const contests = values.contest!.flatMap((text): TransportContest[] => {
  const [name, about, file] = text.split('=') as [string, string, string];
  if (!existsSync(file)) return [];
  return [{ name, about, result: JSON.parse(readFileSync(file, 'utf8')) as VersusResult }];
});
const text = transportsMarkdown(contests);
writeFileWhole(values.docs!, replaceSection(readFileSync(values.docs!, 'utf8'), values.section!, text));
console.log(`\n${text}\n\nwritten: ${values.docs}`);
