// The text of each input document, kept between sessions within bounds, and without keys.
import * as v from 'valibot';
import { maskKeys } from '../../base/findKeys.ts';
import { equalJson, type JsonObject } from '../../base/json.ts';
import type { StatePort } from '../ports.ts';
import { decodeStoredList } from '../storedList.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import { renderInput } from './inputText.ts';

const entryName = 'inputDrafts';
const maximumCount = 50;
/** In UTF-16 units, of both texts together. */
const maximumLength = 64 * 1024;
const maximumTotal = 256 * 1024;

const DraftSchema = v.object({
  connectionId: v.string(),
  workflowId: v.string(),
  /** What the user typed. */
  text: v.exactOptional(v.string()),
  /** What was executed last. */
  lastInput: v.exactOptional(v.string()),
});
type Draft = v.InferOutput<typeof DraftSchema>;

/**
 * Texts per connection and workflow; the 50 last used, each up to 64 Ki characters, 256 Ki in all. What is larger, and a key in a text,
 * lives as long as the window: a key is masked in what is stored. Where two windows store in the same moment, one text may be forgotten.
 */
export interface InputDrafts {
  /** The user's text, else the last input used, else undefined: the caller then takes defaultInputText. */
  read(target: WorkflowTarget): string | undefined;
  /** Answers what is stored of it for later sessions. */
  save(target: WorkflowTarget, text: string): Promise<'whole' | 'keysMasked'>;
  /** Remembers what was executed. */
  recordInput(target: WorkflowTarget, input: JsonObject): Promise<void>;
  /** Forgets one, for a deleted workflow or to start over. */
  forget(target: WorkflowTarget): Promise<void>;
}

/** Drafts in a state port. keyPrefix: what keys start with now. */
export function createInputDrafts(state: StatePort, keyPrefix: () => string): InputDrafts {
  /** Those that are not stored as they are; the one longest unused goes first. */
  const held = new Map<string, Draft>();

  const readStored = (): readonly Draft[] =>
    decodeStoredList(state.get(entryName), DraftSchema).map((draft) => maskDraft(draft, keyPrefix()));
  const find = (target: WorkflowTarget): Draft | undefined =>
    held.get(targetName(target)) ?? readStored().find((draft) => targetName(draft) === targetName(target));
  const hold = (name: string, draft: Draft): void => {
    held.set(name, draft);
    const [oldest] = held.keys();
    if (held.size > maximumCount && oldest !== undefined) held.delete(oldest);
  };
  const replace = async (target: WorkflowTarget, draft: Draft | undefined): Promise<void> => {
    const name = targetName(target);
    const others = readStored().filter((stored) => targetName(stored) !== name);
    held.delete(name);
    const masked = draft && maskDraft(draft, keyPrefix());
    const isLarge = draft !== undefined && lengthOf(draft) > maximumLength;
    if (draft && (isLarge || masked !== draft)) hold(name, draft);
    await state.set(entryName, withinBounds(masked === undefined || isLarge ? others : [masked, ...others]));
  };
  const change = ({ connectionId, workflowId }: WorkflowTarget, part: Partial<Draft>): Promise<void> => {
    const target = { connectionId, workflowId };
    return replace(target, { ...find(target), ...part, ...target });
  };

  // Versions before stored keys. What fails here is done in the next session.
  const stored = decodeStoredList(state.get(entryName), DraftSchema);
  const masked = readStored();
  if (masked.some((draft, at) => !equalJson({ ...draft }, { ...stored[at] })))
    state.set(entryName, masked).catch(() => undefined);

  return Object.freeze<InputDrafts>({
    read(target) {
      const draft = find(target);
      return draft?.text ?? draft?.lastInput;
    },
    async save(target, text) {
      await change(target, { text });
      return maskKeys(text, keyPrefix()) === text ? 'whole' : 'keysMasked';
    },
    recordInput: (target, input) => change(target, { lastInput: renderInput(input) }),
    forget: (target) => replace(target, undefined),
  });
}

/** The same draft where it holds no key. */
function maskDraft(draft: Draft, prefix: string): Draft {
  const { text, lastInput } = draft;
  const masked = {
    ...(text === undefined ? {} : { text: maskKeys(text, prefix) }),
    ...(lastInput === undefined ? {} : { lastInput: maskKeys(lastInput, prefix) }),
  };
  return masked.text === text && masked.lastInput === lastInput ? draft : { ...draft, ...masked };
}

/** Those last used come first. */
function withinBounds(drafts: readonly Draft[]): readonly Draft[] {
  let total = 0;
  return drafts.slice(0, maximumCount).filter((draft) => (total += lengthOf(draft)) <= maximumTotal);
}

function lengthOf({ text = '', lastInput = '' }: Draft): number {
  return text.length + lastInput.length;
}
