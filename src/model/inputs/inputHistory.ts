import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { hasMaskedKeys, maskKeys } from '../../base/masking.ts';
import { equalJson, isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import { decodeStoredList, type StatePort } from '../ports.ts';
import type { InputDrafts } from './inputDrafts.ts';
import type { Clock } from '../../base/time.ts';

const indexName = 'inputHistory';
const maximumInputs = 20;
/** In UTF-16 units of JSON text: for one input, and for all stored inputs. */
const maximumLength = 64 * 1024;
const maximumTotal = 512 * 1024;
const maximumWorkflows = 50;

const StoredSchema = v.object({ text: v.string(), usedAt: v.number() });
type Stored = Readonly<v.InferOutput<typeof StoredSchema>>;
const EntrySchema = v.object({ connectionId: v.string(), workflowId: v.string(), length: v.number() });
type Entry = Readonly<v.InferOutput<typeof EntrySchema>>;

interface PastInput {
  readonly input: JsonObject;
  /** Epoch milliseconds. */
  readonly usedAt: number;
  /** A key in the input was masked when it was stored. */
  readonly hasMaskedKey: boolean;
}

/**
 * The inputs that each workflow was executed with: the 20 newest, each up to 64 Ki characters, of the 50 workflows last executed, 512 Ki
 * in all. Kept in a state port, with one entry per workflow and one that lists them, and with keys masked. When two windows record at the
 * same moment, one of the two inputs may be lost.
 */
export class InputHistory implements Disposable {
  readonly #state: StatePort;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keyPrefix: () => string;
  readonly #changes = new Emitter<WorkflowTarget>();
  /** Fires with the workflow whose input was recorded. */
  readonly onDidChange: Event<WorkflowTarget> = this.#changes.event;

  /** `keyPrefix` returns the current prefix of keys. */
  constructor(state: StatePort, clock: Pick<Clock, 'now'>, keyPrefix: () => string) {
    this.#state = state;
    this.#clock = clock;
    this.#keyPrefix = keyPrefix;
    this.#maskStored().catch(() => undefined);
  }

  /** Returns the inputs, newest first, without duplicates. */
  read(target: WorkflowTarget): readonly PastInput[] {
    const keyPrefix = this.#keyPrefix();
    return this.#readStored(target).flatMap((stored) => {
      const text = maskKeys(stored.text, keyPrefix);
      const input = parseJson(text);
      if (!isJsonObject(input)) return [];
      return [{ input, usedAt: stored.usedAt, hasMaskedKey: hasMaskedKeys(text, keyPrefix) }];
    });
  }

  /** Stores an input with its keys masked. Does nothing if the input is too large. */
  async record({ connectionId, workflowId }: WorkflowTarget, input: JsonObject): Promise<void> {
    const target = { connectionId, workflowId };
    // A mask contains nothing that JSON escapes, so the text stays valid JSON and only the key changes.
    const text = maskKeys(stringifyJson(input), this.#keyPrefix());
    if (text.length > maximumLength) return;
    const masked = parseJson(text);
    const others = this.read(target).filter((past) => !equalJson(past.input, masked));
    const stored = [
      { text, usedAt: this.#clock.now() },
      ...others.map((past) => ({ text: stringifyJson(past.input), usedAt: past.usedAt })),
    ].slice(0, maximumInputs);
    const lengthOf = (): number => stored.reduce((sum, past) => sum + past.text.length, 0);
    // One workflow beyond the limit would leave no room for anything, its own inputs included.
    while (lengthOf() > maximumTotal) stored.pop();
    await this.#state.set(entryName(target), stored);
    const length = lengthOf();
    const isOther = (entry: Entry): boolean => targetName(entry) !== targetName(target);
    await this.#replaceIndex([{ ...target, length }, ...this.#readIndex().filter(isOther)]);
    this.#changes.fire(target);
  }

  /** Deletes the inputs of a connection's workflows. */
  async forget(connectionId: string): Promise<void> {
    const listed = this.#readIndex();
    const kept = listed.filter((entry) => entry.connectionId !== connectionId);
    if (kept.length < listed.length) await this.#replaceIndex(kept);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #readStored(target: WorkflowTarget): readonly Stored[] {
    return decodeStoredList(this.#state.get(entryName(target)), StoredSchema);
  }

  #readIndex(): readonly Entry[] {
    return decodeStoredList(this.#state.get(indexName), EntrySchema);
  }

  /** Lists these workflows within the limits, and deletes the inputs of all others. */
  async #replaceIndex(wanted: readonly Entry[]): Promise<void> {
    let total = 0;
    const kept = wanted.filter(({ length }, at) => {
      total += length;
      return at < maximumWorkflows && total <= maximumTotal;
    });
    const names = new Set(kept.map(entryName));
    const earlier = this.#readIndex().map(entryName);
    await this.#state.set(
      indexName,
      kept.map((entry) => ({ ...entry })),
    );
    for (const name of earlier) if (!names.has(name)) await this.#state.set(name, undefined);
  }

  /** Masks the keys that earlier versions of the extension stored. If this fails, the next session tries again. */
  async #maskStored(): Promise<void> {
    for (const entry of this.#readIndex()) {
      const stored = this.#readStored(entry);
      const masked = stored.map((past) => ({ ...past, text: maskKeys(past.text, this.#keyPrefix()) }));
      if (masked.some(({ text }, at) => text !== stored[at]?.text))
        await this.#state.set(entryName(entry), masked);
    }
  }
}

function entryName(target: WorkflowTarget): string {
  return `${indexName}.${targetName(target)}`;
}

interface RememberInputDeps {
  readonly drafts: Pick<InputDrafts, 'recordInput'>;
  readonly history: Pick<InputHistory, 'record'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Stores the input of an execution. Never rejects, since the execution has already started; a failure is logged. */
export async function rememberInput(
  { drafts, history, logger }: RememberInputDeps,
  target: WorkflowTarget,
  input: JsonObject,
): Promise<void> {
  const outcomes = await Promise.allSettled([
    drafts.recordInput(target, input),
    history.record(target, input),
  ]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected')
    logger.warn(`The input of an execution can't be remembered: ${String(failed.reason)}`);
}
