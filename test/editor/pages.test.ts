// Each page is short enough for its reader, and what it points to is there.
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../rig/paths.ts';
import { readText } from '../support/manifest.ts';

const find = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.includes('/fixtures/'))
    .sort();
const folders = [...find('src/**/README.md'), ...find('test/**/README.md')];
const pages = [...find('*.md'), ...find('media/**/*.md'), ...folders];

/** As links name it: "## Metrics and logs" is "metrics-and-logs". */
const anchorsOf = (page: string): readonly string[] =>
  [...readText(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

function isThere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  return existsSync(join(root, file)) && (anchor === undefined || anchorsOf(file).includes(anchor));
}

/** Links, without those in code. */
const linksOf = (page: string): readonly string[] =>
  [
    ...readText(page)
      .replaceAll(/```[^]*?```|`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].flatMap(([, link = '']) => (/^https?:/.test(link) ? [] : [link]));

describe('a page', () => {
  const kibibytes = { 'README.md': 14, 'CONTRIBUTING.md': 10, 'SECURITY.md': 6 };
  for (const [page, limit] of Object.entries(kibibytes))
    it(`such as ${page} has at most ${limit} KiB`, () =>
      assert.ok(Buffer.byteLength(readText(page)) <= limit * 1024));

  it('such as the changelog tells of a release in at most 3 KiB', () => {
    const [, ...releases] = readText('CHANGELOG.md').split(/^## /m);
    assert.ok(releases.length > 0);
    for (const release of releases) assert.ok(Buffer.byteLength(release) <= 3 * 1024);
  });

  it('on a folder has at most 60 lines', () => {
    assert.ok(folders.length > 5);
    assert.deepEqual(
      folders.filter((page) => readText(page).trimEnd().split('\n').length > 60),
      [],
    );
  });

  it('links only what is there', () => {
    const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
    assert.ok(links.length > 60);
    assert.deepEqual(
      links.filter(({ page, link }) => !isThere(page, link)),
      [],
    );
  });
});

/** What stands in code and looks like a file or folder of the sources, without the patterns and the folders that only a run makes. */
const pathsOf = (page: string): readonly string[] =>
  [...readText(page).matchAll(/`([\w/.-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => path.endsWith('.ts') || (path.includes('/') && /^[a-z]/.test(path)));

/** A path begins at src, at the root or in the page's folder; a name alone may stand anywhere below it. */
const isSource = (page: string, path: string): boolean =>
  ['src', '', dirname(page)].some((begin) => existsSync(join(root, begin, path))) ||
  (!path.includes('/') && find(`${dirname(page)}/**/${path}`).length > 0);

describe('a page on a folder', () => {
  it('names only files and folders that are there', () => {
    const named = folders.flatMap((page) => pathsOf(page).map((path) => ({ page, path })));
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter(({ page, path }) => !isSource(page, path)),
      [],
    );
  });
});

describe('the table of what is where in CONTRIBUTING.md', () => {
  const [table = ''] = /\| To find[^]*?\n\n/.exec(readText('CONTRIBUTING.md')) ?? [];
  const paths = [...table.matchAll(/`([\w.]+\/[\w./]+)`/g)].map(([, path = '']) => path);

  it('names files and folders that are there', () => {
    assert.ok(paths.length > 50);
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(root, 'src', path))),
      [],
    );
  });
});
