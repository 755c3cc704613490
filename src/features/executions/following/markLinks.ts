// Links in the log channel, from the marks where lines were left out to the logs that have them.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { channelNames } from '../../../editor/ids.ts';
import { commandUri } from '../../../editor/commands.ts';
import type { OmittedMark } from './writtenChannel.ts';

/** Where each title stands in the mark's line, which ends with them. Several may be the same. */
export function placeTitles({
  text,
  sources,
}: Pick<OmittedMark, 'text' | 'sources'>): readonly (readonly [begin: number, end: number])[] {
  let next = text.length;
  return sources
    .toReversed()
    .map(({ title }) => {
      const begin = text.lastIndexOf(title, next - title.length);
      next = begin;
      return [begin, begin + title.length] as const;
    })
    .toReversed();
}

/** `findMarks`: where lines are left out in the channel. */
export function registerMarkLinks(findMarks: () => readonly OmittedMark[]): Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: 'output', language: 'log' },
    {
      provideDocumentLinks: (document) => {
        if (!document.uri.path.endsWith(channelNames.logs)) return [];
        return findMarks()
          .filter(({ line, text }) => line < document.lineCount && document.lineAt(line).text === text)
          .flatMap(renderLinks);
      },
    },
  );
}

function renderLinks(mark: OmittedMark): readonly vscode.DocumentLink[] {
  const places = placeTitles(mark);
  return mark.sources.map(({ target }, at) => {
    const [begin, end] = places[at] ?? [0, 0];
    const link = new vscode.DocumentLink(
      new vscode.Range(mark.line, begin, mark.line, end),
      commandUri('execution.openLog', target),
    );
    link.tooltip = vscode.l10n.t('Open the whole log');
    return link;
  });
}
