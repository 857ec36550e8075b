// Step of action.yml: understands the inputs, finds the baseline, and says where everything goes.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fetchBranch } from './baseline-branch.mjs';
import { newestArtifact } from './baseline-artifact.mjs';
import { annotate, fail, input, setOutputs } from './workflow.mjs';
import { parseFailOn } from './verdict.mjs';

const scenario = input('SCENARIO');
if (!existsSync(scenario)) fail(`scenario: there is no file ${scenario}`);
parseFailOn(input('FAIL_ON'), fail);
const stem = basename(scenario)
  .replace(/\.ya?ml$/i, '')
  .replaceAll(/[^\w.-]+/g, '-');
const baseline = parseBaseline(input('BASELINE'));
const folder = join(process.env.RUNNER_TEMP, 'mcp-bench', 'baseline', stem);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const defaultBranch = defaultBranchOf();
const outputs = {
  results: resolve(input('RESULTS'), stem),
  'artifact-name': input('ARTIFACT') === '' ? '' : `${input('ARTIFACT')}-${stem}`,
  baseline: baseline.kind === 'path' ? baseline.path : baseline.kind === 'none' ? '' : folder,
  'baseline-name': baseline.name ?? '',
  'baseline-folder': stem,
  save: wantsSaving() ? baseline.kind : '',
};
if (baseline.kind === 'artifact') outputs['artifact-run'] = await findArtifact(baseline.name);
if (baseline.kind === 'branch' && !fetchBranch({ branch: baseline.name, folder: stem, into: folder }))
  annotate('notice', 'mcp-bench', `no baseline yet in the branch ${baseline.name}: nothing to compare with`);
setOutputs(outputs);

function parseBaseline(text) {
  if (text === '') return { kind: 'none' };
  const [, kind, name] = /^(artifact|branch)(?::(.+))?$/.exec(text) ?? [];
  if (kind === 'artifact') return { kind, name: name ?? `mcp-bench-baseline-${stem}` };
  if (kind === 'branch') return { kind, name: name ?? 'mcp-bench-baseline' };
  return { kind: 'path', path: resolve(text) };
}

function wantsSaving() {
  const given = input('SAVE_BASELINE');
  if (!['auto', 'true', 'false'].includes(given))
    fail(`save-baseline: expected auto, true or false, found "${given}"`);
  if (baseline.kind !== 'artifact' && baseline.kind !== 'branch') return false;
  if (given !== 'auto') return given === 'true';
  const { GITHUB_EVENT_NAME: event = '', GITHUB_REF: ref } = process.env;
  return !event.startsWith('pull_request') && ref === `refs/heads/${defaultBranch}`;
}

function defaultBranchOf() {
  try {
    return (
      JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8')).repository.default_branch ?? 'main'
    );
  } catch {
    return 'main';
  }
}

async function findArtifact(name) {
  const run = await newestArtifact({ name, branch: defaultBranch, token: input('TOKEN') }).catch((error) =>
    fail(
      `baseline: cannot list artifacts: ${error.message}. Does the job have "permissions: actions: read"?`,
    ),
  );
  if (run === '')
    annotate('notice', 'mcp-bench', `no artifact ${name} of ${defaultBranch} yet: nothing to compare with`);
  return run;
}
