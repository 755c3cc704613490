// The picture of the README that shows workflows as files.
import type { Camera } from './camera.ts';
import { closeEditors, find, runCommand, stepAside } from './guideHands.ts';

/** Links the samples to a folder, edits one, and shows how it differs from the service. */
export async function linked(camera: Camera): Promise<void> {
  const { page } = camera;
  await closeEditors(page);
  await runCommand(page, 'Workflows: Link a Folder');
  const pick = page.locator('.quick-input-widget');
  const inFront = (text: string) => pick.locator('.monaco-list-row', { hasText: text }).first();
  await inFront('workflows').click();
  await inFront('Order totals').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.notification-toast', { hasText: 'are linked to' }).waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');
  await page.locator('.activitybar a[aria-label^="Explorer"]').click();
  const file = page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'Order totals.workflow.json' });
  if (!(await file.isVisible()))
    await page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'workflows' }).first().click();
  await file.dblclick();
  await page.locator('.tab.active', { hasText: 'Order totals.workflow.json' }).waitFor();
  await page.locator('.editor-instance .view-line').first().click();
  await find(page, '1800');
  await page.keyboard.type('900');
  await page.keyboard.press('Control+S');
  await page.locator('.activitybar a[aria-label^="Source Control"]').click();
  const row = page.locator('.scm-view .monaco-list-row', { hasText: 'Order totals' }).first();
  await runCommand(page, 'View: Toggle Panel Visibility');
  await row.click();
  await page.locator('.monaco-diff-editor .view-line', { hasText: '900' }).waitFor();
  await stepAside(page);
  await camera.take('pictures', 'files');
  await runCommand(page, 'View: Toggle Panel Visibility');
  await closeEditors(page);
}
