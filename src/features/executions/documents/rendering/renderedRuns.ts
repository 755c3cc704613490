// A log and a timeline are both texts about node runs: made of the same facts, and telling in the same way which line is whose.
import type { Execution } from '../../../../domain/execution.ts';
import type { NodeLog } from '../../../../domain/nodeLog.ts';
import type { NodeRun } from '../../../../domain/nodeRun.ts';

/** What is known of an execution at one moment. */
export interface RunFacts {
  readonly execution: Execution;
  readonly rows: readonly NodeLog[];
  readonly nodeRuns: readonly NodeRun[];
}

/** Lines of one node run that stand together; both ends are counted from 0 and belong to it. */
export interface RunSection {
  readonly run: NodeRun;
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface RenderedRuns {
  readonly text: string;
  /** In the order of the text; where nodes ran side by side a run may have several. */
  readonly sections: readonly RunSection[];
  /** From where on the first line of a section leads to its node run; without it none does. */
  readonly linkColumn?: number;
}

export type RunsRenderer = (facts: RunFacts) => RenderedRuns;
