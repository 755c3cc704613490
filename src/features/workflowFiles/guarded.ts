import * as vscode from 'vscode';
import { plainLine } from '../../base/format.ts';
import { askText } from '../../editor/prompts/prompts.ts';
import type { LinkedFolder } from '../../ui/linkedFiles.ts';

/** A guarded environment wants its name typed before anything is sent to it. Rejects with Cancelled on Escape. */
export async function confirmGuarded({ file }: LinkedFolder, environment: string): Promise<void> {
  if (file?.environments.get(environment)?.isGuarded !== true) return;
  await askText({
    prompt: vscode.l10n.t('"{0}" is guarded. Type its name to go on.', plainLine(environment, 80)),
    validate: (text) =>
      text.trim() === environment ? undefined : vscode.l10n.t("This isn't the environment's name."),
  });
}
