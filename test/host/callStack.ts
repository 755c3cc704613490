// The debug session that is shown: its call stack as it is drawn, and its keys.
import * as vscode from 'vscode';
import { page } from './page.ts';
import { until } from './until.ts';

/** Waits until the names of its frames are as wanted, the innermost first. */
async function untilCallStack(isWanted: (frames: readonly string[]) => boolean): Promise<void> {
  await until(async () => {
    // A row that is revealed at that moment brings its own view back to the side bar.
    await vscode.commands.executeCommand('workbench.view.debug');
    return page.texts('.debug-call-stack .stack-frame .label');
  }, isWanted);
}

/** Waits until the call stack reads so, from the innermost frame on. */
export const untilFrames = (...wanted: readonly string[]): Promise<void> =>
  untilCallStack((frames) => JSON.stringify(frames) === JSON.stringify(wanted));

/** Presses a key in the editor, where the keys of the debugger work. */
export async function pressInEditor(key: string): Promise<void> {
  await until(async () => {
    await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    return page.isThere('.editor-instance .monaco-editor.focused');
  }, Boolean);
  await page.press(key);
}

/** Puts the cursor into the Debug Console. Where a session stops, the editor takes the focus after the call stack is drawn. */
export async function focusDebugConsole(): Promise<void> {
  await page.waitFor('.debug-top-stack-frame-line, .debug-focused-stack-frame-line');
  await until(
    async () => {
      await vscode.commands.executeCommand('workbench.debug.action.focusRepl');
      return page.texts('.repl-input-wrapper :focus');
    },
    ({ length }) => length > 0,
  );
}

export async function untilSessionEnds(): Promise<void> {
  await until(
    () => vscode.debug.activeDebugSession,
    (session) => session === undefined,
  );
}

/** Ends the session that is shown. */
export async function stopDebugging(): Promise<void> {
  await vscode.debug.stopDebugging();
  await untilSessionEnds();
}
