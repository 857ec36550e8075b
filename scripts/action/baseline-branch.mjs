// Baselines in a branch that holds nothing else: a folder for each scenario.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA, RUNNER_TEMP, INPUT_TOKEN } = process.env;

/** Copies a scenario's folder of the branch; false where there is none yet. */
export function fetchBranch({ branch, folder, into }) {
  const clone = openBranch(branch);
  const found = existsSync(join(clone, folder));
  if (found) cpSync(join(clone, folder), into, { recursive: true });
  rmSync(clone, { recursive: true, force: true });
  return found;
}

/** Puts result files in place of the scenario's folder and pushes; begun anew where somebody else pushed meanwhile. */
export function pushBranch({ branch, folder, results }) {
  for (let attempt = 1; ; attempt++) {
    const clone = openBranch(branch);
    const kept = join(clone, folder);
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(kept, { recursive: true });
    for (const file of readdirSync(results).filter((name) => /^run.*\.json$/.test(name)))
      cpSync(join(results, file), join(kept, file));
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message', `Baseline of ${folder} at ${GITHUB_SHA}`);
    try {
      git(clone, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    } finally {
      rmSync(clone, { recursive: true, force: true });
    }
  }
}

/** A small clone with the branch checked out, or with an empty one where it does not exist. */
function openBranch(branch) {
  const clone = mkdtempSync(join(RUNNER_TEMP, 'mcp-bench-branch-'));
  git(clone, 'init', '--quiet');
  git(clone, 'remote', 'add', 'origin', `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`);
  if (git(clone, 'ls-remote', 'origin', `refs/heads/${branch}`) === '') {
    git(clone, 'checkout', '--quiet', '--orphan', 'baseline');
    return clone;
  }
  git(clone, 'fetch', '--quiet', '--depth=1', 'origin', `refs/heads/${branch}`);
  git(clone, 'checkout', '--quiet', '-B', 'baseline', 'FETCH_HEAD');
  return clone;
}

// The token goes by the environment: arguments can be read by every process of the machine.
function git(cwd, ...args) {
  const name = 'github-actions[bot]';
  const email = '41898282+github-actions[bot]@users.noreply.github.com';
  const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${INPUT_TOKEN}`).toString('base64')}`;
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: name,
      GIT_COMMITTER_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_EMAIL: email,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${GITHUB_SERVER_URL}/.extraheader`,
      GIT_CONFIG_VALUE_0: header,
    },
  }).trim();
}
