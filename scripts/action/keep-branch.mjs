// Step of action.yml: keeps the results as the new baseline, in a branch.
import { pushBranch } from './baseline-branch.mjs';
import { fail, input } from './workflow.mjs';

const branch = input('BASELINE_NAME');
try {
  pushBranch({ branch, folder: input('FOLDER'), results: input('RESULTS') });
} catch {
  fail(
    `the baseline could not be pushed to ${branch}: see above. Does the job have "permissions: contents: write"?`,
  );
}
