// Which node runs stop a session, and which only leave a line in the Debug Console.
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { stringifyJson } from '../../base/json.ts';
import { endOfExpression } from '../../definition/templates.ts';
import type { RunItem } from '../../model/runs/runItems.ts';
import type { FunctionBreakpoint, LineBreakpoint } from './protocol.ts';
import type { RecordedEvaluation, RecordedSource } from './recording.ts';

interface NodeBreakpoint {
  readonly id: number;
  readonly nodeId: string;
  readonly condition: string | undefined;
  /** undefined: each time counts. */
  readonly isHit: HitCondition | undefined;
  /** After each run of the node that was looked at: how often the condition was met until then. */
  readonly met: number[];
  readonly logMessage: string | undefined;
}

export const exceptionFilters = ['failed', 'failedAttempts'] as const;
type ExceptionFilter = (typeof exceptionFilters)[number];

export type StopReason =
  { readonly kind: 'breakpoint'; readonly breakpointIds: readonly number[] } | { readonly kind: 'failure' };

/** What a node run does to a session that passes it. */
export interface Passed {
  /** The lines of log points. */
  readonly messages: readonly string[];
  readonly stop: StopReason | undefined;
}

/** The runs of a node up to one that is passed, which is the last of them. */
export interface RunsOfNode {
  readonly count: number;
  readonly at: (index: number) => RunItem;
}

type Evaluate = (expression: string, item: RunItem) => Promise<RecordedEvaluation>;
type HitCondition = (count: number) => boolean;

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
    const verified = wanted.map(({ line, condition, hitCondition, logMessage }): DebugProtocol.Breakpoint => {
      const nodeId = this.#source.nodeAt(line);
      if (nodeId === undefined) return refused(vscode.l10n.t('There is no node on this line.'), line);
      const isHit = readHitCondition(hitCondition);
      if (isHit === 'unreadable') return refused(unreadableHitCondition(), line);
      const id = (this.#lastId += 1);
      set.push({ id, nodeId, condition: given(condition), isHit, met: [], logMessage: given(logMessage) });
      return { id, verified: true, line: this.#source.lineOf(nodeId) ?? line };
    });
    this.#lines = set;
    return verified;
  }

  /** By the ids of nodes. */
  setFunctions(wanted: readonly FunctionBreakpoint[]): readonly DebugProtocol.Breakpoint[] {
    const set: NodeBreakpoint[] = [];
    const verified = wanted.map(({ name: nodeId, condition, hitCondition }): DebugProtocol.Breakpoint => {
      if (!this.#source.hasNode(nodeId)) return refused(vscode.l10n.t('No node has this ID.'));
      const isHit = readHitCondition(hitCondition);
      if (isHit === 'unreadable') return refused(unreadableHitCondition());
      const id = (this.#lastId += 1);
      set.push({ id, nodeId, condition: given(condition), isHit, met: [], logMessage: undefined });
      return { id, verified: true };
    });
    this.#functions = set;
    return verified;
  }

  setFilters(names: readonly string[]): void {
    this.#filters = new Set(exceptionFilters.filter((filter) => names.includes(filter)));
  }

  /** Whether the run may stop the session, without asking a condition. */
  mayStop({ run, isSuperseded }: RunItem): boolean {
    const isOf = ({ nodeId }: NodeBreakpoint): boolean => nodeId === run.nodeId;
    return this.isStoppingFailure({ run, isSuperseded }) || this.#all.some(isOf);
  }

  /** `isLogging`: whether the lines of log points are wanted. Rejects only when an evaluation was cancelled. */
  async pass(item: RunItem, runsOfNode: RunsOfNode, evaluate: Evaluate, isLogging: boolean): Promise<Passed> {
    const hit: NodeBreakpoint[] = [];
    for (const breakpoint of this.#all)
      if (breakpoint.nodeId === item.run.nodeId && (await isHit(breakpoint, item, runsOfNode, evaluate)))
        hit.push(breakpoint);
    const logging = isLogging ? hit.map(({ logMessage }) => logMessage) : [];
    const messages = await Promise.all(
      logging.filter((message) => message !== undefined).map((message) => fill(message, item, evaluate)),
    );
    if (this.isStoppingFailure(item)) return { messages, stop: { kind: 'failure' } };
    const breakpointIds = hit.filter(({ logMessage }) => logMessage === undefined).map(({ id }) => id);
    return { messages, stop: breakpointIds.length > 0 ? { kind: 'breakpoint', breakpointIds } : undefined };
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

/** Returns undefined for none. */
function readHitCondition(text: string | undefined): HitCondition | 'unreadable' | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const [, operator = '', digits = ''] = /^\s*(==|>=|<=|[=<>%]|)\s*(\d{1,9})\s*$/.exec(text) ?? [];
  const compare = comparisons[operator];
  return digits === '' || compare === undefined ? 'unreadable' : (count) => compare(count, Number(digits));
}

/** A hit condition counts the runs that meet the condition. */
async function isHit(
  { condition, isHit, met }: NodeBreakpoint,
  item: RunItem,
  { count, at }: RunsOfNode,
  evaluate: Evaluate,
): Promise<boolean> {
  if (condition === undefined) return isHit === undefined || isHit(count);
  if (!(await isMet(condition, item, evaluate))) return false;
  if (isHit === undefined) return true;
  for (let index = met.length; index < count; index += 1)
    met.push((met.at(-1) ?? 0) + ((await isMet(condition, at(index), evaluate)) ? 1 : 0));
  return isHit(met[count - 1] ?? 0);
}

/** A condition that can't be evaluated counts as false. */
async function isMet(condition: string, item: RunItem, evaluate: Evaluate): Promise<boolean> {
  const evaluated = await evaluate(condition, item);
  return evaluated.kind === 'value' && isTrue(evaluated.value);
}

/** As JSONata's `$boolean` does. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** Replaces each `{expression}`. A brace without an expression behind it, or without an end, stays. */
async function fill(message: string, item: RunItem, evaluate: Evaluate): Promise<string> {
  let filled = '';
  let rest = 0;
  for (let open = message.indexOf('{'); open !== -1; open = message.indexOf('{', open + 1)) {
    const start = open + 1;
    const end = message.startsWith('}', start) ? -1 : endOfExpression(message, start, '}');
    if (end === -1) continue;
    const evaluated = await evaluate(message.slice(start, end), item);
    const value = evaluated.kind === 'value' ? asText(evaluated.value) : `<${evaluated.message}>`;
    filled += message.slice(rest, open) + value;
    rest = end + 1;
    open = end;
  }
  return filled + message.slice(rest);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
