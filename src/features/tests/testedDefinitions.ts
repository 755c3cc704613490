// The definitions that files with tests name, as far as they're known without a request.
import type * as vscode from 'vscode';
import { getOrInsert } from '../../base/getOrInsert.ts';
import { DefinitionText } from '../../definition/definitionText.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { findDocument } from '../../editor/documents/documents.ts';
import { renderDefinition, toDefinition } from '../../model/workflows/workflowDefinition.ts';
import { findByIdOrName } from '../../model/workflows/workflowNames.ts';
import type { App } from '../../ui/app.ts';
import { resolvePath } from '../../ui/testFiles.ts';
import type { TestedWorkflow } from '../../workflowTests/testPlan.ts';

export type TestedDefinitionsDeps = Pick<
  App,
  'definitionTargets' | 'definitionTexts' | 'services' | 'workflows'
>;

export class TestedDefinitions {
  readonly #deps: TestedDefinitionsDeps;
  /** What was tested last, by workflow. */
  readonly #tested = new Map<string, DefinitionText>();
  readonly #ofRecords = new WeakMap<Workflow, DefinitionText>();

  constructor(deps: TestedDefinitionsDeps) {
    this.#deps = deps;
  }

  note({ target, text, origin }: TestedWorkflow): void {
    if (origin !== 'file') this.#tested.set(targetName(target), text);
  }

  /** The workflow that a file names, if the active connection has exactly one. */
  findTarget(workflow: string): WorkflowTarget | undefined {
    const { connectionId, items } = this.#deps.workflows.state.current;
    const [found, ...others] = findByIdOrName(items, workflow);
    return connectionId === null || found === undefined || others.length > 0
      ? undefined
      : { connectionId, workflowId: found.id };
  }

  find(testFile: vscode.Uri, workflow: string): DefinitionText | undefined {
    const { definitionTexts, services, workflows } = this.#deps;
    const file = findDocument(resolvePath(testFile, workflow));
    if (file !== undefined) return definitionTexts.of(file);
    const target = this.findTarget(workflow);
    if (target === undefined) return undefined;
    const open = this.#deps.definitionTargets.findOpen(target);
    if (open !== undefined) return definitionTexts.of(open);
    const record = workflows.find(target);
    if (record?.hasDefinition !== true) return this.#tested.get(targetName(target));
    const format = services.traits(target.connectionId).definitionFormat;
    return getOrInsert(
      this.#ofRecords,
      record,
      () => new DefinitionText(renderDefinition(toDefinition(record)), format),
    );
  }
}
