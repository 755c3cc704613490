// What doesn't fit an input's schema, in the words of the local service.
import * as vscode from 'vscode';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { toSentence } from '../../definition/definitionFault.ts';
import { type Faults, joinFaults } from '../../definition/faults.ts';
import { readJsonText, readValue } from '../../definition/jsonText.ts';
import { locate } from '../../definition/places.ts';
import { schemaFaults } from '../../definition/schemaFaults.ts';
import { plainLine } from '../../editor/format.ts';

/** schema: a bounded one. */
export function inputFaults(schema: JsonObject, input: JsonValue): Faults {
  return schemaFaults(schema, '2020-12', input);
}

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
