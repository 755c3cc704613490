import type { NodeLog } from '../../domain/nodeLog.ts';
import type { NodeRun } from '../../domain/nodeRun.ts';

/** A node run that's made from its rows. It refers to what has them, so that a run that someone keeps doesn't keep rows in memory. */
export class FoldedRun implements NodeRun {
  readonly key: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string | null;
  readonly iteration: readonly number[];
  readonly attempt: number;
  readonly status: NodeRun['status'];
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  readonly error: NodeRun['error'];
  readonly input: NodeRun['input'];
  readonly output: NodeRun['output'];
  readonly valueKeys: NodeRun['valueKeys'];
  readonly #source: Pick<NodeRun, 'logs'>;

  constructor(source: Pick<NodeRun, 'logs'>, members: Omit<NodeRun, 'logs'>) {
    this.key = members.key;
    this.nodeId = members.nodeId;
    this.nodeName = members.nodeName;
    this.nodeType = members.nodeType;
    this.iteration = members.iteration;
    this.attempt = members.attempt;
    this.status = members.status;
    this.startedAt = members.startedAt;
    this.completedAt = members.completedAt;
    this.durationMs = members.durationMs;
    this.error = members.error;
    this.input = members.input;
    this.output = members.output;
    this.valueKeys = members.valueKeys;
    this.#source = source;
  }

  get logs(): readonly NodeLog[] {
    return this.#source.logs;
  }
}
