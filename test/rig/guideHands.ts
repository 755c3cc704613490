// What a person does in the window that the pictures are taken of.
import type { Locator, Page } from 'playwright-core';
import type { Camera } from './camera.ts';

export const view = (page: Page, name: string): Locator =>
  page.locator(`.pane:has(> .pane-header[aria-label^="${name}"])`);
export const row = (page: Page, name: string): Locator =>
  view(page, 'Workflows').locator('.monaco-list-row').filter({ hasText: name }).first();
/** The newest execution below a workflow, with a status. */
export const executionRow = (page: Page, status: string): Locator =>
  view(page, 'Workflows').locator(`.monaco-list-row[aria-level="2"][aria-label*="${status}"]`).first();

/** Asks for the command again where the palette closed again, since the focus moved behind it. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const command = page.locator('.quick-input-widget .monaco-list-row', { hasText: title }).first();
  do {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input:focus').fill(`>${title}`);
  } while (!(await appears(command)));
  await command.click();
}

export const closeEditors = (page: Page): Promise<void> => runCommand(page, 'View: Close All Editors');

export function appears(effect: Locator): Promise<boolean> {
  return effect.waitFor({ timeout: 5000 }).then(
    () => true,
    () => false,
  );
}

/** Clicks until it has an effect: the editor draws actions anew while documents and rows change. */
export async function clickUntil(target: Locator, effect: Locator): Promise<void> {
  do await target.click();
  while (!(await appears(effect)));
}

/** Chooses in a row's menu until it has an effect: a menu that is opening may pass a click over. */
export async function chooseInMenu(row: Locator, entry: string, effect: Locator): Promise<void> {
  const page = row.page();
  const menu = page.locator('.monaco-menu .action-label', { hasText: entry }).first();
  do {
    if (!(await menu.isVisible())) await row.click({ button: 'right' });
    await menu.click();
  } while (!(await appears(effect)));
}

/** Takes the pointer away from what shows a hover. */
export async function stepAside(page: Page): Promise<void> {
  await page.mouse.move(900, 700);
  await page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
}

const lens = (page: Page, name: string): Locator =>
  page.locator(`.codelens-decoration a:has-text("${name}")`).first();

/** What stands above the object of a node. */
export const lensAbove = (page: Page, title: string, node: string): Locator =>
  page
    .locator(
      `.codelens-decoration a:has-text("${title}"):visible:above(.view-line:has-text('"name": "${node}"'))`,
    )
    .first();

/** Selects in the text in front. */
export async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+F');
  await page.locator('.find-widget textarea:focus').fill(text);
  await page.keyboard.press('Escape');
}

/** Types over what a search in the text in front finds. */
export async function replaceInEditor(page: Page, found: string, typed: string): Promise<void> {
  await find(page, found);
  await page.keyboard.type(typed);
}

/** Opens a workflow's input from its row. */
export async function openInput(camera: Camera, name: string): Promise<void> {
  const { page } = camera;
  await row(page, name).hover();
  await camera.film(800);
  await row(page, name)
    .getByRole('button', { name: /^Execute/ })
    .click();
  await page.locator('.tab.active', { hasText: '.input.json' }).waitFor();
  await lens(page, 'Execute').waitFor();
}

/** Executes the open input of a workflow that isn't deployed. */
export async function deployAndExecute(camera: Camera): Promise<void> {
  const { page } = camera;
  const button = page.locator('.monaco-dialog-box').getByRole('button', { name: 'Deploy and Execute' });
  await clickUntil(lens(page, 'Execute'), button);
  await camera.film(1500);
  await button.click();
}
