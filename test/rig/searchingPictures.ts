// The picture of the README that shows a search.
import type { Camera } from './camera.ts';
import { clickUntil, closeEditors, runCommand, stepAside, view } from './guideHands.ts';

/** Searches for a part of a value, opens the first place, and unfolds the execution that has it. */
export async function searched(camera: Camera): Promise<void> {
  const { page } = camera;
  await closeEditors(page);
  await runCommand(page, 'Workflows: Search Executions…');
  await page.locator('.quick-input-widget input:focus').fill('ada');
  await page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'Press Enter' }).waitFor();
  await page.keyboard.press('Enter');
  const executions = view(page, 'Executions');
  await executions.locator('.message', { hasText: 'executions found' }).waitFor();
  const found = executions.locator('.monaco-list-row', { hasText: 'Signup check' }).first();
  const value = page.locator('.editor-container .view-line:visible', { hasText: '"email"' }).first();
  await clickUntil(found, value);
  await clickUntil(
    found.locator('.monaco-tl-twistie'),
    executions.locator('.monaco-list-row[aria-level="2"]').first(),
  );
  await stepAside(page);
  await camera.take('pictures', 'search', { x: 0, y: 0, width: 900, height: 620 });
  await runCommand(page, 'Workflows: Clear Search');
}
