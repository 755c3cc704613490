// A headless browser that needs nothing of the machine: its libraries and fonts come with it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { installWeb } from './install.ts';

export interface BrowserOptions {
  /** The unpacked browser, from installWeb(). */
  readonly browser: string;
  /** This run's own folder, for the browser's profile and temporary files. */
  readonly folder: string;
}

const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
];

/** Starts the browser without a window. It never asks the network for anything but the page it is sent to. */
export async function startBrowser({ browser, folder }: BrowserOptions): Promise<Browser> {
  const temporary = join(folder, 'browser');
  mkdirSync(temporary, { recursive: true });
  return chromium.launch({
    executablePath: join(browser, 'chromium'),
    args,
    env: {
      ...process.env,
      HOME: temporary,
      TMPDIR: temporary,
      XDG_CACHE_HOME: temporary,
      XDG_CONFIG_HOME: temporary,
      LD_LIBRARY_PATH: join(browser, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(browser, 'fonts'),
    },
  });
}

/** Works with a browser of its own, which leaves nothing behind. */
export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-browser-'));
  const browser = await startBrowser({ browser: (await installWeb()).browser, folder });
  try {
    await work(browser);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The half of the key that seals secrets; otherwise answered by code-server's own front end. */
const sealingKey = Buffer.alloc(32, 7);

/** What moves is drawn again and again without a graphics processor here, which takes a fifth of the time from the tests. */
export function standStill(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
}

export interface TestListener {
  /** What the extension host's console says while tests run. */
  onLog(text: string): void;
  /** The tests ended; 0 when all passed. */
  onExit(code: number): void;
}

/** Opens the workbench with what it needs to run tests, straight at the server. */
export async function openTests(browser: Browser, address: string, listener: TestListener): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await page.addInitScript(standStill);
  await page.exposeFunction('codeAutomationLog', (_type: string, values: readonly unknown[]) =>
    listener.onLog(format(...values)),
  );
  await page.exposeFunction('codeAutomationExit', (code: number) => listener.onExit(code));
  await page.route('**/mint-key', (route) => route.fulfill({ body: sealingKey }));
  await page.goto(address);
  return page;
}
