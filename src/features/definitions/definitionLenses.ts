import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../editor/ids.ts';
import { definitionTarget, isTheirs } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { keepAges } from './keepAges.ts';
import { renderDefinitionLenses } from './renderDefinitionLenses.ts';

/** Offers on the first line of a definition to execute, fill in and deploy the workflow, and tells whether it's deployed. */
export function registerDefinitionLenses({
  workflows,
  services,
  ages,
}: Pick<App, 'workflows' | 'services' | 'ages'>): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  const drawn = new WeakMap<vscode.TextDocument, string>();
  const read = ({ uri, isDirty }: vscode.TextDocument): readonly vscode.Command[] => {
    const target = definitionTarget(uri);
    if (target === undefined || isTheirs(uri)) return [];
    const workflow = workflows.find(target);
    if (workflow === undefined) return [];
    const mayDeploy = !services.notOffered(target.connectionId).current.has('deployWorkflow');
    return renderDefinitionLenses({ target, workflow, isEdited: isDirty, mayDeploy }, ages.now);
  };
  /** Lenses can't be clicked while they're being redrawn, so this redraws them only if their content changes. */
  const redraw = (): void => {
    const isStale = (document: vscode.TextDocument): boolean => {
      const before = drawn.get(document);
      return before !== undefined && before !== JSON.stringify(read(document));
    };
    if (vscode.workspace.textDocuments.some(isStale)) changes.fire();
  };
  owned.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: schemes.definition },
      {
        onDidChangeCodeLenses: changes.event,
        provideCodeLenses: (document) => {
          const all = read(document);
          drawn.set(document, JSON.stringify(all));
          const top = new vscode.Range(0, 0, 0, 0);
          return all.map((command) => new vscode.CodeLens(top, command));
        },
      },
    ),
  );
  owned.add(workflows.onDidChangeItems(redraw));
  owned.add(keepAges(ages, redraw));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => {
      // An event without content changes means that the dirty state changed.
      if (contentChanges.length === 0) redraw();
    }),
  );
  return owned;
}
