// Opens an execution that a link names. A link may come from anybody: it does nothing but open a document of one of the user's own
// connections, and asks before another connection becomes the active one.
import * as vscode from 'vscode';
import { combine, type Disposable } from '../../../base/disposable.ts';
import type { Connection } from '../../../domain/connection.ts';
import { ifOffered } from '../../../domain/errors.ts';
import { askInDialog } from '../../../editor/prompts/dialogs.ts';
import { joined, plainLine } from '../../../base/format.ts';
import { extensionId } from '../../../editor/ids.ts';
import { PlainError } from '../../../editor/plainError.ts';
import { askText, Cancelled, withLateProgress } from '../../../editor/prompts/prompts.ts';
import { type ExecutionLink, readExecutionLink, serviceFingerprint } from './executionLink.ts';
import { passOn } from '../../../editor/commands.ts';
import { chooseConnection } from '../../../ui/activeConnection.ts';
import type { App } from '../../../ui/app.ts';
import { shortId } from '../../../words/names.ts';

export type OpenLinkDeps = Pick<
  App,
  'commands' | 'connections' | 'executions' | 'links' | 'workflows' | 'requestWaits'
>;

async function findConnections(
  { connections }: OpenLinkDeps,
  link: ExecutionLink,
): Promise<readonly Connection[]> {
  const all = await Promise.all(
    connections.all.current.map(
      async (connection) => [connection, await serviceFingerprint(connection)] as const,
    ),
  );
  return all.flatMap(([connection, service]) => (service === link.service ? [connection] : []));
}

/** Asks whether to make the connection the active one. Rejects with Cancelled on Escape. */
async function askToSwitch(deps: OpenLinkDeps, link: ExecutionLink, { id, name }: Connection): Promise<void> {
  const { executionId, workflowId } = link;
  const workflow = workflowId && deps.workflows.find({ connectionId: id, workflowId })?.name;
  const isAgreed = await askInDialog({
    kind: 'information',
    question: vscode.l10n.t('Switch to "{0}" to open an execution?', plainLine(name, 80)),
    detail: vscode.l10n.t(
      'A link leads to an execution of that connection: {0}. Another connection is active.',
      joined([workflow && plainLine(workflow, 80), shortId(executionId)], ' '),
    ),
    buttons: [{ label: vscode.l10n.t('Switch and Open'), value: true }],
  });
  if (isAgreed === undefined) throw new Cancelled();
}

function noConnection(): PlainError {
  return new PlainError(
    vscode.l10n.t(
      "You have no connection to this link's service. Connect to that service, then open the link again.",
    ),
    [{ label: vscode.l10n.t('Connect to a Service…'), command: 'connection.add' }],
  );
}

/** The user's connection to the service of the link, which is the active one then. Rejects with Cancelled on Escape. */
async function switchToService(deps: OpenLinkDeps, link: ExecutionLink): Promise<Connection> {
  const { connections } = deps;
  const found = await findConnections(deps, link);
  const [only, ...others] = found;
  if (only === undefined) throw noConnection();
  const active = found.find(({ id }) => id === connections.active.current?.id);
  if (active !== undefined) return active;
  if (others.length === 0) await askToSwitch(deps, link, only);
  const chosen =
    others.length === 0
      ? only
      : await chooseConnection(
          connections,
          vscode.l10n.t('Select a connection for the linked execution'),
          found,
        );
  await connections.switchTo(chosen.id);
  return chosen;
}

/** The log is there for every execution, whatever has become of its definition. */
async function openExecution(
  deps: OpenLinkDeps,
  link: ExecutionLink,
  connectionId: string,
  isInteractive: boolean,
): Promise<string | undefined> {
  const { commands, executions } = deps;
  const { executionId, nodeRunKey } = link;
  const target = { connectionId, executionId };
  // Read first, so that the document is named after its workflow, and an execution that is gone is said to be.
  await withLateProgress(deps, vscode.l10n.t('Opening the execution…'), (signal) =>
    ifOffered(executions.get(target, signal)),
  );
  if (nodeRunKey !== undefined) return commands.run('nodeRun.open', { ...target, nodeRunKey });
  return commands.run('execution.openLog', passOn(target, isInteractive));
}

function notALink(): PlainError {
  return new PlainError(vscode.l10n.t("This link doesn't lead to an execution. Part of it may be missing."));
}

/** Returns what a text leads to that somebody pasted; undefined for anything but a link to this extension. */
function readPastedLink(text: string): ExecutionLink | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const { authority, path, query } = vscode.Uri.parse(trimmed);
  return authority.toLowerCase() === extensionId ? readExecutionLink(path, query) : undefined;
}

/** Code is asked nothing: the connection needn't be the active one. */
async function connectionForCode(deps: OpenLinkDeps, link: ExecutionLink): Promise<Connection> {
  const found = await findConnections(deps, link);
  const activeId = deps.connections.active.current?.id;
  const connection = found.find(({ id }) => id === activeId) ?? found[0];
  if (connection === undefined) throw noConnection();
  return connection;
}

function registerCommand(deps: OpenLinkDeps): Disposable {
  return deps.commands.register('execution.openLink', {
    ask: async () => {
      const link = await askText({
        prompt: vscode.l10n.t('Link to an execution'),
        placeHolder: `${vscode.env.uriScheme}://${extensionId}/execution?…`,
        validate: (text) =>
          text.trim() === '' || readPastedLink(text) !== undefined ? undefined : notALink().message,
      });
      if (link === '') throw new Cancelled();
      return { link };
    },
    run: async ({ link: text }, { isInteractive }) => {
      const link = readPastedLink(text);
      if (link === undefined) throw notALink();
      const connection = isInteractive
        ? await switchToService(deps, link)
        : await connectionForCode(deps, link);
      return openExecution(deps, link, connection.id, isInteractive);
    },
  });
}

export function registerOpenLink(deps: OpenLinkDeps): Disposable {
  const open = async ({ path, query }: vscode.Uri): Promise<void> => {
    const link = readExecutionLink(path, query);
    if (link === undefined) throw notALink();
    await openExecution(deps, link, (await switchToService(deps, link)).id, true);
  };
  return combine(
    registerCommand(deps),
    deps.links.attach({
      handleUri: async (uri) => {
        try {
          await open(uri);
        } catch (error) {
          void deps.commands.present(error);
        }
      },
    }),
  );
}
