// An input that the trigger's schema doesn't allow: what is wrong with it, and the way to send it all the same.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { type Faults, joinFaults } from '../../definition/faults.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { joined, plainLine } from '../../editor/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import { renderInput } from '../../model/inputs/inputText.ts';
import { moreProblems } from '../../ui/deployForPerson.ts';
import type { JsonLanguages } from './jsonLanguages.ts';
import { inputFaults } from './schemaProblems.ts';

/** Nothing was sent. The user may still send it, since the service decides. */
export class InputMismatch extends PlainError {
  /** faults: at least one. */
  constructor(target: WorkflowTarget, input: JsonObject, { faults, more }: Faults) {
    const [first, ...others] = faults;
    const words = joinFaults({ faults: first ? [first] : [], more: 0 });
    const { connectionId, workflowId } = target;
    const isAlone = others.length === 0 && more === 0;
    super(
      joined(
        [
          vscode.l10n.t("The input doesn't match the trigger's schema: {0}", plainLine(words, 200)),
          isAlone ? undefined : moreProblems(others.length + (more ?? 0)),
          vscode.l10n.t('Execute anyway?'),
        ],
        ' ',
      ),
      [
        {
          label: vscode.l10n.t('Execute Anyway'),
          command: 'workflow.execute',
          argument: { connectionId, workflowId, input, isConfirmed: true },
        },
      ],
      { kind: 'warning' },
    );
  }
}

/**
 * Throws an InputMismatch for an input that breaks the schema that the trigger declares. Asks the service nothing: where the definition
 * isn't loaded, the service alone decides.
 */
export async function refuseMismatch(
  languages: JsonLanguages,
  target: WorkflowTarget,
  input: JsonObject,
): Promise<void> {
  const schema = await languages.findLoaded(target, renderInput(input).length);
  if (schema?.learnedFrom !== null) return;
  const found = inputFaults(schema.schema, input);
  if (found.faults.length > 0) throw new InputMismatch(target, input, found);
}
