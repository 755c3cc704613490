// The results of "Evaluate" on open definitions. Each is shown while its expression, and what that can see, are the same.
import { getOrInsert } from '../../../base/getOrInsert.ts';
import { stringifyJson } from '../../../base/json.ts';
import type { IterationItem, RunItem } from '../../../model/runs/runItems.ts';
import { scopeAtEnd, scopeOf, type ScopeSnapshot } from '../../../ui/expressions/scopeSnapshot.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { DefinitionDocument, DefinitionTexts } from '../../../ui/definitionTexts.ts';
import type { RecordedData } from '../../../ui/expressions/recordedData.ts';
import type { ExpressionPlace } from '../../../definition/expressionPlaces.ts';
import type { Failure, ShownValue } from '../../../ui/expressions/renderValue.ts';
import { isForEach } from '../../../definition/nodeTypes.ts';

interface Evaluation {
  readonly expression: string;
  readonly executionId: string;
  /** Names what the expression could see. */
  readonly seen: string;
  readonly given: ShownValue | Failure;
}

/** How many results are kept on a document. */
const maximumKept = 200;

export class Evaluations {
  readonly #byDocument = new WeakMap<DefinitionDocument, Map<string, Evaluation>>();
  readonly #texts: Pick<DefinitionTexts, 'of'>;
  readonly #announce: () => void;

  /** `announce` is called when a result is there. */
  constructor(texts: Pick<DefinitionTexts, 'of'>, announce: () => void) {
    this.#texts = texts;
    this.#announce = announce;
  }

  show(
    document: DefinitionDocument,
    place: ExpressionPlace,
    data: RecordedData,
    given: ShownValue | Failure,
  ): void {
    const held = getOrInsert(this.#byDocument, document, () => new Map());
    const [oldest] = held.keys();
    if (held.size >= maximumKept && oldest !== undefined) held.delete(oldest);
    held.set(nameOf(place), {
      expression: place.expression,
      executionId: data.executionId,
      seen: this.#nameSeen(document, place, data),
      given,
    });
    this.#announce();
  }

  /** `data` may be older than a result, which is kept then. */
  find(
    document: DefinitionDocument,
    place: ExpressionPlace,
    data: RecordedData,
  ): ShownValue | Failure | undefined {
    const found = this.#byDocument.get(document)?.get(nameOf(place));
    const isSame =
      found?.expression === place.expression &&
      found.executionId === data.executionId &&
      found.seen === this.#nameSeen(document, place, data);
    return isSame ? found.given : undefined;
  }

  /** A node without a run sees more as a live execution goes on, and something else in another iteration of the loop around it. */
  #nameSeen(document: DefinitionDocument, place: ExpressionPlace, data: RecordedData): string {
    const scope = findScope(data, place, this.#texts.of(document));
    if (scope === undefined) return '';
    const { of, iteration, outputs } = scope;
    const items = loopsAround(iteration).map(({ run }) => data.itemsOf(run.nodeId) ?? null);
    return stringifyJson([of?.key, iteration?.index, [...outputs.values()].map(({ key }) => key), items]);
  }
}

/** Innermost first. */
function loopsAround(iteration: IterationItem | null): readonly RunItem[] {
  if (iteration?.owner.kind !== 'run') return [];
  return [iteration.owner, ...loopsAround(iteration.owner.scope.iteration)];
}

function nameOf({ nodeId, path, part }: ExpressionPlace): string {
  return stringifyJson([nodeId, path, part]);
}

/**
 * What an expression of a node can see. For a node that didn't run: all that ran outside of loops, or in the selected iteration of the loop
 * that it's in. undefined if that isn't known.
 */
export function findScope(
  { runTree, runOf, iterationOf }: RecordedData,
  { nodeId, nodeType, path }: Pick<ExpressionPlace, 'nodeId' | 'nodeType' | 'path'>,
  text: DefinitionText,
): ScopeSnapshot | undefined {
  if (!runTree.isNumbered) return undefined;
  const run = runOf(nodeId);
  if (isForEach(nodeType) && path[0] === 'result') return scopeAtEndOf(run && iterationOf(run));
  if (run !== undefined) return scopeOf(run);
  const [loop] = text.loopsOf(nodeId);
  if (loop === undefined) return scopeAtEnd(runTree.root);
  const around = runOf(loop.id);
  return scopeAtEndOf(around && iterationOf(around));
}

function scopeAtEndOf(iteration: IterationItem | undefined): ScopeSnapshot | undefined {
  return iteration && scopeAtEnd(iteration.scope);
}
