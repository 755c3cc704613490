// Edits of the text of workflows.json. Its order, its layout and what it has beside stay as they are.
import * as l10n from '@vscode/l10n';
import { applyEdits } from 'jsonc-parser';
import { withoutMark } from '../base/format.ts';
import { type JsonObject, stringifyJson } from '../base/json.ts';
import { findAt, membersOf } from '../definition/jsonNodes.ts';
import { readJsonText, readJsonValue } from '../definition/jsonText.ts';
import { rangeOf } from '../definition/range.ts';
import { setJsonValue } from '../definition/setJsonValue.ts';
import { FilesError } from './filesError.ts';
import type { FilesFolder } from './ports.ts';
import { type FilesEnvironment, maximumWorkflowsFile, workflowsFileName } from './workflowsFile.ts';

/** Edits the file as it is now: others may have changed it. Rejects with a FilesError. */
export async function changeWorkflowsFile(
  folder: Pick<FilesFolder, 'read' | 'write'>,
  edit: (text: string) => string,
): Promise<void> {
  const text = await folder.read(workflowsFileName, maximumWorkflowsFile);
  if (text === undefined) throw new FilesError(l10n.t('{0} is gone.', workflowsFileName));
  const changed = edit(text);
  if (changed !== text) await folder.write(workflowsFileName, changed);
}

/** Notes which workflow of an environment a file is; undefined: none. */
export function linkFile(
  text: string,
  file: string,
  environment: string,
  workflowId: string | undefined,
): string {
  return edited(text, (json) => setJsonValue(json, ['workflows', file, environment], workflowId));
}

/** Notes that a file has another path now, with what it's linked to. Links that the path has already stay. */
export function renameFile(text: string, from: string, to: string): string {
  return edited(text, (json) => {
    const { root } = readJsonText(json);
    const ids = root && findAt(root, ['workflows', from]);
    const name = ids?.parent?.children?.[0];
    if (root === undefined || ids === undefined || name === undefined) return json;
    if (findAt(root, ['workflows', to]) === undefined)
      return applyEdits(json, [{ ...rangeOf(name), content: stringifyJson(to) }]);
    const links = membersOf(ids).map(([{ value: environment }, node]) => ({
      path: ['workflows', to, String(environment)],
      workflowId: readJsonValue(json, node),
    }));
    const merged = links
      .filter(({ path }) => findAt(root, path) === undefined)
      .reduce((edit, { path, workflowId }) => setJsonValue(edit, path, workflowId), json);
    return setJsonValue(merged, ['workflows', from], undefined);
  });
}

/** Throws a FilesError if there's one of that name. */
export function addEnvironment(text: string, name: string, environment: FilesEnvironment): string {
  return edited(text, (json) => {
    const path = ['environments', name];
    const { root } = readJsonText(json);
    if (root !== undefined && findAt(root, path) !== undefined)
      throw new FilesError(
        l10n.t(
          '{0} already has an environment "{1}" for another service. Use another name.',
          workflowsFileName,
          name,
        ),
      );
    return setJsonValue(json, path, toJson(environment));
  });
}

export function renderWorkflowsFile(name: string, environment: FilesEnvironment): string {
  const value = { environments: { [name]: toJson(environment) }, default: name, workflows: {} };
  return `${stringifyJson(value, 2)}\n`;
}

function toJson({ url, kind, isGuarded }: FilesEnvironment): JsonObject {
  return { url, ...(kind !== 'service' && { kind }), ...(isGuarded && { guarded: true }) };
}

function edited(text: string, edit: (json: string) => string): string {
  const json = withoutMark(text);
  return text.slice(0, text.length - json.length) + edit(json);
}
