// What a workflow was executed with, so that it can be taken again; kept between sessions within bounds, and without keys.
import * as v from 'valibot';
import { hasMaskedKeys, maskKeys } from '../../base/findKeys.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { equalJson, isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import type { Clock, StatePort } from '../ports.ts';
import { decodeStoredList } from '../storedList.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';

const indexName = 'inputHistory';
const maximumInputs = 20;
/** In UTF-16 units of JSON text: of one input, and of all that is kept. */
const maximumLength = 64 * 1024;
const maximumTotal = 512 * 1024;
const maximumWorkflows = 50;

const StoredSchema = v.object({ text: v.string(), usedAt: v.number() });
type Stored = v.InferOutput<typeof StoredSchema>;
const EntrySchema = v.object({ connectionId: v.string(), workflowId: v.string(), length: v.number() });
type Entry = v.InferOutput<typeof EntrySchema>;

interface PastInput {
  readonly input: JsonObject;
  /** Epoch milliseconds. */
  readonly usedAt: number;
  /** A key in it was masked before it was stored. */
  readonly hasMaskedKey: boolean;
}

/**
 * Per connection and workflow the 20 newest inputs, each up to 64 Ki characters; of the 50 workflows last executed, 512 Ki in all.
 * Where two windows record in the same moment, one of the two inputs may be forgotten.
 */
export interface InputHistory extends Disposable {
  /** Something was recorded for this workflow. */
  readonly onDidChange: Event<WorkflowTarget>;
  /** Newest first; equal inputs once. */
  read(target: WorkflowTarget): readonly PastInput[];
  /** Its keys are masked; a larger input is not kept. */
  record(target: WorkflowTarget, input: JsonObject): Promise<void>;
  /** Forgets what belongs to a connection. */
  forget(connectionId: string): Promise<void>;
}

/** A history in a state port: one entry per workflow, and one that lists them. keyPrefix: what keys start with now. */
export function createInputHistory(state: StatePort, clock: Clock, keyPrefix: () => string): InputHistory {
  const changes = new Emitter<WorkflowTarget>();
  const entryName = (target: WorkflowTarget): string => `${indexName}.${targetName(target)}`;

  const read = (target: WorkflowTarget): readonly PastInput[] =>
    decodeStoredList(state.get(entryName(target)), StoredSchema).flatMap((stored) => {
      const text = maskKeys(stored.text, keyPrefix());
      const { usedAt } = stored;
      const input = parseJson(text);
      return isJsonObject(input) ? [{ input, usedAt, hasMaskedKey: hasMaskedKeys(text, keyPrefix()) }] : [];
    });

  /** Lists these workflows, and forgets the inputs of those listed before. */
  const replaceIndex = async (wanted: readonly Entry[]): Promise<void> => {
    let total = 0;
    const kept = wanted.filter(({ length }, at) => {
      total += length;
      return at < maximumWorkflows && total <= maximumTotal;
    });
    const names = new Set(kept.map(entryName));
    const gone = decodeStoredList(state.get(indexName), EntrySchema).map(entryName);
    await state.set(
      indexName,
      kept.map((entry) => ({ ...entry })),
    );
    for (const name of gone) if (!names.has(name)) await state.set(name, undefined);
  };

  /** Versions before stored keys. What fails here is done in the next session. */
  const maskStored = async (): Promise<void> => {
    for (const entry of decodeStoredList(state.get(indexName), EntrySchema)) {
      const stored = decodeStoredList(state.get(entryName(entry)), StoredSchema);
      const masked = stored.map((past) => ({ ...past, text: maskKeys(past.text, keyPrefix()) }));
      if (masked.some(({ text }, at) => text !== stored[at]?.text)) await state.set(entryName(entry), masked);
    }
  };
  maskStored().catch(() => undefined);

  return Object.freeze<InputHistory>({
    onDidChange: changes.event,
    read,
    async record({ connectionId, workflowId }, input) {
      const target = { connectionId, workflowId };
      // A mask holds nothing that JSON would escape, so the text stays the same JSON but for the key.
      const text = maskKeys(JSON.stringify(input), keyPrefix());
      if (text.length > maximumLength) return;
      const masked = parseJson(text);
      const others = read(target).filter((past) => !equalJson(past.input, masked));
      const stored: readonly Stored[] = [
        { text, usedAt: clock.now() },
        ...others.map((past) => ({ text: JSON.stringify(past.input), usedAt: past.usedAt })),
      ].slice(0, maximumInputs);
      await state.set(
        entryName(target),
        stored.map((past) => ({ ...past })),
      );
      const length = stored.reduce((sum, past) => sum + past.text.length, 0);
      const listed = decodeStoredList(state.get(indexName), EntrySchema);
      const isOther = (entry: Entry): boolean => targetName(entry) !== targetName(target);
      await replaceIndex([{ ...target, length }, ...listed.filter(isOther)]);
      changes.fire(target);
    },
    async forget(connectionId) {
      const listed = decodeStoredList(state.get(indexName), EntrySchema);
      const kept = listed.filter((entry) => entry.connectionId !== connectionId);
      if (kept.length < listed.length) await replaceIndex(kept);
    },
    dispose: () => changes.dispose(),
  });
}
