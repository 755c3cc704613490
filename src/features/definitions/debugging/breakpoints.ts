// Which node runs stop a session, and which only leave a line in the Debug Console.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { stringifyJson } from '../../../base/json.ts';
import type { RunItem } from '../../../model/runs/runItems.ts';
import type { FunctionBreakpoint, LineBreakpoint } from './protocol.ts';
import type { Evaluated, RecordedSource } from './recording.ts';

interface NodeBreakpoint {
  readonly id: number;
  readonly nodeId: string;
  readonly condition: string | undefined;
  readonly isHit: (count: number) => boolean;
  readonly logMessage: string | undefined;
}

export const exceptionFilters = ['failed', 'failedAttempts'] as const;
type ExceptionFilter = (typeof exceptionFilters)[number];

export type Stop =
  | { readonly kind: 'breakpoint'; readonly breakpointIds: readonly number[] }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'log'; readonly messages: readonly string[] };

type Evaluate = (expression: string) => Promise<Evaluated>;

export class Breakpoints {
  readonly #source: RecordedSource;
  #lines: readonly NodeBreakpoint[] = [];
  #functions: readonly NodeBreakpoint[] = [];
  #filters: ReadonlySet<ExceptionFilter> = new Set();
  #lastId = 0;

  constructor(source: RecordedSource) {
    this.#source = source;
  }

  /** Lines count from 0, here and in the result. A line inside a node stands for the node's first one. */
  setLines(wanted: readonly LineBreakpoint[]): readonly DebugProtocol.Breakpoint[] {
    const set: NodeBreakpoint[] = [];
    const told = wanted.map(({ line, condition, hitCondition, logMessage }): DebugProtocol.Breakpoint => {
      const nodeId = this.#source.nodeAt(line);
      if (nodeId === undefined) return refused(vscode.l10n.t('There is no node on this line.'), line);
      const isHit = readHitCondition(hitCondition);
      if (isHit === undefined) return refused(unreadableHitCondition(), line);
      const id = (this.#lastId += 1);
      set.push({ id, nodeId, condition: given(condition), isHit, logMessage: given(logMessage) });
      return { id, verified: true, line: this.#source.lineOf(nodeId) ?? line };
    });
    this.#lines = set;
    return told;
  }

  /** By the ids of nodes. */
  setFunctions(wanted: readonly FunctionBreakpoint[]): readonly DebugProtocol.Breakpoint[] {
    const set: NodeBreakpoint[] = [];
    const told = wanted.map(({ name: nodeId, condition, hitCondition }): DebugProtocol.Breakpoint => {
      if (!this.#source.hasNode(nodeId)) return refused(vscode.l10n.t('No node has this ID.'));
      const isHit = readHitCondition(hitCondition);
      if (isHit === undefined) return refused(unreadableHitCondition());
      const id = (this.#lastId += 1);
      set.push({ id, nodeId, condition: given(condition), isHit, logMessage: undefined });
      return { id, verified: true };
    });
    this.#functions = set;
    return told;
  }

  setFilters(names: readonly string[]): void {
    this.#filters = new Set(exceptionFilters.filter((filter) => names.includes(filter)));
  }

  /** Whether the run may stop the session, without asking a condition. */
  mayStop({ run, isSuperseded }: RunItem): boolean {
    const isOf = ({ nodeId }: NodeBreakpoint): boolean => nodeId === run.nodeId;
    return this.isStoppingFailure({ run, isSuperseded }) || this.#all.some(isOf);
  }

  /** `count`: of the runs of the node up to this one. Rejects only when an evaluation was cancelled. */
  async stopAt({ run, isSuperseded }: RunItem, count: number, evaluate: Evaluate): Promise<Stop | undefined> {
    if (this.isStoppingFailure({ run, isSuperseded }))
      return { kind: 'failure', message: run.error?.message ?? '' };
    const hit: NodeBreakpoint[] = [];
    for (const breakpoint of this.#all) {
      if (breakpoint.nodeId !== run.nodeId || !breakpoint.isHit(count)) continue;
      if (await isMet(breakpoint.condition, evaluate)) hit.push(breakpoint);
    }
    const stopping = hit.filter(({ logMessage }) => logMessage === undefined);
    if (stopping.length > 0) return { kind: 'breakpoint', breakpointIds: stopping.map(({ id }) => id) };
    if (hit.length === 0) return undefined;
    return {
      kind: 'log',
      messages: await Promise.all(hit.map(({ logMessage = '' }) => fill(logMessage, evaluate))),
    };
  }

  /** Whether the run has failed, and one of the filters is for it. */
  isStoppingFailure({ run, isSuperseded }: Pick<RunItem, 'run' | 'isSuperseded'>): boolean {
    return run.status?.state === 'failed' && this.#filters.has(isSuperseded ? 'failedAttempts' : 'failed');
  }

  get #all(): readonly NodeBreakpoint[] {
    return [...this.#lines, ...this.#functions];
  }
}

const given = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text);

/** Without a line, it stays where the editor has it. */
function refused(message: string, line?: number): DebugProtocol.Breakpoint {
  return { verified: false, message, ...(line === undefined ? {} : { line }) };
}

const unreadableHitCondition = (): string =>
  vscode.l10n.t('A hit count is a number, such as "3", or a comparison, such as ">= 3" or "% 2".');

const comparisons: Readonly<Record<string, (count: number, number: number) => boolean>> = {
  '': (count, number) => count === number,
  '=': (count, number) => count === number,
  '==': (count, number) => count === number,
  '>': (count, number) => count > number,
  '>=': (count, number) => count >= number,
  '<': (count, number) => count < number,
  '<=': (count, number) => count <= number,
  '%': (count, number) => number > 0 && count % number === 0,
};

/** Returns undefined for what is none. */
function readHitCondition(text: string | undefined): ((count: number) => boolean) | undefined {
  if (text === undefined || text.trim() === '') return () => true;
  const [, operator = '', digits = ''] = /^\s*(==|>=|<=|[=<>%]|)\s*(\d{1,9})\s*$/.exec(text) ?? [];
  const compare = comparisons[operator];
  return digits === '' || compare === undefined ? undefined : (count) => compare(count, Number(digits));
}

/** What can't be evaluated isn't met. */
async function isMet(condition: string | undefined, evaluate: Evaluate): Promise<boolean> {
  if (condition === undefined) return true;
  const evaluated = await evaluate(condition);
  return evaluated.kind === 'value' && isTrue(evaluated.value);
}

/** As the expression of a condition node counts. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** Replaces each `{expression}`. */
async function fill(message: string, evaluate: Evaluate): Promise<string> {
  let filled = '';
  let rest = message;
  for (let match = /\{([^{}]+)\}/.exec(rest); match !== null; match = /\{([^{}]+)\}/.exec(rest)) {
    const evaluated = await evaluate(match[1] ?? '');
    const value = evaluated.kind === 'value' ? asText(evaluated.value) : `<${evaluated.message}>`;
    filled += rest.slice(0, match.index) + value;
    rest = rest.slice(match.index + match[0].length);
  }
  return filled + rest;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
