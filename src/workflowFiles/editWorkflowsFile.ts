// Edits of the text of workflows.json. Its order, its layout and what it has beside stay as they are.
import { type JsonObject, stringifyJson } from '../base/json.ts';
import { setJsonValue } from '../definition/setJsonValue.ts';
import type { FilesEnvironment } from './workflowsFile.ts';

/** Notes which workflow of an environment a file is; undefined: none. */
export function linkFile(
  text: string,
  file: string,
  environment: string,
  workflowId: string | undefined,
): string {
  return edited(text, (json) => setJsonValue(json, ['workflows', file, environment], workflowId));
}

export function addEnvironment(text: string, name: string, environment: FilesEnvironment): string {
  return edited(text, (json) => setJsonValue(json, ['environments', name], toJson(environment)));
}

export function renderWorkflowsFile(name: string, environment: FilesEnvironment): string {
  const value = { environments: { [name]: toJson(environment) }, default: name, workflows: {} };
  return `${stringifyJson(value, 2)}\n`;
}

function toJson({ url, kind, isGuarded }: FilesEnvironment): JsonObject {
  return { url, ...(kind !== 'service' && { kind }), ...(isGuarded && { guarded: true }) };
}

function edited(text: string, edit: (json: string) => string): string {
  const json = text.replace(/^\ufeff/, '');
  return text.slice(0, text.length - json.length) + edit(json);
}
