// Pins in words: which outputs can be pinned, which pins a definition uses, and why a value isn't pinned.
import * as vscode from 'vscode';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { DefinitionText } from '../definition/definitionText.ts';
import type { NodeRun } from '../domain/nodeRun.ts';
import type { WorkflowTarget } from '../domain/targets.ts';
import { PlainError } from '../editor/plainError.ts';
import { showMessage } from '../editor/prompts/prompts.ts';
import type { Pins } from '../model/pins/pins.ts';
import { isForEach } from '../definition/nodeTypes.ts';

/** A loop has no value of its own: its output is a count. */
export function hasPinnableOutput({ status, nodeType, output, isPinned }: NodeRun): boolean {
  if (status?.state !== 'completed' || isForEach(nodeType) || isPinned) return false;
  return output !== undefined && output !== null;
}

/** "gone": no node of the definition has this id. "loop": a loop can't be pinned. Such pins aren't sent. */
export function useOfPin({ byId }: DefinitionText, nodeId: string): 'used' | 'gone' | 'loop' {
  const node = byId.get(nodeId);
  if (node === undefined) return 'gone';
  return isForEach(node.type) ? 'loop' : 'used';
}

/** The pins that a draft of this definition is sent with; undefined without any. */
export function findUsedPins(
  pins: Pick<Pins, 'list'>,
  target: WorkflowTarget,
  definition: JsonObject,
): JsonObject | undefined {
  const text = DefinitionText.of(definition);
  const used = pins.list(target).filter(({ nodeId }) => useOfPin(text, nodeId) === 'used');
  return used.length === 0 ? undefined : Object.fromEntries(used.map(({ nodeId, value }) => [nodeId, value]));
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
): Promise<void> {
  switch (await pins.set(target, nodeId, value)) {
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
