// Completion and hovers for input documents, from the workflow's schema.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../editor/ids.ts';
import { inputTarget } from '../../ui/addresses.ts';
import type { JsonLanguages } from './jsonLanguages.ts';

function findLanguage(languages: JsonLanguages, document: vscode.TextDocument) {
  const target = inputTarget(document.uri);
  return target === undefined ? undefined : languages.find(target, document.getText().length);
}

export function registerSchemaHelp(languages: JsonLanguages): Disposable {
  const owned = new DisposableStore();
  const selector = { scheme: schemes.input };
  owned.add(
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position) =>
          (await findLanguage(languages, document))?.complete(document, position),
      },
      '"',
      ':',
      ' ',
    ),
  );
  owned.add(
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position) =>
        (await findLanguage(languages, document))?.hover(document, position),
    }),
  );
  return owned;
}
