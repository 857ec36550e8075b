/** The id of the newest run of a branch of this very repository that left the artifact, or ''. A fork's branch of the same name is not it. */
export async function newestArtifact({ name, branch, token }) {
  const { GITHUB_API_URL, GITHUB_REPOSITORY } = process.env;
  const url = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/actions/artifacts?per_page=100&name=${encodeURIComponent(name)}`;
  const answer = await fetch(url, {
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const { artifacts } = await answer.json();
  const [newest] = artifacts
    .filter(({ expired, workflow_run: run }) => !expired && run?.head_branch === branch)
    .filter(({ workflow_run: run }) => run.head_repository_id === run.repository_id)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return newest === undefined ? '' : String(newest.workflow_run.id);
}
