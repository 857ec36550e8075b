import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ExitCode, Failure } from '../failure.js';

/**
 * Writes the whole file or leaves what was there: a reader never sees a half. Missing folders are made; what cannot be
 * written is a Failure that names the path.
 */
export function writeFileWhole(path: string, text: string): void {
  writeBeside(path, text, (temporary) => renameSync(temporary, path));
}

/**
 * Refuses a path that surely cannot be written, before the work whose fruit it is to hold; makes nothing. A missing folder is to be made below the
 * current one alone: elsewhere it is a slip of the pen.
 */
export function checkWritable(path: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw withCode('EISDIR');
    if (found?.isFIFO() || found?.isSocket()) throw withCode('EPIPE');
    let folder = dirname(path);
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
    if (!statSync(folder).isDirectory()) throw withCode('ENOTDIR');
    if (folder !== dirname(path) && !isBelowCurrent(path)) throw withCode('ENOENT');
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Failure(`cannot write ${path}: ${reasonOf(error)}`, ExitCode.usage);
  }
}

function isBelowCurrent(path: string): boolean {
  const way = relative(process.cwd(), resolve(dirname(path)));
  return way.split(sep)[0] !== '..' && resolve(way) === resolve(dirname(path));
}

/** As writeFileWhole, but under the first of the paths that no file has yet, which it returns; never replaces a file. */
export function writeNewFile(paths: Iterable<string>, text: string): string {
  for (const path of paths) if (!existsSync(path) && createdAs(path, text)) return path;
  throw new Error('ran out of paths to try');
}

function createdAs(path: string, text: string): boolean {
  let created = false;
  writeBeside(path, text, (temporary) => {
    created = claim(temporary, path);
  });
  return created;
}

/** A link fails where the name is taken, so that of two runs ending at once neither replaces the other's file. */
function claim(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    // Not every file system has links: a small race is then the lesser evil.
    renameSync(temporary, path);
  }
  return true;
}

function writeBeside(path: string, text: string, publish: (temporary: string) => void): void {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    mkdirSync(folder, { recursive: true });
    // What takes the place of a device leaves no device: it is written to as it is.
    if (statSync(path, { throwIfNoEntry: false })?.isCharacterDevice()) return writeFileSync(path, text);
    writeThrough(temporary, text);
    publish(temporary);
    syncFolder(folder);
  } catch (error) {
    throw new Failure(`cannot write ${path}: ${reasonOf(error)}`, ExitCode.runFailed);
  } finally {
    removeIfThere(temporary);
  }
}

function writeThrough(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o644);
  try {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the new name itself survive a power cut; where folders cannot be opened the file is still whole. */
function syncFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch {
    // Windows and some network file systems.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder itself may be what is wrong, and that has its Failure already.
  }
}

const reasons: Record<string, string> = {
  EACCES: 'no permission. Choose another place with --out, or change the permissions of the folder.',
  EPERM: 'not permitted. Choose another place with --out.',
  EROFS: 'the file system is read-only. Choose another place with --out.',
  ENOSPC: 'the disk is full. Make room, or choose another place with --out.',
  EDQUOT: 'the disk quota is used up. Make room, or choose another place with --out.',
  EISDIR: 'it is a folder. Give the path of a file.',
  ENOTDIR: 'a part of the path is a file, not a folder.',
  EEXIST: 'a part of the path is a file, not a folder.',
  ENOENT: 'there is no such folder, and one is made only below the current folder. Make it first.',
  EPIPE: 'it is a pipe or a socket, which may wait for ever: write to - and redirect standard output.',
  ENAMETOOLONG: 'the name is too long.',
};

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
