// The paths of fields, and patterns that match them: `nodes.fetch.output.headers.date`, `output.items[*].id`, `**.timestamp`.
// A name is written as it is, or in quotes and brackets if it holds other characters: `output["a.b"]`. `[2]` is an item of a list,
// `*` stands for any name or item and for any part of a name, `**` for any number of them. A pattern also matches all that is below.
import { type FieldPath, formatSegment } from '../../base/fieldPath.ts';
import { parseJson, stringifyJson } from '../../base/json.ts';

type Step =
  | { readonly kind: 'any' | 'deep' }
  /** `text`: for an item, its index. */
  | { readonly kind: 'exact'; readonly text: string }
  /** The pieces between the stars. */
  | { readonly kind: 'parts'; readonly parts: readonly string[] };

export interface FieldPattern {
  readonly text: string;
  readonly steps: readonly Step[];
}

/** The bounds of a list that the user writes. */
const maximumPatterns = 200;
const maximumLength = 500;

const token = /\.?([^.[\]"]+)|\[(\d+|\*)\]|\[("(?:[^"\\]|\\.)*")\]/uy;

function readQuoted(text: string): string | undefined {
  const value = parseJson(text);
  return typeof value === 'string' ? value : undefined;
}

function readName(name: string): Step {
  if (name === '**') return { kind: 'deep' };
  if (name === '*') return { kind: 'any' };
  return name.includes('*') ? { kind: 'parts', parts: name.split(/\*+/) } : { kind: 'exact', text: name };
}

/** Returns undefined if the text isn't a pattern. */
export function parseFieldPattern(text: string): FieldPattern | undefined {
  if (text === '' || text.length > maximumLength || text.startsWith('.')) return undefined;
  const steps: Step[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const isFirst = token.lastIndex === 0;
    const isDotted = text[token.lastIndex] === '.';
    const [, name, item, quoted] = token.exec(text) ?? [];
    if (name !== undefined) {
      if (!isFirst && !isDotted) return undefined;
      steps.push(readName(name.trim()));
    } else if (item !== undefined) {
      steps.push(item === '*' ? { kind: 'any' } : { kind: 'exact', text: item });
    } else {
      const member = quoted === undefined ? undefined : readQuoted(quoted);
      if (member === undefined) return undefined;
      steps.push({ kind: 'exact', text: member });
    }
  }
  return { text, steps };
}

/** What differs between any two executions. The default of the setting. */
export const defaultIgnoredFields: readonly string[] = [
  '**.timestamp',
  '**.createdAt',
  '**.updatedAt',
  '**.startedAt',
  '**.completedAt',
  '**.durationMs',
  '**.executionId',
  '**.eventId',
  '**.requestId',
  '**.headers.date',
];

/** Patterns as the user wrote them; those that aren't any are listed for the user to see. */
export interface FieldPatterns {
  readonly patterns: readonly FieldPattern[];
  readonly mistakes: readonly string[];
}

export function parseFieldPatterns(texts: readonly string[]): FieldPatterns {
  const read = texts.map((text) => [text, parseFieldPattern(text)] as const);
  const patterns = read.flatMap(([, pattern]) => pattern ?? []);
  return {
    patterns: patterns.slice(0, maximumPatterns),
    mistakes: [
      ...read.flatMap(([text, pattern]) => (pattern === undefined ? [text] : [])),
      ...patterns.slice(maximumPatterns).map(({ text }) => text),
    ],
  };
}

/** The text from the first piece to the last, the pieces in their order. */
function matchesParts(name: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}

function matchesStep(step: Step, segment: string): boolean {
  switch (step.kind) {
    case 'exact':
      return step.text === segment;
    case 'parts':
      return matchesParts(segment, step.parts);
    case 'any':
    case 'deep':
      return true;
  }
}

/** Adds the places after a "**", which also stands for nothing. */
function addPlace(places: Set<number>, steps: readonly Step[], place: number): void {
  for (let at = place; ; at += 1) {
    places.add(at);
    if (steps[at]?.kind !== 'deep') return;
  }
}

/** True if the pattern matches the path or a field above it. The cost doesn't grow with the ways in which it could match. */
export function matchesField({ steps }: FieldPattern, path: FieldPath): boolean {
  let places = new Set<number>();
  addPlace(places, steps, 0);
  for (const segment of path) {
    const next = new Set<number>();
    for (const place of places) {
      const step = steps[place];
      if (step === undefined || !matchesStep(step, String(segment))) continue;
      addPlace(next, steps, step.kind === 'deep' ? place : place + 1);
    }
    if (next.has(steps.length)) return true;
    places = next;
  }
  return false;
}

/** The pattern for this field, of each item where the path leads through a list: `output.items[*].id`. */
export function patternOf(path: FieldPath): string {
  return path
    .map((segment, at) => (typeof segment === 'number' ? '[*]' : formatSegment(segment, at)))
    .join('');
}

/** The pattern of a node's fields for the node's other id; undefined where it isn't about this node. */
export function renameInField(text: string, from: string, to: string): string | undefined {
  const plain = `nodes${formatSegment(from, 1)}`;
  const quoted = `nodes[${stringifyJson(from)}]`;
  const found = [plain, quoted].find(
    (begin) => text.startsWith(begin) && /^($|[.[])/.test(text.slice(begin.length)),
  );
  return found === undefined ? undefined : `nodes${formatSegment(to, 1)}${text.slice(found.length)}`;
}
