// An opened definition shows on its own text how its workflow's latest execution went.
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { registerDefinitionLenses } from './definitionLenses.ts';
import { registerNodeProblems } from './nodeProblems.ts';
import { createOpenedDefinitions, type OpenedDefinitionsDeps } from './openedDefinitions.ts';

export function registerLastRun(deps: OpenedDefinitionsDeps): Disposable {
  const owned = new DisposableStore();
  const opened = owned.add(createOpenedDefinitions(deps));
  owned.add(registerDefinitionLenses(opened, deps.clock));
  owned.add(registerNodeProblems(opened));
  return owned;
}
