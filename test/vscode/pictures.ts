// Why: the README's pictures are taken of the real thing; run it when what they show has changed.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostTests, root, screenshots } from './paths.ts';
import { runInVsCode } from './runTests.ts';
import { startBrowser } from './web/browser.ts';
import { installWeb } from './web/install.ts';

/** Screenshots of the host tests, by the name that each has in the README. */
const pictures = {
  screenshot: 'completed',
  definition: 'inline-failed',
  conflict: 'definition-conflict',
  executions: 'executions',
};

const pictureOf = (name: string): string => join(root, 'media', `${name}.png`);

/** The upper left corner of a screenshot, where the Workflows view is. */
function corner(file: string): string {
  const data = readFileSync(join(screenshots, file)).toString('base64');
  return `<div style="background: url(data:image/png;base64,${data}) -45px -30px"></div>`;
}

/** One picture of every welcome view. */
async function composeWelcomeViews(): Promise<void> {
  const files = readdirSync(screenshots).filter((file) => file.startsWith('welcome-'));
  const style = `body { display: grid; grid-template-columns: repeat(5, 340px); gap: 8px; margin: 8px; background: #ddd }
    div { height: 225px }`;
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-pictures-'));
  const browser = await startBrowser({ browser: (await installWeb()).browser, folder });
  try {
    const page = await browser.newPage({ viewport: { width: 1750, height: 600 } });
    await page.setContent(`<style>${style}</style>${files.map(corner).join('')}`);
    await page.screenshot({ path: pictureOf('welcome-views'), fullPage: true });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const isTaken = await runInVsCode({
  developmentPath: root,
  installedPaths: [],
  testsPath: hostTests,
  environment: { WORKFLOW_TEST_FILES: 'firstMinute,welcome,inline,definitionConflicts,executionsView' },
  isBrowserOnly: true,
  isVerbose: false,
});
if (!isTaken) throw new Error('The pictures could not be taken.');
for (const [name, file] of Object.entries(pictures)) {
  copyFileSync(join(screenshots, `${file}.png`), pictureOf(name));
}
await composeWelcomeViews();
