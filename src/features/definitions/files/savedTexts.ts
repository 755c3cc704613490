// The definitions that were saved here, as their authors wrote them: services give back equal values in a format of their own.
import * as v from 'valibot';
import { oneAtATime } from '../../../base/async.ts';
import { hasMaskedKeys, maskKeys } from '../../../base/masking.ts';
import { targetName, type WorkflowTarget } from '../../../domain/targets.ts';
import { decodeStoredList, type StatePort } from '../../../model/ports.ts';

const entryName = 'definitionTexts';
/** In UTF-16 units: of one text, and of all. */
const maximumLength = 128 * 1024;
const maximumTotal = 512 * 1024;

const StoredSchema = v.object({ connectionId: v.string(), workflowId: v.string(), length: v.number() });
type Stored = Readonly<v.InferOutput<typeof StoredSchema>>;

/**
 * Keeps the newest texts, each up to 128 Ki characters, 512 Ki in all: one entry for each, and one that lists them. A longer text, or one with
 * a key in it, isn't kept, and the one that was kept of its workflow before is deleted: the definition has the usual format when it's opened
 * next, and its author's while it stays open. What is lost costs no more than a format.
 */
export class SavedTexts {
  readonly #state: StatePort;
  readonly #keyPrefix: () => string;
  /** Each change lists all texts anew, and several are saved at once. */
  readonly #inTurn = oneAtATime();

  /** `keyPrefix` returns the current prefix of keys. */
  constructor(state: StatePort, keyPrefix: () => string) {
    this.#state = state;
    this.#keyPrefix = keyPrefix;
  }

  read(target: WorkflowTarget): string | undefined {
    const text = this.#state.get(nameOf(target));
    return typeof text === 'string' ? text : undefined;
  }

  keep(target: WorkflowTarget, text: string): Promise<void> {
    return this.#inTurn(() => this.#keep(target, text));
  }

  /** Forgets the text of a workflow that was deleted, or those of a connection that was removed. */
  forget(of: { readonly connectionId: string; readonly workflowId?: string }): Promise<void> {
    const isGone = ({ connectionId, workflowId }: Stored): boolean =>
      connectionId === of.connectionId && (of.workflowId === undefined || workflowId === of.workflowId);
    return this.#inTurn(async () => {
      const listed = this.#list();
      if (listed.some(isGone)) await this.#replaceList(listed.filter((each) => !isGone(each)));
    });
  }

  async #keep({ connectionId, workflowId }: WorkflowTarget, text: string): Promise<void> {
    const target = { connectionId, workflowId };
    const masked = maskKeys(text, this.#keyPrefix());
    const isKept = text.length <= maximumLength && masked === text && !hasMaskedKeys(text, this.#keyPrefix());
    const others = this.#list().filter((each) => nameOf(each) !== nameOf(target));
    if (isKept) await this.#state.set(nameOf(target), text);
    await this.#replaceList(
      isKept ? [{ ...target, length: text.length }, ...others] : others,
      nameOf(target),
    );
  }

  #list(): readonly Stored[] {
    return decodeStoredList(this.#state.get(entryName), StoredSchema);
  }

  /** Lists these within the limit, and deletes the texts of all others, and that of `changed` unless it's listed. */
  async #replaceList(wanted: readonly Stored[], changed?: string): Promise<void> {
    let total = 0;
    const kept = wanted.filter(({ length }) => (total += length) <= maximumTotal);
    const names = new Set(kept.map(nameOf));
    const before = [...this.#list().map(nameOf), ...(changed === undefined ? [] : [changed])];
    await this.#state.set(
      entryName,
      kept.map((each) => ({ ...each })),
    );
    for (const name of before) if (!names.has(name)) await this.#state.set(name, undefined);
  }
}

function nameOf(target: WorkflowTarget): string {
  return `${entryName}.${targetName(target)}`;
}
