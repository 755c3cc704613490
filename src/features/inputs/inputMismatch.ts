// An input that the trigger's schema doesn't allow: what is wrong with it, and the way to send it all the same.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { joined, plainLine } from '../../base/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { InputSchemas } from '../../model/inputs/inputSchemas.ts';
import { renderInput } from '../../model/inputs/inputText.ts';
import { moreProblems } from '../../ui/deployInteractively.ts';
import type { JsonLanguages } from './jsonLanguages.ts';

/** Nothing was sent. The user may still send it, since the service decides. */
export class InputMismatch extends PlainError {
  /** problems: at least one. */
  constructor(target: WorkflowTarget, input: JsonObject, [first = '', ...others]: readonly string[]) {
    const { connectionId, workflowId } = target;
    super(
      joined(
        [
          vscode.l10n.t("The input doesn't match the trigger's schema: {0}", plainLine(first, 200)),
          others.length === 0 ? undefined : moreProblems(others.length),
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
 * isn't loaded, or the input can't be validated here, the service alone decides.
 */
export async function refuseMismatch(
  schemas: Pick<InputSchemas, 'findLoaded'>,
  languages: JsonLanguages,
  target: WorkflowTarget,
  input: JsonObject,
): Promise<void> {
  const schema = await schemas.findLoaded(target);
  if (schema?.learnedFrom !== null) return;
  const text = renderInput(input);
  const found = await languages.validate(schema, text.length, (validator) => validator.findProblems(text));
  if (found.kind === 'validated' && found.problems.length > 0)
    throw new InputMismatch(target, input, found.problems);
}
