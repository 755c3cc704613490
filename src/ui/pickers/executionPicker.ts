import * as vscode from 'vscode';
import { isServiceError } from '../../domain/errors.ts';
import { foldText } from '../../domain/findText.ts';
import { SearchableList } from '../../model/list/searchableList.ts';
import type { Page } from '../../domain/queries.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { joined, plainLine } from '../../base/format.ts';
import type { Choice } from '../../editor/prompts/prompts.ts';
import { beginOf, draftWord, executionWord } from '../../words/executionWords.ts';
import { shortId, workflowName } from '../../words/names.ts';
import { requireActiveConnection } from '../activeConnection.ts';
import { chooseFromList } from './chooseFromList.ts';
import { pickWorkflow } from './workflowPicker.ts';
import type { Execution } from '../../domain/execution.ts';
import { type ErrorAction, PlainError } from '../../editor/plainError.ts';
import type { App } from '../app.ts';
import { formatAge } from '../../words/time.ts';
import { statusIcon } from '../icons.ts';

export type ExecutionPickerDeps = Pick<App, 'connections' | 'executions' | 'workflows' | 'clock'>;

const pageSize = 50;

function describeExecution(execution: Execution, now: number): string {
  const began = beginOf(execution);
  const age = began === null ? undefined : formatAge(began, now);
  return joined([draftWord(execution), executionWord(execution), age, shortId(execution.id)], ' · ');
}

function createToChoice({ workflows, clock }: ExecutionPickerDeps, connectionId: string) {
  return (execution: Execution): Choice<string> => ({
    label: workflowName(workflows, connectionId, execution.workflowId),
    description: describeExecution(execution, clock.now()),
    iconPath: statusIcon(execution.status.state, execution.status.hasWarning),
    value: execution.id,
  });
}

/** A choice for a pasted or typed id. The id isn't in the label, because the row would come before those that match. */
function typedId(text: string): Choice<string> | undefined {
  if (!/^\S*\d\S*$/.test(text)) return undefined;
  const iconPath = new vscode.ThemeIcon('key');
  const label = vscode.l10n.t('The execution with this ID');
  return { label, description: plainLine(text, 80), iconPath, alwaysShow: true, value: text };
}

/** Restricts the offered executions. */
interface Offered {
  /** Only executions of this workflow; by default those of the active connection. */
  readonly workflow?: WorkflowTarget;
  /** All executions of this one's connection except this one. */
  readonly except?: ExecutionTarget;
  /** The workflow whose executions come before those of others. */
  readonly first?: WorkflowTarget;
  /** Only failed executions. */
  readonly areFailed?: boolean;
  /** Only those that it returns true for. */
  readonly accepts?: (execution: Execution) => boolean;
  /** What is said if there are none of them. */
  readonly nothing?: string;
}

/** Reads a page of the newest executions: of the workflow, or of all, after the first page of those that come first. */
async function readPage(
  { executions }: ExecutionPickerDeps,
  connectionId: string,
  { workflow, first, areFailed = false }: Offered,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Execution>> {
  const read = (workflowId: string | undefined, from?: string) =>
    executions.search(
      connectionId,
      {
        limit: pageSize,
        ...(workflowId === undefined ? {} : { workflowId }),
        ...(areFailed ? { status: 'failed' } : {}),
        ...(from === undefined ? {} : { cursor: from }),
      },
      signal,
    );
  const [page, own] = await Promise.all([
    read(workflow?.workflowId, cursor),
    first === undefined || cursor !== undefined ? undefined : read(first.workflowId),
  ]);
  return { ...page, items: [...(own?.items ?? []), ...page.items] };
}

/** The newest executions, a page at a time. Also reads the names of their workflows. */
function createList(
  deps: ExecutionPickerDeps,
  connectionId: string,
  offered: Offered,
  toChoice: (execution: Execution) => Choice<string>,
): SearchableList<Execution> {
  const { workflows, clock } = deps;
  const { except, areFailed = false, accepts = () => true } = offered;
  return new SearchableList<Execution>({
    clock,
    readPage: async ({ cursor }, signal) => {
      const [page] = await Promise.all([
        readPage(deps, connectionId, offered, cursor, signal),
        workflows.state.current.status === 'idle' ? workflows.refresh(signal) : undefined,
      ]);
      workflows.prefetchNames(
        connectionId,
        page.items.flatMap((each) => each.workflowId ?? []),
      );
      return page;
    },
    accepts: (execution) =>
      execution.id !== except?.executionId &&
      (!areFailed || execution.status.state === 'failed') &&
      accepts(execution),
    matches: (execution, text) => {
      const { label, description = '' } = toChoice(execution);
      return foldText(`${label} ${description}`).includes(foldText(text));
    },
    canSearch: false,
  });
}

const executeOne = (): ErrorAction => ({
  label: vscode.l10n.t('Execute a Workflow…'),
  command: 'workflow.execute',
});

function nothingOf({ except, areFailed = false, nothing }: Offered): PlainError {
  if (nothing !== undefined) return new PlainError(nothing);
  if (areFailed) return new PlainError(vscode.l10n.t('No execution has failed yet.'));
  return except === undefined
    ? new PlainError(vscode.l10n.t('There are no executions yet.'), [executeOne()])
    : new PlainError(vscode.l10n.t('There are no other executions yet.'), [executeOne()]);
}

async function pickFrom(
  deps: ExecutionPickerDeps,
  connectionId: string,
  offered: Offered,
  placeholder: string,
): Promise<string> {
  const { workflow, first } = offered;
  const toChoice = createToChoice(deps, connectionId);
  return chooseFromList(createList(deps, connectionId, offered, toChoice), {
    clock: deps.clock,
    placeholder,
    toChoice,
    ...(workflow === undefined ? { typed: typedId } : {}),
    describeMore: ({ items }) =>
      workflow === undefined
        ? vscode.l10n.t('The newest {0} are listed. To find another one, paste its ID.', items.length)
        : vscode.l10n.t('The newest {0} are listed.', items.length),
    ...(first === undefined
      ? {}
      : {
          groupOf: ({ workflowId }: Execution) =>
            workflowId === first.workflowId
              ? vscode.l10n.t('same workflow')
              : vscode.l10n.t('other workflows'),
        }),
    nothing: nothingOf(offered),
    onDidChangeLook: deps.workflows.onDidChangeItems,
  });
}

/** Lets the user choose an execution. If the service only lists executions by workflow, asks for the workflow first. */
export async function pickExecution(
  deps: ExecutionPickerDeps,
  placeholder = vscode.l10n.t('Select an execution'),
  offered: Offered = {},
): Promise<ExecutionTarget> {
  const { workflow, except, first } = offered;
  const connectionId = (workflow ?? except)?.connectionId ?? requireActiveConnection(deps.connections).id;
  try {
    return { connectionId, executionId: await pickFrom(deps, connectionId, offered, placeholder) };
  } catch (error) {
    if (workflow !== undefined || !isServiceError(error, 'notOffered')) throw error;
    return pickExecution(deps, placeholder, { ...offered, workflow: first ?? (await pickWorkflow(deps)) });
  }
}
