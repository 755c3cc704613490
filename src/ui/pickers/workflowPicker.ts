import * as vscode from 'vscode';
import { SearchableList, type SearchableListState } from '../../model/list/searchableList.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { passesFilter } from '../../model/workflows/workflowFilter.ts';
import { plainLine } from '../../base/format.ts';
import type { Choice } from '../../editor/prompts/prompts.ts';
import { requireActiveConnection } from '../activeConnection.ts';
import { chooseFromList } from './chooseFromList.ts';
import type { WorkflowQuery } from '../../domain/queries.ts';
import type { Workflow } from '../../domain/workflow.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../app.ts';

export type WorkflowPickerDeps = Pick<App, 'connections' | 'workflows' | 'clock'>;

const pageSize = 100;

/** The workflow's deployment state in a few words; empty if the service doesn't say. */
export function describeDeployment({
  isDeployed,
  isDeploying,
  hasUndeployedChanges,
  isArchived,
}: Pick<Workflow, 'isArchived' | 'isDeployed' | 'isDeploying' | 'hasUndeployedChanges'>): string {
  if (isArchived === true) return vscode.l10n.t('archived');
  if (isDeploying === true) return vscode.l10n.t('deploying…');
  if (hasUndeployedChanges === true) return vscode.l10n.t('edited since deployed');
  if (isDeployed === null) return '';
  return isDeployed ? vscode.l10n.t('deployed') : vscode.l10n.t('not deployed');
}

function toChoice(workflow: Workflow): Choice<Workflow> {
  return {
    label: plainLine(workflow.name),
    description: describeDeployment(workflow),
    detail: plainLine(workflow.description ?? ''),
    value: workflow,
  };
}

/** Restricts the offered workflows. none: the error if there is none. */
export interface WorkflowChoice {
  /** The query for the service, which may ignore it. */
  readonly query?: Pick<WorkflowQuery, 'deployed'>;
  readonly accepts: (workflow: Workflow) => boolean;
  readonly none: PlainError;
}

function anyWorkflow(): WorkflowChoice {
  return {
    accepts: () => true,
    none: new PlainError(vscode.l10n.t('This service has no workflows yet.'), [
      { label: vscode.l10n.t('Create a Workflow…'), command: 'workflow.create' },
    ]),
  };
}

/** One that can be deployed and executed. */
export function liveWorkflow(): WorkflowChoice {
  return { ...anyWorkflow(), accepts: ({ isArchived }) => isArchived !== true };
}

function describeMore({ items, text, isSearched }: SearchableListState<Workflow>): string {
  if (text !== '' && !isSearched)
    return vscode.l10n.t("{0} were read. This service can't search by name.", items.length);
  return text === ''
    ? vscode.l10n.t('{0} are listed; type to search all.', items.length)
    : vscode.l10n.t('There may be more matches.');
}

/** Lets the user choose a workflow of the active connection. */
export async function pickWorkflow(
  deps: WorkflowPickerDeps,
  { query = {}, accepts, none } = anyWorkflow(),
): Promise<WorkflowTarget> {
  const connectionId = requireActiveConnection(deps.connections).id;
  const list = new SearchableList<Workflow>({
    clock: deps.clock,
    readPage: (position, signal) =>
      deps.workflows.search(connectionId, { ...query, ...position, limit: pageSize }, signal),
    accepts,
    matches: (workflow, text) => passesFilter(workflow, { text, state: 'all' }),
    canSearch: true,
  });
  const workflow = await chooseFromList(list, {
    clock: deps.clock,
    placeholder: vscode.l10n.t('Select a workflow'),
    toChoice,
    describeMore,
    nothing: none,
  });
  const target = { connectionId, workflowId: workflow.id };
  // The chosen workflow may not be listed yet; callers need its name and its deployment state.
  if (deps.workflows.find(target) === undefined) deps.workflows.update(connectionId, workflow);
  return target;
}
