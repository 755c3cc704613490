// A pin stays with its node when the node gets another id: when it's renamed, and when that is undone.
import * as vscode from 'vscode';
import { BoundedMap } from '../../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import type { App } from '../../../ui/app.ts';
import type { PinFiles } from './pinFiles.ts';

/** How many definitions with pins are remembered after they were closed: closing one without saving takes a renaming back. */
const maximumKnown = 50;

export function followRenames(
  files: Pick<PinFiles, 'isOpen' | 'move'>,
  {
    definitionTargets,
    definitionTexts,
    logger,
    pins,
  }: Pick<App, 'definitionTargets' | 'definitionTexts' | 'logger' | 'pins'>,
): Disposable {
  const owned = new DisposableStore();
  /** The latest texts, by URI. They're parsed only for a workflow with pins. */
  const known = new BoundedMap<string, DefinitionText>(maximumKnown);
  const hasPins = (target: WorkflowTarget): boolean => pins.list(target).length > 0 || files.isOpen(target);
  const follow = (document: vscode.TextDocument): void => {
    const target = definitionTargets.ofEdited(document.uri);
    if (target === undefined) return;
    const name = document.uri.toString();
    const before = known.get(name);
    const after = definitionTexts.of(document);
    known.set(name, after);
    if (before === undefined || before === after || !hasPins(target)) return;
    for (const [from, to] of findRenamed(before, after))
      files
        .move(target, from, to)
        .catch((error: unknown) => logger.error('A pin could not follow its node.', error));
  };
  const followAll = (): void => vscode.workspace.textDocuments.forEach(follow);
  followAll();
  owned.add(definitionTargets.onDidChange(followAll));
  owned.add(vscode.workspace.onDidOpenTextDocument(follow));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) follow(document);
    }),
  );
  owned.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      const target = definitionTargets.ofEdited(uri);
      if (target !== undefined && !hasPins(target)) known.delete(uri.toString());
    }),
  );
  return owned;
}

type Renamed = readonly (readonly [from: string, to: string])[];

/** None where more than names has changed in the graph: then it isn't known which node is which. */
function findRenamed(before: DefinitionText, after: DefinitionText): Renamed {
  if (before.nodes.length !== after.nodes.length) return [];
  const renamed = new Map<string, string>();
  for (const [index, node] of before.nodes.entries()) {
    const now = after.nodes[index];
    if (now?.type !== node.type) return [];
    if (now.id !== node.id) renamed.set(node.id, now.id);
  }
  const isRenamed = [...renamed].every(([from, to]) => isTaken(before, from, to) && isTaken(after, to, from));
  return isRenamed && renamed.size > 0 && sameEdges(before, after, renamed) ? [...renamed] : [];
}

function isTaken({ byId }: DefinitionText, taken: string, free: string): boolean {
  return byId.has(taken) && !byId.has(free);
}

function sameEdges(
  before: DefinitionText,
  after: DefinitionText,
  renamed: ReadonlyMap<string, string>,
): boolean {
  const now = (id: string): string => renamed.get(id) ?? id;
  return (
    before.edges.length === after.edges.length &&
    before.edges.every(({ source, target }, index) => {
      const edge = after.edges[index];
      return edge?.source === now(source) && edge.target === now(target);
    })
  );
}
