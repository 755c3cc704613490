// The question for another filter of the Workflows view.
import * as vscode from 'vscode';
import { askForFilter, type FilterChoice } from '../../editor/prompts/filterPrompt.ts';
import { plainLine } from '../../base/format.ts';
import { askText } from '../../editor/prompts/prompts.ts';
import { noFilter, type WorkflowFilter } from '../../model/workflows/workflowFilter.ts';

type Choice = FilterChoice<WorkflowFilter>;

function stateChoice(
  current: WorkflowFilter,
  state: Exclude<WorkflowFilter['state'], 'all'>,
  icon: string,
  label: string,
): Choice {
  return { icon, label, isChecked: current.state === state, add: (filter) => ({ ...filter, state }) };
}

/** The current text, and any other. */
function nameChoices({ text }: WorkflowFilter): readonly Choice[] {
  const other: Choice = {
    icon: 'search',
    label: vscode.l10n.t('Name Contains…'),
    isChecked: false,
    add: async (filter) => ({
      ...filter,
      text: await askText({ prompt: vscode.l10n.t('Part of the name'), value: text }),
    }),
  };
  if (text === '') return [other];
  const current: Choice = {
    icon: 'search',
    label: plainLine(text, 60),
    isChecked: true,
    add: (filter) => ({ ...filter, text }),
  };
  return [current, other];
}

/** Asks for the whole filter at once. Rejects with Cancelled on Escape. */
export function askWorkflowFilter(current: WorkflowFilter): Promise<WorkflowFilter> {
  return askForFilter(
    vscode.l10n.t('Filter Workflows'),
    [
      { name: vscode.l10n.t('Name'), isSingle: true, choices: nameChoices(current) },
      {
        name: vscode.l10n.t('Status'),
        isSingle: true,
        choices: [
          stateChoice(current, 'deployed', 'rocket', vscode.l10n.t('Deployed')),
          stateChoice(current, 'notDeployed', 'circle-large-outline', vscode.l10n.t('Not deployed')),
        ],
      },
    ],
    noFilter,
  );
}
