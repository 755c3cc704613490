// Reads the parameters of a node from the TypeScript in which n8n's MCP server declares them: types of objects, with comments.
import { truncateText } from '../../base/format.ts';
import type { NodeParameter, ParameterType } from '../../domain/nodeParameters.ts';

/** Longer declarations are read up to here, in UTF-16 units. */
const maximumLength = 512 * 1024;
const maximumDepth = 12;
const maximumWords = 1000;
/** Of a type in one line. */
const maximumTypeText = 200;

interface Token {
  readonly kind: 'comment' | 'text' | 'name' | 'sign';
  readonly value: string;
}

const tokenPattern =
  /\/\*\*(?<comment>[^]*?)\*\/|\/\*[^]*?\*\/|\/\/[^\n]*|'(?<single>(?:[^'\\\n]|\\.)*)'|"(?<double>(?:[^"\\\n]|\\.)*)"|(?<name>[\w$.]+)|(?<sign>[^\s])/g;

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(tokenPattern)].flatMap(({ groups = {} }): readonly Token[] => {
    const { comment, single, double, name, sign } = groups;
    const literal = single ?? double;
    if (comment !== undefined) return [{ kind: 'comment', value: comment }];
    if (literal !== undefined) return [{ kind: 'text', value: literal.replace(/\\(.)/g, '$1') }];
    if (name !== undefined) return [{ kind: 'name', value: name }];
    return sign === undefined ? [] : [{ kind: 'sign', value: sign }];
  });
}

const nothing: ParameterType = { text: '', values: [], members: [] };

/** Returns the parameters that the declarations of a node list, each name once; what can't be read is left out. */
export function readParameterTypes(declarations: string): readonly NodeParameter[] {
  const reader = new Reader(tokensOf(declarations.slice(0, maximumLength)));
  const declared = reader.declarations();
  const all = [...declared].flatMap(([name, { members }]) => (name.endsWith('Params') ? members : []));
  return mergeByName(all);
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #declared = new Map<string, ParameterType>();
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Those before a use are known to it, which is how n8n orders them. */
  declarations(): ReadonlyMap<string, ParameterType> {
    while (this.#at < this.#tokens.length) {
      const keyword = this.#next()?.value;
      if (keyword !== 'type' && keyword !== 'interface') continue;
      const name = this.#peek();
      if (name?.kind !== 'name') continue;
      this.#at += 1;
      this.#skip('=');
      this.#declared.set(name.value, this.#type(0));
    }
    return this.#declared;
  }

  /** A union of parts: literals, names, lists and objects. */
  #type(depth: number): ParameterType {
    const start = this.#at;
    const values: (string | boolean)[] = [];
    const members: NodeParameter[] = [];
    do {
      this.#comments();
      const part = this.#part(depth);
      values.push(...part.values);
      members.push(...part.members);
    } while (this.#skip('|'));
    const text = this.#tokens
      .slice(start, this.#at)
      .filter(({ kind }) => kind !== 'comment')
      .map(({ kind, value }) => (kind === 'text' ? `'${value}'` : value))
      .join(' ')
      .replace(/ ?([<>]) ?/g, '$1')
      .replace(/ ([;:?,])/g, '$1');
    return {
      text: truncateText(text, maximumTypeText),
      values: [...new Set(values)],
      members: mergeByName(members),
    };
  }

  #part(depth: number): ParameterType {
    const token = this.#next();
    if (token === undefined) return nothing;
    if (token.kind === 'text') return { ...nothing, values: [token.value] };
    if (token.value === '{') return this.#list({ ...nothing, members: this.#members(depth + 1) });
    if (token.kind !== 'name') return nothing;
    if (token.value === 'boolean') return this.#list({ ...nothing, values: [true, false] });
    if (!this.#skip('<')) return this.#list(this.#declared.get(token.value) ?? nothing);
    const inner = depth < maximumDepth ? this.#type(depth + 1) : nothing;
    while (this.#skip(',')) this.#type(depth + 1);
    this.#skip('>');
    // An expression has the type of its result, which isn't written down.
    return token.value === 'Array' ? { ...nothing, members: inner.members } : nothing;
  }

  /** The values of a list's items are none of its own. */
  #list(type: ParameterType): ParameterType {
    let isList = false;
    while (this.#peek()?.value === '[' && this.#tokens[this.#at + 1]?.value === ']') {
      this.#at += 2;
      isList = true;
    }
    return isList ? { ...type, values: [] } : type;
  }

  #members(depth: number): readonly NodeParameter[] {
    const members: NodeParameter[] = [];
    let comment = '';
    while (this.#at < this.#tokens.length) {
      const token = this.#next();
      if (token === undefined || (token.kind === 'sign' && token.value === '}')) break;
      if (token.kind === 'comment') comment = token.value;
      if (token.kind !== 'name' && token.kind !== 'text') continue;
      const isOptional = this.#skip('?');
      if (!this.#skip(':')) continue;
      const type = depth < maximumDepth ? this.#type(depth) : this.#skipped();
      members.push({ name: token.value, isRequired: !isOptional, ...wordsOf(comment), type });
      comment = '';
    }
    return members;
  }

  /** What is too deep is passed over, up to the end of its object. */
  #skipped(): ParameterType {
    for (let open = 0; this.#at < this.#tokens.length; this.#at += 1) {
      const value = this.#peek()?.value;
      if (value === '{') open += 1;
      if (value === '}') open -= 1;
      if (open < 0 || (open === 0 && value === ';')) break;
    }
    return nothing;
  }

  #comments(): void {
    while (this.#peek()?.kind === 'comment') this.#at += 1;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token | undefined {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #skip(sign: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'sign' || token.value !== sign) return false;
    this.#at += 1;
    return true;
  }
}

/** A node with several forms declares the same parameter in each of them. */
function mergeByName(all: readonly NodeParameter[]): readonly NodeParameter[] {
  const merged = new Map<string, NodeParameter>();
  for (const parameter of all) {
    const known = merged.get(parameter.name);
    const values = [...new Set([...(known?.type.values ?? []), ...parameter.type.values])];
    const members = known?.type.members.length ? known.type.members : parameter.type.members;
    merged.set(parameter.name, {
      ...(known ?? parameter),
      isRequired: parameter.isRequired && (known?.isRequired ?? true),
      type: { ...(known ?? parameter).type, values, members },
    });
  }
  return [...merged.values()];
}

/** The text of a comment up to its first mark, and its mark "default". The other marks are for machines. */
function wordsOf(comment: string): Pick<NodeParameter, 'description' | 'default'> {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*?\s?/, '').trim());
  const marked = lines.findIndex((line) => line.startsWith('@'));
  const description = (marked === -1 ? lines : lines.slice(0, marked)).join(' ').trim();
  const given = lines.find((line) => line.startsWith('@default '))?.slice('@default '.length) ?? '';
  return { description: plain(description), default: plain(given) };
}

/** n8n writes some of them for a page. */
function plain(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .slice(0, maximumWords);
}
