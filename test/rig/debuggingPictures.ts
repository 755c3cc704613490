// The pictures of the README that show an execution in the editor's debugger.
import type { Locator, Page } from 'playwright-core';
import type { Camera } from './camera.ts';
import {
  appears,
  chooseInMenu,
  clickUntil,
  closeEditors,
  runCommand,
  stepAside,
  view,
} from './guideHands.ts';

const frame = (page: Page, name: string): Locator =>
  page.locator('.debug-call-stack .stack-frame .label', { hasText: name }).first();
const variable = (page: Page, name: string): Locator =>
  page.locator('.debug-variables .monaco-list-row', { hasText: name }).first();

async function debug(page: Page, execution: string): Promise<void> {
  const found = view(page, 'Executions').locator(`.monaco-list-row[aria-label*="${execution}"]`).first();
  await chooseInMenu(found, 'Debug Execution', page.locator('.debug-toolbar'));
  // The editor takes the focus when it stops.
  await page.locator('.debug-top-stack-frame-line, .debug-focused-stack-frame-line').first().waitFor();
  await page.keyboard.press('Control+Shift+D');
}

async function stop(page: Page): Promise<void> {
  await page.keyboard.press('Shift+F5');
  await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  await closeEditors(page);
  await page.locator('.activitybar a[aria-label^="Workflow Automation"]').click();
}

/** Evaluates in the Debug Console, which the first session opens. */
async function evaluate(page: Page, expression: string, result: string): Promise<void> {
  const input = page.locator('.repl-input-wrapper :focus');
  do await runCommand(page, 'Debug Console: Focus on Debug Console View');
  while (!(await appears(input)));
  await page.keyboard.insertText(expression);
  await page.keyboard.press('Enter');
  await page.locator('.repl .monaco-list-row', { hasText: result }).last().waitFor();
}

/** A failed execution where it failed, and a loop in which it was stepped into the second iteration. */
export async function debugged(camera: Camera): Promise<void> {
  const { page } = camera;
  await closeEditors(page);
  await debug(page, 'failed');
  await frame(page, 'Refuse').waitFor();
  await clickUntil(variable(page, 'Node run'), variable(page, 'error'));
  await evaluate(page, 'nodes.reasons', 'problems');
  await stepAside(page);
  await camera.take('pictures', 'debug-failure');
  await stop(page);
  await page.keyboard.press('Control+J');
  await debug(page, 'Order totals');
  await frame(page, 'Order placed').waitFor();
  while (!(await frame(page, 'iteration 2 of').isVisible())) {
    const before = await page.locator('.debug-call-stack .stack-frame').allInnerTexts();
    await page.keyboard.press('F11');
    await page.waitForFunction(
      (earlier) =>
        [...document.querySelectorAll<HTMLElement>('.debug-call-stack .stack-frame')]
          .map(({ innerText }) => innerText)
          .join() !== earlier,
      before.join(),
    );
  }
  await clickUntil(variable(page, 'Scope'), variable(page, 'item'));
  await stepAside(page);
  await camera.take('pictures', 'debug-loop');
  await stop(page);
}
