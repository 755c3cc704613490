// What tests of workflows need of the model, and of whoever runs them.
import type { Clock } from '../base/time.ts';
import type { WorkflowTarget } from '../domain/targets.ts';
import type { Services } from '../model/connections/clients.ts';
import type { Executions } from '../model/executions/executions.ts';
import type { Following } from '../model/executions/following.ts';
import type { WorkflowActions } from '../model/workflows/workflowActions.ts';
import type { Workflows } from '../model/workflows/workflows.ts';
import type { PatternTest } from './compareTest.ts';

export interface TestPorts {
  readonly services: Pick<Services, 'budget' | 'learnOffers' | 'offers' | 'traits'>;
  readonly workflows: Pick<Workflows, 'listWhole' | 'read'>;
  readonly actions: Pick<WorkflowActions, 'cancel' | 'execute' | 'executeDraft' | 'findExecution'>;
  readonly executions: Pick<Executions, 'find' | 'keepLogs' | 'output' | 'read' | 'readWholeValues'>;
  readonly following: Pick<Following, 'follow'>;
  readonly clock: Clock;
  readonly testPattern: PatternTest;
  /** The text of a definition that is open, saved or not. */
  readonly openText: (target: WorkflowTarget) => string | undefined;
  /** Reads the file at a path that is written in another one; undefined if there's none. Rejects with words if it can't be read. */
  readonly readFile: (from: string, path: string) => Promise<string | undefined>;
  /** The workflow that the file at such a path is linked to. */
  readonly linkedTo?: (from: string, path: string) => Promise<WorkflowTarget | undefined>;
  /** Reads a preset, which is named or whose path is written in a file; undefined if there's none. Rejects as `readFile`. */
  readonly readPreset: (from: string, preset: string) => Promise<string | undefined>;
  /** An error in the words of whoever runs the tests. */
  readonly describe: (error: unknown) => string;
}
