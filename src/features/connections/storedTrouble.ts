// Shows each problem of the stored connections once: a damaged record, or records of a newer version.
import * as vscode from 'vscode';

import type { Disposable } from '../../base/disposable.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { describeNewerVersion } from '../../ui/words/describeConnectionError.ts';
import { plainLine } from '../../editor/format.ts';
import { showMessage } from '../../editor/messages.ts';

async function sayDamaged(path: string): Promise<void> {
  const show = { title: vscode.l10n.t('Show File') };
  const picked = await showMessage(
    'warning',
    vscode.l10n.t(
      "The record of a connection is damaged, so that connection isn't listed. The others aren't affected. The record is kept as {0}.",
      plainLine(vscode.Uri.file(path).path.split('/').at(-1) ?? path, 120),
    ),
    [show],
  );
  if (picked) await vscode.window.showTextDocument(vscode.Uri.file(path));
}

export function sayStoredTrouble({ trouble }: Pick<Connections, 'trouble'>): Disposable {
  const said = new Set<string>();
  let isNewerSaid = false;
  const say = ({ damaged, isNewerVersion }: Connections['trouble']['current']): void => {
    for (const path of damaged) {
      if (said.has(path)) continue;
      said.add(path);
      void sayDamaged(path);
    }
    if (isNewerVersion && !isNewerSaid) void showMessage('warning', describeNewerVersion());
    isNewerSaid = isNewerVersion;
  };
  say(trouble.current);
  return trouble.onDidChange(say);
}
