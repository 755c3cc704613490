// What the commands on linked files work with.
import type { App } from '../../ui/app.ts';
import type { LinkedStates } from './linkedStates.ts';
import type { ServiceVersions } from './serviceVersions.ts';

export type WorkflowFilesDeps = Pick<
  App,
  | 'actions'
  | 'clock'
  | 'commands'
  | 'connections'
  | 'contextKeys'
  | 'linkedFiles'
  | 'logger'
  | 'requestWaits'
  | 'serviceDocuments'
  | 'services'
  | 'workflows'
>;

/** With what the feature shows. */
export interface FilesDeps extends WorkflowFilesDeps {
  readonly states: LinkedStates;
  readonly versions: ServiceVersions;
}
