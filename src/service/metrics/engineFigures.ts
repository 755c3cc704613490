import { endedStatuses } from '../../domain/status.ts';
import type { EngineWatch } from '../engine/engineWatch.ts';
import { executionLimits, limitMet } from '../engine/limits.ts';
import type { NodeOutcome, OpenNodeRun } from '../store/nodeRuns.ts';
import type { ExecutionWork } from '../store/executionRows.ts';
import { Counter, type Family, Histogram } from './families.ts';

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Counts what the engine of this process does. */
export class EngineFigures implements EngineWatch {
  readonly #ended = new Counter(
    'workflow_automation_executions_ended_total',
    'Executions ended by this process.',
    endedStatuses.map((status) => ({ status })),
  );
  readonly #limited = new Counter(
    'workflow_automation_executions_limited_total',
    'Executions stopped by this process at a limit for one execution.',
    executionLimits.map((limit) => ({ limit })),
  );
  readonly #queued = new Histogram(
    'workflow_automation_execution_queue_seconds',
    'Time from the request to execute until this process began the execution.',
    bounds,
  );
  readonly #nodes = new Histogram(
    'workflow_automation_node_run_duration_seconds',
    'Duration of an attempt of a node, including its waits and iterations.',
    bounds,
  );

  onTake({ queuedSince }: ExecutionWork): void {
    if (queuedSince !== null) this.#queued.observe(secondsSince(queuedSince));
  }

  onNodeEnd({ nodeType, startedAt }: OpenNodeRun, outcome: NodeOutcome): void {
    const { status } = outcome;
    this.#nodes.observe(secondsSince(Date.parse(startedAt)), { type: nodeType, status });
    const limit = limitMet(outcome);
    if (limit) this.#limited.add({ limit });
  }

  onExecutionEnd({ status }: Parameters<EngineWatch['onExecutionEnd']>[0]): void {
    this.#ended.add({ status });
  }

  families(): readonly Family[] {
    return [this.#ended, this.#limited, this.#queued, this.#nodes];
  }
}

/** The time may come from another machine whose clock is ahead. */
export function secondsSince(time: number): number {
  return Math.max(0, Date.now() - time) / 1000;
}
