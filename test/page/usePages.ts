// A browser for the tests of a suite, and a page for each.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../rig/web/browser.ts';
import { canInstallWeb, installWeb } from '../rig/web/install.ts';
import { GraphPage } from './graphPage.ts';

export const low = { width: 920, height: 240 };
export const tall = { width: 700, height: 640 };
export const narrow = { width: 320, height: 520 };

/** Call in a suite. Returns what opens the page of a test, which is closed after it and must have nothing to complain of. */
export function usePages(): (size?: { width: number; height: number }) => Promise<GraphPage> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-page-'));
  let browser: Browser | undefined;
  let graph: GraphPage | undefined;
  before(async function () {
    if (!canInstallWeb) this.skip();
    browser = await startBrowser({ browser: (await installWeb()).browser, folder });
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  afterEach(async () => {
    const complaints = graph?.complaints ?? [];
    await graph?.page.close();
    graph = undefined;
    assert.deepEqual(complaints, []);
  });
  return async (size = low) => {
    assert.ok(browser);
    graph = await GraphPage.open(browser, size);
    return graph;
  };
}
