// The command that executes a definition as it stands in its document, saved and deployed or not.
import type { Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { parseInput } from '../../model/inputs/inputText.ts';
import type { App } from '../../ui/app.ts';
import { readOpenDefinition } from '../../ui/definitionDraft.ts';
import { notSent } from '../../ui/notSent.ts';
import { liveWorkflow, pickWorkflow } from '../../ui/pickers/workflowPicker.ts';
import type { Executor } from './execute.ts';
import { startingText, textAtHand } from './inputDocuments.ts';
import type { DraftRequest } from '../../protocol/requests.ts';

type DraftDeps = Pick<App, 'actions' | 'clock' | 'commands' | 'connections' | 'drafts' | 'workflows'>;

/** The input at hand, or else the one that a new input document has. */
async function findInput({ drafts, workflows }: DraftDeps, target: WorkflowTarget): Promise<JsonObject> {
  const input = parseInput(textAtHand(drafts, target) ?? (await startingText(workflows, target)));
  if (input !== undefined) return input;
  throw notSent('input');
}

export function registerExecuteDraft(deps: DraftDeps, executor: Executor): Disposable {
  /** Code gets what it asks for. A user gets what they see: the text and its input. */
  const complete = async (target: WorkflowTarget, draft: DraftRequest): Promise<DraftRequest> => {
    const definition = draft.definition ?? readOpenDefinition(target);
    const hasInput = draft.input !== undefined || draft.basedOn !== undefined;
    return { ...draft, definition, input: hasInput ? draft.input : await findInput(deps, target) };
  };
  return deps.commands.register('workflow.executeDraft', {
    ask: () => pickWorkflow(deps, liveWorkflow()),
    run: async ({ connectionId, workflowId, trigger, ...draft }, { isInteractive }) => {
      const target = { connectionId, workflowId };
      deps.actions.refuseArchived(target);
      const wanted = isInteractive ? await complete(target, draft) : draft;
      return executor.executeDraft(target, wanted, { isInteractive, trigger });
    },
  });
}
