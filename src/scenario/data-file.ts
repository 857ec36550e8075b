import { Failure } from '../failure.js';
import type { DataRow, JsonValue } from './plan.js';
import { readText } from './yaml-source.js';

/** The rows of a CSV, TSV or JSONL file, or a Failure that names the line. Fields of a CSV file are always text. */
export function readDataFile(file: string): DataRow[] {
  const parse = parserFor(file);
  const rows = parse(file, readText(file));
  if (rows.length === 0) throw new Failure(`${file}: expected at least one row of data, found none`);
  return rows;
}

function parserFor(file: string): (file: string, text: string) => DataRow[] {
  if (/\.csv$/i.test(file)) return (file, text) => parseSeparated(file, text, ',');
  if (/\.tsv$/i.test(file)) return (file, text) => parseSeparated(file, text, '\t');
  if (/\.(jsonl|ndjson)$/i.test(file)) return parseJsonLines;
  throw new Failure(`${file}: expected a file whose name ends in .csv, .tsv or .jsonl`);
}

function parseJsonLines(file: string, text: string): DataRow[] {
  const rows: DataRow[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const row = parseJson(line);
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw new Failure(`${file}:${index + 1}: expected a JSON object on this line`);
    }
    rows.push(row as DataRow);
  }
  return rows;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function parseSeparated(file: string, text: string, separator: string): DataRow[] {
  const [header, ...records] = splitRecords(file, text, separator);
  if (header === undefined) return [];
  const twice = header.fields.find((name, index) => header.fields.indexOf(name) !== index);
  if (twice !== undefined) throw new Failure(`${file}:1: the column "${twice}" stands twice`);
  return records.map(({ fields, line }) => {
    if (fields.length !== header.fields.length) {
      throw new Failure(
        `${file}:${line}: expected ${header.fields.length} fields as in the first line, found ${fields.length}`,
      );
    }
    return Object.fromEntries(header.fields.map((name, index) => [name, fields[index]!]));
  });
}

interface CsvRecord {
  readonly fields: string[];
  readonly line: number;
}

// RFC 4180: a field in quotes may hold separators, line ends, and quotes written twice.
function splitRecords(file: string, text: string, separator: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let record: CsvRecord = { fields: [], line: 1 };
  let line = 1;
  const token = new RegExp(
    `("(?:[^"]|"")*"|[^"${separator}\r\n][^${separator}\r\n]*|)(${separator}|\r?\n|$)`,
    'y',
  );
  while (token.lastIndex < text.length || record.fields.length > 0) {
    const match = token.exec(text);
    if (match === null)
      throw new Failure(`${file}:${line}: a field in quotes does not end, or goes on after its quotes`);
    const [whole, raw, end] = match as unknown as [string, string, string];
    record.fields.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    line += whole.split('\n').length - 1;
    if (end === separator) continue;
    if (record.fields.length > 1 || record.fields[0] !== '') records.push(record);
    record = { fields: [], line };
    if (end === '') break;
  }
  return records;
}
