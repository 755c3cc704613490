// The pictures of the README and of the walkthrough, and the moving one, taken of the real thing; run it when what they show has changed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Camera, media, showPointer, type Theme, themes } from './camera.ts';
import { copyExtension } from './copyExtension.ts';
import { debugged } from './debuggingPictures.ts';
import {
  appears,
  chooseInMenu,
  clickUntil,
  closeEditors,
  deployAndExecute,
  executionRow,
  find,
  lensAbove,
  openInput,
  replaceInEditor,
  row,
  runCommand,
  stepAside,
  view,
} from './guideHands.ts';
import { linked } from './filesPictures.ts';
import { type Frame, makeMovingPicture } from './movingPicture.ts';
import { ownN8n } from './n8nPictures.ts';
import { searched } from './searchingPictures.ts';
import { tested } from './testingPictures.ts';
import { screenshots } from './paths.ts';
import { openPersonWorkbench } from './personWorkbench.ts';
import { withBrowser } from './web/browser.ts';

const size = { width: 1280, height: 800 };

/** What the test host shows and a person's own VS Code doesn't. */
const hiddenStyle = `
  #status\\.forwardedPorts, #status\\.workbench\\.keyboardLayout, #status\\.host { display: none !important }
`;

async function firstMinute(camera: Camera): Promise<void> {
  const { page } = camera;
  await page.locator('.activitybar a[aria-label="Workflow Automation"]').click();
  const start = view(page, 'Workflows').getByRole('button', { name: 'Try the Local Service' });
  await start.hover();
  await camera.film(1500);
  await start.click();
  await row(page, 'Order totals').waitFor();
  await camera.film(1200);
  await camera.take('walkthrough', 'local', { x: 0, y: 0, width: 640, height: 400 });
  await openInput(camera, 'Order totals');
  await camera.film(1500);
  await deployAndExecute(camera);
  await executionRow(page, 'Execution').waitFor();
  await camera.filmUntil(page.locator('.part.panel .view-line', { hasText: 'Line 2' }), 400);
  await camera.take('pictures', 'follow');
  await camera.take('walkthrough', 'execute', { x: 0, y: 0, width: 640, height: 400 });
  await camera.filmUntil(executionRow(page, 'completed'), 400);
  await executionRow(page, 'completed').hover();
  await camera.film(1000);
  await clickUntil(
    executionRow(page, 'completed').getByRole('button', { name: 'Output' }),
    page.locator('.editor-container .view-line', { hasText: 'subtotal' }),
  );
  await camera.film(3000);
}

/** A failed execution: its node in the definition, and compared with one that succeeded. */
async function failure(camera: Camera): Promise<void> {
  const { page } = camera;
  camera.isFilming = false;
  await closeEditors(page);
  await openInput(camera, 'Signup check');
  await page.locator('.monaco-editor .view-line', { hasText: 'ada.example.com' }).click();
  await deployAndExecute(camera);
  await executionRow(page, 'failed').waitFor();
  const failed = executionRow(page, 'failed');
  const button = failed.getByRole('button', { name: 'Open Failed Node' });
  // The tree scrolls to what ran last.
  await view(page, 'Workflows').locator('.monaco-list-row', { hasText: 'Refuse' }).waitFor();
  do await failed.hover();
  while (!(await appears(button)));
  await button.hover();
  await camera.take('pictures', 'why-1-row', { x: 0, y: 0, width: 640, height: 300 });
  const name = page.locator('.view-line:visible', { hasText: '"name": "Refuse"' });
  await clickUntil(button, name);
  await stepAside(page);
  await page.locator('.view-line:visible', { hasText: '→' }).first().waitFor();
  await camera.take('pictures', 'why-2-line');
  await camera.take('walkthrough', 'failure', { x: 0, y: 60, width: 760, height: 440 });
  const run = page.locator('.editor-container .view-line:visible', { hasText: '"nodeId": "refuse"' });
  await clickUntil(lensAbove(page, 'Node Run', 'Refuse'), run);
  await camera.take('pictures', 'why-3-data');
  await runCommand(page, 'View: Close Editor');
  await runCommand(page, 'Workflows: Show Workflow Graph');
  const node = page.frameLocator('.webview.ready').frameLocator('#active-frame').getByText('Refuse').first();
  await node.waitFor();
  await stepAside(page);
  await camera.take('pictures', 'graph');
  await runCommand(page, 'Output: Focus on Output View');
}

async function definition(camera: Camera): Promise<void> {
  const { page } = camera;
  await page.keyboard.press('Control+J');
  await replaceInEditor(page, 'nodes.problems[]', 'nodes.');
  await page.locator('.suggest-widget .monaco-list-row', { hasText: 'problems' }).first().waitFor();
  await camera.take('pictures', 'definition');
  await page.keyboard.press('Escape');
  await runCommand(page, 'File: Revert File');
}

/** A node that is pinned, and one after it that is executed as its text stands. */
async function draft(camera: Camera): Promise<void> {
  const { page } = camera;
  const pinned = page.locator('.codelens-decoration a:visible', { hasText: 'Pinned:' });
  await find(page, 'Write down the reasons');
  await clickUntil(lensAbove(page, 'Pin Output', 'Acceptable?'), pinned);
  await replaceInEditor(page, 'nodes.problems[]', '$count(nodes.problems)');
  await runCommand(page, 'Workflows: Execute Node');
  await view(page, 'Executions')
    .locator('.monaco-list-row[aria-label*="draft"][aria-label*="completed"]')
    .first()
    .waitFor();
  await page.keyboard.press('Control+J');
  await page.locator('.view-line:visible', { hasText: '"problems":1' }).first().waitFor();
  await stepAside(page);
  await camera.take('pictures', 'draft');
  await runCommand(page, 'File: Revert File');
}

/** An execution that succeeds, then the comparison of the failed one with it. */
async function comparison(camera: Camera): Promise<void> {
  const { page } = camera;
  await openInput(camera, 'Signup check');
  await replaceInEditor(page, 'ada.example.com', 'ada@example.com');
  await page.keyboard.press('Control+Enter');
  const workflow = view(page, 'Workflows').locator('.monaco-list-row[aria-level="1"]');
  await workflow.and(page.locator('[aria-label^="Signup check"][aria-label*="completed"]')).waitFor();
  const failed = view(page, 'Executions').locator('.monaco-list-row[aria-label*="failed"]').first();
  const difference = page.locator('.view-line:visible', { hasText: 'First difference' }).first();
  await chooseInMenu(failed, 'Compare with Last Success', difference);
  await page.keyboard.press('Control+J');
  await page.locator('.codelens-decoration', { hasText: 'Open Left' }).first().waitFor();
  await stepAside(page);
  await camera.take('pictures', 'compare');
}

async function collapseAll(page: Page): Promise<void> {
  await view(page, 'Workflows').hover();
  await view(page, 'Workflows').getByRole('button', { name: 'Collapse All' }).click();
}

/** An execution that is cancelled, and a retry of it that goes on from there. */
async function retry(camera: Camera): Promise<void> {
  const { page } = camera;
  await collapseAll(page);
  await openInput(camera, 'Signup check');
  await page.keyboard.press('Control+Enter');
  const row = view(page, 'Workflows').locator('.monaco-list-row');
  await row.and(page.getByRole('treeitem', { name: /Look again.*(running|waiting)/ })).waitFor();
  const newest = row.and(page.getByRole('treeitem', { name: /^Execution .*(running|waiting)/ })).first();
  const cancelled = executionRow(page, 'cancelled');
  await newest.hover();
  await clickUntil(newest.getByRole('button', { name: 'Cancel Execution' }), cancelled);
  await cancelled.hover();
  await clickUntil(
    cancelled.getByRole('button', { name: 'Retry from Failed Node' }),
    executionRow(page, 'retry of'),
  );
  await view(page, 'Workflows')
    .locator('.monaco-list-row[aria-label*="retry of"][aria-label*="completed"]')
    .waitFor();
  await page.keyboard.press('Control+J');
  await stepAside(page);
  await camera.take('pictures', 'retry', { x: 0, y: 0, width: 640, height: 400 });
}

async function input(camera: Camera): Promise<void> {
  const { page } = camera;
  await closeEditors(page);
  await collapseAll(page);
  await openInput(camera, 'Order totals');
  await stepAside(page);
  await replaceInEditor(page, '"Pen"', 'true');
  await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
  await page.locator('.monaco-hover:visible', { hasText: 'type' }).first().waitFor();
  await camera.take('pictures', 'input');
  await runCommand(page, 'File: Revert File');
}

async function integration(camera: Camera): Promise<void> {
  const { page } = camera;
  await runCommand(page, 'Workflows: Copy Workflow as…');
  await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'cURL' }).first().click();
  await closeEditors(page);
  await view(page, 'Portal Events').locator('.pane-header').click();
  await runCommand(page, 'File: New Untitled Text File');
  await page.keyboard.press('Control+V');
  await page.locator('.view-line', { hasText: 'curl' }).first().waitFor();
  await view(page, 'Portal Events').locator('.monaco-list-row').first().waitFor();
  await camera.take('pictures', 'integrate');
}

async function connecting(camera: Camera): Promise<void> {
  const { page } = camera;
  await runCommand(page, 'View: Revert and Close Editor');
  await runCommand(page, 'Workflows: Connect to a Service');
  await page.locator('.quick-input-title', { hasText: 'Connect' }).waitFor();
  await stepAside(page);
  await camera.take('walkthrough', 'connect', { x: 260, y: 0, width: 760, height: 220 });
  await page.keyboard.press('Escape');
}

async function takeAll(theme: Theme): Promise<readonly Frame[]> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-guide-'));
  const extensions = join(folder, 'extensions');
  copyExtension(join(extensions, 'workflow-automation.workflow-automation'));
  try {
    await using stack = new AsyncDisposableStack();
    const page = await openPersonWorkbench(stack, {
      folder,
      extensions,
      settings: {
        'workbench.colorTheme': themes[theme],
        'window.title': 'Workflow Automation',
        'editor.minimap.enabled': false,
      },
      context: { viewport: size, permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await page.addStyleTag({ content: hiddenStyle });
    await showPointer(page);
    const camera = new Camera(page, theme);
    try {
      await firstMinute(camera);
      await failure(camera);
      await definition(camera);
      await draft(camera);
      await comparison(camera);
      await searched(camera);
      await tested(camera);
      await retry(camera);
      await debugged(camera);
      await input(camera);
      await integration(camera);
      await connecting(camera);
      await linked(camera);
      await ownN8n(camera);
    } catch (error) {
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, 'guide-failed.png') });
      throw error;
    }
    return camera.frames;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function saveMovingPicture(browser: Browser, frames: readonly Frame[]): Promise<void> {
  const file = join(media, 'pictures', 'first-minute.gif');
  writeFileSync(file, await makeMovingPicture(browser, frames, size));
}

async function saveIcon(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
  const icon = readFileSync(join(media, 'icon.svg'), 'utf8');
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${icon}`);
  await page.screenshot({ path: join(media, 'icon.png'), omitBackground: true });
}

mkdirSync(join(media, 'pictures'), { recursive: true });
await withBrowser(saveIcon);
await takeAll('light');
const frames = await takeAll('dark');
await withBrowser((browser) => saveMovingPicture(browser, frames));
