import * as vscode from 'vscode';

const saidForMs = 5000;

/** Says in the status bar, for some seconds, that something was done which shows nowhere else. */
export function showStatusBarMessage(said: string): void {
  vscode.window.setStatusBarMessage(said, saidForMs);
}
