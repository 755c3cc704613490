// The code of a node of n8n, which is in its parameters as one line of JSON.
import type { Node } from 'jsonc-parser';
import { findAt } from './jsonNodes.ts';
import { type Range, rangeOf } from './range.ts';

export type CodeLanguage = 'javascript' | 'python';

export interface NodeCode {
  readonly language: CodeLanguage;
  /** The code; '' where the node has none yet. */
  readonly value: string;
  /** The text that it stands in; undefined where the node has none yet. */
  readonly range: Range | undefined;
  /** The member of the parameters that holds it, from the outside in. */
  readonly path: readonly string[];
}

interface CodePlace {
  readonly path: readonly string[];
  readonly language: CodeLanguage;
}

/** The type of nodes whose code n8n leaves out while it's the default. */
const codeType = 'n8n-nodes-base.code';

const places: readonly CodePlace[] = [
  { path: ['jsCode'], language: 'javascript' },
  { path: ['pythonCode'], language: 'python' },
  { path: ['functionCode'], language: 'javascript' },
  { path: ['code', 'execute', 'code'], language: 'javascript' },
  { path: ['code', 'supplyData', 'code'], language: 'javascript' },
];

/** Returns the code of a node. One with code in both languages runs that of the language that it names. */
export function findCode(node: Node): NodeCode | undefined {
  const parameters = findAt(node, ['parameters']);
  if (parameters?.type !== 'object') return undefined;
  const language = languageOf(parameters);
  const found = places.flatMap((place) => {
    const text = findAt(parameters, place.path);
    const value: unknown = text?.type === 'string' ? text.value : undefined;
    return text !== undefined && typeof value === 'string' ? [{ ...place, value, range: rangeOf(text) }] : [];
  });
  const named = found.find((each) => each.language === language);
  if (named !== undefined) return named;
  if (findAt(node, ['type'])?.value !== codeType) return found[0];
  const path = language === 'python' ? ['pythonCode'] : ['jsCode'];
  return { language, value: '', range: undefined, path };
}

/** n8n leaves the language out where it's JavaScript, and has two kinds of Python. */
function languageOf(parameters: Node): CodeLanguage {
  const value: unknown = findAt(parameters, ['language'])?.value;
  return typeof value === 'string' && value.startsWith('python') ? 'python' : 'javascript';
}
