// Photographs and films one window.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Frame } from './movingPicture.ts';
import { root } from './paths.ts';

export const media = join(root, 'media');

export const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' } as const;
export type Theme = keyof typeof themes;

/** Photographs one window, and films it where frames are wanted. */
export class Camera {
  readonly page: Page;
  readonly frames: Frame[] = [];
  isFilming = true;
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
    if (this.isFilming) this.frames.push({ picture: await this.page.screenshot(), milliseconds });
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
export async function showPointer(page: Page): Promise<void> {
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
