// Shows the result of the workflow's latest execution in an open definition.
import { combine, type Disposable } from '../../../base/disposable.ts';
import { registerDefinitionLenses } from './definitionLenses.ts';
import { registerNodeProblems } from './nodeProblems.ts';
import { createOpenedDefinitions, type OpenedDefinitionsDeps } from './openedDefinitions.ts';

export function registerLastRun(deps: OpenedDefinitionsDeps): Disposable {
  const opened = createOpenedDefinitions(deps);
  return combine(opened, registerDefinitionLenses(opened, deps.clock), registerNodeProblems(opened));
}
