// Go to Definition, Find All References and Rename Symbol for the ids of nodes, in definitions and in files named *.workflow.json.
import type * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { isForLocalService } from '../../../ui/definitionTargets.ts';
import type { App } from '../../../ui/app.ts';
import { tests } from '../../../ui/testFiles.ts';
import type { NodeIdSpot } from './nodeIdSymbols.ts';

type NodeIdsDeps = Pick<
  App,
  'connections' | 'definitionSymbols' | 'definitionTargets' | 'definitionTexts' | 'workflows'
> & {
  readonly testFiles: Pick<App['testFiles'], 'catchUp' | 'list'>;
};

export function registerNodeIds(deps: NodeIdsDeps): Disposable {
  const { definitionSymbols, definitionTexts, testFiles } = deps;
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
      testFiles.catchUp();
      const named = (await testFiles.list()).filter((found) => tests(deps, found, document.uri));
      const isLocal = isForLocalService(deps, document.uri);
      return rename(spotAt(document, position), newName, isLocal, named);
    },
  });
}
