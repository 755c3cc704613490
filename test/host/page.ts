// Lets a test in the extension host read what is drawn on the screen, press keys and take pictures.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/base/json.ts';
import { skip } from './skip.ts';
import { until } from './until.ts';

/** One row of a tree as it is drawn. `level` starts at 1; `icon` holds the icon's CSS classes. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly accessibleName: string;
  readonly level: number;
  readonly isExpanded: boolean;
  readonly icon: string;
}

/** The row or entry of a list with the cursor. `index`: its place in the list; empty in a menu. */
export interface Cursor {
  readonly index: string;
  readonly text: string;
}

const address = process.env['WORKFLOW_TEST_PAGE'];

/** True when this VS Code can be looked at. */
export const hasPage = address !== undefined;

/** Call first in a test that looks at the screen: where this VS Code cannot be looked at it is skipped, and its title says why. */
export function requirePage(context: Mocha.Context): void {
  if (!hasPage) skip(context, 'this VS Code offers no page to look at');
}

/** Asks for something that has no answer but being done. */
async function tell(request: JsonObject): Promise<void> {
  await ask(request);
}

async function ask(request: JsonObject): Promise<JsonValue> {
  assert.ok(address !== undefined, 'requirePage(this) comes first');
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(request) });
  const text = await response.text();
  if (!response.ok) throw new Error(`The page: ${text}`);
  const body = parseJson(text);
  assert.ok(isJsonObject(body));
  return body['value'] ?? null;
}

const string = (value: JsonValue | undefined): string => {
  assert.ok(typeof value === 'string');
  return value;
};

const isJsonArray = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

function list(value: JsonValue): readonly JsonValue[] {
  assert.ok(isJsonArray(value));
  return value;
}

function readRow(value: JsonValue): Row {
  assert.ok(isJsonObject(value));
  return {
    label: string(value['label']),
    description: string(value['description']),
    accessibleName: string(value['accessibleName']),
    level: Number(value['level']),
    isExpanded: value['isExpanded'] === true,
    icon: string(value['icon']),
  };
}

/** The name of a contributed view as it stands in its header. */
function viewName(viewId: string): string {
  for (const { packageJSON } of vscode.extensions.all) {
    const manifest: unknown = packageJSON;
    const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
    const containers = isJsonObject(contributes) ? contributes['views'] : undefined;
    if (!isJsonObject(containers)) continue;
    for (const view of Object.values(containers).flatMap((views) => (isJsonArray(views) ? views : []))) {
      if (isJsonObject(view) && view['id'] === viewId) return string(view['name']);
    }
  }
  throw new Error(`No extension contributes the view ${viewId}.`);
}

/** The CSS selector of a view in the side bar. */
export const viewSelector = (viewId: string): string =>
  `.pane:has(> .pane-header[aria-label^="${viewName(viewId)}"])`;

/** The page. Selectors are Playwright's: CSS, "text=…", ":has-text(…)". What acts waits up to 45 s for its target. */
export const page = {
  /** The lines of all editors as they're drawn, with what decorations say at their ends. */
  lines: async (): Promise<string[]> => list(await ask({ do: 'lines' })).map(string),
  /** The texts of everything that matches now; empty when nothing does. */
  texts: async (selector: string): Promise<string[]> =>
    list(await ask({ do: 'texts', selector })).map(string),
  /** True while something matches and is in sight. */
  isThere: async (selector: string): Promise<boolean> =>
    (await page.texts(`${selector} >> visible=true`)).length > 0,
  /** The text of the first match in sight, once there is one. */
  async text(selector: string): Promise<string> {
    const texts = await until(
      () => page.texts(`${selector} >> visible=true`),
      ({ length }) => length > 0,
    );
    return string(texts[0]);
  },
  /** Where the first match stands in its list, and what it says; undefined when nothing matches now. */
  async cursor(selector: string): Promise<Cursor | undefined> {
    const [first] = list(await ask({ do: 'cursors', selector }));
    if (first === undefined) return undefined;
    assert.ok(isJsonObject(first));
    return { index: string(first['index']), text: string(first['text']) };
  },
  /** The rows of a tree view, top to bottom, as drawn now. */
  rows: async (viewId: string): Promise<Row[]> =>
    list(await ask({ do: 'rows', selector: viewSelector(viewId) })).map(readRow),
  /** When a view first shows a row or a welcome text other than the one named, in ms since 1970. */
  firstShown: async (viewId: string, otherThan: string): Promise<number> =>
    Number(await ask({ do: 'firstShown', selector: viewSelector(viewId), otherThan })),
  /** The rows of the open Quick Pick, top to bottom. */
  quickPick: async (): Promise<string[]> =>
    list(await ask({ do: 'rows', selector: '.quick-input-widget' })).map((row) => readRow(row).label),
  /** The lines of the output channel that is shown, as far as they are in sight. */
  outputLines: (): Promise<string[]> => page.texts('.output-view .view-line'),
  /** The messages in the notification centre, which this opens: under tests none pops up. */
  async notifications(): Promise<string[]> {
    await vscode.commands.executeCommand('notifications.showList');
    return page.texts('.notifications-center .notification-list-item-message');
  },
  waitFor: (selector: string): Promise<void> => tell({ do: 'waitFor', selector }),
  waitUntilGone: (selector: string): Promise<void> => tell({ do: 'waitFor', selector, isGone: true }),
  /** False when it does not come into sight within a second. */
  appears: async (selector: string): Promise<boolean> => (await ask({ do: 'appears', selector })) === true,
  click: (selector: string): Promise<void> => tell({ do: 'click', selector }),
  /** False when it was not there, or moved, for 5 s. */
  clickIfThere: async (selector: string): Promise<boolean> =>
    (await ask({ do: 'clickIfThere', selector })) === true,
  drag: (selector: string, target: string): Promise<void> => tell({ do: 'drag', selector, target }),
  hover: (selector: string): Promise<void> => tell({ do: 'hover', selector }),
  /** One key with its modifiers, as "Control+Shift+P" or "Escape". */
  press: (keys: string): Promise<void> => tell({ do: 'press', keys }),
  type: (text: string): Promise<void> => tell({ do: 'type', text }),
  /** What stands in the field that has the focus; null where none has it. */
  written: (): Promise<unknown> => ask({ do: 'written' }),
  /** All at once, as pasting does: where each single key would make a long list anew. */
  enter: (text: string): Promise<void> => tell({ do: 'enter', text }),
  /** Saves .vscode-test/screenshots/NAME.png, of the whole page or of what a selector finds first; only where pictures are wanted, since each takes as long as a test. */
  async screenshot(name: string, selector?: string): Promise<void> {
    if (process.env['WORKFLOW_TEST_PICTURES'] === undefined) return;
    await ask({ do: 'screenshot', name, ...(selector === undefined ? {} : { selector }) });
  },
  /** Saves a picture of the whole page in any case, and returns its path. */
  photograph: async (name: string): Promise<string> => string(await ask({ do: 'screenshot', name })),
};
