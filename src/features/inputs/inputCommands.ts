// The commands that open an input document, and put the input of an execution or an earlier one into it.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../base/disposable.ts';
import { writeTruncatedJson } from '../../base/boundedJson.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { jsonLine } from '../../base/format.ts';
import { chooseRow, type RowChoice, showMessage } from '../../editor/prompts/prompts.ts';
import type { InputHistory } from '../../model/inputs/inputHistory.ts';
import { renderInput } from '../../model/inputs/inputText.ts';
import type { App } from '../../ui/app.ts';
import { pickExecution } from '../../ui/pickers/executionPicker.ts';
import { pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import { formatAge } from '../../words/time.ts';
import type { InputDocuments } from './inputDocuments.ts';
import { readExecutionInput } from './recordedInput.ts';
import { savePresetAs } from './presets.ts';

type InputCommandsDeps = Pick<
  App,
  'clock' | 'commands' | 'connections' | 'executions' | 'history' | 'workflows'
>;

type Action = 'copy' | 'savePreset';
type PastInput = ReturnType<InputHistory['read']>[number];
type PastChoice = RowChoice<PastInput | undefined, Action>;

const previewLength = 120;

/** The input on one line. */
function preview(input: JsonObject): string {
  return jsonLine(writeTruncatedJson(input, previewLength), previewLength);
}

function pastChoices({ history, clock }: InputCommandsDeps, target: WorkflowTarget): readonly PastChoice[] {
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

async function chooseInput(
  deps: InputCommandsDeps,
  documents: InputDocuments,
  target: WorkflowTarget,
): Promise<void> {
  const past = pastChoices(deps, target);
  const { value, action } = await chooseRow<PastInput | undefined, Action>(
    past.length === 0
      ? vscode.l10n.t('No past inputs yet')
      : vscode.l10n.t('Select an input for the document'),
    [
      ...past,
      {
        icon: 'history',
        label: vscode.l10n.t('Use Input of an Execution…'),
        description: vscode.l10n.t('including those started elsewhere'),
        value: undefined,
      },
    ],
  );
  if (value === undefined) {
    const placeHolder = vscode.l10n.t('Select an execution whose input to use');
    const execution = await pickExecution(deps, placeHolder, { workflow: target });
    const { input } = await readExecutionInput(deps.executions, execution);
    await documents.put(target, renderInput(input), true);
  } else if (action === 'copy') {
    await vscode.env.clipboard.writeText(renderInput(value.input));
  } else if (action === 'savePreset') {
    await savePresetAs(deps.workflows, target, renderInput(value.input));
  } else {
    await documents.put(target, renderInput(value.input), true);
  }
  if (value?.hasMaskedKey === true)
    void showMessage(
      'information',
      vscode.l10n.t(
        "The API key in this input wasn't stored. Enter it again in place of its first characters.",
      ),
    );
}

export function registerInputCommands(deps: InputCommandsDeps, documents: InputDocuments): Disposable {
  const { commands, executions, history } = deps;
  return combine(
    commands.register('workflow.openInput', {
      ask: () => pickWorkflow(deps),
      run: async ({ input, ...target }, { isInteractive }) => {
        const opened =
          input === undefined
            ? documents.open(target)
            : documents.put(target, renderInput(input), isInteractive);
        return (await opened).uri.toString();
      },
    }),
    // Lets the user change the execution's input before executing with it.
    commands.register('execution.editInput', {
      ask: () => pickExecution(deps),
      run: async (execution, { isInteractive }) => {
        const { target, input } = await readExecutionInput(executions, execution);
        const document = await documents.put(target, renderInput(input), isInteractive);
        return document.uri.toString();
      },
    }),
    commands.register('workflow.inputHistory', {
      ask: () => pickWorkflow(deps),
      run: async (target, { isInteractive }) => {
        if (isInteractive) await chooseInput(deps, documents, target);
        return history
          .read(target)
          .map(({ input, usedAt }) => ({ input, usedAt: new Date(usedAt).toISOString() }));
      },
    }),
  );
}
