// What doesn't fit an input's schema, in the words of the local service.
import * as vscode from 'vscode';
import type { Node } from 'jsonc-parser';
import { toSentence } from '../../definition/definitionFault.ts';
import { type Fault, joinFaults } from '../../definition/faultList.ts';
import { locate } from '../../definition/places.ts';
import { plainLine } from '../../editor/format.ts';

/** root: of the document's text. */
export function schemaProblems(
  document: vscode.TextDocument,
  root: Node,
  faults: readonly Fault[],
  severity: vscode.DiagnosticSeverity,
): readonly vscode.Diagnostic[] {
  const text = document.getText();
  return faults.map((fault) => {
    const { offset, length } = locate(text, root, fault.path);
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    return new vscode.Diagnostic(range, schemaProblemWords(fault), severity);
  });
}

export function schemaProblemWords(fault: Fault): string {
  const words = joinFaults({ faults: [fault], more: 0 });
  return plainLine(fault.path.length === 0 ? toSentence(words) : words);
}
