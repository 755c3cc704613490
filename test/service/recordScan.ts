// What a look at all records of executions finds: what a search is compared with.
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../src/base/json.ts';
import { call, listAt, type Service, textAt } from './calls.ts';
import { search } from './searching.ts';

/** Its executions have the texts and numbers of `list` in their values, those of a loop too, and fail if they're told to. */
export const scannedDefinition = {
  name: 'Searched',
  nodes: [
    { id: 'start', type: 'trigger' },
    { id: 'all', type: 'forEach', config: { items: 'input.list', result: 'item' } },
    { id: 'say', type: 'log', config: { message: 'Has {{ item }}' } },
    { id: 'check', type: 'condition', config: { expression: 'input.fails' } },
    { id: 'stop', type: 'fail', config: { message: 'Failed for {{ input.list }}' } },
  ],
  edges: [
    { source: 'start', target: 'all' },
    { source: 'all', target: 'say', branch: 'each' },
    { source: 'start', target: 'check' },
    { source: 'check', target: 'stop', branch: 'true' },
  ],
};

/** Returns the ids of the wanted executions in whose values the text stands in any case, newest first. */
export async function scanRecords(
  service: Service,
  text: string,
  isWanted: (execution: JsonObject) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const execution of (await search(service, {})).filter(isWanted)) {
    const id = textAt(execution, 'id');
    const read = async (path: string): Promise<JsonObject> =>
      (await call(service, 'GET', `/v1/executions/${id}${path}`)).body;
    const { input } = await read('');
    const { output } = await read('/output');
    const rows = listAt(await read('/logs?limit=100'), 'data').map((row) => [
      row['input'],
      row['output'],
      row['message'],
    ]);
    const values = [input, output, execution['error'], ...rows.flat()];
    if (values.some((value) => has(value, text.toLowerCase()))) found.push(id);
  }
  return found;
}

function has(value: JsonValue | undefined, text: string): boolean {
  if (isJsonArray(value)) return value.some((item) => has(item, text));
  if (isJsonObject(value)) return Object.values(value).some((member) => has(member, text));
  if (typeof value === 'string') return value.toLowerCase().includes(text);
  return typeof value === 'number' && stringifyJson(value).includes(text);
}
