// The variables of a stack frame, unfolded one by one: what a value refers to is a number, until the session goes on.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { writeTruncatedJson } from '../../base/boundedJson.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { writeName } from '../../definition/references.ts';
import { jsonLine, plainLine } from '../../base/format.ts';
import type { ReadVariables } from './protocol.ts';
import { truncatedValue } from '../../protocol/truncatedValue.ts';

/** Gives the variables below a row. Rejects with the signal's reason, or an error in words. */
type Read = (signal: AbortSignal) => Promise<readonly Variable[]>;

export interface Variable {
  readonly name: string;
  /** What stands behind the name. */
  readonly value: string;
  /** What is below it; undefined: nothing. */
  readonly below?: Below | undefined;
  /** An expression that gives the value in the frame's scope. */
  readonly expression?: string | undefined;
  /** It's read when somebody asks, and then is the only one below. */
  readonly isLazy?: boolean;
}

type Below =
  | { readonly kind: 'read'; readonly read: Read }
  /** A list is read in parts. `expression`: as of the variable. */
  | { readonly kind: 'list'; readonly list: readonly JsonValue[]; readonly expression: string | undefined };

/** The characters of a value that stand in a row. */
const shownCharacters = 1000;
const resultCharacters = 100_000;
/** Members of an object that are shown; a list is read in parts. */
const maximumMembers = 1000;

/** Numbers what can be unfolded. */
export class Variables {
  readonly #held = new Map<number, Below>();
  #last = 0;

  /** Forgets all numbers: what they stood for is no longer shown. */
  clear(): void {
    this.#held.clear();
  }

  /** Returns the number for what is below a row. */
  hold(below: Below): number {
    this.#last += 1;
    this.#held.set(this.#last, below);
    return this.#last;
  }

  async read(
    { variablesReference, filter, start, count }: ReadVariables,
    signal: AbortSignal,
  ): Promise<readonly DebugProtocol.Variable[]> {
    const below = this.#held.get(variablesReference);
    if (below === undefined) return [];
    if (below.kind === 'read') return (await below.read(signal)).map((each) => this.render(each));
    if (filter === 'named') return [];
    const end = start + (count === 0 ? maximumMembers : count);
    return below.list
      .slice(start, end)
      .map((value, at) =>
        this.render(variableOf(String(start + at), value, indexed(below.expression, start + at))),
      );
  }

  render({ name, value, below, expression, isLazy = false }: Variable): DebugProtocol.Variable {
    return {
      name: plainLine(name, shownCharacters),
      value,
      variablesReference: below === undefined ? 0 : this.hold(below),
      ...(below?.kind === 'list' ? { indexedVariables: below.list.length } : {}),
      ...(expression === undefined ? {} : { evaluateName: expression }),
      ...(isLazy ? { presentationHint: { lazy: true } } : {}),
    };
  }
}

/** `expression`: gives the value in the frame's scope. */
export function variableOf(name: string, value: JsonValue | undefined, expression?: string): Variable {
  if (value === undefined) return { name, value: vscode.l10n.t('not reported by the service') };
  const shown = { name, value: renderLine(value), expression };
  if (isJsonArray(value) && value.length > 0)
    return { ...shown, below: { kind: 'list', list: value, expression } };
  if (!isJsonObject(value) || Object.keys(value).length === 0) return shown;
  return { ...shown, below: { kind: 'read', read: () => Promise.resolve(membersOf(value, expression)) } };
}

/** A value of which only the beginning is held: the whole one is read when somebody asks for it. */
export function truncatedVariable(
  name: string,
  value: JsonValue | undefined,
  readWhole: (signal: AbortSignal) => Promise<JsonValue | undefined>,
  expression?: string,
): Variable {
  const truncated = value === undefined ? undefined : truncatedValue(value);
  if (truncated === undefined) return variableOf(name, value, expression);
  return {
    name,
    value: jsonLine({ text: truncated.preview, isTruncated: true }, shownCharacters),
    isLazy: true,
    below: { kind: 'read', read: async (signal) => [variableOf(name, await readWhole(signal), expression)] },
  };
}

/** A result in the Debug Console. */
export function renderResult(value: JsonValue): string {
  return jsonLine(writeTruncatedJson(value, resultCharacters), resultCharacters);
}

/** On one line, and as much of it as a row can take. */
function renderLine(value: JsonValue): string {
  return jsonLine(writeTruncatedJson(value, shownCharacters), shownCharacters);
}

function membersOf(value: JsonObject, expression: string | undefined): readonly Variable[] {
  const names = Object.keys(value);
  const shown = names
    .slice(0, maximumMembers)
    .map((name) => variableOf(name, value[name], member(expression, name)));
  const left = names.length - maximumMembers;
  return left <= 0 ? shown : [...shown, { name: '…', value: vscode.l10n.t('{0} more members', left) }];
}

/** Returns undefined where a path can't write the name. */
export function member(expression: string | undefined, name: string): string | undefined {
  const written = writeName(name);
  return expression === undefined || written === undefined ? undefined : `${expression}.${written}`;
}

function indexed(expression: string | undefined, index: number): string | undefined {
  return expression === undefined ? undefined : `${expression}[${index}]`;
}
