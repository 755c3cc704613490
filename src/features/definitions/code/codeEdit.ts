// Puts code into a definition's text, where everything else stays as it is. Pure.
import { findNodeAtOffset } from 'jsonc-parser';
import { stringifyJson } from '../../../base/json.ts';
import type { DefinitionNode } from '../../../definition/definitionNode.ts';
import type { DefinitionText } from '../../../definition/definitionText.ts';
import { findAt } from '../../../definition/jsonNodes.ts';
import { type Edit, setMember } from '../../../definition/jsonEdits.ts';

/** Returns the edit of the definition's text; undefined if the node has no code, or has this already. */
export function editCode(
  { text, reading }: DefinitionText,
  node: DefinitionNode,
  given: string,
): Edit | undefined {
  const { code } = node;
  if (code === undefined) return undefined;
  // An editor on Windows ends the lines of code that had only one line in its own way.
  const value = code.value.includes('\r\n') ? given : given.replaceAll('\r\n', '\n');
  if (value === code.value) return undefined;
  if (code.range !== undefined) return { ...code.range, content: stringifyJson(value) };
  const object = reading.root && findNodeAtOffset(reading.root, node.offset);
  const parameters = object && findAt(object, ['parameters']);
  const [member] = code.path;
  return parameters && member !== undefined ? setMember(text, parameters, member, value) : undefined;
}
