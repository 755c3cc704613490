// The results of "Evaluate" on open definitions. Each lasts until its expression, its execution or its turn is another one.
import type * as vscode from 'vscode';
import { Outline } from '../completion/outline.ts';
import { readUnfinishedJsonTree } from '../../../ui/jsonText.ts';
import type { RecordedData } from './recordedData.ts';
import type { ExpressionPlace } from './expressionPlaces.ts';
import { type Sight, sightAtEnd, sightOf } from './recordedRuns.ts';
import type { Failure, ShownValue } from './renderValue.ts';

interface Evaluation {
  readonly expression: string;
  readonly executionId: string;
  /** The run and the turn that were shown. */
  readonly seen: string;
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
    data: RecordedData,
    given: ShownValue | Failure,
  ): void {
    const held = this.#byDocument.get(document) ?? new Map<string, Evaluation>();
    this.#byDocument.set(document, held);
    const [oldest] = held.keys();
    if (held.size >= maximumKept && oldest !== undefined) held.delete(oldest);
    const { executionId } = data;
    held.set(nameOf(place), {
      expression: place.expression,
      executionId,
      seen: nameSeen(place, data),
      given,
    });
    this.#announce();
  }

  find(
    document: vscode.TextDocument,
    place: ExpressionPlace,
    data: RecordedData,
  ): ShownValue | Failure | undefined {
    const held = this.#byDocument.get(document);
    const name = nameOf(place);
    const found = held?.get(name);
    if (found === undefined) return undefined;
    const isSame =
      found.expression === place.expression &&
      found.executionId === data.executionId &&
      found.seen === nameSeen(place, data);
    if (!isSame) held?.delete(name);
    return isSame ? found.given : undefined;
  }
}

function nameOf({ nodeId, path, part }: ExpressionPlace): string {
  return JSON.stringify([nodeId, path, part]);
}

function nameSeen({ nodeId }: ExpressionPlace, { shownOf, turnOf }: RecordedData): string {
  const run = shownOf(nodeId);
  return JSON.stringify([run?.run.key, run && turnOf(run)?.index]);
}

/**
 * What an expression of a node can see. For a node that didn't run: all that ran outside of loops, or in the shown turn of the loop that it's in.
 * undefined if that isn't known. `text`: of the definition.
 */
export function sightFor(
  { runs, shownOf, turnOf }: RecordedData,
  { nodeId, nodeType, path }: Pick<ExpressionPlace, 'nodeId' | 'nodeType' | 'path'>,
  text: string,
): Sight | undefined {
  if (!runs.isNumbered) return undefined;
  const run = shownOf(nodeId);
  if (nodeType === 'forEach' && path[0] === 'result') {
    const turn = run && turnOf(run);
    return turn && sightAtEnd(turn);
  }
  if (run !== undefined) return sightOf(run);
  const root = readUnfinishedJsonTree(text);
  const [loop] = root === undefined ? [] : new Outline(root).loopsOf(nodeId);
  if (loop === undefined) return sightAtEnd(runs.root);
  const around = shownOf(loop.id);
  const turn = around && turnOf(around);
  return turn && sightAtEnd(turn);
}
