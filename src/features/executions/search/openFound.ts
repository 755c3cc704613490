// Opens where a search found its text: the document of the part or of the node run, with the value selected.
import * as vscode from 'vscode';
import { formatField } from '../../../base/fieldPath.ts';
import { visitValues } from '../../../base/jsonValues.ts';
import { stringifyJson } from '../../../base/json.ts';
import { findInJson, foldText } from '../../../domain/findText.ts';
import type { NodeRun } from '../../../domain/nodeRun.ts';
import type { FoundPlace } from '../../../domain/search.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { findDocument, rangeOfSpan } from '../../../editor/documents/documents.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { App } from '../../../ui/app.ts';

export type OpenFoundDeps = Pick<App, 'commands' | 'executions' | 'following'>;

/** Where the text stands in a document. */
interface FoundRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns where a folded text stands in a document: in the value with the path, or else in the first value that has it; where no value has
 * it, anywhere.
 */
export function findInDocument(
  text: string,
  folded: string,
  path: string | undefined,
): FoundRange | undefined {
  let first: FoundRange | undefined;
  let wanted: FoundRange | undefined;
  visitValues(text, (value, readPath, start, end) => {
    if (!foldText(value).includes(folded)) return false;
    const at = foldText(text.slice(start, end)).indexOf(folded);
    // Written with escapes, it's the whole value.
    const range = at === -1 ? { start, end } : { start: start + at, end: start + at + folded.length };
    first ??= range;
    if (path === undefined || isSamePlace(formatField(readPath()), path)) wanted = range;
    return wanted !== undefined;
  });
  const at = foldText(text).indexOf(folded);
  return wanted ?? first ?? (at === -1 ? undefined : { start: at, end: at + folded.length });
}

/** The document of a part may have it below a name of its own. */
function isSamePlace(inDocument: string, path: string): boolean {
  return inDocument === path || inDocument.endsWith(path.startsWith('[') ? path : `.${path}`);
}

/** Returns the run with the text; of several attempts the last one that has it. */
export function findFoundRun(
  runs: readonly NodeRun[],
  { nodeId, iteration = [] }: FoundPlace,
  folded: string,
): NodeRun | undefined {
  const ofNode = runs.filter((run) => run.nodeId === nodeId && run.iteration.join() === iteration.join());
  const hasText = ({ input, output, exchange, error, logs }: NodeRun): boolean => {
    const messages = logs.map(({ message }) => message);
    const json = stringifyJson([input, output, exchange, error, messages]);
    return findInJson(json, folded, 1).length > 0;
  };
  return ofNode.findLast(hasText) ?? ofNode.at(-1);
}

async function openPart(
  { commands, following }: OpenFoundDeps,
  target: ExecutionTarget,
  place: FoundPlace,
  folded: string,
): Promise<string | undefined> {
  switch (place.place) {
    case 'input':
      return commands.run('execution.openInput', target);
    case 'output':
      return commands.run('execution.openOutput', target);
    case 'error':
      return commands.run('execution.open', target);
    case 'nodeRun': {
      const { nodeRuns } = await following.readLog(target);
      const run = findFoundRun(nodeRuns, place, folded);
      if (run === undefined)
        throw new PlainError(vscode.l10n.t('The service no longer keeps this node run.'));
      return commands.run('nodeRun.open', { ...target, nodeRunKey: run.key });
    }
  }
}

/** text: what was searched for; null: only criteria. Returns the document's URI. */
export async function openFound(
  deps: OpenFoundDeps,
  target: ExecutionTarget,
  place: FoundPlace | undefined,
  text: string | null,
): Promise<string | undefined> {
  // Its document is named by it.
  await deps.executions.get(target);
  if (place === undefined || text === null) return deps.commands.run('execution.open', target);
  const folded = foldText(text);
  const uri = await openPart(deps, target, place, folded);
  if (uri !== undefined) await select(vscode.Uri.parse(uri, true), folded, place.path);
  return uri;
}

async function select(uri: vscode.Uri, folded: string, path: string | undefined): Promise<void> {
  const document = findDocument(uri);
  const range = document && findInDocument(document.getText(), folded, path);
  if (document === undefined || range === undefined) return;
  await vscode.window.showTextDocument(document, { preview: true, selection: rangeOfSpan(document, range) });
}
