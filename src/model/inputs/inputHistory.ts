// Why: what a workflow was executed with, so that it can be taken again; kept between sessions within bounds.
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Event } from '../../base/event.ts';
import { equalJson, isJsonObject, parseJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Clock, StatePort } from '../ports.ts';
import { readStoredList } from '../storedList.ts';
import { targetName } from '../targets.ts';
import type { WorkflowTarget } from '../targets.ts';

const indexName = 'inputHistory';
const maximumInputs = 20;
/** In UTF-16 units of JSON text: of one input, and of all that is kept. */
const maximumLength = 64 * 1024;
const maximumTotal = 2 * 1024 * 1024;
const maximumWorkflows = 50;

const StoredSchema = v.object({ text: v.string(), usedAt: v.number() });
type Stored = v.InferOutput<typeof StoredSchema>;
const EntrySchema = v.object({ connectionId: v.string(), workflowId: v.string(), length: v.number() });
type Entry = v.InferOutput<typeof EntrySchema>;

interface PastInput {
  readonly input: JsonObject;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/** Per connection and workflow the 20 newest inputs, each up to 64 KiB; of the 50 workflows last executed, 2 MiB in all. */
export interface InputHistory extends Disposable {
  /** Something was recorded for this workflow. */
  readonly onDidChange: Event<WorkflowTarget>;
  /** Newest first; equal inputs once. */
  read(target: WorkflowTarget): readonly PastInput[];
  /** A larger input is not kept. */
  record(target: WorkflowTarget, input: JsonObject): Promise<void>;
  /** Forgets what belongs to a connection. */
  forget(connectionId: string): Promise<void>;
}

/** A history in a state port: one entry per workflow, and one that lists them. */
export function createInputHistory(state: StatePort, clock: Clock): InputHistory {
  const changes = new Emitter<WorkflowTarget>();
  const entryName = (target: WorkflowTarget): string => `${indexName}.${targetName(target)}`;

  const read = (target: WorkflowTarget): readonly PastInput[] =>
    readStoredList(state.get(entryName(target)), StoredSchema).flatMap(({ text, usedAt }) => {
      const input = parseJson(text);
      return isJsonObject(input) ? [{ input, usedAt }] : [];
    });

  /** Lists these workflows, and forgets the inputs of those listed before. */
  const replaceIndex = async (wanted: readonly Entry[]): Promise<void> => {
    let total = 0;
    const kept = wanted.filter(({ length }, at) => {
      total += length;
      return at < maximumWorkflows && total <= maximumTotal;
    });
    const names = new Set(kept.map(entryName));
    const gone = readStoredList(state.get(indexName), EntrySchema).map(entryName);
    await state.set(
      indexName,
      kept.map((entry) => ({ ...entry })),
    );
    for (const name of gone) if (!names.has(name)) await state.set(name, undefined);
  };

  return Object.freeze<InputHistory>({
    onDidChange: changes.event,
    read,
    async record({ connectionId, workflowId }, input) {
      const target = { connectionId, workflowId };
      const text = JSON.stringify(input);
      if (text.length > maximumLength) return;
      const others = read(target).filter((past) => !equalJson(past.input, input));
      const stored: readonly Stored[] = [
        { text, usedAt: clock.now() },
        ...others.map((past) => ({ text: JSON.stringify(past.input), usedAt: past.usedAt })),
      ].slice(0, maximumInputs);
      await state.set(
        entryName(target),
        stored.map((past) => ({ ...past })),
      );
      const length = stored.reduce((sum, past) => sum + past.text.length, 0);
      const listed = readStoredList(state.get(indexName), EntrySchema);
      const isOther = (entry: Entry): boolean => targetName(entry) !== targetName(target);
      await replaceIndex([{ ...target, length }, ...listed.filter(isOther)]);
      changes.fire(target);
    },
    async forget(connectionId) {
      const listed = readStoredList(state.get(indexName), EntrySchema);
      const kept = listed.filter((entry) => entry.connectionId !== connectionId);
      if (kept.length < listed.length) await replaceIndex(kept);
    },
    dispose: () => {
      changes.dispose();
    },
  });
}
