// Where a workflow declares no schema of its input, past inputs tell what one looks like.
import { isJsonObject, type JsonObject, type JsonValue, isJsonArray } from '../../base/json.ts';

const maximumDepth = 8;
const maximumMembers = 100;
const maximumItems = 50;

interface Member {
  readonly shape: Shape;
  /** In how many of the objects it was. */
  count: number;
}

/** What was seen at one place of the inputs. */
interface Shape {
  readonly types: Set<string>;
  objectCount: number;
  readonly members: Map<string, Member>;
  items: Shape | undefined;
}

/** Types are united, and a member that was missing once is optional; values are never taken for the only ones allowed. Undefined without inputs. */
export function learnSchema(inputs: readonly JsonObject[]): JsonObject | undefined {
  if (inputs.length === 0) return undefined;
  const shape = newShape();
  for (const input of inputs) observe(shape, input, 0);
  return render(shape);
}

function newShape(): Shape {
  return { types: new Set(), objectCount: 0, members: new Map(), items: undefined };
}

function observe(shape: Shape, value: JsonValue, depth: number): void {
  shape.types.add(typeOf(value));
  if (depth >= maximumDepth) return;
  if (isJsonObject(value)) {
    shape.objectCount += 1;
    for (const [name, member] of Object.entries(value)) observeMember(shape, name, member, depth);
  } else if (isJsonArray(value)) {
    for (const item of value.slice(0, maximumItems)) observe((shape.items ??= newShape()), item, depth + 1);
  }
}

function observeMember({ members }: Shape, name: string, value: JsonValue, depth: number): void {
  const known = members.get(name);
  if (known === undefined && members.size >= maximumMembers) return;
  const member = known ?? { shape: newShape(), count: 0 };
  members.set(name, member);
  member.count += 1;
  observe(member.shape, value, depth + 1);
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function render({ types, objectCount, members, items }: Shape): JsonObject {
  const names = [...types].filter((type) => type !== 'integer' || !types.has('number')).sort();
  const [only] = names;
  const entries = [...members];
  const required = entries.filter(([, { count }]) => count === objectCount).map(([name]) => name);
  return {
    type: names.length === 1 && only !== undefined ? only : names,
    ...(entries.length === 0
      ? {}
      : { properties: Object.fromEntries(entries.map(([name, { shape }]) => [name, render(shape)])) }),
    ...(required.length === 0 ? {} : { required }),
    ...(items === undefined ? {} : { items: render(items) }),
  };
}
