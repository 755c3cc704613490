// Where a token stands in a definition instead of a secret. Pure.
import type { Node } from 'jsonc-parser';
import type { DefinitionText } from '../../definition/definitionText.ts';
import { findAt } from '../../definition/jsonNodes.ts';
import { JsonString, type TextSpan } from '../../definition/jsonString.ts';

/** A token that stands in a header or a query. */
export interface WrittenToken {
  readonly token: string;
  /** Its place inside the string in the text. */
  readonly span: TextSpan;
  /** What a secret of it could be called. */
  readonly suggestedName: string;
}

const authorizing = /^(?:(?:proxy-)?authorization|cookie)$|token|secret|api[-_]?key|password/i;
/** The scheme of the header, which is no secret. */
const scheme = /^(?:Bearer|Basic|Token|ApiKey|Key)\s+/i;
const shortestToken = 8;

/** In text order of the nodes; of each, those in headers first. */
export function findTokens(definition: DefinitionText): readonly WrittenToken[] {
  const { root } = definition.reading;
  const nodes = root && findAt(root, ['nodes']);
  return (nodes?.children ?? []).flatMap((node) => {
    if (findAt(node, ['type'])?.value !== 'httpRequest') return [];
    const named = ['headers', 'query'].flatMap((member) => findAt(node, ['config', member])?.children ?? []);
    const id: unknown = findAt(node, ['id'])?.value;
    const nodeId = typeof id === 'string' ? id : '';
    return named.flatMap(({ children: [key, value] = [] }) =>
      key && value ? findToken(definition.text, key, value, nodeId) : [],
    );
  });
}

function findToken(text: string, key: Node, value: Node, nodeId: string): readonly WrittenToken[] {
  if (value.type !== 'string' || !authorizing.test(String(key.value))) return [];
  const string = new JsonString(text, value.offset);
  const written = string.value;
  const start = scheme.exec(written)?.[0].length ?? 0;
  const token = written.slice(start);
  if (written.includes('{{') || token.trim().length < shortestToken) return [];
  const span = string.toSpan({ start, end: written.length });
  return [{ token, span, suggestedName: suggestName(String(key.value), nodeId) }];
}

/** "ASK_TOKEN" for the Authorization of a node "ask". */
function suggestName(member: string, nodeId: string): string {
  const what = /authorization/i.test(member) ? 'token' : member.replace(/^x-/i, '');
  const name = `${nodeId}_${what}`.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  const begun = /^[A-Z_]/.test(name) ? name : `_${name}`;
  return begun.slice(0, 64);
}
