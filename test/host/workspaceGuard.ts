// A folder may come from anybody. Its settings must not keep a pasted key from being seen, whether the folder is trusted or not.
import * as vscode from 'vscode';
import { workspaceFile, writeText } from './presetFiles.ts';
import { until } from './until.ts';

/** Made of parts, so that no other tool takes this file for a leak. */
const someKey = ['svc', 'sk', 'Ab1-'.repeat(5)].join('_');

/** Resolves when a key is marked though the workspace's settings switch the guard off. */
export async function markKeyDespiteWorkspace(): Promise<void> {
  const file = workspaceFile('.vscode/settings.json');
  const noticed = () => vscode.workspace.getConfiguration('editor').get('rulers');
  await writeText(file, JSON.stringify({ 'workflowAutomation.keyGuard': false, 'editor.rulers': [77] }));
  try {
    // What else stands in the file holds by then.
    await until(noticed, (rulers) => JSON.stringify(rulers) === '[77]');
    const { uri } = await vscode.workspace.openTextDocument({ content: someKey, language: 'plaintext' });
    await until(
      () => vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'apiKeyInText').length,
      (count) => count === 1,
    );
  } finally {
    await vscode.workspace.fs.delete(file);
  }
}
