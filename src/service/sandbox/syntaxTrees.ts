// What JSONata's syntax tree of an expression reveals about its numbers.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isLossless } from '../../base/jsonNumbers.ts';

/** True for a path of names and indexes, such as `nodes.call.body.items[0].id`: it returns what it names and computes nothing. */
export function isPath(tree: unknown): boolean {
  if (!isJsonObject(tree) || tree['type'] !== 'path' || tree['group'] !== undefined) return false;
  const { steps } = tree;
  return isJsonArray(steps) && steps.every((step, index) => isJsonObject(step) && isStep(step, index === 0));
}

/** A path step that has one of these members does more than name a member. */
const computing = ['focus', 'index', 'ancestor', 'tuple', 'group'];

function isStep(step: JsonObject, isFirst: boolean): boolean {
  const isRoot = isFirst && step['type'] === 'variable' && (step['value'] === '' || step['value'] === '$');
  if (!isRoot && step['type'] !== 'name') return false;
  if (computing.some((name) => step[name] !== undefined)) return false;
  return [step['stages'], step['predicate']].every(
    (filters) => filters === undefined || (isJsonArray(filters) && filters.every(isIndex)),
  );
}

function isIndex(filter: JsonValue): boolean {
  const test = isJsonObject(filter) && filter['type'] === 'filter' ? filter['expr'] : undefined;
  return isJsonObject(test) && (test['type'] === 'number' || test['type'] === 'string');
}

/** Returns the numbers written in an expression that JavaScript can't hold, with their digits as written. */
export function inexactLiterals(expression: string, tree: unknown): readonly string[] {
  const found: string[] = [];
  const open = [tree];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (Array.isArray(part)) open.push(...(part as readonly unknown[]));
    if (!isJsonObject(part)) continue;
    open.push(...Object.values(part));
    const { type, position } = part;
    if (type !== 'number' || typeof position !== 'number') continue;
    const [literal] = /\d[\d.]*(?:[eE][-+]?\d+)?$/.exec(expression.slice(0, position)) ?? [];
    if (literal !== undefined && !isLossless(literal)) found.push(literal);
  }
  return found;
}
