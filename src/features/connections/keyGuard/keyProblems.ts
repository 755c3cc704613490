// Marks API keys in open documents, since other users may get to read the file, and offers to move them.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { settings } from '../../../editor/settings.ts';
import { offerCommand } from '../../../editor/commands.ts';
import { DocumentMarks, type Mark } from '../../../editor/documents/documentMarks.ts';
import type { App } from '../../../ui/app.ts';
import { guardedText, OpenTexts } from '../../../editor/documents/openTexts.ts';
import { findKeys, type FoundKey, maskKey } from '../../../base/secrets.ts';

function findMarks(document: vscode.TextDocument): readonly Mark[] {
  const prefix = settings.keyPrefix();
  const text = guardedText(document);
  return findKeys(text, prefix).map((key) => {
    const { offset, length } = key;
    const masked = maskKey(text.slice(offset, offset + length), prefix);
    return {
      offset,
      length,
      message: vscode.l10n.t(
        'This looks like an API key ({0}). Anyone who can read this document can use it.',
        masked,
      ),
      severity: 'Warning',
      code: 'apiKeyInText',
      fixes: () => [moveKey(document.uri, key)],
    };
  });
}

function moveKey(uri: vscode.Uri, { offset }: FoundKey) {
  const title = vscode.l10n.t('Move to secret storage…');
  const command = offerCommand('keyGuard.moveKey', { uri: uri.toString(), offset }, { title });
  return { title, isPreferred: true, command };
}

export function registerKeyProblems({ clock }: Pick<App, 'clock'>): Disposable {
  return new DocumentMarks({
    name: 'keys',
    selector: '*',
    find: findMarks,
    watch: (marks) =>
      new OpenTexts(clock, {
        look: (documents) => documents.forEach(marks.look),
        forget: () => marks.clear(),
      }),
  });
}
