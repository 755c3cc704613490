// The commands that copy the request which executes a workflow, for the code that integrates it.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../../base/json.ts';
import { maskKeys } from '../../../base/secrets.ts';
import type { DescribedRequest } from '../../../domain/describedRequest.ts';
import type { WorkflowTarget } from '../../../domain/targets.ts';
import { copyText } from '../../../editor/clipboard.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { settings } from '../../../editor/settings.ts';
import { parseInput } from '../../../model/inputs/inputText.ts';
import type { App } from '../../../ui/app.ts';
import { pickWorkflow } from '../../../ui/pickers/workflowPicker.ts';
import { startingText, textAtHand } from '../inputDocuments.ts';
import { keyVariable, renderCurl, renderFetch, renderPython } from './renderCode.ts';

type CopyDeps = Pick<App, 'clock' | 'commands' | 'connections' | 'drafts' | 'services' | 'workflows'>;

/** The input of the input document, open or not, or else an example. */
async function inputOf({ drafts, workflows }: CopyDeps, target: WorkflowTarget): Promise<JsonObject> {
  const input = parseInput(textAtHand(drafts, target) ?? (await startingText(workflows, target)));
  if (input === undefined)
    throw new PlainError(vscode.l10n.t("The input isn't a valid JSON object. Nothing was copied."));
  return input;
}

/** Masks the API keys in the input: what is copied ends up in files. */
function withoutKeys(input: JsonObject): JsonObject {
  const masked = parseJson(maskKeys(stringifyJson(input), settings.keyPrefix()));
  return isJsonObject(masked) ? masked : {};
}

function registerCopy(
  deps: CopyDeps,
  name: 'workflow.copyAsCurl' | 'workflow.copyAsFetch' | 'workflow.copyAsPython',
  render: (request: DescribedRequest) => string,
): Disposable {
  return deps.commands.register(name, {
    ask: () => pickWorkflow(deps),
    run: async ({ input, ...target }, { isInteractive }) => {
      const sent = withoutKeys(input ?? (await inputOf(deps, target)));
      const code = render(deps.services.describeExecution(target, sent));
      if (isInteractive)
        await copyText(
          code,
          vscode.l10n.t('Copied. Set {0} to your API key before you run it.', keyVariable),
        );
      return code;
    },
  });
}

export function registerCopyAsCode(deps: CopyDeps): Disposable {
  return combine(
    registerCopy(deps, 'workflow.copyAsCurl', renderCurl),
    registerCopy(deps, 'workflow.copyAsFetch', renderFetch),
    registerCopy(deps, 'workflow.copyAsPython', renderPython),
  );
}
