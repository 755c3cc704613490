// The editor's side of the debug adapter protocol, and recordings without a service.
import assert from 'node:assert/strict';
import jsonata from 'jsonata';
import * as v from 'valibot';
import { Emitter } from '../../../src/base/event.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { NodeRun } from '../../../src/domain/nodeRun.ts';
import type {
  RecordedEvaluation,
  RecordedScope,
  Recording,
} from '../../../src/features/debugging/recording.ts';
import type { Offer } from '../../../src/ui/expressions/offer.ts';
import { DebugSession, type Retrying } from '../../../src/features/debugging/session.ts';
import type { StopAt } from '../../../src/features/debugging/stops.ts';
import { createFeed } from '../../support/memory/logs.ts';
import type { IterationItem, RunItem } from '../../../src/model/runs/runItems.ts';

/** Rows that come one after the other. Its text has a line for each node, in the order of the ids. */
export class TestRecording implements Recording {
  readonly name = 'Orders';
  readonly #feed = createFeed();
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.event;
  readonly #nodeIds: readonly string[];
  hasEnded = true;
  failure: Error | undefined;
  warning: string | undefined;
  /** What is read whole, by the node's id. */
  readonly whole = new Map<string, JsonValue>();
  evaluated = 0;
  /** What expressions see of nodes, by their ids. */
  readonly seen = new Map<string, JsonValue>([['start', { total: 2 }]]);
  /** How many items each loop has; as many as were run if it isn't told. */
  itemCount: number | undefined;

  constructor(nodeIds: readonly string[], rows: readonly NodeLog[] = []) {
    this.#nodeIds = nodeIds;
    this.add(rows);
  }

  get runs() {
    return this.#feed.runTree;
  }

  get goneRuns() {
    return this.#feed.goneRuns;
  }

  get source() {
    const { warning } = this;
    const nodeIds = this.#nodeIds;
    const lineOf = (nodeId: string): number | undefined => {
      const at = nodeIds.indexOf(nodeId);
      return at < 0 ? undefined : at * 2;
    };
    return {
      uri: 'workflow:/Orders.workflow.json',
      name: 'Orders.workflow.json',
      warning,
      lineOf,
      nodeAt: (line: number) => nodeIds[Math.floor(line / 2)],
      hasNode: (nodeId: string) => nodeIds.includes(nodeId),
    };
  }

  add(rows: readonly NodeLog[]): void {
    this.#feed.append(rows);
    this.#changes.fire();
  }

  /** Forgets the oldest run that has ended, as memory does. */
  forgetRun(): void {
    this.#feed.forgetRuns(1);
    this.#changes.fire();
  }

  end(failure?: Error): void {
    this.hasEnded = true;
    this.failure = failure;
    this.#changes.fire();
  }

  scopeOf({ run, scope: { iteration } }: RunItem): Promise<RecordedScope> {
    const loop = iteration === null ? null : { item: `item ${iteration.index}`, index: iteration.index };
    const nodes = [...this.seen].map(([name, value]) => ({ name, value }));
    return Promise.resolve({ input: run.input, nodes, loop });
  }

  async evaluate(expression: string, item: RunItem): Promise<RecordedEvaluation> {
    this.evaluated += 1;
    const { input, loop } = await this.scopeOf(item);
    try {
      const value: unknown = await jsonata(expression).evaluate({
        input,
        nodes: Object.fromEntries(this.whole),
        ...loop,
      });
      return {
        kind: 'value',
        value:
          value === undefined
            ? null
            : v.parse(
                v.custom<JsonValue>(() => true),
                value,
              ),
      };
    } catch (error) {
      return { kind: 'failed', message: v.parse(v.object({ message: v.string() }), error).message };
    }
  }

  countIterations({ owner }: IterationItem): Promise<number | undefined> {
    return Promise.resolve(this.itemCount ?? owner.iterations?.members.length);
  }

  complete(code: string, cursor: number): Promise<readonly Offer[]> {
    const start = code.lastIndexOf('.') + 1;
    const shown = { label: 'total', description: '2', detail: '', documentation: '', filter: 'total' };
    const span = { start, end: cursor };
    return Promise.resolve([{ kind: 'name', ...shown, before: 'total', after: '', span, rank: 0 }]);
  }

  readWhole({ nodeId }: NodeRun): Promise<JsonValue | undefined> {
    return Promise.resolve(this.whole.get(nodeId));
  }
}

const Message = v.looseObject({ type: v.string() });
const Response = v.object({
  type: v.literal('response'),
  request_seq: v.number(),
  success: v.boolean(),
  message: v.optional(v.string()),
  body: v.optional(v.unknown()),
});
const SentEvent = v.object({ type: v.literal('event'), event: v.string(), body: v.optional(v.unknown()) });
/** Why it has stopped. */
export const Stopped = v.object({
  reason: v.string(),
  description: v.optional(v.string()),
  text: v.optional(v.string()),
});
const Frames = v.object({
  stackFrames: v.array(
    v.object({ id: v.number(), name: v.string(), line: v.number(), canRestart: v.boolean() }),
  ),
});
const Scopes = v.object({
  scopes: v.array(v.object({ name: v.string(), variablesReference: v.number() })),
});
const Row = v.object({
  name: v.string(),
  value: v.string(),
  variablesReference: v.number(),
  evaluateName: v.optional(v.string()),
  indexedVariables: v.optional(v.number()),
});
const Rows = v.object({ variables: v.array(Row) });
const Result = v.object({ result: v.string(), variablesReference: v.number() });
const Output = v.object({ output: v.string() });

const noRetrying: Retrying = { isOffered: () => false, retry: () => Promise.reject(new Error('No.')) };

/** A session, as the editor has it. */
export class TestClient {
  readonly session: DebugSession;
  /** Where it stopped, as the session itself tells it. */
  readonly stops: RunItem[] = [];
  readonly events: v.InferOutput<typeof SentEvent>[] = [];
  readonly #answers = new Map<number, (response: v.InferOutput<typeof Response>) => void>();
  readonly #waiting: { event: string; resolve: (body: unknown) => void }[] = [];
  #sequence = 0;

  constructor(recording: Recording, stopAt: StopAt = 'start', retrying: Retrying = noRetrying) {
    this.session = new DebugSession({
      open: () => Promise.resolve({ recording, stopAt, retrying }),
      describe: (error) => (error instanceof Error ? error.message : String(error)),
      report: () => false,
    });
    this.session.onDidStop((item) => this.stops.push(item));
    this.session.onDidSend((message) => this.#receive(message));
  }

  get current(): RunItem {
    return this.stops.at(-1) ?? assert.fail('It has not stopped yet.');
  }

  get printed(): readonly string[] {
    return this.events.flatMap(({ event, body }) =>
      event === 'output' ? v.parse(Output, body).output.trimEnd() : [],
    );
  }

  /** Rejects with the message of a refusal. */
  async ask(command: string, given: object = {}): Promise<unknown> {
    const seq = (this.#sequence += 1);
    const answered = new Promise<v.InferOutput<typeof Response>>((resolve) =>
      this.#answers.set(seq, resolve),
    );
    await this.session.handle({ seq, type: 'request', command, arguments: given });
    const { success, message, body } = await answered;
    if (!success) throw new Error(message);
    return body;
  }

  /** Resolves with the body of the next such event. */
  next(event: string): Promise<unknown> {
    return new Promise((resolve) => this.#waiting.push({ event, resolve }));
  }

  /** Asks, and resolves once it has stopped. */
  async go(command: string): Promise<v.InferOutput<typeof Stopped>> {
    const stopped = this.next('stopped');
    await this.ask(command);
    return v.parse(Stopped, await stopped);
  }

  async launch(
    setUp: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<v.InferOutput<typeof Stopped>> {
    await this.ask('initialize', { supportsProgressReporting: true });
    await this.ask('launch');
    await setUp();
    return this.go('configurationDone');
  }

  /** With a condition, or what else a breakpoint has. */
  async breakAt(line: number, change: object = {}): Promise<unknown> {
    const source = { path: 'workflow:/Orders.workflow.json' };
    return this.ask('setBreakpoints', { source, breakpoints: [{ line, ...change }] });
  }

  async frames() {
    return v.parse(Frames, await this.ask('stackTrace', { threadId: 1 })).stackFrames;
  }

  /** The rows of a scope of a frame, or below a row. */
  async rows(scope: string, frameId = 1) {
    const { scopes } = v.parse(Scopes, await this.ask('scopes', { frameId }));
    const found = scopes.find(({ name }) => name === scope) ?? assert.fail(scope);
    return this.below(found);
  }

  async below(row: { readonly variablesReference: number }, part: object = {}) {
    const { variablesReference } = row;
    return v.parse(Rows, await this.ask('variables', { variablesReference, ...part })).variables;
  }

  async evaluate(expression: string, context = 'repl'): Promise<string> {
    return v.parse(Result, await this.ask('evaluate', { expression, frameId: 1, context })).result;
  }

  #receive(message: object): void {
    if (v.parse(Message, message).type === 'response') {
      const response = v.parse(Response, message);
      this.#answers.get(response.request_seq)?.(response);
      return;
    }
    const event = v.parse(SentEvent, message);
    this.events.push(event);
    const at = this.#waiting.findIndex((each) => each.event === event.event);
    if (at >= 0) this.#waiting.splice(at, 1)[0]?.resolve(event.body);
  }
}
