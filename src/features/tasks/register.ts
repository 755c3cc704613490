// Tasks of type "workflow", which execute a workflow and show its log in a terminal.
import { combine, type Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { FailureProblems, type FailureProblemsDeps } from './failureProblems.ts';
import { type TaskProviderDeps, WorkflowTasks } from './taskProvider.ts';

export function registerTasks(deps: TaskProviderDeps & FailureProblemsDeps & Pick<App, 'tasks'>): Disposable {
  const problems = new FailureProblems(deps);
  return combine(problems, deps.tasks.attach(new WorkflowTasks(deps, problems)));
}
