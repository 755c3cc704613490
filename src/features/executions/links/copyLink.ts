import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ExecutionTarget } from '../../../domain/targets.ts';
import { copyText } from '../../../editor/prompts/statusBarMessage.ts';
import { extensionId } from '../../../editor/ids.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { linkPath, serviceFingerprint, writeExecutionLink } from './executionLink.ts';
import type { App } from '../../../ui/app.ts';
import { pickExecution } from '../../../ui/pickers/executionPicker.ts';

type CopyLinkDeps = Pick<App, 'clock' | 'commands' | 'connections' | 'executions' | 'workflows'>;

interface LinkTarget extends ExecutionTarget {
  readonly nodeRunKey?: string | undefined;
}

async function writeLink({ connections, executions }: CopyLinkDeps, target: LinkTarget): Promise<string> {
  const { connectionId, executionId, nodeRunKey } = target;
  const workflowId = executions.find({ connectionId, executionId })?.workflowId ?? null;
  const query = writeExecutionLink({
    executionId,
    ...(workflowId === null ? {} : { workflowId }),
    service: await serviceFingerprint(connections.get(connectionId)),
    ...(nodeRunKey === undefined ? {} : { nodeRunKey }),
  });
  if (query === undefined)
    throw new PlainError(vscode.l10n.t("The ID of this execution can't be part of a link."));
  const uri = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: extensionId,
    path: linkPath,
    query,
  });
  // Nothing in the query needs another encoding, which mail programs and chats would spoil.
  return uri.toString(true);
}

export function registerCopyLink(deps: CopyLinkDeps): Disposable {
  const { commands, connections } = deps;
  return commands.register<'execution.copyLink', LinkTarget>('execution.copyLink', {
    ask: () => pickExecution(deps),
    run: async ({ connectionId }, { isInteractive, selected }) => {
      const links = await Promise.all(selected.map((each) => writeLink(deps, each)));
      const text = links.join('\n');
      if (isInteractive) {
        const said =
          connections.find(connectionId)?.kind === 'local'
            ? vscode.l10n.t('Link copied. It works only on this machine because the local service runs here.')
            : vscode.l10n.t('Link copied.');
        await copyText(text, said);
      }
      return text;
    },
  });
}
