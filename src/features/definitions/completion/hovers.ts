// What a definition's text explains at an offset: a node that an edge names, a value of an expression, a function. Pure.
import * as l10n from '@vscode/l10n';
import { joined, jsonLines, plainLine } from '../../../base/format.ts';
import type { NodeSummary } from '../../../model/runs/nodeSummary.ts';
import { describeStates, errorOfRun } from '../../../words/nodeState.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { isNodeType, type NodeType, traitsOf } from '../../../definition/nodeTypes.ts';
import { findFunction } from '../../../ui/expressions/jsonataFunctions.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import type { TextSpan } from '../../../definition/jsonString.ts';
import type { ShownValues } from '../../../ui/expressions/shownValues.ts';
import { Paths } from '../../../ui/expressions/paths.ts';
import { type CodePlace, findPlace } from '../../../ui/expressions/place.ts';
import { nodeWords, readScope } from '../../../ui/expressions/scope.ts';
import { describeSchema, sampleText, type Shape, shapeWords } from '../../../ui/expressions/shapes.ts';
import { tokenize } from '../../../ui/expressions/tokens.ts';

/** Plain texts, which may come from outside. */
export interface Explanation {
  readonly span: TextSpan;
  /** Code on one line. */
  readonly title: string;
  /** Paragraphs; empty ones are left out. */
  readonly words: readonly string[];
  /** The value in the execution that's shown as JSON. */
  readonly value: string | undefined;
  /** The page on node types has more. */
  readonly isNodeType?: boolean;
}

const maximumValue = 200;
const maximumTitle = 120;

export function findExplanation(
  definition: DefinitionText,
  offset: number,
  values: ShownValues,
): Explanation | undefined {
  const place = findPlace(definition, offset);
  if (place?.kind === 'code') return explainCode(place, values);
  if (place?.kind === 'type') return explainType(place.type, place.span);
  if (place?.kind !== 'source' && place?.kind !== 'target') return undefined;
  const node = place.definition.byId.get(place.edge?.[place.kind] ?? '');
  if (node === undefined) return undefined;
  const output = values.outputs.get(node.id);
  return {
    span: place.span,
    title: plainLine(node.id, maximumTitle),
    words: [nodeWords(node), plainLine(node.description), stateOf(values.nodes.get(node.id))],
    value: valueOf({ schemas: [], samples: output === undefined ? [] : [output] }),
  };
}

/** What a type does is said by the JSON language, which knows the schema. */
function explainType(type: string, span: TextSpan): Explanation | undefined {
  if (!isNodeType(type)) return undefined;
  return { span, title: type, words: [outputWords(type)], value: undefined, isNodeType: true };
}

function outputWords(type: NodeType): string {
  const { output, givesResult = false } = traitsOf(type) ?? {};
  if (output !== undefined) return l10n.t('Output: {0}', schemaWords(output));
  if (givesResult) return l10n.t('Output: the value of its expression');
  return type === 'trigger' ? l10n.t('Output: the input of the execution') : l10n.t('Output: none');
}

function schemaWords(schema: JsonObject): string {
  const { properties } = schema;
  if (!isJsonObject(properties)) return shapeWords({ schemas: [schema], samples: [] });
  const members = Object.entries(properties).map(([name, member]) =>
    joined([name, isJsonObject(member) ? schemaWords(member) : ''], ': '),
  );
  return `{ ${members.join(', ')} }`;
}

function stateOf(summary: NodeSummary | undefined): string {
  if (summary === undefined) return '';
  const words = l10n.t('Latest execution: {0}', describeStates(summary));
  return joined([words, errorOfRun(summary.worst, 300)], '. ');
}

function explainCode(place: CodePlace, values: ShownValues): Explanation | undefined {
  const { code, cursor, node, member, definition, toSpan } = place;
  const tokens = tokenize(code);
  const index = tokens.findIndex(({ start, end }) => start <= cursor && cursor < end);
  const token = tokens[index];
  if (token?.kind !== 'name' && token?.kind !== 'quoted' && token?.kind !== 'variable') return undefined;
  const span = toSpan(token);
  const known = token.kind === 'variable' ? findFunction(token.value) : undefined;
  if (known !== undefined) return { span, title: known.signature, words: [known.sentence], value: undefined };
  const paths = new Paths(
    tokens,
    readScope({ definition, node, isResult: member === 'result', member }, values),
  );
  const shape = paths.shapeAt(index);
  const type = shapeWords(shape);
  const value = valueOf(shape);
  if (type === '' && value === undefined && shape.note === undefined) return undefined;
  const path = code.slice(tokens[paths.startOf(index)]?.start ?? token.start, token.end);
  const title = plainLine(joined([path, type], ': '), maximumTitle);
  return { span, title, words: [shape.note ?? '', plainLine(describeSchema(shape))], value };
}

/** The beginning of the value as JSON, on several lines. */
function valueOf(shape: Shape): string | undefined {
  const json = sampleText(shape, maximumValue, '  ');
  return json && jsonLines(json);
}
