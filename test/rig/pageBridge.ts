// Tests run in the extension host and cannot see the screen; this lets them read, press and photograph it.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { errors, type Locator, type Page } from 'playwright-core';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { screenshots } from './paths.ts';

export interface PageBridge {
  /** Where requests go; its last part is the secret. Handed to the tests in the environment. */
  readonly address: string;
  readonly stop: () => void;
}

/** The environment variable through which the tests learn the address. */
export const bridgeVariable = 'WORKFLOW_TEST_PAGE';

const waitMilliseconds = 45_000;
const glanceMilliseconds = 1_000;
/** A click that takes as long as this isn't half done. */
const clickMilliseconds = 5_000;

const word = (request: JsonObject, name: string): string => {
  const value = request[name];
  if (typeof value !== 'string') throw new Error(`The page was asked without "${name}".`);
  return value;
};

/** In pixels, from the upper left corner of the page. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The rows of a tree or list as they are drawn, top to bottom. */
const readRows = (page: Page, selector: string): Promise<JsonValue> =>
  page.locator(`${selector} .monaco-list-row`).evaluateAll((elements) =>
    elements
      .map((element) => ({
        top: element.getBoundingClientRect().top,
        label: (element.querySelector('.label-name')?.textContent ?? '').replaceAll('\u00a0', ' '),
        description: element.querySelector('.label-description')?.textContent ?? '',
        accessibleName: element.getAttribute('aria-label') ?? '',
        level: Number(element.getAttribute('aria-level') ?? 1),
        isExpanded: element.getAttribute('aria-expanded') === 'true',
        icon: element.querySelector('.custom-view-tree-node-item-icon')?.className ?? '',
      }))
      .sort((one, other) => one.top - other.top)
      .map(({ top: _top, ...row }) => row),
  );

/** When a view first shows a row or a welcome text other than the one named, in ms since 1970. The page looks with each frame. */
async function firstShown(page: Page, selector: string, otherThan: string): Promise<number> {
  const shown = await page.waitForFunction(
    ({ selector, otherThan }) => {
      const rows = document.querySelector(`${selector} .monaco-list-row`);
      const welcome = document.querySelector(`${selector} .welcome-view-content`)?.textContent ?? '';
      const isShown = rows !== null || (welcome !== '' && !welcome.includes(otherThan));
      return isShown ? performance.timeOrigin + performance.now() : null;
    },
    { selector, otherThan },
    { polling: 'raf', timeout: waitMilliseconds },
  );
  return Number(await shown.jsonValue());
}

/** The first match that is drawn: what is hidden, such as a closed panel, may match too. */
function visible(page: Page, selector: string): Locator {
  return page.locator(selector).filter({ visible: true }).first();
}

/** Where the first match stands, rather than the match itself: the editor may draw it anew meanwhile, and what it just threw away stands nowhere. */
async function placeOf(page: Page, selector: string): Promise<Place> {
  const end = performance.now() + waitMilliseconds;
  while (performance.now() < end) {
    const place = await visible(page, selector).evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    });
    if (place.width > 0 && place.height > 0) return place;
  }
  throw new Error(`What matches ${selector} has no size.`);
}

/** The whole page, or of a selector its first match and nothing around it. */
async function screenshot(page: Page, name: string, selector?: string): Promise<string> {
  mkdirSync(screenshots, { recursive: true });
  const path = join(screenshots, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
  if (selector === undefined) {
    await page.screenshot({ path });
  } else {
    const clip = await placeOf(page, selector);
    // What still moves is shown as it will be.
    await page.screenshot({ path, clip, animations: 'disabled' });
  }
  return path;
}

/** False when it took too long. */
async function isInTime(done: Promise<void>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** What can be asked of the page, by name; test/host/page.ts is the asking side. */
const answers: Readonly<Record<string, (page: Page, request: JsonObject) => Promise<JsonValue>>> = {
  /** The lines of editors, each with the text that decorations put behind its parts. */
  async lines(page) {
    const lines = await page.locator('.view-line').evaluateAll((elements) =>
      elements.map((line) => {
        const behind = [...line.querySelectorAll('span span')].map(
          (part) => /^"(.*)"$/.exec(getComputedStyle(part, '::after').content)?.[1] ?? '',
        );
        return [line.textContent, ...behind].join('');
      }),
    );
    return lines.map((text) => text.replaceAll('\u00a0', ' ').replaceAll('\\"', '"'));
  },
  async texts(page, request) {
    const texts = await page
      .locator(word(request, 'selector'))
      .evaluateAll((elements) =>
        elements.map((element) => (element instanceof HTMLElement ? element.innerText : '')),
      );
    // The editor draws spaces as ones that do not break.
    return texts.map((text) => text.replaceAll('\u00a0', ' '));
  },
  /** Where each match stands in its list, and what it says. */
  cursors: (page, request) =>
    page
      .locator(word(request, 'selector'))
      .filter({ visible: true })
      .evaluateAll((elements) =>
        elements.map((element) => ({
          index: element.closest('.monaco-list-row')?.getAttribute('data-index') ?? '',
          text: (element instanceof HTMLElement ? element.innerText : '').replaceAll('\u00a0', ' '),
        })),
      ),
  /** What stands in the field that has the focus; null where none has it. */
  written: (page) =>
    page
      .locator('input:focus')
      .evaluateAll(([field]) => (field instanceof HTMLInputElement ? field.value : null)),
  rows: (page, request) => readRows(page, word(request, 'selector')),
  firstShown: (page, request) => firstShown(page, word(request, 'selector'), word(request, 'otherThan')),
  screenshot: (page, request) =>
    screenshot(
      page,
      word(request, 'name'),
      request['selector'] === undefined ? undefined : word(request, 'selector'),
    ),
  async waitFor(page, request) {
    const state = request['isGone'] === true ? 'hidden' : 'visible';
    await visible(page, word(request, 'selector')).waitFor({ state, timeout: waitMilliseconds });
    return null;
  },
  async click(page, request) {
    await visible(page, word(request, 'selector')).click({ timeout: waitMilliseconds });
    return null;
  },
  appears: (page, request) =>
    isInTime(visible(page, word(request, 'selector')).waitFor({ timeout: glanceMilliseconds })),
  clickIfThere: (page, request) =>
    isInTime(visible(page, word(request, 'selector')).click({ timeout: clickMilliseconds })),
  async drag(page, request) {
    const target = visible(page, word(request, 'target'));
    await visible(page, word(request, 'selector')).dragTo(target, { timeout: waitMilliseconds });
    return null;
  },
  async hover(page, request) {
    await visible(page, word(request, 'selector')).hover({ timeout: waitMilliseconds });
    return null;
  },
  async press(page, request) {
    await page.keyboard.press(word(request, 'keys'));
    return null;
  },
  async type(page, request) {
    await page.keyboard.type(word(request, 'text'));
    return null;
  },
  async enter(page, request) {
    await page.keyboard.insertText(word(request, 'text'));
    return null;
  },
};

async function answer(request: IncomingMessage, page: () => Promise<Page>): Promise<JsonValue> {
  const body = parseJson(await text(request));
  if (!isJsonObject(body)) throw new Error('The page was asked something that is not a JSON object.');
  const run = answers[word(body, 'do')];
  if (run === undefined) throw new Error(`The page cannot ${word(body, 'do')}.`);
  return run(await page(), body);
}

/** Serves requests about a page on the loopback, to whoever knows the address. */
export async function startPageBridge(page: () => Promise<Page>): Promise<PageBridge> {
  const secret = Buffer.from(`/${randomBytes(24).toString('hex')}`);
  const server = createServer((request, response) => {
    const asked = Buffer.from(request.url ?? '');
    if (asked.length !== secret.length || !timingSafeEqual(asked, secret)) {
      response.writeHead(404).end();
      return;
    }
    answer(request, page).then(
      (value) => response.end(JSON.stringify({ value })),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The page bridge has no port.');
  return {
    address: `http://127.0.0.1:${bound.port}${secret.toString()}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
