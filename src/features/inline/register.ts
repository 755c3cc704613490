// An opened definition shows on its own text how its workflow's latest execution went.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerDefinitionLenses } from './definitionLenses.ts';
import { registerNodeProblems } from './nodeProblems.ts';
import { createOpenedDefinitions, type OpenedDefinitionsParts } from './openedDefinitions.ts';

export function registerInline(parts: OpenedDefinitionsParts): Disposable {
  const owned = new DisposableStore();
  const opened = owned.add(createOpenedDefinitions(parts));
  owned.add(registerDefinitionLenses(opened, parts.clock));
  owned.add(registerNodeProblems(opened));
  return owned;
}
