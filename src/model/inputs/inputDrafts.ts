// Why: the text of each input document, kept between sessions within bounds.
import * as v from 'valibot';
import type { JsonObject } from '../../base/json.ts';
import type { StatePort } from '../ports.ts';
import { readStoredList } from '../storedList.ts';
import { targetName } from '../targets.ts';
import type { WorkflowTarget } from '../targets.ts';
import { renderInput } from './inputText.ts';

const entryName = 'inputDrafts';
const maximumCount = 50;
/** In UTF-16 units, of both texts together. */
const maximumLength = 64 * 1024;

const DraftSchema = v.object({
  connectionId: v.string(),
  workflowId: v.string(),
  /** What the user typed. */
  text: v.exactOptional(v.string()),
  /** What was executed last. */
  lastInput: v.exactOptional(v.string()),
});
type Draft = v.InferOutput<typeof DraftSchema>;

/** Texts per connection and workflow; the 50 last used, each up to 64 KiB; what is larger lives as long as the window. */
export interface InputDrafts {
  /** The user's text, else the last input used, else undefined: the caller then takes defaultInputText. */
  read(target: WorkflowTarget): string | undefined;
  save(target: WorkflowTarget, text: string): Promise<void>;
  /** Remembers what was executed. */
  recordInput(target: WorkflowTarget, input: JsonObject): Promise<void>;
  /** Forgets one, for a deleted workflow or to start over. */
  forget(target: WorkflowTarget): Promise<void>;
}

/** Drafts in a state port. */
export function createInputDrafts(state: StatePort): InputDrafts {
  const large = new Map<string, Draft>();

  const readStored = (): readonly Draft[] => readStoredList(state.get(entryName), DraftSchema);
  const find = (target: WorkflowTarget): Draft | undefined =>
    large.get(targetName(target)) ?? readStored().find((draft) => targetName(draft) === targetName(target));
  const replace = async (target: WorkflowTarget, draft: Draft | undefined): Promise<void> => {
    const others = readStored().filter((stored) => targetName(stored) !== targetName(target));
    large.delete(targetName(target));
    const isLarge = draft !== undefined && lengthOf(draft) > maximumLength;
    if (isLarge) large.set(targetName(target), draft);
    const kept = draft === undefined || isLarge ? others : [draft, ...others];
    await state.set(entryName, kept.slice(0, maximumCount));
  };
  const change = ({ connectionId, workflowId }: WorkflowTarget, part: Partial<Draft>): Promise<void> => {
    const target = { connectionId, workflowId };
    return replace(target, { ...find(target), ...part, ...target });
  };

  return Object.freeze<InputDrafts>({
    read(target) {
      const draft = find(target);
      return draft?.text ?? draft?.lastInput;
    },
    save: (target, text) => change(target, { text }),
    recordInput: (target, input) => change(target, { lastInput: renderInput(input) }),
    forget: (target) => replace(target, undefined),
  });
}

function lengthOf({ text = '', lastInput = '' }: Draft): number {
  return text.length + lastInput.length;
}
