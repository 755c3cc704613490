// The types that the log and the timeline share.
import type { Execution } from '../../../../domain/execution.ts';
import type { NodeLog } from '../../../../domain/nodeLog.ts';
import type { NodeRun } from '../../../../domain/nodeRun.ts';

/** A snapshot of an execution. */
export interface RunFacts {
  readonly execution: Execution;
  readonly rows: readonly NodeLog[];
  readonly nodeRuns: readonly NodeRun[];
}

/** Adjacent lines of one node run. Both ends are 0-based and inclusive. */
export interface RunSection {
  readonly run: NodeRun;
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface RenderedRuns {
  readonly text: string;
  /** In text order. A run has several sections if nodes ran in parallel. */
  readonly sections: readonly RunSection[];
  /** The column where the link to the node run begins, on the first line of each section. Undefined: no links. */
  readonly linkColumn?: number;
}

export type RunsRenderer = (facts: RunFacts) => RenderedRuns;
