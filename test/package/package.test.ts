// The package itself, as a person installs it: nothing of the checkout is there, and the main job is done from the first button on.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import manifest from '../../package.json' with { type: 'json' };
import { clickUntil, executionRow, view } from '../rig/guideHands.ts';
import { root } from '../rig/paths.ts';
import { openPersonWorkbench } from '../rig/personWorkbench.ts';
import { canInstallWeb, installWeb } from '../rig/web/install.ts';
import { testDialogs } from './dialogs.ts';

const minutes = 60_000;

/** Runs a program to its end with this Node; answers what it wrote. */
function runNode(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, `${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Makes the package of what is built, with the last command of "npm run package". */
function makePackage(path: string): void {
  const [, program = ''] = manifest.scripts.package.split(' && node ');
  assert.ok(existsSync(join(root, program)), program);
  runNode([program, '--out', path]);
}

const Sources = v.object({ sources: v.array(v.string()) });

/** The packages that the maps of the shipped bundles name. */
function packagesInMaps(): readonly string[] {
  const maps = globSync(['dist/*.map', 'dist/{chunks,programs}/*.map'], { cwd: root });
  assert.ok(maps.length > 3);
  const sources = maps.flatMap(
    (file) => v.parse(Sources, JSON.parse(readFileSync(join(root, file), 'utf8'))).sources,
  );
  const names = sources.flatMap(
    (source) => /(?:.*node_modules|webpack:\/)\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

/** From the first button to the log of an execution. */
async function doMainJob(page: Page): Promise<void> {
  await page.locator('.activitybar a[aria-label="Workflow Automation"]').click();
  const workflows = view(page, 'Workflows');
  await workflows.getByRole('button', { name: 'Try the Local Service' }).click();
  const rows = workflows.locator('.monaco-list-row');
  const sample = rows.filter({ hasText: 'Order totals' });
  await sample.hover();
  const lens = page.locator('.codelens-decoration a:has-text("Execute")').first();
  await clickUntil(sample.getByRole('button', { name: /^Execute/ }), lens);
  const dialog = page.locator('.monaco-dialog-box');
  await clickUntil(lens, dialog.getByRole('button', { name: 'Deploy and Execute' }));
  await page.keyboard.press('Enter');

  await executionRow(page, 'completed').waitFor();
  const lines = page.locator('.part.panel .view-line');
  await lines.filter({ hasText: 'Line 3: 1 x Backpack = 59.9' }).waitFor();
  await lines.filter({ hasText: '> completed in' }).waitFor();
}

describe('The package', function () {
  this.timeout(5 * minutes);

  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-package-'));
  const vsix = join(folder, 'extension.vsix');
  const extensions = join(folder, 'extensions');
  let installed = '';

  before(async function () {
    if (!canInstallWeb) this.skip();
    makePackage(vsix);
    const { server } = await installWeb();
    const words = ['--accept-server-license-terms', '--server-data-dir', join(folder, 'server')];
    runNode([server, ...words, '--extensions-dir', extensions, '--install-extension', vsix]);
    const [name = ''] = readdirSync(extensions).filter((each) => each.startsWith(manifest.publisher));
    installed = join(extensions, name);
  });
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('holds what runs and what a person reads, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    const wanted = ['LICENSE', 'LICENSE.txt', 'CHANGELOG.md', 'changelog.md', 'SECURITY.md', 'README.md'];
    const others = files
      .map((file) => file.replaceAll('\\', '/'))
      .filter(
        (file) =>
          !/^(dist|media|l10n)(\/|$)/.test(file) &&
          !/^(package(\.nls(\.\w+)?)?\.json|\.vsixmanifest)$/.test(file),
      )
      .filter((file) => !wanted.some((name) => name.toLowerCase() === file.toLowerCase()));
    assert.deepEqual(others, []);
    assert.deepEqual(
      files.filter((file) => /\.(map|ts|gif)$|[\\/](test|pictures)([\\/]|$)/.test(file)),
      [],
    );
  });

  // The page of an installed extension shows pictures from an https address only and opens no relative link.
  it('has a README whose pictures and links all work on its page, without what takes a clone', () => {
    const [readme = ''] = readdirSync(installed).filter((name) => /^readme\.md$/i.test(name));
    const text = readFileSync(join(installed, readme), 'utf8');
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(
      ([, title = '']) =>
        `#${title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-')}`,
    );
    const places = [...text.matchAll(/\]\(([^)]*)\)|(?:src|srcset|href)=["']([^"']*)/g)].map(
      ([, markdown, html]) => markdown ?? html ?? '',
    );
    assert.deepEqual(
      places.filter((place) => !place.startsWith('https://') && !headings.includes(place)),
      [],
    );
    assert.ok(headings.includes('#troubleshooting'));
    assert.doesNotMatch(text, /npm (ci|run|start|test|exec)|<!--/);
  });

  it('has the guide, whose links lead to files that are there, without what takes a clone', () => {
    const guide = join(installed, 'media', 'guide');
    const pages = readdirSync(guide);
    assert.ok(pages.includes('service.md'));
    for (const page of pages) {
      const text = readFileSync(join(guide, page), 'utf8');
      const places = [...text.matchAll(/\]\(([^)#]+)[^)]*\)|(?:src|srcset)="([^"]*)/g)].map(
        ([, link, picture]) => link ?? picture ?? '',
      );
      for (const place of places) assert.ok(existsSync(join(guide, place)), `${page}: ${place}`);
      assert.doesNotMatch(text, /npm (ci|run|start|test|exec)|<!--/);
    }
  });

  it('names every package that its bundles hold, also those that came inside another, and no others', () => {
    const text = readFileSync(join(installed, 'dist', 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    const named = [...text.matchAll(/^- (\S+) \S+ \(.+\)$/gm)].map(([, name = '']) => name);
    const included = [...text.matchAll(/^It includes a build of (\S+) /gm)].map(([, name = '']) => name);
    const bundled = packagesInMaps();
    assert.ok(bundled.length > 10);
    assert.deepEqual(
      bundled.filter((name) => !named.includes(name) && !included.includes(name)),
      [],
    );
    assert.deepEqual(
      named.filter((name) => !bundled.includes(name)),
      [],
    );
  });

  describe('in a VS Code that has nothing else of ours', () => {
    const stack = new AsyncDisposableStack();
    let page: Page;
    before(async () => {
      page = await openPersonWorkbench(stack, {
        folder,
        extensions,
        isStill: true,
        context: { permissions: ['clipboard-read', 'clipboard-write'] },
      });
    });
    after(() => stack.disposeAsync());

    it('does the main job', () => doMainJob(page));
    testDialogs(() => page);
  });
});
