// What the names in an expression stand for: the input, the outputs of the nodes before it, and in a loop its item.
import * as l10n from '@vscode/l10n';
import { isJsonArray, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { DefinitionNode } from '../../definition/definitionNode.ts';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { canReadSecrets, isForEach, traitsOf } from '../../definition/nodeTypes.ts';
import { joined, plainLine } from '../../base/format.ts';
import { describeSecret } from '../../words/secrets.ts';
import { offeredSchema } from '../../model/inputs/boundedSchema.ts';
import type { ShownValues } from './shownValues.ts';
import { Paths } from './paths.ts';
import { itemsOf, type Shape, unknownShape } from './shapes.ts';
import { tokenize } from './tokens.ts';

/** Where an expression stands. A loop's "result" is evaluated at the end of an iteration, inside its body. */
export interface ScopePlace {
  readonly definition: DefinitionText;
  readonly node: DefinitionNode;
  readonly isResult: boolean;
  /** The config member that it belongs to; undefined where no secret can be read. */
  readonly member?: string;
}

/** Loops inside each other are followed this far. */
const maximumLoops = 10;

export function readScope(place: ScopePlace, values: ShownValues, depth = 0): Shape {
  const { definition } = place;
  const trigger = definition.nodes.find(({ type }) => type === 'trigger');
  const schema = trigger?.inputSchema;
  const input: Shape = {
    schemas: schema === undefined ? [] : [offeredSchema(schema)],
    samples: values.input === undefined ? [] : [values.input],
    note: l10n.t('the input of the execution'),
  };
  const nodes: Shape = {
    schemas: [],
    samples: [],
    members: nodeShapes(place, values, input),
    note: l10n.t('the outputs of the nodes so far'),
  };
  const members = new Map([
    ['input', input],
    ['nodes', nodes],
  ]);
  if (place.member !== undefined && canReadSecrets(place.node.type, place.member))
    members.set('secrets', secretShapes(values.secrets));
  const loops = loopsAround(place);
  const [loop] = loops;
  if (loop !== undefined) {
    members.set('item', itemOf({ definition, node: loop, isResult: false }, values, depth));
    members.set('index', {
      schemas: [{ type: 'integer' }],
      samples: [values.iterations.get(loop.id) ?? 0],
      note: l10n.t("the item's place in the list, from 0"),
    });
  }
  return { schemas: [], samples: [], members };
}

function secretShapes(secrets: ShownValues['secrets'] = new Map()): Shape {
  const now = Date.now();
  const members = [...secrets.values()].map((secret): [string, Shape] => [
    secret.name,
    { schemas: [{ type: 'string' }], samples: [], note: describeSecret(secret, now) },
  ]);
  return {
    schemas: [],
    samples: [],
    members: new Map(members),
    note: l10n.t('the secrets of the local service'),
  };
}

/** What a node gives. There may be thousands, of which one is looked at. */
class NodeShape implements Shape {
  readonly samples: readonly JsonValue[];
  readonly rank: number;
  readonly #node: DefinitionNode;
  readonly #input: Shape;

  constructor(node: DefinitionNode, input: Shape, samples: readonly JsonValue[], rank: number) {
    this.#node = node;
    this.#input = input;
    this.samples = samples;
    this.rank = rank;
  }

  get schemas(): readonly JsonObject[] {
    return this.#node.type === 'trigger' ? this.#input.schemas : outputSchemas(this.#node);
  }

  get note(): string {
    return nodeWords(this.#node);
  }
}

/** The nodes that may have an output by then, and what it is. */
function nodeShapes(
  { definition, node, isResult }: ScopePlace,
  values: ShownValues,
  input: Shape,
): ReadonlyMap<string, Shape> {
  const before = definition.before(node.id);
  const body = isResult ? definition.body(node.id) : new Set<string>();
  const loops = loopsAround({ definition, node, isResult }).map(({ id }) => id);
  const within = new Set(loops);
  // A loop has no output yet in its body, and what follows it hasn't either.
  const after = new Set([node.id, ...loops].flatMap((id) => [id, ...definition.after(id)]));
  const isConnected = isPlaced(definition, node);
  const members = new Map<string, Shape>();
  for (const each of definition.nodes) {
    if (each.id === '' || each.id === node.id) continue;
    const isBefore = !within.has(each.id) && (before.has(each.id) || body.has(each.id));
    if (isConnected && !isBefore && after.has(each.id)) continue;
    // What runs inside a loop can't be seen from outside of it.
    if (isConnected && !definition.loopsOf(each.id).every(({ id }) => within.has(id))) continue;
    const output = values.outputs.get(each.id);
    const samples = output === undefined ? [] : [output];
    members.set(each.id, new NodeShape(each, input, samples, isBefore ? 0 : 1));
  }
  return members;
}

/** The node's name and type. */
export function nodeWords({ id, name, type }: DefinitionNode): string {
  return joined([name === id ? undefined : plainLine(name, 80), plainLine(type, 80)], ' · ');
}

/** While nothing leads to a node, it isn't known in which loop it will be. */
function isPlaced(definition: DefinitionText, { id, type }: DefinitionNode): boolean {
  return type === 'trigger' || definition.incoming(id).length > 0;
}

function loopsAround({ definition, node, isResult }: ScopePlace): readonly DefinitionNode[] {
  const around = isPlaced(definition, node)
    ? definition.loopsOf(node.id)
    : definition.nodes.filter(({ id, type }) => isForEach(type) && id !== node.id);
  return isResult ? [node, ...around] : around;
}

/** The item of the list of the iteration that is shown. */
function itemOf(loop: ScopePlace, values: ShownValues, depth: number): Shape {
  const tokens = tokenize(loop.node.config('items') ?? '');
  const note = l10n.t('the item of this iteration');
  if (depth > maximumLoops) return { ...unknownShape, note };
  const list = new Paths(tokens, readScope(loop, values, depth + 1)).shapeOfAll();
  if (values.isOfAllItems === true) return { ...itemsOf(list), note };
  const index = values.iterations.get(loop.node.id) ?? 0;
  const items = list.samples.flatMap((sample) => (isJsonArray(sample) ? sample : [sample]));
  return { schemas: itemsOf(list).schemas, samples: items.slice(index, index + 1), note };
}

function outputSchemas(node: DefinitionNode): readonly JsonObject[] {
  const known = traitsOf(node.type)?.output;
  if (known !== undefined) return [known];
  const code = node.config('expression') ?? '';
  const names = new Paths(tokenize(code), unknownShape).namesWritten();
  if (names.length === 0) return [];
  return [{ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) }];
}
