// The results of "Evaluate" on open definitions. Each lasts until its expression, its execution or its turn is another one.
import type * as vscode from 'vscode';
import { Outline } from '../completion/outline.ts';
import { readUnfinishedJsonTree } from '../../../ui/jsonText.ts';
import type { RecordedData } from './recordedData.ts';
import type { ExpressionPlace } from './expressionPlaces.ts';
import { type Sight, sightAtEnd, sightOf, shownTurn, type RecordedRuns } from './recordedRuns.ts';
import type { Failure, ShownValue } from './renderValue.ts';

interface Evaluation {
  readonly expression: string;
  readonly executionId: string;
  readonly runKey: string | undefined;
  readonly given: ShownValue | Failure;
}

/** How many results are kept on a document. */
const maximumKept = 200;

export class Evaluations {
  readonly #byDocument = new WeakMap<vscode.TextDocument, Map<string, Evaluation>>();
  readonly #announce: () => void;

  /** `announce` is called when a result is there. */
  constructor(announce: () => void) {
    this.#announce = announce;
  }

  show(
    document: vscode.TextDocument,
    place: ExpressionPlace,
    { executionId, runs }: RecordedData,
    given: ShownValue | Failure,
  ): void {
    const held = this.#byDocument.get(document) ?? new Map<string, Evaluation>();
    this.#byDocument.set(document, held);
    const [oldest] = held.keys();
    if (held.size >= maximumKept && oldest !== undefined) held.delete(oldest);
    const runKey = runs.shownOf(place.nodeId)?.run.key;
    held.set(nameOf(place), { expression: place.expression, executionId, runKey, given });
    this.#announce();
  }

  find(
    document: vscode.TextDocument,
    place: ExpressionPlace,
    { executionId, runs }: RecordedData,
  ): ShownValue | Failure | undefined {
    const held = this.#byDocument.get(document);
    const name = nameOf(place);
    const found = held?.get(name);
    if (found === undefined) return undefined;
    const isSame =
      found.expression === place.expression &&
      found.executionId === executionId &&
      found.runKey === runs.shownOf(place.nodeId)?.run.key;
    if (!isSame) held?.delete(name);
    return isSame ? found.given : undefined;
  }
}

function nameOf({ nodeId, path, part }: ExpressionPlace): string {
  return JSON.stringify([nodeId, path, part]);
}

/**
 * What an expression of a node can see. For a node that didn't run: all that ran outside of loops, or in the shown turn of the loop that it's in.
 * undefined if that isn't known. `text`: of the definition.
 */
export function sightFor(
  runs: RecordedRuns,
  { nodeId, nodeType, path }: Pick<ExpressionPlace, 'nodeId' | 'nodeType' | 'path'>,
  text: string,
): Sight | undefined {
  if (!runs.isNumbered) return undefined;
  const run = runs.shownOf(nodeId);
  if (nodeType === 'forEach' && path[0] === 'result') {
    const turn = run && shownTurn(run);
    return turn && sightAtEnd(turn);
  }
  if (run !== undefined) return sightOf(run);
  const root = readUnfinishedJsonTree(text);
  const [loop] = root === undefined ? [] : new Outline(root).loopsOf(nodeId);
  if (loop === undefined) return sightAtEnd(runs.root);
  const around = runs.shownOf(loop.id);
  const turn = around && shownTurn(around);
  return turn && sightAtEnd(turn);
}
