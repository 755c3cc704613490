// Pins in words: which outputs can be pinned, which pins a definition uses, and why a value isn't pinned.
import * as vscode from 'vscode';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { DefinitionText } from '../definition/definitionText.ts';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { WorkflowTarget } from '../domain/targets.ts';
import { PlainError } from '../editor/plainError.ts';
import { showMessage } from '../editor/prompts/prompts.ts';
import type { Pin, PinKind, Pins } from '../model/pins/pins.ts';
import { readHttpAnswers } from '../protocol/httpAnswers.ts';
import type { DraftRequest } from '../protocol/requests.ts';
import { isForEach } from '../definition/nodeTypes.ts';

/** A loop has no value of its own: its output is a count. */
export function hasPinnableOutput({ status, nodeType, output, isPinned }: NodeRun): boolean {
  if (status?.state !== 'completed' || isForEach(nodeType) || isPinned) return false;
  return output !== undefined && output !== null;
}

/** Only an HTTP request node sends something that can be answered. */
export function isAnswerable(nodeType: string | null | undefined): boolean {
  return nodeType === 'httpRequest';
}

/** Whether drafts can get what this node run got instead of sending its request. */
export function hasAnswerableRequest({ exchange, nodeType }: NodeRun): boolean {
  return exchange !== undefined && isAnswerable(nodeType);
}

/**
 * "gone": no node of the definition has this id. "loop": a loop can't be pinned. "noRequest": the node sends nothing that could be answered.
 * Such pins aren't sent.
 */
export function useOfPin(
  { byId }: DefinitionText,
  { nodeId, kind }: Pick<Pin, 'nodeId' | 'kind'>,
): 'used' | 'gone' | 'loop' | 'noRequest' {
  const node = byId.get(nodeId);
  if (node === undefined) return 'gone';
  if (kind === 'answers') return isAnswerable(node.type) ? 'used' : 'noRequest';
  return isForEach(node.type) ? 'loop' : 'used';
}

/** The pins that a draft of this definition is sent with; a member is missing where there is none. */
export function findUsedPins(
  pins: Pick<Pins, 'list'>,
  target: WorkflowTarget,
  definition: JsonObject,
): Pick<DraftRequest, 'pinned' | 'answers'> {
  const text = DefinitionText.of(definition);
  const used = pins.list(target).filter((pin) => useOfPin(text, pin) === 'used');
  const pinned = used.flatMap(({ nodeId, kind, value }) =>
    kind === 'output' ? [[nodeId, value] as const] : [],
  );
  const answers = used.flatMap(({ nodeId, kind, value }) => {
    const decoded = kind === 'answers' ? readHttpAnswers(value) : undefined;
    return decoded === undefined ? [] : [[nodeId, decoded] as const];
  });
  return {
    ...(pinned.length > 0 && { pinned: Object.fromEntries(pinned) }),
    ...(answers.length > 0 && { answers: Object.fromEntries(answers) }),
  };
}

/** Throws a PlainError for a loop, which has no output to pin. */
export function refuseLoop(nodeType: string | null | undefined): void {
  if (isForEach(nodeType))
    throw new PlainError(vscode.l10n.t("A loop can't be pinned. Pin a node in its body instead."));
}

/** Throws a PlainError if there is no room for the value. */
export async function pinValue(
  pins: Pick<Pins, 'set'>,
  target: WorkflowTarget,
  nodeId: string,
  value: JsonValue,
  kind: PinKind = 'output',
): Promise<void> {
  switch (await pins.set(target, nodeId, value, kind)) {
    case 'tooLarge':
      throw new PlainError(
        vscode.l10n.t('This value is too large for a pin, which can have up to 131,072 characters of JSON.'),
      );
    case 'full':
      throw new PlainError(
        vscode.l10n.t(
          'The pins of this workspace can have up to 393,216 characters of JSON together. Remove a pin first.',
        ),
      );
    case 'keysMasked':
      void showMessage(
        'information',
        vscode.l10n.t("The API key in this value isn't stored. The pin has only its first characters."),
      );
      return;
    case 'pinned':
      return;
  }
}
