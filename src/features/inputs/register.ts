// The input document with all that helps to fill it, and executing from it.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { defaultInputText } from '../../model/inputs/inputText.ts';
import { schemes } from '../../editor/ids.ts';
import { registerExecuteCommands } from './executeCommands.ts';
import { registerInputCodeLens } from './inputCodeLens.ts';
import { createInputDocuments } from './inputDocuments.ts';
import { InputFiles } from './inputFiles.ts';
import { registerInputHistory } from './inputHistoryCommand.ts';
import { createInputProblems } from './inputProblems.ts';
import { createPresetCodeLens } from './presetCodeLens.ts';
import { registerPresetCommands } from './presetCommands.ts';
import { createPresets } from './presets/presets.ts';
import { registerSchema } from './schema/registerSchema.ts';
import type { App } from '../../ui/app.ts';
import { inputTarget } from '../../ui/addresses.ts';

export type InputsDeps = Pick<
  App,
  | 'history'
  | 'schemas'
  | 'presetChoices'
  | 'inputFiles'
  | 'presetLenses'
  | 'executions'
  | 'workflows'
  | 'connections'
  | 'logger'
  | 'clock'
  | 'commands'
  | 'actions'
  | 'drafts'
>;

export function registerInputs(features: InputsDeps): Disposable {
  const { workflows, drafts, schemas } = features;
  const owned = new DisposableStore();
  const files = owned.add(
    new InputFiles(drafts, async (target) => {
      const known = workflows.find(target);
      return defaultInputText(known?.hasDefinition === true ? known : await workflows.read(target));
    }),
  );
  owned.add(features.inputFiles.attach(files));
  const deps = {
    ...features,
    documents: createInputDocuments(features),
    problems: owned.add(createInputProblems()),
    presets: createPresets(workflows),
  };
  owned.add(registerExecuteCommands(deps));
  owned.add(registerInputHistory(deps));
  owned.add(registerPresetCommands(deps));
  owned.add(registerInputCodeLens(schemas));
  owned.add(registerSchema({ schemas, scheme: schemes.input, targetOf: inputTarget }));
  const lenses = owned.add(createPresetCodeLens(deps));
  owned.add(features.presetLenses.attach(lenses));
  owned.add(forgetWithConnections(features));
  return owned;
}

/** What was executed on a connection goes with it. */
function forgetWithConnections({ connections, history, logger }: InputsDeps): Disposable {
  let earlier = connections.all.current;
  return connections.all.onDidChange((all) => {
    const gone = earlier.filter(({ id }) => all.every((connection) => connection.id !== id));
    earlier = all;
    for (const { id } of gone)
      history
        .forget(id)
        .catch((error: unknown) =>
          logger.error('The inputs of a removed connection could not be forgotten.', error),
        );
  });
}
