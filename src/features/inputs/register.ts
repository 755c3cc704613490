// Input documents, everything that helps to fill them in, and executing with them.
import { combine, type Disposable } from '../../base/disposable.ts';
import { defaultInputText } from '../../model/inputs/inputText.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { registerExecuteCommands } from './executeCommands.ts';
import { registerInputCodeLens } from './inputCodeLens.ts';
import { createInputDocuments } from './inputDocuments.ts';
import { InputFiles } from './inputFiles.ts';
import { registerInputHistory } from './inputHistoryCommand.ts';
import { createInputProblems } from './inputProblems.ts';
import { createPresetCodeLens } from './presetCodeLens.ts';
import { registerPresetCommands } from './presetCommands.ts';
import { createPresets } from './presets/presets.ts';
import { registerSchemaHelp } from './schemaHelp.ts';
import type { App } from '../../ui/app.ts';

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

/** The default text of an input document, which depends on the workflow's trigger. */
function startingText({ workflows }: InputsDeps): (target: WorkflowTarget) => Promise<string> {
  return async (target) => {
    const known = workflows.find(target);
    return defaultInputText(known?.hasDefinition === true ? known : await workflows.read(target));
  };
}

export function registerInputs(deps: InputsDeps): Disposable {
  const { workflows, drafts, schemas, inputFiles, presetLenses } = deps;
  const files = new InputFiles(drafts, startingText(deps));
  const documents = createInputDocuments(deps);
  const problems = createInputProblems();
  const presets = createPresets(workflows);
  const lenses = createPresetCodeLens(deps);
  return combine(
    files,
    inputFiles.attach(files),
    problems,
    registerExecuteCommands({ ...deps, documents, problems }),
    registerInputHistory({ ...deps, documents, presets }),
    registerPresetCommands({ ...deps, documents, presets }),
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
