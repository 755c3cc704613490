// A click on what the editor is drawing anew does nothing: what it brings tells whether it came.
import { page } from './page.ts';
import { actUntil, until } from './until.ts';

/** Clicks on the first match, and again where the click was lost, until what it brings is there. */
export async function clickUntil(
  selector: string,
  isBrought: () => boolean | Promise<boolean>,
): Promise<void> {
  await actUntil(() => page.clickIfThere(selector), isBrought);
}

/** The same on what a row shows only below the pointer. */
export async function clickInRow(
  row: string,
  action: string,
  isBrought: () => boolean | Promise<boolean>,
): Promise<void> {
  await actUntil(async () => {
    await page.hover(row);
    return page.clickIfThere(`${row} ${action}`);
  }, isBrought);
}

/** Unfolds a row by a click, until what is below it is there. A row that is unfolded isn't clicked. */
export async function clickOpen(row: string, below: string): Promise<void> {
  await clickUntil(row.replace('.monaco-list-row', '.monaco-list-row[aria-expanded="false"]'), () =>
    page.isThere(below),
  );
}

/** Rests the pointer on the first match, and again where what is redrawn below it takes the hover away. */
export async function hoverUntil(selector: string, hover: string): Promise<void> {
  await until(async () => {
    // A hover comes when the pointer does, so it must have been elsewhere.
    await page.hover('.part.statusbar');
    await page.hover(selector);
    return page.appears(hover);
  }, Boolean);
}
