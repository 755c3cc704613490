// Rows name workflows that are on no page that was read; a few of these are read one by one, each once, so that names cost next to nothing.
import { isAbortError } from '../../base/cancellation.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isServiceError } from '../../domain/serviceError.ts';
import type { Clock } from '../ports.ts';
import type { Workflow } from '../../domain/workflow.ts';

export interface WorkflowNamesDeps {
  readonly clock: Clock;
  /** Asks for one; rejects with "notOffered" where the service has no such call. */
  readonly read: (workflowId: string, signal: AbortSignal) => Promise<Workflow>;
  readonly take: (workflow: Workflow) => void;
  readonly isKnown: (workflowId: string) => boolean;
  /** Every workflow that there is was read, so that one which is not known is none. */
  readonly isComplete: () => boolean;
  /** Something can be said of these that could not before. */
  readonly announce: (workflowIds: readonly string[]) => void;
}

const minuteMs = 60_000;
/** Of the sixty requests a minute, names take this many at most. */
const maximumPerMinute = 10;

/** Of one connection until it is reset. Asks in the order in which names are wanted, one at a time. */
export class WorkflowNames implements Disposable {
  readonly #deps: WorkflowNamesDeps;
  readonly #waiting = new Set<string>();
  readonly #missing = new Set<string>();
  /** When each of the last minute's requests left, in epoch milliseconds. */
  #askedAt: readonly number[] = [];
  #mayAsk = true;
  /** A service that answers "not found" to everything tells nothing by it. */
  #isTrusted = false;
  #run: AbortController | undefined;

  constructor(deps: WorkflowNamesDeps) {
    this.#deps = deps;
  }

  /** True when the service said that there is no such workflow any more. */
  isDeleted(workflowId: string): boolean {
    return this.#isTrusted && this.#missing.has(workflowId);
  }

  markDeleted(workflowId: string): void {
    this.#isTrusted = true;
    this.#missing.add(workflowId);
  }

  /** Reads a few of those that are not known; whoever still wants the others asks again later. */
  prefetch(workflowIds: readonly string[]): void {
    if (!this.#mayAsk) return;
    const left = this.#allowance() - this.#waiting.size;
    const wanted = new Set(workflowIds.filter((id) => this.#isUnknown(id)));
    for (const id of [...wanted].slice(0, Math.max(0, left))) this.#waiting.add(id);
    if (this.#waiting.size > 0 && this.#run === undefined) void this.#readWaiting();
  }

  reset(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.#waiting.clear();
    this.#missing.clear();
    this.#mayAsk = true;
    this.#isTrusted = false;
  }

  dispose(): void {
    this.#mayAsk = false;
    this.#run?.abort();
  }

  #isUnknown(workflowId: string): boolean {
    return (
      !this.#missing.has(workflowId) && !this.#waiting.has(workflowId) && !this.#deps.isKnown(workflowId)
    );
  }

  #allowance(): number {
    const since = this.#deps.clock.now() - minuteMs;
    this.#askedAt = this.#askedAt.filter((time) => time > since);
    return maximumPerMinute - this.#askedAt.length;
  }

  async #readWaiting(): Promise<void> {
    const run = (this.#run = new AbortController());
    const told: string[] = [];
    try {
      for (const id of this.#waiting) {
        this.#askedAt = [...this.#askedAt, this.#deps.clock.now()];
        await this.#readOne(id, run.signal);
        this.#waiting.delete(id);
        told.push(id);
      }
    } catch (error) {
      if (run.signal.aborted) return;
      // Another failure is the view's to tell; the names may be wanted again.
      this.#waiting.clear();
      if (isServiceError(error, 'notOffered')) this.#mayAsk = false;
      else if (!isServiceError(error) && !isAbortError(error)) throw error;
    } finally {
      if (this.#run === run) this.#run = undefined;
    }
    if (told.length > 0) this.#deps.announce(this.#isTrusted ? [...told, ...this.#missing] : told);
  }

  async #readOne(workflowId: string, signal: AbortSignal): Promise<void> {
    try {
      const workflow = await this.#deps.read(workflowId, signal);
      signal.throwIfAborted();
      this.#isTrusted = true;
      this.#deps.take(workflow);
    } catch (error) {
      signal.throwIfAborted();
      if (!isServiceError(error, 'notFound')) throw error;
      this.#missing.add(workflowId);
      if (this.#deps.isComplete()) this.#isTrusted = true;
    }
  }
}
