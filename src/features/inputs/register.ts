// Input documents, everything that helps to fill them in, and executing with them.
import { combine, type Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { registerExecuteCommands, Executor } from './execute.ts';
import { registerInputCodeLens } from './inputCodeLens.ts';
import { registerInputCommands } from './inputCommands.ts';
import { InputDocuments, InputFiles } from './inputDocuments.ts';
import { InputProblems } from './inputProblems.ts';
import { createPresetCodeLens } from './presetCodeLens.ts';
import { registerPresetCommands } from './presetCommands.ts';
import { createPresets } from './presets/presets.ts';
import { registerSchemaHelp } from './schemaHelp.ts';

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
  | 'following'
>;

export function registerInputs(deps: InputsDeps): Disposable {
  const { inputFiles, presetLenses, schemas, workflows } = deps;
  const files = new InputFiles(deps);
  const documents = new InputDocuments(deps);
  const problems = new InputProblems();
  const executor = new Executor(deps);
  const presets = createPresets(workflows);
  const lenses = createPresetCodeLens(deps);
  return combine(
    files,
    inputFiles.attach(files),
    problems,
    registerExecuteCommands(deps, executor, documents, problems),
    registerInputCommands(deps, documents, presets),
    registerPresetCommands({ ...deps, documents, presets }, executor),
    registerInputCodeLens(schemas),
    registerSchemaHelp(schemas),
    lenses,
    presetLenses.attach(lenses),
    forgetWithConnections(deps),
  );
}

/** Deletes the input history of connections that are removed. */
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
