// Fills the `{{ … }}` of texts; runs in a worker.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import { NodeError } from '../engine/nodeError.ts';
import { evaluateToText, evaluateToValue } from './expression.ts';
import { maximumCharacters } from './limits.ts';
import { readTemplate, type Template } from './template.ts';

/** Fills every text in a value. A text that is one `{{ … }}` alone becomes the value itself. */
export async function render(value: JsonValue, data: JsonObject): Promise<JsonValue> {
  if (typeof value === 'string') {
    const template = readTemplate(value);
    const [expression] = template.expressions;
    return template.isValue && expression !== undefined
      ? evaluateToValue(expression, data)
      : fill(template, data);
  }
  if (isJsonArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(await render(item, data));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) members.push([name, await render(member, data)]);
  return Object.fromEntries(members);
}

/** Fills a text; what is put in becomes text whatever it is. */
export async function renderText(text: string, data: JsonObject): Promise<string> {
  return fill(readTemplate(text), data);
}

async function fill({ texts, expressions, isValue }: Template, data: JsonObject): Promise<string> {
  let filled = isValue ? '' : (texts[0] ?? '');
  for (const [index, expression] of expressions.entries()) {
    const json = await evaluateToText(expression, data);
    const value = json.startsWith('"') ? parseJson(json) : undefined;
    filled += typeof value === 'string' ? value : json;
    if (!isValue) filled += texts[index + 1] ?? '';
    if (filled.length > maximumCharacters)
      throw new NodeError('output_too_large', 'The filled text has more than 1 MiB.');
  }
  return filled;
}
