// Every error and every welcome view of the host tests on a few sheets, for reading their words; run it when they have changed.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { media } from './camera.ts';
import { runInVsCode } from './hostRun.ts';
import { hostTests, screenshots } from './paths.ts';
import { withBrowser } from './web/browser.ts';

function screenshotsNamed(beginning: string): readonly string[] {
  return readdirSync(screenshots)
    .filter((file) => file.startsWith(beginning))
    .sort();
}

const addressOf = (file: string): string =>
  `data:image/png;base64,${readFileSync(join(screenshots, file)).toString('base64')}`;

/** A page that becomes one picture. */
interface Sheet {
  readonly name: string;
  readonly width: number;
  readonly style: string;
  readonly content: string;
}

/** The upper left corner of each welcome view's screenshot, where the Workflows view is. */
function welcomeViews(): Sheet {
  const corner = (file: string) => `<div style="background: url(${addressOf(file)}) -45px -30px"></div>`;
  return {
    name: 'welcome-views',
    width: 1750,
    style: `body { display: grid; grid-template-columns: repeat(5, 340px); gap: 8px; background: #ddd }
      div { height: 225px }`,
    content: screenshotsNamed('welcome-').map(corner).join(''),
  };
}

/** The errors of some groups, each with its name above it, the groups one after the other. */
function errors(name: string, groups: readonly string[]): Sheet {
  const figure = (file: string) =>
    `<figure><figcaption>${basename(file, '.png').replace('error-', '').replaceAll('-', ' ')}</figcaption>
      <img src="${addressOf(file)}"></figure>`;
  const files = groups.flatMap((group) => screenshotsNamed(`error-${group}-`));
  return {
    name,
    width: 1440,
    style: `body { columns: 3; column-gap: 16px; background: #ddd; font: 12px sans-serif }
      figure { margin: 0 0 12px; break-inside: avoid }
      figcaption { margin-bottom: 3px; color: #444 }
      img { display: block; max-width: 100% }`,
    content: files.map(figure).join(''),
  };
}

async function take(browser: Browser, sheets: readonly Sheet[]): Promise<void> {
  for (const { name, width, style, content } of sheets) {
    const page = await browser.newPage({ viewport: { width, height: 600 } });
    await page.setContent(`<!doctype html><style>body { margin: 8px } ${style}</style>${content}`);
    await page.screenshot({ path: join(media, 'pictures', `${name}.png`), fullPage: true });
  }
}

mkdirSync(screenshots, { recursive: true });
// Pictures of what is met no more would be among the others.
for (const file of screenshotsNamed('error-')) rmSync(join(screenshots, file));
// Some errors are those of a VS Code that knows no service yet.
for (const files of ['welcome.test.cjs', 'errors/errors.test.cjs']) {
  const isTaken = await runInVsCode({
    testsPath: hostTests,
    environment: { WORKFLOW_TEST_FILES: files, WORKFLOW_TEST_PICTURES: 'yes' },
    desktop: { reason: 'pictures are taken without a window' },
    isVerbose: false,
  });
  if (!isTaken) throw new Error('The pictures could not be taken.');
}
await withBrowser((browser) =>
  take(browser, [
    welcomeViews(),
    errors('errors-of-services', ['service', 'unreachable', 'unreadable']),
    errors('errors-of-connections', ['local', 'connection']),
    errors('errors-of-commands', ['command', 'import']),
    errors('errors-in-place', ['shown', 'text']),
  ]),
);
