// The command that copies the request which executes a workflow, for the code that integrates it, or the workflow's ID.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../../base/json.ts';
import { maskKeys } from '../../../base/masking.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { copyText } from '../../../editor/prompts/statusBarMessage.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { type Choice, choose } from '../../../editor/prompts/prompts.ts';
import { settings } from '../../../editor/settings.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { findInput } from '../inputDocuments.ts';
import { keyVariable, renderCurlExample, renderFetchExample, renderPythonExample } from './renderCode.ts';

type CopyDeps = Pick<App, 'clock' | 'commands' | 'connections' | 'drafts' | 'services' | 'workflows'>;

/** The input of the input document, open or not, or else an example. */
async function inputOf(deps: CopyDeps, target: WorkflowTarget): Promise<JsonObject> {
  const input = await findInput(deps, target);
  if (input === undefined)
    throw new PlainError(vscode.l10n.t("The input isn't a valid JSON object. Nothing was copied."));
  return input;
}

/** Masks the API keys in the input: what is copied ends up in files. */
function withoutKeys(input: JsonObject): JsonObject {
  const masked = parseJson(maskKeys(stringifyJson(input), settings.keyPrefix()));
  return isJsonObject(masked) ? masked : {};
}

const renderers = {
  curl: renderCurlExample,
  fetch: renderFetchExample,
  python: renderPythonExample,
} as const;
type Form = keyof typeof renderers | 'id';

/** Only the ID where the service has no request that executes a workflow by its ID. */
function askForm({ services }: CopyDeps, { connectionId }: WorkflowTarget): Promise<Form> {
  const code: readonly Choice<Form>[] = [
    { label: 'cURL', description: vscode.l10n.t('in a POSIX shell'), value: 'curl' },
    { label: 'fetch', description: vscode.l10n.t('in JavaScript'), value: 'fetch' },
    { label: 'Python', value: 'python' },
  ];
  const isOffered = services.offers(connectionId, 'executeById');
  return choose(vscode.l10n.t('Select what to copy'), [
    ...(isOffered ? code : []),
    { label: vscode.l10n.t('Workflow ID'), value: 'id' },
  ]);
}

async function renderRequest(
  deps: CopyDeps,
  target: WorkflowTarget,
  form: keyof typeof renderers,
  input: JsonObject | undefined,
): Promise<string> {
  const sent = withoutKeys(input ?? (await inputOf(deps, target)));
  return renderers[form](deps.services.describeExecution(target, sent));
}

export function registerCopyAs(deps: CopyDeps): Disposable {
  return deps.commands.register('workflow.copyAs', {
    ask: () => pickWorkflow(deps),
    run: async ({ as, input, ...target }, { isInteractive }) => {
      const form = as ?? (await askForm(deps, target));
      if (form === 'id') {
        if (isInteractive) await copyText(target.workflowId, vscode.l10n.t('ID copied.'));
        return target.workflowId;
      }
      const code = await renderRequest(deps, target, form, input);
      if (isInteractive)
        await copyText(
          code,
          vscode.l10n.t('Copied. Set {0} to your API key before you run it.', keyVariable),
        );
      return code;
    },
  });
}
