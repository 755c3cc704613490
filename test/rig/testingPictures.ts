// The picture of the README that shows tests of a workflow.
import type { Camera } from './camera.ts';
import { chooseInMenu, closeEditors, replaceInEditor, runCommand, stepAside, view } from './guideHands.ts';

/** Makes a test of an execution that completed and one of a failed one, and shows where the first differs once its expectation is another. */
export async function tested(camera: Camera): Promise<void> {
  const { page } = camera;
  await closeEditors(page);
  const row = (state: string) =>
    view(page, 'Executions')
      .locator(`.monaco-list-row[aria-label*="${state}"]`, { hasText: 'Signup check' })
      .first();
  const file = page.locator('.tab.active', { hasText: '.workflow-test.json' });
  await chooseInMenu(row('failed'), 'Create Test from Execution', file);
  await page.locator('.statusbar', { hasText: 'Test created.' }).waitFor();
  const position = '[id="status.editor.selection"]';
  const first = await page.locator(position).innerText();
  const output = page.locator('.view-line:visible', { hasText: '"isWelcome"' }).first();
  await chooseInMenu(row('completed'), 'Create Test from Execution', output);
  // The cursor goes to the new test.
  await page.locator(position, { hasNotText: first }).waitFor();
  await replaceInEditor(page, 'true', 'false');
  await page.keyboard.press('Control+S');
  await runCommand(page, 'Test: Run Tests in Current File');
  await page.locator('.activitybar a[aria-label^="Testing"]').click();
  const shown = (outcome: string) =>
    page.locator(`.test-explorer .monaco-list-row:has(.codicon-testing-${outcome}-icon)`).first();
  await shown('failed').click();
  await page.keyboard.press('ArrowRight');
  await shown('passed').waitFor();
  await stepAside(page);
  await camera.take('pictures', 'tests');
  await closeEditors(page);
  await page.locator('.activitybar a[aria-label^="Workflow Automation"]').click();
}
