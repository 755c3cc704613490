// Lists a task for each preset whose workflow is known, and runs these and those of tasks.json.
import * as vscode from 'vscode';
import { ServiceError } from '../../domain/errors.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { withSignal } from '../../editor/documents/documents.ts';
import { plainLine } from '../../base/format.ts';
import { taskType } from '../../editor/ids.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { findPresets, type PresetFile } from '../../ui/presetFiles.ts';
import { fileKey, workflowFileName } from '../../workflowFiles/fileNames.ts';
import type { FailureProblems } from './failureProblems.ts';
import type { TaskRunDeps } from './taskRun.ts';
import { TaskTerminal } from './taskTerminal.ts';

export type TaskProviderDeps = TaskRunDeps & Pick<App, 'presetChoices'>;

const matcher = '$workflow';
const maximumWorkflows = 1000;

export class WorkflowTasks implements vscode.TaskProvider {
  readonly #deps: TaskProviderDeps;
  readonly #problems: FailureProblems;

  constructor(deps: TaskProviderDeps, problems: FailureProblems) {
    this.#deps = deps;
    this.#problems = problems;
  }

  /** None where presets or workflows can't be read, which running a task says. */
  async provideTasks(token: vscode.CancellationToken): Promise<vscode.Task[]> {
    const connectionId = this.#deps.connections.active.current?.id;
    if (connectionId === undefined) return [];
    try {
      const presets = await findPresets(undefined);
      if (presets.length === 0) return [];
      const workflows = await withSignal(token, (signal) =>
        this.#deps.workflows.listWhole(connectionId, { limit: maximumWorkflows, signal }),
      );
      return presets.flatMap((preset) => this.#taskOf(preset, workflows));
    } catch (error) {
      if (error instanceof PlainError || error instanceof ServiceError) return [];
      throw error;
    }
  }

  resolveTask(task: vscode.Task): vscode.Task {
    const scope = task.scope ?? vscode.TaskScope.Workspace;
    const matchers = task.problemMatchers.length > 0 ? task.problemMatchers : [matcher];
    return this.#create(task.definition, scope, task.name, matchers);
  }

  #taskOf(preset: PresetFile, workflows: readonly Workflow[]): readonly vscode.Task[] {
    const folder = vscode.workspace.getWorkspaceFolder(preset.uri);
    const workflow = this.#workflowOf(preset, workflows);
    if (folder === undefined || workflow === undefined) return [];
    const isOnly = workflows.filter(({ name }) => name === workflow.name).length === 1;
    const definition = {
      type: taskType,
      workflow: isOnly ? workflow.name : workflow.id,
      preset: vscode.workspace.asRelativePath(preset.uri, false),
    };
    return [this.#create(definition, folder, plainLine(preset.name, 80), [matcher])];
  }

  /** The one that the preset was last executed with, or else the one whose name its name begins with. */
  #workflowOf({ uri, name }: PresetFile, workflows: readonly Workflow[]): Workflow | undefined {
    const chosen = this.#deps.presetChoices.find(uri.toString());
    const known = workflows.find(({ id }) => id === chosen?.workflowId);
    if (known !== undefined) return known;
    return workflows
      .filter((workflow) => fileKey(name).startsWith(fileKey(workflowFileName(workflow.name, '.'))))
      .toSorted((left, right) => right.name.length - left.name.length)[0];
  }

  #create(
    definition: vscode.TaskDefinition,
    scope: vscode.WorkspaceFolder | vscode.TaskScope,
    name: string,
    matchers: string[],
  ): vscode.Task {
    const problems = matchers.includes(matcher) ? this.#problems : undefined;
    const folder = typeof scope === 'object' ? scope : undefined;
    const execution = new vscode.CustomExecution((resolved) =>
      Promise.resolve(new TaskTerminal(this.#deps, { definition: resolved, folder, problems })),
    );
    return new vscode.Task(definition, scope, name, taskType, execution, matchers);
  }
}
