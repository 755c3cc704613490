// Commands are reached as a person reaches them: typed into the palette, chosen in a menu, their questions answered with the keyboard.
import * as vscode from 'vscode';
import { clickUntil } from './clicks.ts';
import { type Cursor, page, type Row, viewSelector } from './page.ts';
import { actUntil, until } from './until.ts';

const prompt = '.quick-input-widget';
const palette = `${prompt} input[placeholder^="Type the name of a command"]:focus`;
const menu = '.monaco-menu';

/**
 * Opens what is not there by a press, and again when that opened nothing that stays within so many seconds; returns the texts in it. What
 * opens late would open a second time.
 */
async function openByHand(
  selector: string,
  press: () => Promise<void>,
  seconds = 1,
): Promise<readonly string[]> {
  return until(
    async () => {
      if (!(await page.isThere(selector))) {
        await press();
        for (let waited = 0; waited < seconds && !(await page.appears(selector)); waited += 1);
      }
      return page.texts(selector);
    },
    (texts) => texts.length > 0,
  );
}

/** Takes the quick fix at the cursor that says this, once there's one. */
export async function runQuickFix(text: string): Promise<void> {
  await openQuickFixes(text);
  await goTo('.action-widget .monaco-list-row.focused', (each) => each.includes(text));
  await page.press('Enter');
}

/** Opens the quick fixes at the cursor, once there's one that says this. */
export async function openQuickFixes(text: string): Promise<void> {
  await until(
    async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return [];
      const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        editor.document.uri,
        editor.selection,
      );
      return actions.map(({ title }) => title);
    },
    (titles) => titles.some((title) => title.includes(text)),
  );
  await page.waitFor('.monaco-editor.focused');
  const menuOf = `.action-widget:has-text(${JSON.stringify(text)})`;
  await openByHand(menuOf, () => page.press('Control+.'), 10);
}

/** How long a key may take until the cursor has moved: the first press of a window asks the extension host. At the end of a list it never moves. */
const keyMilliseconds = 3_000;

/** Waits until the cursor of a list stands elsewhere; false when it stays. A key that is pressed before that would move it too far. */
async function hasMoved(selector: string, before: Cursor | undefined): Promise<boolean> {
  const end = performance.now() + keyMilliseconds;
  while (performance.now() < end) {
    const now = await page.cursor(selector);
    if (now?.index !== before?.index || now?.text !== before?.text) return true;
  }
  return false;
}

interface Moves {
  /** Opens that list or menu where it is not there, since VS Code closes it whenever the focus or a title moves behind it; a person then opens it again. */
  readonly open?: () => Promise<unknown>;
  /** Brings the cursor back to the first row, in a list that ends at its last. */
  readonly restart?: () => Promise<unknown>;
}

/** Presses ArrowDown until the wanted one of a list or menu is under the cursor. */
export async function goTo(
  selector: string,
  isWanted: (text: string) => boolean,
  { open, restart }: Moves = {},
): Promise<void> {
  await until(
    async () => {
      await open?.();
      const before = await page.cursor(selector);
      const text = before?.text.trim() ?? '';
      if (isWanted(text)) return text;
      await page.press('ArrowDown');
      if (!(await hasMoved(selector, before))) await restart?.();
      return text;
    },
    (text) => isWanted(text),
  );
}

/** A prompt that says this: a Quick Pick in its input, an input box below it, a dialog in its title. */
function promptOf(text: string): string {
  const quoted = JSON.stringify(text);
  return [
    `${prompt} input[placeholder^=${quoted}]:focus`,
    `${prompt}:has(input:focus) .quick-input-message:has-text(${quoted})`,
    `${prompt}:has(input:focus) .quick-input-title:has-text(${quoted})`,
  ].join(', ');
}

const promptSays = (text: string): Promise<void> => page.waitFor(promptOf(text));

/**
 * Runs a command until it asks this; again where the editor closed the question at once, as it does when it's just drawing rows of the view
 * that had the focus.
 */
export const untilAsked = (question: string, runCommand: () => Promise<void>): Promise<void> =>
  actUntil(runCommand, () => page.isThere(promptOf(question)));

/** True while something is asked. */
export const isAsking = (): Promise<boolean> => page.isThere(`:is(${prompt}, .monaco-dialog-box)`);

export const untilNothingIsAsked = (): Promise<void> => page.waitUntilGone(prompt);

/** What the Quick Pick that asks this offers, as far as it is in sight. */
export async function readChoices(question: string): Promise<readonly string[]> {
  await promptSays(question);
  return until(page.quickPick, (labels) => labels.length > 0);
}

/** How many rows with this in their label the Quick Pick that asks this offers: few enough to be in sight. */
export async function countMatches(question: string, label: string): Promise<number> {
  await promptSays(question);
  await page.enter(label);
  const labels = await until(
    page.quickPick,
    (all) => all.length > 0 && all.every((each) => each.includes(label)),
  );
  return labels.length;
}

/** Chooses in the Quick Pick that asks this. */
export async function choose(question: string, label: string): Promise<void> {
  await promptSays(question);
  await page.enter(label);
  await goTo(`${prompt} .monaco-list-row.focused .label-name`, (text) => text.includes(label));
  await page.press('Enter');
}

/** Narrows the open Quick Pick, whatever it asks, to a row that says this anywhere, and takes it. */
export async function take(text: string): Promise<void> {
  const row = (state: string): string =>
    `${prompt} .monaco-list-row${state}:has-text(${JSON.stringify(text)})`;
  await page.waitFor(row(''));
  await page.waitFor(`${prompt} input:focus`);
  await page.enter(text);
  await page.waitFor(row('.focused'));
  await page.press('Enter');
}

/** The mark of a row in a Quick Pick in which several are chosen. */
export const checkOf = (text: string): string => {
  const row = `${prompt} .monaco-list-row:has-text(${JSON.stringify(text)})`;
  return `:is(${row} input:checked, ${row} [aria-checked="true"])`;
};

/** Checks the row with this text in the open Quick Pick. */
export const check = (text: string): Promise<void> =>
  clickUntil(`${prompt} .monaco-list-row:has-text(${JSON.stringify(text)})`, async () =>
    page.isThere(checkOf(text)),
  );

/** Takes what the input box that asks this suggests, which comes a moment after the box. */
export async function confirm(question: string): Promise<void> {
  await promptSays(question);
  await until(page.written, (written) => written !== '');
  await page.press('Enter');
}

/** Goes on with nothing in the input box that asks this. */
export async function leaveEmpty(question: string): Promise<void> {
  await promptSays(question);
  await page.press('Enter');
}

/** Writes into the input box or the dialog that is open, over what stands there, and stays in it. */
export async function retype(text: string): Promise<void> {
  await page.waitFor(`${prompt} input:focus`);
  // A field gets its first value a moment after it's there, in place of what was written by then.
  await until(
    async () => {
      await page.press('Control+A');
      await page.enter(text);
      return page.written();
    },
    (written) => written === text,
  );
}

/** Writes into the one that asks this. */
export async function typeOver(question: string, text: string): Promise<void> {
  await promptSays(question);
  await retype(text);
}

/** The same, and accepts it. */
export async function write(question: string, text: string): Promise<void> {
  await typeOver(question, text);
  await page.press('Enter');
}

/** Takes what the dialog for files suggests, once it has read its folder. */
export async function accept(title: string): Promise<void> {
  await promptSays(title);
  await page.waitFor(`${prompt} .monaco-list-row`);
  await page.press('Enter');
}

/** Presses Escape until nothing is asked anymore: a hover or a message in front of a prompt takes the first press. */
export async function closePrompt(): Promise<void> {
  await until(
    async () => {
      await page.press('Escape');
      return isAsking();
    },
    (isStillAsking) => !isStillAsking,
  );
}

/** Leaves the prompt that says this. */
export async function escape(question: string): Promise<void> {
  await promptSays(question);
  await closePrompt();
}

/** Runs what the palette offers under exactly this name. */
export async function runInPalette(name: string): Promise<void> {
  const openPalette = async () => {
    if ((await page.isThere(palette)) && (await page.written()) === `>${name}`) return;
    await openByHand(palette, () => page.press('F1'));
    // It may open once more, and anew, after a second press.
    await page.press('Control+A');
    await page.enter(`>${name}`);
  };
  await goTo(`${prompt} .monaco-list-row.focused .label-name`, (text) => text === name, {
    open: openPalette,
  });
  await page.press('Enter');
  await page.waitUntilGone(palette);
}

/** Waits until the palette offers this name, or doesn't. */
export async function untilPaletteOffers(name: string, isOffered: boolean): Promise<void> {
  await until(
    async () => {
      await vscode.commands.executeCommand('workbench.action.quickOpen', `>${name}`);
      const labels = await until(page.quickPick, ({ length }) => length > 0);
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return labels;
    },
    (labels) => labels.includes(name) === isOffered,
  );
}

/** Moves the cursor into a view that shows rows. */
async function focusRows(view: string): Promise<void> {
  await until(async () => {
    await vscode.commands.executeCommand(`${view}.focus`);
    return page.isThere(`${viewSelector(view)} .monaco-list:focus`);
  }, Boolean);
}

/** Unfolds the first row of a view; again where the keys met rows that were being drawn anew. */
export async function unfoldFirst(view: string): Promise<void> {
  await until(
    async () => {
      await focusRows(view);
      await page.press('Home');
      await page.press('ArrowRight');
      return page.rows(view);
    },
    ([first]) => first?.isExpanded === true,
  );
}

/** Unfolds the first row of a view with this label. */
export async function unfold(view: string, label: string): Promise<void> {
  await focusRow(view, label);
  await actUntil(
    () => page.press('ArrowRight'),
    async () => (await page.rows(view)).some((row) => row.label === label && row.isExpanded),
  );
}

/** Waits until a view shows a row with this label that is as wanted. */
export async function untilRow(
  view: string,
  label: string,
  isWanted: (row: Row) => boolean = () => true,
): Promise<void> {
  await until(
    () => page.rows(view),
    (rows) => rows.some((row) => row.label === label && isWanted(row)),
  );
}

/** Folds all rows of a view, and again while the editor unfolds them as it draws a change. Only what is in sight is drawn, so this gives other rows room. */
export async function foldAll(view: string): Promise<void> {
  await until(
    async () => {
      await vscode.commands.executeCommand(`workbench.actions.treeView.${view}.collapseAll`);
      return page.rows(view);
    },
    (rows) => rows.length > 0 && rows.every(({ isExpanded }) => !isExpanded),
  );
}

export async function untilNoRow(view: string, label: string): Promise<void> {
  await until(
    () => page.rows(view),
    (rows) => rows.every((row) => row.label !== label),
  );
}

/** Folds the other views up, so that a view has room for all its rows: only what is in sight is drawn. */
export async function giveRoom(view: string, others: readonly string[]): Promise<void> {
  await vscode.commands.executeCommand(`${view}.focus`);
  for (const other of others) {
    const header = `${viewSelector(other)} > .pane-header[aria-expanded="true"]`;
    if (other !== view) await clickUntil(header, async () => !(await page.isThere(header)));
  }
}

/** Moves into a view and to its first row, where new rows come. Only what is in sight is drawn, and a row that the view reveals can scroll the others away. */
export async function scrollToTop(view: string): Promise<void> {
  await focusRows(view);
  await page.press('Home');
}

/** Puts the cursor onto the first row of a view with this label; from the top again where rows were drawn anew below it. */
export async function focusRow(view: string, label: string): Promise<void> {
  await scrollToTop(view);
  await untilRow(view, label);
  await page.press('Home');
  await goTo(`${viewSelector(view)} .monaco-list-row.focused .label-name`, (text) => text === label, {
    restart: () => scrollToTop(view),
  });
}

/** The name of a menu's entry, without the key beside it. */
const entryName = (text: string): string => (text.trim().split('\n')[0] ?? '').trim();

const openMenu = async (press: () => Promise<void>): Promise<readonly string[]> =>
  (await openByHand(`${menu} .action-item`, press)).map(entryName);

/** Opens a menu and chooses in it, or in the submenu that is named. What it offers follows what its row says. */
async function chooseInMenu(press: () => Promise<void>, entry: string, submenu?: string): Promise<void> {
  const outer = submenu ?? entry;
  const open = () =>
    until(
      async () => {
        const entries = await openMenu(press);
        if (!entries.includes(outer)) await closeMenu();
        return entries;
      },
      (entries) => entries.includes(outer),
    );
  await goTo(`${menu} .action-item.focused`, (text) => entryName(text) === outer, { open });
  if (submenu !== undefined) {
    await page.press('ArrowRight');
    const focused = `${menu} .monaco-submenu .action-item.focused`;
    await page.waitFor(focused);
    await goTo(focused, (text) => entryName(text) === entry);
  }
  await page.press('Enter');
  await page.waitUntilGone(menu);
}

async function closeMenu(): Promise<void> {
  await page.press('Escape');
  await page.waitUntilGone(menu);
}

const pressMenuKey = (): Promise<void> => page.press('Shift+F10');

/** Chooses in the context menu of a row. */
export async function runOnRow(view: string, label: string, entry: string, submenu?: string): Promise<void> {
  await focusRow(view, label);
  await chooseInMenu(pressMenuKey, entry, submenu);
}

/** Selects this row of a view, the first with its label, and so many below it. */
export async function selectRows(view: string, label: string, more: number): Promise<void> {
  const selected = `${viewSelector(view)} .monaco-list-row.selected`;
  await focusRows(view);
  if (await page.isThere(selected)) await page.press('Escape');
  await page.waitUntilGone(selected);
  await focusRow(view, label);
  await page.press('Control+Shift+Enter');
  await page.waitFor(`${selected}.focused`);
  for (let at = 0; at < more; at += 1) await page.press('Shift+ArrowDown');
  await until(
    () => page.texts(selected),
    (rows) => rows.length === more + 1,
  );
}

/** Chooses in the context menu of the row with the cursor, and so for all that are selected. */
export const runOnSelected = (entry: string): Promise<void> => chooseInMenu(pressMenuKey, entry);

/** What the context menu of a row offers. */
export async function readMenu(view: string, label: string): Promise<readonly string[]> {
  await focusRow(view, label);
  const entries = await openMenu(pressMenuKey);
  await closeMenu();
  return entries;
}

const titleAction = (view: string, action: string): string =>
  `${viewSelector(view)} .pane-header .actions .action-label${action}`;

/** Puts the cursor onto a row first, since a title's commands are handed that row. */
async function openTitle(view: string): Promise<void> {
  await scrollToTop(view);
  await page.hover(`${viewSelector(view)} .pane-header`);
}

/** Presses a button in the title of a view that asks something, and again where the title was drawn anew below the pointer. */
export async function runInTitle(view: string, entry: string): Promise<void> {
  await openTitle(view);
  await clickUntil(titleAction(view, `[aria-label^="${entry}"]`), isAsking);
}

/** Chooses behind the three dots in the title of a view. */
export async function runInOverflow(view: string, entry: string): Promise<void> {
  await openTitle(view);
  await chooseInMenu(() => page.click(titleAction(view, '.codicon-toolbar-more')), entry);
}
