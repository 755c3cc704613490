// Runs authors' expressions and schemas outside the service's own thread, with limits for time, memory and result size.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import type { Faults } from '../../definition/faults.ts';
import { NodeError } from '../engine/errors.ts';
import {
  type Evaluated,
  type InputCheck,
  inputNotChecked,
  type Kind,
  nameExpression,
  type Result,
  scopeValues,
  toScopeIds,
} from './messages.ts';
import type { ExpressionScope, ScopeValue } from '../../definition/expressionScope.ts';
import { Pool } from './pool.ts';
import { type Work, WorkerEnd } from './sandboxWorker.ts';
import type { WorkflowDefinition } from '../../definition/definition.ts';

export interface SandboxOptions {
  /** The workers' program, where it isn't found beside this file. */
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
}

const defaults = {
  workers: 2,
  deadlineMs: 1000,
  checkDeadlineMs: 5000,
  memoryMiB: 256,
  heldCharacters: 8 * 1024 * 1024,
};

/**
 * Runs each call in a worker thread. A call waits in order for a free worker, without a time limit; its deadline starts when a worker
 * starts on it. Calls reject with a NodeError whose message is for the workflow's author, or with the signal's reason.
 */
export class Sandbox {
  readonly #pool: Pool;
  readonly #options: Required<Omit<SandboxOptions, 'program'>>;

  /** Throws when the workers' program is missing. */
  constructor(options: SandboxOptions = {}) {
    const { program = findProgram(), ...limits } = options;
    this.#options = { ...defaults, ...limits };
    this.#pool = new Pool({ ...this.#options, size: this.#options.workers, program });
  }

  evaluate(expression: string, scope: ExpressionScope, signal: AbortSignal): Promise<Evaluated> {
    const task = { kind: 'evaluate', expression, scope: toScopeIds(scope) } as const;
    return this.#run<'evaluate'>(task, scopeValues(scope), nameExpression(expression), signal);
  }

  /** Returns the items as JSON texts. A single value becomes a list of one and null an empty list, as JSONata unwraps such lists. */
  list(expression: string, scope: ExpressionScope, signal: AbortSignal): Promise<readonly string[]> {
    const task = { kind: 'list', expression, scope: toScopeIds(scope) } as const;
    return this.#run<'list'>(task, scopeValues(scope), nameExpression(expression), signal);
  }

  /** Replaces each `{{ … }}` in all strings of a value; the result is at most 1 MiB and 200 deep as JSON. */
  async render(value: JsonValue, scope: ExpressionScope, signal: AbortSignal): Promise<JsonValue> {
    const task = { kind: 'render', value, scope: toScopeIds(scope) } as const;
    return parseJson(await this.#run<'render'>(task, scopeValues(scope), filling, signal)) ?? null;
  }

  /** Replaces each `{{ … }}` of a text, to at most 1 MiB; inserted values become text. */
  renderText(text: string, scope: ExpressionScope, signal: AbortSignal): Promise<string> {
    const task = { kind: 'renderText', text, scope: toScopeIds(scope) } as const;
    return this.#run<'renderText'>(task, scopeValues(scope), filling, signal);
  }

  /** Checks the input against the author's schema; null accepts every input. */
  async checkInput(schema: JsonObject | null, input: ScopeValue, signal: AbortSignal): Promise<InputCheck> {
    const task = { kind: 'checkInput', schema, input: input.id } as const;
    try {
      const { deadlineMs } = this.#options;
      return await this.#pool.run<'checkInput'>({ task, values: [input], deadlineMs }, signal);
    } catch (error) {
      throw error instanceof WorkerEnd ? inputNotChecked(error.message) : error;
    }
  }

  /** Returns the faults that prevent deployment; a check that takes too long is a fault too. */
  async checkDefinition(definition: WorkflowDefinition): Promise<Faults> {
    const { nodes, edges, settings } = definition;
    const task = { kind: 'checkDefinition', definition: { nodes, edges, settings } } as const;
    try {
      const deadlineMs = this.#options.checkDeadlineMs;
      return await this.#pool.run<'checkDefinition'>({ task, values: [], deadlineMs });
    } catch (error) {
      const isKnown = error instanceof NodeError || (error instanceof WorkerEnd && error.kind !== 'stopped');
      if (!isKnown) throw error;
      const fault = { path: [], message: `The definition could not be checked: ${error.message}` };
      return { faults: [fault], more: 0 };
    }
  }

  /** Terminates the workers; running and queued calls are rejected. */
  dispose(): Promise<void> {
    return this.#pool.dispose();
  }

  /** `what` begins the message of a failure. */
  async #run<K extends Kind>(
    task: Work<K>['task'],
    values: Iterable<ScopeValue>,
    what: string,
    signal: AbortSignal,
  ): Promise<Result<K>> {
    try {
      return await this.#pool.run<K>({ task, values, deadlineMs: this.#options.deadlineMs }, signal);
    } catch (error) {
      throw error instanceof WorkerEnd
        ? new NodeError(codes[error.kind], `${what} failed: ${error.message}`)
        : error;
    }
  }
}

const filling = 'Filling the config with values';

const codes = {
  timedOut: 'expression_timed_out',
  outOfMemory: 'out_of_memory',
  crashed: 'expression_failed',
  stopped: 'expression_failed',
} as const satisfies Record<WorkerEnd['kind'], string>;

/** Returns the source next to this file, or the bundle next to the service's. */
function findProgram(): URL {
  const program = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './sandbox.js', import.meta.url);
  if (!existsSync(program))
    throw new Error(`The file ${fileURLToPath(program)} is missing; install the extension again.`);
  return program;
}
