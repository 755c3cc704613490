// The call stack of a node run: the run, the loops around it with their iterations, and the workflow.
import * as vscode from 'vscode';
import type { JsonValue } from '../../base/json.ts';
import { plainLine } from '../../base/format.ts';
import type { IterationItem, RunItem } from '../../model/runs/runItems.ts';
import { statusWord } from '../../words/status.ts';
import { formatDuration } from '../../words/time.ts';
import { member, truncatedVariable, type Variable, variableOf } from './variables.ts';
import type { RecordedScope, Recording } from './recording.ts';

export interface Frame {
  readonly name: string;
  /** Of the loop that it stands for; null for a node run and for the workflow. */
  readonly iteration: IterationItem | null;
  /** Whose node it stands for; undefined for the workflow. */
  readonly nodeId: string | undefined;
  /** The node run in whose scope expressions are evaluated. */
  readonly of: RunItem;
}

export function framesOf(item: RunItem, workflowName: string): readonly Frame[] {
  const { nodeId, attempt } = item.run;
  const name = nodeName(item);
  const own: Frame = {
    name: attempt > 1 ? vscode.l10n.t('{0} · attempt {1}', name, attempt) : name,
    iteration: null,
    nodeId,
    of: item,
  };
  return [
    own,
    ...loopFrames(item),
    { name: plainLine(workflowName, 80), iteration: null, nodeId: undefined, of: outermost(item) },
  ];
}

function loopFrames({ scope: { iteration } }: RunItem): readonly Frame[] {
  if (iteration === null) return [];
  const { owner } = iteration;
  if (owner.kind === 'loop') return [];
  return [{ name: nodeName(owner), iteration, nodeId: owner.run.nodeId, of: owner }, ...loopFrames(owner)];
}

/** The name of a frame with the iteration where it is. Rejects with the signal's reason. */
export async function nameFrame(
  { name, iteration }: Frame,
  recording: Pick<Recording, 'countIterations'>,
  signal: AbortSignal,
): Promise<string> {
  if (iteration === null) return name;
  const place = iteration.index + 1;
  const count = await recording.countIterations(iteration, signal);
  return count === undefined
    ? vscode.l10n.t('{0} · iteration {1}', name, place)
    : vscode.l10n.t('{0} · iteration {1} of {2}', name, place, count);
}

function outermost(item: RunItem): RunItem {
  const owner = item.scope.iteration?.owner;
  return owner?.kind === 'run' ? outermost(owner) : item;
}

const nodeName = ({ run }: RunItem): string => plainLine(run.nodeName, 80);

/** What is recorded of a node run itself. */
export function variablesOfRun(
  { run }: RunItem,
  recording: Pick<Recording, 'readWhole'>,
): readonly Variable[] {
  const { status, durationMs, attempt, error } = run;
  const value = (name: 'input' | 'output'): Variable =>
    truncatedVariable(name, run[name], (signal) => recording.readWhole(run, name, signal));
  return [
    { name: 'state', value: statusWord(status?.state ?? 'unknown', status?.word) },
    { name: 'duration', value: durationMs === null ? '' : formatDuration(durationMs) },
    variableOf('attempt', attempt),
    value('input'),
    value('output'),
    ...(error === null ? [] : [variableOf('error', { code: error.code, message: error.message })]),
  ];
}

/** What the expressions of a frame can name. `evaluate`: gives a value there. */
export function variablesOfScope(
  { input, nodes, loop }: RecordedScope,
  evaluate: (expression: string, signal: AbortSignal) => Promise<JsonValue>,
): readonly Variable[] {
  const value = (name: string, seen: JsonValue | undefined, expression: string | undefined): Variable =>
    expression === undefined
      ? variableOf(name, seen)
      : truncatedVariable(name, seen, (signal) => evaluate(expression, signal), expression);
  const members = nodes.map(({ name, value: seen }) => value(name, seen, member('nodes', name)));
  return [
    value('input', input, 'input'),
    {
      name: 'nodes',
      value: nodes.length === 1 ? vscode.l10n.t('1 node') : vscode.l10n.t('{0} nodes', nodes.length),
      below: members.length === 0 ? undefined : { kind: 'read', read: () => Promise.resolve(members) },
      expression: 'nodes',
    },
    ...(loop === null
      ? []
      : [variableOf('item', loop.item, 'item'), variableOf('index', loop.index, 'index')]),
  ];
}
