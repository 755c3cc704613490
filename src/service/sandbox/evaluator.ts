// Evaluates expressions and checks definitions outside the service in the same way as the service: with its code, in threads with its
// limits.
import { unlessAborted } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import type { TextCheck, CheckRules, DefinitionChecker } from '../../definition/checkText.ts';
import {
  type ExpressionEvaluator,
  type ExpressionScope,
  ScopeValue,
} from '../../definition/expressionScope.ts';
import type { Faults } from '../../definition/faultList.ts';
import type { InputChecker } from '../../definition/inputSchema.ts';
import { NodeError } from '../errors.ts';
import { nameExpression, type WorkerWords } from './messages.ts';
import type { Sandbox } from './sandbox.ts';

export interface EvaluatorOptions extends Partial<WorkerWords> {
  /** The threads' program. */
  readonly program: URL;
  readonly clock: Clock;
}

/** The threads end after this time without work. */
const idleMs = 30_000;

/**
 * The first thread starts with the first work, another one when a check would wait for an expression. Aborting rejects at once: a check
 * then ends, an expression continues until its deadline.
 */
export class Evaluator implements ExpressionEvaluator, DefinitionChecker, InputChecker, Disposable {
  readonly #options: EvaluatorOptions;
  readonly #ended = new AbortController();
  #sandbox: Promise<Sandbox> | undefined;
  #running = 0;
  #idle: Disposable | undefined;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  async evaluate(expression: string, scope: ExpressionScope, signal: AbortSignal): Promise<string> {
    try {
      const { text } = await this.#run(signal, (sandbox) => sandbox.evaluate(expression, scope, signal));
      return text;
    } catch (error) {
      throw error instanceof NodeError ? withoutName(error, expression) : error;
    }
  }

  list(expression: string, scope: ExpressionScope, signal: AbortSignal): Promise<readonly string[]> {
    return this.#run(signal, (sandbox) => sandbox.list(expression, scope, signal));
  }

  checkInput(schema: JsonObject, input: string, signal: AbortSignal): Promise<Faults> {
    return this.#run(signal, (sandbox) => sandbox.checkInput(schema, new ScopeValue(input), signal));
  }

  checkText(text: string, rules: CheckRules, signal: AbortSignal): Promise<TextCheck> {
    return this.#run(signal, (sandbox) => sandbox.checkText(text, rules, signal));
  }

  dispose(): void {
    this.#ended.abort();
    this.#end();
  }

  async #run<T>(signal: AbortSignal, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const { signal: ended } = this.#ended;
    signal.throwIfAborted();
    ended.throwIfAborted();
    this.#idle?.dispose();
    this.#running += 1;
    try {
      // A signal that follows both would leave something behind for each of very many evaluations.
      return await unlessAborted((this.#sandbox ??= this.#start()).then(work), ended);
    } finally {
      this.#running -= 1;
      if (this.#running === 0 && !this.#ended.signal.aborted)
        this.#idle = this.#options.clock.schedule(() => this.#end(), idleMs);
    }
  }

  async #start(): Promise<Sandbox> {
    const { Sandbox } = await import('./sandbox.ts');
    const { program, words } = this.#options;
    return new Sandbox({ program, words, workers: 2 });
  }

  #end(): void {
    this.#idle?.dispose();
    const ending = this.#sandbox;
    this.#sandbox = undefined;
    // Callers that wait for it get an error when it can't start.
    void ending?.then((sandbox) => sandbox.dispose()).catch(() => undefined);
  }
}

/** The caller shows the expression, so the message is only the reason. */
function withoutName({ code, message }: NodeError, expression: string): NodeError {
  const name = nameExpression(expression);
  if (!message.startsWith(name)) return new NodeError(code, message);
  const rest = message.slice(name.length);
  const failed = ' failed: ';
  return new NodeError(code, rest.startsWith(failed) ? rest.slice(failed.length) : `it${rest}`);
}
