// What doesn't fit an input's schema, in the words of the local service.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { toSentence } from '../../definition/definitionFault.ts';
import { joinFaults } from '../../definition/faultList.ts';
import { readJsonText, readValue } from '../../definition/jsonText.ts';
import { locate } from '../../definition/places.ts';
import { inputFaults } from '../../definition/inputSchema.ts';
import { plainLine } from '../../editor/format.ts';

/** Empty while the text isn't valid JSON, which other diagnostics report. */
export function schemaProblems(
  schema: JsonObject,
  document: vscode.TextDocument,
  severity: vscode.DiagnosticSeverity,
): readonly vscode.Diagnostic[] {
  const text = document.getText();
  const { root, error } = readJsonText(text);
  if (error !== undefined) return [];
  return inputFaults(schema, readValue(text, root)).faults.map((fault) => {
    const { offset, length } = locate(text, root, fault.path);
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const words = joinFaults({ faults: [fault], more: 0 });
    const message = fault.path.length === 0 ? toSentence(words) : words;
    return new vscode.Diagnostic(range, plainLine(message), severity);
  });
}
