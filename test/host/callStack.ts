// The call stack of the debug session that is shown, as it is drawn.
import * as vscode from 'vscode';
import { page } from './page.ts';
import { until } from './until.ts';

/** Waits until the names of its frames are as wanted, the innermost first. */
export async function untilCallStack(isWanted: (frames: readonly string[]) => boolean): Promise<void> {
  await until(async () => {
    // A row that is revealed at that moment brings its own view back to the side bar.
    await vscode.commands.executeCommand('workbench.view.debug');
    return page.texts('.debug-call-stack .stack-frame .label');
  }, isWanted);
}

/** Ends the session that is shown. */
export async function stopDebugging(): Promise<void> {
  await vscode.debug.stopDebugging();
  await until(
    () => vscode.debug.activeDebugSession,
    (session) => session === undefined,
  );
}
