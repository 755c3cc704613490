// The page of the graph in a real browser, as its webview holds it: the built script, the stylesheet, the policy, and the editor's side of its messages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { renderPage } from '../../src/features/graph/renderPage.ts';
import {
  decodeFromPage,
  type FromPage,
  type PageAction,
  type ToPage,
} from '../../src/webview/graph/messages.ts';
import { root } from '../rig/paths.ts';
import type { PageTheme } from './themes.ts';

const origin = 'http://graph.test';

/** What the editor gives a page: messages go to the test, and the state survives a reload. `arrived` settles when the last message has arrived. */
const editorSide = `globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => {
    globalThis.arrived = globalThis.tellTest(message);
  },
  getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
  setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
});`;

let bundling: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/webview/graph/main.ts'],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    mainFields: ['module', 'main'],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

const html = renderPage({
  script: `${origin}/dist/graph.js`,
  style: `${origin}/media/graph.css`,
  cspSource: origin,
  nonce: 'once',
  language: 'en',
});

export class GraphPage {
  readonly page: Page;
  readonly #sent: (FromPage | PageAction)[] = [];
  /** What the page's policy refused, and what went wrong in it. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, size: { width: number; height: number }): Promise<GraphPage> {
    const page = await browser.newPage({ viewport: size });
    const opened = new GraphPage(page);
    const script = await (bundling ??= bundle());
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/dist/graph.js')
        return route.fulfill({ body: script, contentType: 'text/javascript' });
      if (pathname === '/media/graph.css')
        return route.fulfill({
          body: readFileSync(join(root, 'media', 'graph.css'), 'utf8'),
          contentType: 'text/css',
        });
      return route.fulfill({ body: html, contentType: 'text/html' });
    });
    page.on('pageerror', (error) => opened.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') opened.complaints.push(message.text());
    });
    await page.exposeFunction('tellTest', (value: unknown) => {
      const message = decodeFromPage(value);
      if (message === undefined) opened.complaints.push(`Not understood: ${JSON.stringify(value)}`);
      else opened.#sent.push(message.kind === 'act' ? message.action : message);
    });
    await page.addInitScript(editorSide);
    await page.goto(origin);
    return opened;
  }

  async post(...messages: readonly ToPage[]): Promise<void> {
    await this.page.evaluate((all) => {
      for (const message of all) window.dispatchEvent(new MessageEvent('message', { data: message }));
    }, messages);
  }

  /** All that the page has sent, decoded as the extension does. Waits until it has arrived: a message may come after what caused it has ended. */
  async sent(): Promise<readonly (FromPage | PageAction)[]> {
    await this.page.evaluate('globalThis.arrived');
    return [...this.#sent];
  }

  async lastSent(): Promise<FromPage | PageAction | undefined> {
    return (await this.sent()).at(-1);
  }

  async setTheme({ kind, variables }: PageTheme): Promise<void> {
    await this.page.evaluate(
      ({ kind: className, variables: all }) => {
        document.body.className = className;
        for (const [name, value] of Object.entries(all))
          document.documentElement.style.setProperty(name, value);
        document.documentElement.style.background = all['--vscode-panel-background'] ?? '';
      },
      { kind, variables },
    );
  }

  /** The options of a list as they're read out. */
  namesIn(list: 'nodes' | 'lanes'): Promise<readonly string[]> {
    return this.#read(`.${list} [role="option"]`);
  }

  /** Those that are selected. */
  selectedIn(list: 'nodes' | 'lanes'): Promise<readonly string[]> {
    return this.#read(`.${list} [role="option"][aria-selected="true"]`);
  }

  /** The list and the id of the option with the focus; empty without one. */
  focusedId(): Promise<string> {
    return this.page.evaluate(() => {
      const { activeElement: option } = document;
      const id = option instanceof HTMLElement ? option.dataset['id'] : undefined;
      return id === undefined ? '' : `${option?.className ?? ''} ${id}`;
    });
  }

  /** How the option with the focus is read out. */
  async focused(): Promise<string> {
    return (await this.#read('[role="option"]:focus'))[0] ?? '';
  }

  #read(selector: string): Promise<readonly string[]> {
    return this.page.locator(selector).evaluateAll((options) =>
      options.map((option) =>
        [...option.querySelectorAll('.name, .detail, .aloud')]
          .map(({ textContent }) => textContent)
          .filter((text) => text !== '')
          .join(', '),
      ),
    );
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}
