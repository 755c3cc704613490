import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../base/json.ts';
import { NodeError } from '../errors.ts';
import {
  type Evaluated,
  type InputCheck,
  inputNotChecked,
  type WorkKind,
  nameExpression,
  type Rendered,
  type RenderOptions,
  type WorkResult,
  scopeValues,
  toScopeIds,
} from './messages.ts';
import type { ExpressionScope, ScopeValue } from '../../definition/expressionScope.ts';
import type { Pool } from './pool.ts';
import { type OnRounded, type SandboxWork, WorkerEnd } from './sandboxWorker.ts';

/**
 * Evaluates for one owner, such as a workflow; owners take turns. Calls reject with a NodeError whose message is for the workflow's author,
 * or with the signal's reason.
 */
export class Expressions {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #deadlineMs: number;
  readonly #onRounded: OnRounded | undefined;

  constructor(pool: Pool, owner: string, deadlineMs: number, onRounded?: OnRounded) {
    this.#pool = pool;
    this.#owner = owner;
    this.#deadlineMs = deadlineMs;
    this.#onRounded = onRounded;
  }

  /** The same, but reports the numbers that expressions read as the nearest ones. */
  reportingRoundings(onRounded: OnRounded): Expressions {
    return new Expressions(this.#pool, this.#owner, this.#deadlineMs, onRounded);
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
  async render(
    value: JsonValue,
    scope: ExpressionScope,
    signal: AbortSignal,
    { secrets = {}, address = null, json = null }: Partial<RenderOptions> = {},
  ): Promise<Rendered> {
    const own = { kind: 'render', value: stringifyJson(value), secrets, address, json } as const;
    const task = { ...own, scope: toScopeIds(scope) };
    const {
      value: filled,
      shown,
      empty,
    } = await this.#run<'render'>(task, scopeValues(scope), filling, signal);
    return {
      value: parseJson(filled) ?? null,
      shown: shown === null ? null : (parseJson(shown) ?? null),
      empty,
    };
  }

  /** Returns the names of the secrets that the templates in a value read. */
  findSecrets(value: JsonValue, signal: AbortSignal): Promise<readonly string[]> {
    return this.#run<'findSecrets'>(
      { kind: 'findSecrets', value: stringifyJson(value) },
      [],
      filling,
      signal,
    );
  }

  /** Replaces each `{{ … }}` of a text, to at most 1 MiB; inserted values become text. */
  renderText(text: string, scope: ExpressionScope, signal: AbortSignal): Promise<string> {
    const task = { kind: 'renderText', text, scope: toScopeIds(scope) } as const;
    return this.#run<'renderText'>(task, scopeValues(scope), filling, signal);
  }

  /** Checks the input against the author's schema; null accepts every input. */
  async checkInput(schema: JsonObject | null, input: ScopeValue, signal: AbortSignal): Promise<InputCheck> {
    const task = { kind: 'checkInput', schema: stringifyJson(schema), input: input.id } as const;
    try {
      const work = { task, values: [input], deadlineMs: this.#deadlineMs };
      return await this.#pool.run<'checkInput'>(this.#owner, work, signal);
    } catch (error) {
      throw error instanceof WorkerEnd ? inputNotChecked(error.message) : error;
    }
  }

  /** `what` begins the message of a failure. */
  async #run<K extends WorkKind>(
    task: SandboxWork<K>['task'],
    values: Iterable<ScopeValue>,
    what: string,
    signal: AbortSignal,
  ): Promise<WorkResult<K>> {
    try {
      const work = { task, values, deadlineMs: this.#deadlineMs, onRounded: this.#onRounded };
      return await this.#pool.run<K>(this.#owner, work, signal);
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
  refused: 'too_many_expressions',
} as const satisfies Record<WorkerEnd['kind'], string>;
