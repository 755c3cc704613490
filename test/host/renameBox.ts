// The box that F2 opens at the cursor.
import { page } from './page.ts';
import { until } from './until.ts';

const renameBox = '.rename-box input:focus';

/** Opens the box, and writes another name over the one in it. */
export async function writeInRenameBox(from: string, to: string): Promise<void> {
  await until(
    async () => {
      if (!(await page.isThere(renameBox))) await page.press('F2');
      return (await page.appears(renameBox)) ? page.written() : null;
    },
    (written) => written === from,
  );
  await page.enter(to);
}
