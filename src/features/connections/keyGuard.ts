// Moves an API key from a document to the secret storage. A placeholder replaces it in the text, and the key is never shown.
import * as vscode from 'vscode';
import type { Connection } from '../../domain/connection.ts';
import type { Connections } from '../../model/connections/connections.ts';
import { ConnectFlow } from './connectFlow.ts';
import { askReplacement } from './keySteps.ts';
import { plainLine } from '../../base/format.ts';
import { choose, showMessage } from '../../editor/prompts/prompts.ts';
import { settings } from '../../editor/settings.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { App } from '../../ui/app.ts';
import { findKeys, type FoundKey, maskKey } from '../../base/masking.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';
import { offerCommand } from '../../editor/commands.ts';
import { DocumentMarks, type Mark } from '../../editor/documents/documentMarks.ts';
import { rangeOf } from '../../editor/documents/documents.ts';
import { guardedText, OpenTexts } from '../../editor/documents/openTexts.ts';

/** The position of the cursor. The argument never contains the key itself, because command arguments may be recorded. */
function activePlace() {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new PlainError(vscode.l10n.t('Open the document with the API key first.'));
  const { document, selection } = editor;
  return { uri: document.uri.toString(), offset: document.offsetAt(selection.active) };
}

/** Returns the key at an offset of the text, or else the first key. Throws a PlainError if there is none. */
function keyAt(document: vscode.TextDocument, offset: number | undefined): string {
  const text = document.getText();
  const found = findKeys(text, settings.keyPrefix());
  const here = found.find(
    (key) => offset !== undefined && key.offset <= offset && offset <= key.offset + key.length,
  );
  const key = here ?? found[0];
  if (key === undefined) throw new PlainError(vscode.l10n.t("There's no API key in this document."));
  return text.slice(key.offset, key.offset + key.length);
}

async function storeNew(connections: Connections, apiKey: string): Promise<Connection> {
  return connections.add(await new ConnectFlow(connections).ask({ apiKey }), { verify: 'never' });
}

async function storeFor(
  connections: Connections,
  connection: Connection,
  found: string,
): Promise<Connection> {
  if ((await connections.readKey(connection)) === found) return connection;
  const { apiKey, expiration } = await askReplacement(connections, connection, found);
  return connections.replaceKey(connection.id, apiKey, { verify: 'never', expiration });
}

/** Returns the connection that has stored this key or token. */
async function findHolder(connections: Connections, secret: string): Promise<Connection | undefined> {
  for (const connection of connections.all.current) {
    const [key, token] = [await connections.readKey(connection), await connections.readMcpToken(connection)];
    if (key === secret || token === secret) return connection;
  }
  return undefined;
}

/** Asks the user which connection the key belongs to, and stores it there after the service has accepted it. */
async function askAndStore(connections: Connections, apiKey: string): Promise<Connection> {
  const prefix = settings.keyPrefix();
  // One without the prefix was found because it's stored already.
  const holder = apiKey.startsWith(prefix) ? undefined : await findHolder(connections, apiKey);
  if (holder !== undefined) return holder;
  const masked = maskKey(apiKey, prefix);
  const store = await choose<() => Promise<Connection>>(
    vscode.l10n.t('Select the connection that the key {0} belongs to', masked),
    [
      ...connections.all.current
        .filter(({ kind }) => kind !== 'local' && serviceTraits[kind].hasKeyPrefix)
        .map((connection) => ({
          label: plainLine(connection.name, 80),
          description: plainLine(connection.baseUrl, 120),
          detail: vscode.l10n.t('Replaces the current key.'),
          value: () => storeFor(connections, connection, apiKey),
        })),
      {
        icon: 'add',
        label: vscode.l10n.t('A New Connection…'),
        detail: vscode.l10n.t('Enter the base URL of the service and a name.'),
        value: () => storeNew(connections, apiKey),
      },
    ],
  );
  return store();
}

/** The text that replaces a key, so that the code reads the key from an environment variable instead. */
interface Replacement extends FoundKey {
  readonly text: string;
}

const variable = 'WORKFLOW_API_KEY';

/** Replaces a whole quoted string, including the quotes, in languages that have an expression for it. */
const expressions: Readonly<Record<string, string>> = {
  javascript: `process.env.${variable}`,
  javascriptreact: `process.env.${variable}`,
  typescript: `process.env.${variable}`,
  typescriptreact: `process.env.${variable}`,
  python: `os.environ["${variable}"]`,
  ruby: `ENV["${variable}"]`,
  php: `getenv('${variable}')`,
  go: `os.Getenv("${variable}")`,
  java: `System.getenv("${variable}")`,
  kotlin: `System.getenv("${variable}")`,
  csharp: `Environment.GetEnvironmentVariable("${variable}")`,
};

/** Replaces only the key, in languages that expand variables in place. */
const insertions: Readonly<Record<string, string>> = {
  shellscript: `\${${variable}}`,
  dockerfile: `\${${variable}}`,
  dockercompose: `\${${variable}}`,
  dotenv: `\${${variable}}`,
  yaml: `\${${variable}}`,
  powershell: `\${env:${variable}}`,
  bat: `%${variable}%`,
  http: `{{$processEnv ${variable}}}`,
  'github-actions-workflow': `\${{ secrets.${variable} }}`,
};

/** For all other languages. Tasks, launch configurations and many configuration readers understand it. */
const otherwise = `\${env:${variable}}`;

/** Returns the range to replace and its new text. The range includes the quotes if an expression replaces the whole string. */
export function placeholderFor(languageId: string, text: string, key: FoundKey): Replacement {
  const end = key.offset + key.length;
  const expression = expressions[languageId];
  const before = text.charAt(key.offset - 1);
  const isWholeString = ['"', "'", '`'].includes(before) && text.charAt(end) === before;
  if (expression !== undefined && isWholeString)
    return { offset: key.offset - 1, length: key.length + 2, text: expression };
  return { ...key, text: insertions[languageId] ?? otherwise };
}

/** Replaces each occurrence of the key in the current text with a placeholder. The document is left unsaved, so that the user can review it. */
async function replaceInText(document: vscode.TextDocument, apiKey: string): Promise<void> {
  const text = document.getText();
  const edit = new vscode.WorkspaceEdit();
  for (const key of findKeys(text, settings.keyPrefix())) {
    if (text.slice(key.offset, key.offset + key.length) !== apiKey) continue;
    const replacement = placeholderFor(document.languageId, text, key);
    edit.replace(document.uri, rangeOf(document, replacement), replacement.text);
  }
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new PlainError(
    vscode.l10n.t("The key was moved to the secret storage, but it couldn't be removed from the document."),
  );
}

export function registerMoveKey({
  commands,
  connections,
}: Pick<App, 'commands' | 'connections'>): Disposable {
  return commands.register('keyGuard.moveKey', {
    ask: () => Promise.resolve(activePlace()),
    run: async ({ uri, offset, connectionId }, { isInteractive }) => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
      const apiKey = keyAt(document, offset);
      const connection =
        isInteractive || connectionId === undefined
          ? await askAndStore(connections, apiKey)
          : await connections.replaceKey(connectionId, apiKey);
      await replaceInText(document, apiKey);
      if (isInteractive) {
        void showMessage(
          'information',
          vscode.l10n.t(
            'The key was moved to the secret storage. If the document was saved or shared with it, revoke the key and create another one.',
          ),
        );
      }
      return { connectionId: connection.id };
    },
  });
}

function findMarks(document: vscode.TextDocument): readonly Mark[] {
  const prefix = settings.keyPrefix();
  const text = guardedText(document);
  return findKeys(text, prefix).map((key) => {
    const { offset, length } = key;
    const masked = maskKey(text.slice(offset, offset + length), prefix);
    return {
      offset,
      length,
      message: vscode.l10n.t(
        'This looks like an API key ({0}). Anyone who can read this document can use it.',
        masked,
      ),
      severity: 'Warning',
      code: 'apiKeyInText',
      fixes: () => [moveKey(document.uri, key)],
    };
  });
}

function moveKey(uri: vscode.Uri, { offset }: FoundKey) {
  const title = vscode.l10n.t('Move to secret storage…');
  const command = offerCommand('keyGuard.moveKey', { uri: uri.toString(), offset }, { title });
  return { title, isPreferred: true, command };
}

export function registerKeyProblems({ clock }: Pick<App, 'clock'>): Disposable {
  return new DocumentMarks({
    name: 'keys',
    selector: '*',
    find: findMarks,
    watch: (marks) =>
      new OpenTexts(clock, {
        look: (documents) => documents.forEach(marks.look),
        forget: () => marks.clear(),
      }),
  });
}
