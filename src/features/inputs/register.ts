// Input documents, everything that helps to fill them in, and executing with them.
import { combine, type Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { registerInputCodeLens, registerPresetCodeLens } from './codeLens.ts';
import { registerCopyAs } from './copyAsCode/register.ts';
import { Executor } from './execute.ts';
import { registerExecuteCommands } from './executeCommands.ts';
import { registerInputCommands } from './inputCommands.ts';
import { InputDocuments, InputFiles } from './inputDocuments.ts';
import { InputProblems } from './inputProblems.ts';
import { InputValidation } from './inputValidation.ts';
import { JsonLanguages } from './jsonLanguages.ts';
import { registerPresetCommands } from './presets.ts';
import { registerSchemaHelp } from './schemaHelp.ts';
import { registerSchemaStatus } from './schemaStatus.ts';

export type InputsDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'commands'
  | 'connections'
  | 'definitionTargets'
  | 'drafts'
  | 'evaluator'
  | 'executions'
  | 'following'
  | 'history'
  | 'inputFiles'
  | 'logger'
  | 'pins'
  | 'presetChoices'
  | 'presetLenses'
  | 'requestWaits'
  | 'schemas'
  | 'selection'
  | 'services'
  | 'workflows'
>;

export function registerInputs(deps: InputsDeps): Disposable {
  const { evaluator, inputFiles, logger, schemas } = deps;
  const files = new InputFiles(deps);
  const documents = new InputDocuments(deps);
  const problems = new InputProblems();
  const languages = new JsonLanguages(schemas, evaluator, logger);
  const validation = new InputValidation(schemas, languages);
  const executor = new Executor(deps, languages);
  return combine(
    files,
    inputFiles.attach(files),
    problems,
    registerExecuteCommands(deps, executor, documents, problems),
    registerInputCommands(deps, documents),
    registerCopyAs(deps),
    registerPresetCommands(deps, executor, documents),
    registerInputCodeLens(deps, validation),
    registerPresetCodeLens(deps),
    registerSchemaHelp(languages),
    validation,
    registerSchemaStatus(schemas, validation),
    forgetWithConnections(deps),
  );
}

/** Deletes the inputs of connections that are removed. */
export function forgetWithConnections({
  connections,
  drafts,
  history,
  logger,
}: Pick<InputsDeps, 'connections' | 'drafts' | 'history' | 'logger'>): Disposable {
  return connections.onDidRemove((connectionId) => {
    Promise.all([drafts.forget(connectionId), history.forget(connectionId)]).catch((error: unknown) =>
      logger.error('The inputs of a removed connection could not be forgotten.', error),
    );
  });
}
