import * as v from 'valibot';
import { BoundedMap } from '../../base/boundedMap.ts';
import { maskKeys } from '../../base/masking.ts';
import { equalJson, type JsonObject } from '../../base/json.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import { decodeStoredList, type StatePort } from '../ports.ts';
import { renderInput } from './inputText.ts';

const entryName = 'inputDrafts';
const maximumCount = 50;
/** In UTF-16 units, of all texts together. */
const maximumLength = 64 * 1024;
const maximumTotal = 256 * 1024;

const DraftSchema = v.object({
  connectionId: v.string(),
  workflowId: v.string(),
  /** The text that the user typed. */
  text: v.exactOptional(v.string()),
  /** The input of the last execution. */
  lastInput: v.exactOptional(v.string()),
  /** What a person chose to begin at, where the workflow has several triggers. */
  trigger: v.exactOptional(v.string()),
});
type Draft = v.InferOutput<typeof DraftSchema>;

/**
 * The text of each input document, in a state port: the 50 last used, each up to 64 Ki characters, 256 Ki in all. Larger texts are only
 * kept while the window is open. Keys are masked in the stored text, and the unmasked text is kept while the window is open. When two
 * windows store at the same moment, one text may be lost.
 */
export class InputDrafts {
  readonly #state: StatePort;
  readonly #keyPrefix: () => string;
  /** Drafts that can't be stored as they are. */
  readonly #held = new BoundedMap<string, Draft>(maximumCount);

  /** `keyPrefix` returns the current prefix of keys. */
  constructor(state: StatePort, keyPrefix: () => string) {
    this.#state = state;
    this.#keyPrefix = keyPrefix;
    this.#maskStored();
  }

  /** Returns the user's text, or else the last input used. If both are missing, the caller uses `defaultInputText`. */
  read(target: WorkflowTarget): string | undefined {
    const draft = this.#find(target);
    return draft?.text ?? draft?.lastInput;
  }

  /** Resolves with how the text is stored for later sessions. */
  async save(target: WorkflowTarget, text: string): Promise<'whole' | 'keysMasked'> {
    await this.#change(target, { text });
    return maskKeys(text, this.#keyPrefix()) === text ? 'whole' : 'keysMasked';
  }

  /** The name of the trigger that was chosen for the input; undefined if none was. */
  trigger(target: WorkflowTarget): string | undefined {
    return this.#find(target)?.trigger;
  }

  chooseTrigger(target: WorkflowTarget, trigger: string): Promise<void> {
    return this.#change(target, { trigger });
  }

  /** Stores the input of an execution. */
  recordInput(target: WorkflowTarget, input: JsonObject): Promise<void> {
    return this.#change(target, { lastInput: renderInput(input) });
  }

  /** Deletes the drafts of a connection's workflows. Those that aren't stored go with the window. */
  async forget(connectionId: string): Promise<void> {
    const stored = this.#readStored();
    const kept = stored.filter((draft) => draft.connectionId !== connectionId);
    if (kept.length < stored.length) await this.#state.set(entryName, kept);
  }

  #find(target: WorkflowTarget): Draft | undefined {
    const name = targetName(target);
    return this.#held.get(name) ?? this.#readStored().find((draft) => targetName(draft) === name);
  }

  #readStored(): readonly Draft[] {
    return this.#decodeStored().map((draft) => maskDraft(draft, this.#keyPrefix()));
  }

  #decodeStored(): readonly Draft[] {
    return decodeStoredList(this.#state.get(entryName), DraftSchema);
  }

  async #change({ connectionId, workflowId }: WorkflowTarget, part: Partial<Draft>): Promise<void> {
    const target = { connectionId, workflowId };
    const name = targetName(target);
    const { lastInput, ...others } = { ...this.#find(target), ...part, ...target };
    // Beside a text of the user's it's never read, and would only take the text's room.
    const isRead = lastInput !== undefined && others.text === undefined;
    const draft: Draft = isRead ? { ...others, lastInput } : others;
    const masked = maskDraft(draft, this.#keyPrefix());
    const isLarge = lengthOf(draft) > maximumLength;
    this.#held.delete(name);
    if (isLarge || masked !== draft) this.#held.set(name, draft);
    const stored = this.#readStored().filter((each) => targetName(each) !== name);
    await this.#state.set(entryName, withinBounds(isLarge ? stored : [masked, ...stored]));
  }

  /** Masks the keys that earlier versions of the extension stored. If this fails, the next session tries again. */
  #maskStored(): void {
    const stored = this.#decodeStored();
    const masked = this.#readStored();
    if (masked.some((draft, at) => !equalJson({ ...draft }, { ...stored[at] })))
      this.#state.set(entryName, masked).catch(() => undefined);
  }
}

/** Returns the same draft if it contains no key. */
function maskDraft(draft: Draft, prefix: string): Draft {
  const { text, lastInput } = draft;
  const masked = {
    ...(text === undefined ? {} : { text: maskKeys(text, prefix) }),
    ...(lastInput === undefined ? {} : { lastInput: maskKeys(lastInput, prefix) }),
  };
  return masked.text === text && masked.lastInput === lastInput ? draft : { ...draft, ...masked };
}

/** `drafts`: the most recently used ones come first. */
function withinBounds(drafts: readonly Draft[]): readonly Draft[] {
  let total = 0;
  return drafts.slice(0, maximumCount).filter((draft) => (total += lengthOf(draft)) <= maximumTotal);
}

function lengthOf({ text = '', lastInput = '', trigger = '' }: Draft): number {
  return text.length + lastInput.length + trigger.length;
}
