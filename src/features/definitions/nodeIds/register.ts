// Go to Definition, Find All References and Rename Symbol for the ids of nodes, in definitions and in files named *.workflow.json.
import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { isForLocalService } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import type { NodeIdSpot } from './nodeIdSymbols.ts';

type NodeIdsDeps = Pick<App, 'connections' | 'definitionSymbols' | 'definitionTexts'>;

export function registerNodeIds({
  connections,
  definitionSymbols,
  definitionTexts,
}: NodeIdsDeps): Disposable {
  const spotAt = (document: vscode.TextDocument, position: vscode.Position): NodeIdSpot => {
    const offset = document.offsetAt(position);
    return { document, definition: definitionTexts.of(document), offset };
  };
  const load = () => import('./nodeIdSymbols.ts');
  return definitionSymbols.attach({
    provideDefinition: async (document, position) => {
      const { findNodeIdDefinition } = await load();
      return findNodeIdDefinition(spotAt(document, position));
    },
    provideReferences: async (document, position, { includeDeclaration }) => {
      const { findNodeIdReferences } = await load();
      return findNodeIdReferences(spotAt(document, position), includeDeclaration);
    },
    prepareRename: async (document, position) => {
      const { prepareRename } = await load();
      return prepareRename(spotAt(document, position));
    },
    provideRenameEdits: async (document, position, newName) => {
      const { rename } = await load();
      return rename(spotAt(document, position), newName, isForLocalService(connections, document.uri));
    },
  });
}
