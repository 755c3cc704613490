// The names that n8n uses for the outputs of its nodes, in its records and in the graph.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** What the names depend on. */
export interface OutputNode {
  readonly type: string;
  readonly parameters: JsonObject;
  readonly onError: string;
}

/** The outputs of this type depend on its parameters. */
export const switchType = 'n8n-nodes-base.switch';

const named: ReadonlyMap<string, readonly string[]> = new Map([
  ['n8n-nodes-base.if', ['true', 'false']],
  ['n8n-nodes-base.filter', ['kept', 'discarded']],
  ['n8n-nodes-base.splitInBatches', ['done', 'loop']],
  ['n8n-nodes-base.compareDatasets', ['in A only', 'same', 'different', 'in B only']],
]);

/** The output, the last one, that a node uses when it fails. */
const errorOutput = 'error';

/** True for a node whose last output takes failed items. */
export function hasErrorOutput({ onError }: Pick<OutputNode, 'onError'>): boolean {
  return onError === 'continueErrorOutput';
}

/** Returns a name for each of `count` outputs, counted from 1 where n8n has none; '' for the only one. Each name once. */
export function outputNames(node: OutputNode, count: number): readonly string[] {
  const own = node.type === switchType ? switchNames(node.parameters) : named.get(node.type);
  const errorAt = hasErrorOutput(node) ? (own?.length ?? Math.max(1, count - 1)) : undefined;
  const nameAt = (index: number): string => {
    if (index === errorAt) return errorOutput;
    if (own !== undefined) return own[index] ?? String(index + 1);
    if (errorAt === 1) return 'success';
    return count > 1 ? String(index + 1) : '';
  };
  const names = Array.from({ length: count }, (_, index) => nameAt(index));
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} (${index + 1})`));
}

/** Rules may have names; what matches no rule may go to an output behind them. */
function switchNames({ rules = null, options = null }: JsonObject): readonly string[] {
  const list = isJsonObject(rules) ? (rules['values'] ?? rules['rules'] ?? null) : null;
  const found = isJsonArray(list) ? list.map((rule, index) => nameOf(rule) ?? String(index + 1)) : [];
  const { fallbackOutput, renameFallbackOutput } = isJsonObject(options) ? options : {};
  if (fallbackOutput !== 'extra') return found;
  const renamed = typeof renameFallbackOutput === 'string' ? renameFallbackOutput.trim() : '';
  return [...found, renamed === '' ? 'fallback' : renamed];
}

function nameOf(rule: JsonValue): string | undefined {
  const key = isJsonObject(rule) ? rule['outputKey'] : undefined;
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined;
}
