import type * as vscode from 'vscode';
import { Cancelled } from '../editor/prompts/prompts.ts';
import type { App } from './app.ts';

/** Pushes a linked file for the user. Rejects with Cancelled unless the service has it then. */
export async function pushFile(
  { commands }: Pick<App, 'commands'>,
  name: 'files.pushFile' | 'files.pushAndDeployFile',
  uri: vscode.Uri,
): Promise<void> {
  const steps = await commands.run(name, { linkedFile: uri.toString(), invokedBy: 'person' });
  if (steps?.every(({ done }) => done !== false) !== true) throw new Cancelled();
}
