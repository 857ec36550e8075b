import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Every relative link and anchor of the repository's Markdown leads somewhere, and what npm ships does not link to what it leaves out without saying so.
const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = new Set(filesBelow(''));
const pages = [...files].filter((file) => file.endsWith('.md'));

interface Link {
  page: string;
  /** The paragraph it stands in. */
  line: string;
  path: string;
  anchor: string;
}

/** Files and folders, but for what is generated or installed. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', 'coverage', '.git', '.fleet'].includes(name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? [path, ...filesBelow(path)] : [path];
    });
}

/** A page's prose: without fenced blocks and code spans, in which nothing is a link or a heading. */
function prose(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^( *)(```+)[\s\S]*?^\1\2$/gm, '');
  return text.split('\n');
}

function linksOf(page: string): Link[] {
  return prose(page).flatMap((line) =>
    [...line.replace(/`[^`]*`/g, '').matchAll(/\]\(([^()\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => {
        const [path = '', anchor = ''] = target.split('#');
        return { page, line, path: path === '' ? page : posix.join(posix.dirname(page), path), anchor };
      }),
  );
}

/** The anchors that GitHub gives a page's headings. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  return new Set(
    prose(page).flatMap((line) => {
      const heading = /^#{1,6} (.+)$/.exec(line)?.[1];
      if (heading === undefined) return [];
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const slug = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return [times === 0 ? slug : `${slug}-${times}`];
    }),
  );
}

const links = pages.flatMap(linksOf);
const words = ({ page, path, anchor }: Link) => `${page} → ${path}${anchor === '' ? '' : `#${anchor}`}`;

test('relative links lead to files of the repository, and anchors to headings', () => {
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(({ path, anchor }) => {
    if (!files.has(path)) return true;
    return anchor !== '' && path.endsWith('.md') && !anchorsOf(path).has(anchor);
  });
  expect(broken.map(words)).toEqual([]);
});

test('pages that are shipped link to what is not shipped only where they say that it is in the repository', () => {
  const { files: listed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    files: string[];
  };
  const shipped = (path: string) => listed.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const dangling = links.filter(
    ({ page, path, line }) => shipped(page) && !shipped(path) && !/\brepository\b/i.test(line),
  );
  expect(dangling.map(words)).toEqual([]);
});
