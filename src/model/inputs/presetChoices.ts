import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { decodeStoredList, type StatePort } from '../ports.ts';

/** How the names of preset files end, and the paths of input documents. */
export const presetEnding = '.input.json';

const entryName = 'presetChoices';
const maximumCount = 100;

const ChoiceSchema = v.object({
  fileUri: v.string(),
  connectionId: v.string(),
  workflowId: v.string(),
  /** The workflow's name when it was chosen. */
  workflowName: v.string(),
});
type PresetChoice = v.InferOutput<typeof ChoiceSchema>;

/** The workflow that each preset file was last executed with, for the 100 files last executed. */
export class PresetChoices implements Disposable {
  readonly #state: StatePort;
  readonly #changes = new Emitter<PresetChoice>();
  readonly onDidChange: Event<PresetChoice> = this.#changes.event;

  constructor(state: StatePort) {
    this.#state = state;
  }

  find(fileUri: string): PresetChoice | undefined {
    return this.#read().find((choice) => choice.fileUri === fileUri);
  }

  async remember(choice: PresetChoice): Promise<void> {
    const others = this.#read().filter(({ fileUri }) => fileUri !== choice.fileUri);
    await this.#state.set(entryName, [choice, ...others].slice(0, maximumCount));
    this.#changes.fire(choice);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #read(): readonly PresetChoice[] {
    return decodeStoredList(this.#state.get(entryName), ChoiceSchema);
  }
}
