import { isAbortError } from '../../base/async.ts';
import type { Clock } from '../../base/time.ts';
import type { Disposable } from '../../base/disposable.ts';
import { equalJson } from '../../base/json.ts';
import { isServiceError } from '../../domain/errors.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** True when both look the same in a row. Unknown changes in the later one don't count, since a list may report less than a single record. */
export function workflowsLookSame(earlier: Workflow, later: Workflow): boolean {
  return (
    earlier.name === later.name &&
    earlier.description === later.description &&
    earlier.isDeployed === later.isDeployed &&
    earlier.isDeploying === later.isDeploying &&
    (later.hasUndeployedChanges === null || earlier.hasUndeployedChanges === later.hasUndeployedChanges) &&
    earlier.reportsNodesAtEnd === later.reportsNodesAtEnd &&
    earlier.isArchived === later.isArchived &&
    equalJson([...(earlier.tags ?? [])], [...(later.tags ?? [])]) &&
    earlier.version === later.version &&
    earlier.deployedAt?.getTime() === later.deployedAt?.getTime() &&
    earlier.updatedAt?.getTime() === later.updatedAt?.getTime()
  );
}

/** Returns the earlier record if the later one adds nothing. An unchanged list item doesn't remove the definition. */
export function mergeWorkflow(earlier: Workflow, later: Workflow): Workflow {
  if (!workflowsLookSame(earlier, later)) return later;
  if (!later.hasDefinition) return earlier;
  return earlier.hasDefinition && equalJson(earlier.raw, later.raw) ? earlier : later;
}

export interface KnownWorkflowsDeps {
  readonly clock: Clock;
  /** Reads one workflow; rejects with "notOffered" if the service has no such call. */
  readonly read: (workflowId: string, signal: AbortSignal) => Promise<Workflow>;
  /** True if every workflow was read, so that an unknown one doesn't exist. */
  readonly isComplete: () => boolean;
  /** Called when names or deletions became known. */
  readonly announce: (workflowIds: readonly string[]) => void;
}

const minuteMs = 60_000;
/** The maximum number of requests for names, out of the sixty requests per minute. */
const maximumPerMinute = 10;

/**
 * Every workflow of one connection that was read, whether a list shows it or not, and the deleted ones.
 * Rows name workflows that are on no page that was read. A few of these are read one by one, each of them once.
 */
export class KnownWorkflows implements Disposable {
  readonly #deps: KnownWorkflowsDeps;
  readonly #workflows = new Map<string, Workflow>();
  readonly #waiting = new Set<string>();
  readonly #missing = new Set<string>();
  /** The names that deleted workflows had, by id. */
  readonly #lastNames = new Map<string, string>();
  /** The times of the last minute's requests, in epoch milliseconds. */
  #askedAt: readonly number[] = [];
  #mayAsk = true;
  /** "Not found" only counts if the service doesn't return it for everything. */
  #isTrusted = false;
  #run: AbortController | undefined;

  constructor(deps: KnownWorkflowsDeps) {
    this.#deps = deps;
  }

  find(workflowId: string): Workflow | undefined {
    return this.#workflows.get(workflowId);
  }

  take(workflow: Workflow): void {
    const earlier = this.find(workflow.id);
    this.#workflows.set(workflow.id, earlier ? mergeWorkflow(earlier, workflow) : workflow);
  }

  /** True when the service reported that the workflow doesn't exist any more. */
  isDeleted(workflowId: string): boolean {
    return this.#isTrusted && this.#missing.has(workflowId);
  }

  /** The name that a deleted workflow had; undefined if it was never known. */
  lastName(workflowId: string): string | undefined {
    return this.isDeleted(workflowId) ? this.#lastNames.get(workflowId) : undefined;
  }

  markDeleted(workflowId: string): void {
    const workflow = this.find(workflowId);
    if (workflow !== undefined) this.#lastNames.set(workflowId, workflow.name);
    this.#workflows.delete(workflowId);
    this.#isTrusted = true;
    this.#missing.add(workflowId);
  }

  /** Reads a few of the unknown workflows, in order and one at a time. The others must be requested again. */
  prefetchNames(workflowIds: readonly string[]): void {
    if (!this.#mayAsk) return;
    const left = this.#allowance() - this.#waiting.size;
    const wanted = new Set(workflowIds.filter((id) => this.#isUnknown(id)));
    for (const id of [...wanted].slice(0, Math.max(0, left))) this.#waiting.add(id);
    if (this.#waiting.size > 0 && this.#run === undefined) void this.#readWaiting();
  }

  /** Drops everything, for another connection or key. */
  reset(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.#workflows.clear();
    this.#waiting.clear();
    this.#missing.clear();
    this.#lastNames.clear();
    this.#mayAsk = true;
    this.#isTrusted = false;
  }

  dispose(): void {
    this.#mayAsk = false;
    this.#run?.abort();
  }

  #isUnknown(workflowId: string): boolean {
    return ![this.#missing, this.#waiting, this.#workflows].some((known) => known.has(workflowId));
  }

  #allowance(): number {
    const since = this.#deps.clock.now() - minuteMs;
    this.#askedAt = this.#askedAt.filter((time) => time > since);
    return maximumPerMinute - this.#askedAt.length;
  }

  async #readWaiting(): Promise<void> {
    const run = (this.#run = new AbortController());
    const changed: string[] = [];
    try {
      for (const id of this.#waiting) {
        this.#askedAt = [...this.#askedAt, this.#deps.clock.now()];
        await this.#readOne(id, run.signal);
        this.#waiting.delete(id);
        changed.push(id);
      }
    } catch (error) {
      if (run.signal.aborted) return;
      // The view shows any other failure. The names may be requested again.
      this.#waiting.clear();
      if (isServiceError(error, 'notOffered')) this.#mayAsk = false;
      else if (!isServiceError(error) && !isAbortError(error)) throw error;
    } finally {
      if (this.#run === run) this.#run = undefined;
    }
    if (changed.length > 0) this.#deps.announce(this.#isTrusted ? [...changed, ...this.#missing] : changed);
  }

  async #readOne(workflowId: string, signal: AbortSignal): Promise<void> {
    try {
      const workflow = await this.#deps.read(workflowId, signal);
      signal.throwIfAborted();
      this.#isTrusted = true;
      // What came meanwhile is newer, a deletion too.
      if (!this.#workflows.has(workflowId) && !this.#missing.has(workflowId)) this.take(workflow);
    } catch (error) {
      signal.throwIfAborted();
      if (!isServiceError(error, 'notFound')) throw error;
      this.#missing.add(workflowId);
      if (this.#deps.isComplete()) this.#isTrusted = true;
    }
  }
}
