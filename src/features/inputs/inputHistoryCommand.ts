// The command that puts an earlier input of the workflow into its input document.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Executions } from '../../model/executions/executions.ts';
import type { InputHistory } from '../../model/inputs/inputHistory.ts';
import { renderInput } from '../../model/inputs/inputText.ts';
import type { ExecutionTarget, WorkflowTarget } from '../../domain/targets.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { chooseRow, type RowChoice, showMessage } from '../../editor/prompts.ts';
import { plainLine } from '../../editor/format.ts';
import type { InputDocuments } from './inputDocuments.ts';
import type { Presets } from './presets/presets.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { App } from '../../ui/app.ts';
import { formatAge } from '../../ui/words/time.ts';
import { inputTarget } from '../../ui/addresses.ts';

export interface HistoryDeps extends Pick<
  App,
  'commands' | 'executions' | 'history' | 'clock' | 'connections' | 'workflows'
> {
  readonly documents: InputDocuments;
  readonly presets: Presets;
}

type Action = 'copy' | 'savePreset';
type PastInput = ReturnType<InputHistory['read']>[number];
type PastChoice = RowChoice<PastInput | undefined, Action>;

/** The input on one line. */
function preview(input: JsonObject): string {
  return plainLine(JSON.stringify(input), 120);
}

function pastChoices({ history, clock }: HistoryDeps, target: WorkflowTarget): readonly PastChoice[] {
  return history.read(target).map((past) => ({
    label: preview(past.input),
    description: [
      formatAge(new Date(past.usedAt), clock.now()),
      ...(past.hasMaskedKey ? [vscode.l10n.t('API key not stored')] : []),
    ].join(' · '),
    value: past,
    actions: [
      { name: 'copy', icon: 'copy', tooltip: vscode.l10n.t('Copy') },
      { name: 'savePreset', icon: 'save', tooltip: vscode.l10n.t('Save as Preset…') },
    ],
  }));
}

/** Returns the input of an execution. Throws a PlainError if the service doesn't return it. */
export async function readExecutionInput(
  executions: Executions,
  target: ExecutionTarget,
): Promise<{ readonly target: WorkflowTarget; readonly input: JsonObject }> {
  const { workflowId, input } = await executions.read(target);
  if (workflowId === null || !isJsonObject(input))
    throw new PlainError(
      vscode.l10n.t('The service does not tell the input of this execution, so it cannot be run again.'),
    );
  return { target: { connectionId: target.connectionId, workflowId }, input };
}

async function chooseInput(deps: HistoryDeps, target: WorkflowTarget): Promise<void> {
  const past = pastChoices(deps, target);
  const { value, action } = await chooseRow<PastInput | undefined, Action>(
    past.length === 0
      ? vscode.l10n.t('Nothing was executed from here yet')
      : vscode.l10n.t('Choose an input to put into the document'),
    [
      ...past,
      {
        icon: 'history',
        label: vscode.l10n.t('From an Execution…'),
        description: vscode.l10n.t('whoever started it'),
        value: undefined,
      },
    ],
  );
  if (value === undefined) {
    const placeHolder = vscode.l10n.t('Choose the execution whose input to take');
    const execution = await pickExecution(deps, placeHolder, { workflow: target });
    const { input } = await readExecutionInput(deps.executions, execution);
    await deps.documents.put(target, renderInput(input), true);
  } else if (action === 'copy') {
    await vscode.env.clipboard.writeText(renderInput(value.input));
  } else if (action === 'savePreset') {
    await deps.presets.askAndSave(target, renderInput(value.input));
  } else {
    await deps.documents.put(target, renderInput(value.input), true);
  }
  if (value?.hasMaskedKey === true)
    void showMessage(
      'information',
      vscode.l10n.t(
        "The API key of this input isn't stored. Enter it again where its first characters stand.",
      ),
    );
}

export function registerInputHistory(deps: HistoryDeps): Disposable {
  return deps.commands.register('workflow.inputHistory', {
    fromDocument: inputTarget,
    ask: () => deps.documents.askTarget(),
    run: async (target, { isInteractive }) => {
      if (isInteractive) await chooseInput(deps, target);
      return deps.history
        .read(target)
        .map(({ input, usedAt }) => ({ input, usedAt: new Date(usedAt).toISOString() }));
    },
  });
}
