// The pictures of the README and of the walkthrough, and the moving one, taken of the real thing; run it when what they show has changed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { copyExtension } from './copyExtension.ts';
import { type Frame, makeMovingPicture } from './movingPicture.ts';
import { root } from './paths.ts';
import { openPersonWorkbench } from './personWorkbench.ts';
import { startBrowser } from './web/browser.ts';
import { installWeb } from './web/install.ts';

const size = { width: 1280, height: 800 };
const media = join(root, 'media');
const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' } as const;
type Theme = keyof typeof themes;

/** What the test host shows and a person's own VS Code doesn't. */
const hiddenStyle = `
  #status\\.forwardedPorts, #status\\.workbench\\.keyboardLayout, #status\\.host { display: none !important }
`;

/** Photographs one window, and films it where frames are wanted. */
class Camera {
  readonly page: Page;
  readonly frames: Frame[] = [];
  readonly #theme: Theme;

  constructor(page: Page, theme: Theme) {
    this.page = page;
    this.#theme = theme;
  }

  /** Saves media/FOLDER/NAME-THEME.png: of the whole window, or of the part that is given in pixels. */
  async take(folder: string, name: string, clip?: { x: number; y: number; width: number; height: number }) {
    mkdirSync(join(media, folder), { recursive: true });
    await this.page.screenshot({
      path: join(media, folder, `${name}-${this.#theme}.png`),
      animations: 'disabled',
      ...(clip === undefined ? {} : { clip }),
    });
  }

  async film(milliseconds: number): Promise<void> {
    this.frames.push({ picture: await this.page.screenshot(), milliseconds });
  }

  /** Films until something is in sight, in frames of the given length. */
  async filmUntil(target: Locator, milliseconds: number): Promise<void> {
    while (!(await target.isVisible())) {
      await this.film(milliseconds);
      await this.page.waitForTimeout(milliseconds);
    }
  }
}

/** Draws a pointer where the mouse is: screenshots have none. */
async function showPointer(page: Page): Promise<void> {
  await page.evaluate(() => {
    const pointer = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    shape.setAttribute('d', 'M1 1v17l4.5-4 3 7 3-1.3-3-6.7H15z');
    shape.setAttribute('fill', 'white');
    shape.setAttribute('stroke', 'black');
    pointer.append(shape);
    pointer.setAttribute('width', '18');
    pointer.setAttribute('height', '24');
    Object.assign(pointer.style, {
      position: 'fixed',
      zIndex: '100000',
      pointerEvents: 'none',
      left: '-50px',
    });
    document.body.append(pointer);
    document.addEventListener(
      'mousemove',
      ({ clientX, clientY }) => {
        pointer.style.left = `${clientX}px`;
        pointer.style.top = `${clientY}px`;
      },
      true,
    );
  });
}

const view = (page: Page, name: string): Locator =>
  page.locator(`.pane:has(> .pane-header[aria-label^="${name}"])`);
const row = (page: Page, name: string): Locator =>
  view(page, 'Workflows').locator('.monaco-list-row').filter({ hasText: name }).first();

async function executeFromRow(camera: Camera, name: string): Promise<void> {
  const { page } = camera;
  await row(page, name).hover();
  await camera.film(700);
  await row(page, name)
    .getByRole('button', { name: /^Execute/ })
    .click();
  await page.locator('.codelens-decoration a:has-text("Execute")').first().waitFor();
}

async function firstMinute(camera: Camera): Promise<void> {
  const { page } = camera;
  await page.locator('.activitybar a[aria-label^="Workflow"]').click();
  const start = view(page, 'Workflows').getByRole('button', { name: 'Try the Local Service' });
  await start.hover();
  await camera.film(1500);
  await start.click();
  await row(page, 'Order totals').waitFor();
  await camera.film(1200);
  await camera.take('walkthrough', 'local', { x: 0, y: 0, width: 640, height: 400 });
  await executeFromRow(camera, 'Order totals');
  await camera.film(1500);
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
      context: { viewport: size },
    });
    await page.addStyleTag({ content: hiddenStyle });
    await showPointer(page);
    const camera = new Camera(page, theme);
    await firstMinute(camera);
    return camera.frames;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function saveMovingPicture(frames: readonly Frame[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-film-'));
  const browser = await startBrowser({ browser: (await installWeb()).browser, folder });
  try {
    writeFileSync(
      join(media, 'pictures', 'first-minute.gif'),
      await makeMovingPicture(browser, frames, size),
    );
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function saveIcon(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-automation-icon-'));
  const browser = await startBrowser({ browser: (await installWeb()).browser, folder });
  try {
    const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
    const icon = readFileSync(join(media, 'icon.svg'), 'utf8');
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${icon}`);
    await page.screenshot({ path: join(media, 'icon.png'), omitBackground: true });
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

mkdirSync(join(media, 'pictures'), { recursive: true });
await saveIcon();
await takeAll('light');
await saveMovingPicture(await takeAll('dark'));
