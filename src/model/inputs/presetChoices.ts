// Which workflow a preset file was executed with last, so that one press does it again.
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { StatePort } from '../ports.ts';
import { decodeStoredList } from '../storedList.ts';

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

/** The 100 files last executed. */
export interface PresetChoices extends Disposable {
  readonly onDidChange: Event<PresetChoice>;
  find(fileUri: string): PresetChoice | undefined;
  remember(choice: PresetChoice): Promise<void>;
}

export function createPresetChoices(state: StatePort): PresetChoices {
  const changes = new Emitter<PresetChoice>();
  const read = (): readonly PresetChoice[] => decodeStoredList(state.get(entryName), ChoiceSchema);
  return Object.freeze<PresetChoices>({
    onDidChange: changes.event,
    find: (fileUri) => read().find((choice) => choice.fileUri === fileUri),
    remember: async (choice) => {
      const others = read().filter(({ fileUri }) => fileUri !== choice.fileUri);
      await state.set(entryName, [choice, ...others].slice(0, maximumCount));
      changes.fire(choice);
    },
    dispose: () => changes.dispose(),
  });
}
