// Links in the log channel, from the mark where lines were left out to the logs that have them.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { channelNames, commandId } from '../../../editor/ids.ts';
import type { LeftOutMark } from './logChannel.ts';

/** Where each title stands in the mark's line. */
export function placeTitles({
  text,
  sources,
}: LeftOutMark): readonly (readonly [begin: number, end: number])[] {
  return sources.map(({ title }) => {
    const begin = text.lastIndexOf(title);
    return [begin, begin + title.length];
  });
}

/** `findMark`: the mark that the channel begins with. */
export function registerMarkLinks(findMark: () => LeftOutMark | undefined): Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: 'output', language: 'log' },
    {
      provideDocumentLinks: (document) => {
        const mark = findMark();
        const isOurs = document.uri.path.endsWith(channelNames.logs);
        if (mark === undefined || !isOurs || document.lineAt(0).text !== mark.text) return [];
        const places = placeTitles(mark);
        return mark.sources.map(({ target }, at) => {
          const [begin, end] = places[at] ?? [0, 0];
          const argument = JSON.stringify([{ ...target, invokedBy: 'person' }]);
          const link = new vscode.DocumentLink(
            new vscode.Range(0, begin, 0, end),
            vscode.Uri.parse(`command:${commandId('execution.openLog')}?${encodeURIComponent(argument)}`),
          );
          link.tooltip = vscode.l10n.t('Open the whole log');
          return link;
        });
      },
    },
  );
}
