// A VS Code as a person has it: no test runs in it, so it shows dialogs and notifications; driven from outside, by mouse and keys.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { JsonObject } from '../../src/base/json.ts';
import { writeSettings } from './profile.ts';
import { standStill, startBrowser } from './web/browser.ts';
import { startFront } from './web/front.ts';
import { installWeb } from './web/install.ts';
import { startServer } from './web/server.ts';

interface PersonWorkbenchOptions {
  /** This run's own folder: profile, workspace, temporary files. */
  readonly folder: string;
  /** The folder of the installed extensions. */
  readonly extensions: string;
  readonly settings?: JsonObject;
  readonly context?: BrowserContextOptions;
  /** True: nothing moves, which leaves the time to the tests. */
  readonly isStill?: boolean;
}

/** How long a person waits for something to come into sight, in milliseconds. */
const waitMilliseconds = 60_000;

/** Opens a window on an empty folder, with a new profile. `stack` ends it. */
export async function openPersonWorkbench(
  stack: AsyncDisposableStack,
  { folder, extensions, settings = {}, context = {}, isStill = false }: PersonWorkbenchOptions,
): Promise<Page> {
  const { server, browser: unpacked } = await installWeb();
  mkdirSync(folder, { recursive: true });
  const userData = mkdtempSync(join(folder, 'user-'));
  writeSettings(userData, settings);
  const vsCode = await startServer({
    server,
    folder: join(folder, 'server'),
    extensions,
    userData,
    workspace: mkdtempSync(join(folder, 'workspace-')),
    environment: { ...process.env, HOME: folder },
  });
  stack.defer(vsCode.stop);
  const front = await startFront(vsCode, folder);
  stack.defer(front.stop);
  const browser = await startBrowser({ browser: unpacked, folder });
  stack.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...context });
  page.setDefaultTimeout(waitMilliseconds);
  if (isStill) await page.addInitScript(standStill);
  await page.goto(front.address);
  return page;
}
