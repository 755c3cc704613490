// The request that executes a workflow, as code to paste. The API key is the value of an environment variable, never part of the code. Pure.
import {
  isExactNumber,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
  withNearestNumbers,
} from '../../../base/json.ts';
import type { DescribedRequest } from '../../../domain/httpExchange.ts';
import { renderCurl as renderCurlCommand, shellWord } from '../../../words/curl.ts';

export const keyVariable = 'WORKFLOW_API_KEY';

export function renderCurlExample({ method, url, headers, body }: DescribedRequest): string {
  const own = Object.entries(headers).map(([name, value]) => shellWord(`${name}: ${value}`));
  return renderCurlCommand({
    method,
    url,
    headers: [`"Authorization: Bearer $${keyVariable}"`, ...own],
    body,
  });
}

function indented(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`);
}

/** In JavaScript `{"__proto__": …}` sets the prototype instead of a member, and not every number of JSON is one. */
function isLiteral(value: JsonValue): boolean {
  if (isExactNumber(value)) return false;
  if (isJsonArray(value)) return value.every(isLiteral);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, member]) => name !== '__proto__' && isLiteral(member));
}

export function renderFetchExample({ method, url, headers, body }: DescribedRequest): string {
  const value = parseJson(body) ?? null;
  const literal = isLiteral(value) ? `JSON.stringify(${indented(body, '  ')})` : stringifyJson(body);
  return [
    `const response = await fetch(${stringifyJson(url)}, {`,
    `  method: ${stringifyJson(method)},`,
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.${keyVariable}}\`,`,
    ...Object.entries(headers).map(([name, text]) => `    ${stringifyJson(name)}: ${stringifyJson(text)},`),
    '  },',
    `  body: ${literal},`,
    '});',
    'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);',
    'console.log(await response.json());',
    '',
  ].join('\n');
}

/** A value as Python writes it. The escapes of JSON's strings mean the same in Python's. */
function pythonValue(value: JsonValue, indent: string): string {
  const inner = `${indent}    `;
  const block = (open: string, members: readonly string[], close: string): string =>
    members.length === 0
      ? open + close
      : [open, ...members.map((member) => `${inner}${member},`), `${indent}${close}`].join('\n');
  if (isJsonArray(value)) {
    const items = value.map((item) => pythonValue(item, inner));
    return block('[', items, ']');
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${stringifyJson(name)}: ${pythonValue(member, inner)}`,
    );
    return block('{', members, '}');
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return stringifyJson(value);
}

/** For the standard library alone. */
export function renderPythonExample({ method, url, headers, body }: DescribedRequest): string {
  const value = parseJson(body) ?? null;
  // Python's fractions have as many digits as JavaScript's.
  const literal =
    withNearestNumbers(value) === value
      ? `json.dumps(${pythonValue(value, '    ')})`
      : stringifyJson(stringifyJson(value));
  return [
    'import json',
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${stringifyJson(url)},`,
    `    method=${stringifyJson(method)},`,
    '    headers={',
    `        "Authorization": "Bearer " + os.environ["${keyVariable}"],`,
    ...Object.entries(headers).map(
      ([name, text]) => `        ${stringifyJson(name)}: ${stringifyJson(text)},`,
    ),
    '    },',
    `    data=${literal}.encode(),`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.load(response))',
    '',
  ].join('\n');
}
