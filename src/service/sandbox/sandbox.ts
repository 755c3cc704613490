// Runs authors' expressions and schemas outside the service's own thread, with limits for time, memory and result size.
import { stringifyJson } from '../../base/json.ts';
import type { Faults } from '../../definition/faultList.ts';
import type { TextCheck, CheckRules, DefinitionChecker } from '../../definition/checkText.ts';
import { NodeError } from '../errors.ts';
import type { WorkerWords } from './messages.ts';
import { Expressions } from './ownerExpressions.ts';
import { checks, Pool, type SandboxUse } from './pool.ts';
import { WorkerEnd } from './sandboxWorker.ts';
import { threadProgram } from '../threadProgram.ts';
import type { WorkflowDefinition } from '../../definition/definition.ts';

export interface SandboxOptions extends Partial<WorkerWords> {
  /** The workers' program, if it isn't found beside this file. */
  readonly program?: URL;
  /** The maximum number of workers; they start on demand. */
  readonly workers?: number;
  /** For calls that belong to an execution. */
  readonly deadlineMs?: number;
  readonly checkDeadlineMs?: number;
  /** For each worker. */
  readonly memoryMiB?: number;
  /** How many characters of JSON each worker caches. */
  readonly heldCharacters?: number;
  /** How many expressions may wait for a worker. Each execution has at most one, so a process has fewer. */
  readonly maximumWaiting?: number;
  /** How many checks of definitions may wait. */
  readonly maximumChecks?: number;
}

const defaults = {
  workers: 2,
  deadlineMs: 1000,
  checkDeadlineMs: 5000,
  memoryMiB: 256,
  heldCharacters: 8 * 1024 * 1024,
  maximumWaiting: 1000,
  maximumChecks: 50,
};

/** Too many definitions wait to be checked. */
export class TooManyChecksError extends Error {
  override readonly name = 'TooManyChecksError';
}

/**
 * Runs each call in a worker thread. A call waits for a free worker, without a time limit; its deadline starts when a worker starts on it.
 * Workflows take turns. Calls reject with a NodeError whose message is for the workflow's author, or with the signal's reason.
 */
export class Sandbox extends Expressions implements DefinitionChecker {
  readonly #pool: Pool;
  readonly #options: Required<Omit<SandboxOptions, 'program' | 'words'>>;

  /** Throws when the workers' program is missing. */
  constructor(options: SandboxOptions = {}) {
    const { program = threadProgram(import.meta.url, './worker.ts', './sandbox.js'), ...limits } = options;
    const all = { ...defaults, ...limits };
    const pool = new Pool({ ...all, size: all.workers, program });
    super(pool, '', all.deadlineMs);
    this.#pool = pool;
    this.#options = all;
  }

  get use(): SandboxUse {
    return this.#pool.use;
  }

  /** The expressions of the executions of one workflow, which takes turns with other workflows. */
  of(workflowId: string): Expressions {
    return new Expressions(this.#pool, workflowId, this.#options.deadlineMs);
  }

  /** Returns the faults that prevent deployment; a check that takes too long is a fault too. Rejects with a TooManyChecksError. */
  async checkDefinition(definition: WorkflowDefinition): Promise<Faults> {
    const { nodes, edges, settings } = definition;
    const text = stringifyJson({ nodes, edges, settings });
    const task = { kind: 'checkDefinition', definition: text } as const;
    try {
      const deadlineMs = this.#options.checkDeadlineMs;
      return await this.#pool.run<'checkDefinition'>(checks, { task, values: [], deadlineMs });
    } catch (error) {
      if (error instanceof WorkerEnd && error.kind === 'refused')
        throw new TooManyChecksError('Too many workflows are already waiting to be checked.', {
          cause: error,
        });
      const isKnown = error instanceof NodeError || (error instanceof WorkerEnd && error.kind !== 'stopped');
      if (!isKnown) throw error;
      const fault = { path: [], message: `The definition could not be checked: ${error.message}` };
      return { faults: [fault], more: 0 };
    }
  }

  /** Aborting a check that has started ends its worker. Also rejects with a NodeError or a WorkerEnd. */
  checkText(text: string, rules: CheckRules, signal: AbortSignal): Promise<TextCheck> {
    const work = {
      task: { kind: 'checkText', text, rules },
      values: [],
      deadlineMs: this.#options.checkDeadlineMs,
    } as const;
    return this.#pool.run<'checkText'>(checks, work, signal);
  }

  /** Terminates the workers; running and waiting calls are rejected. */
  dispose(): Promise<void> {
    return this.#pool.dispose();
  }
}
