// Marks in texts that nothing here reads: expressions without an end, and those of other services.
import * as l10n from '@vscode/l10n';
import { type FoundFault, nameNode } from './definitionFault.ts';
import type { ReadingNode } from './checkReferences.ts';
import { findExpressions } from './templates.ts';

/** What begins an expression in other services, and how it's written here. */
const foreign: readonly (readonly [marks: RegExp, written: string])[] = [
  [/\{%.*?%\}/s, '{% … %}'],
  [/<%.*?%>/s, '<% … %>'],
  [/(?<![\w$])\$\{\{.*?\}\}/s, '${{ … }}'],
];

/** `path`: of the text in the definition. */
export function checkMarks(node: ReadingNode, text: string, path: readonly string[]): readonly FoundFault[] {
  const warn = (message: string, offset: number, length: number): FoundFault => ({
    path,
    message,
    rule: 'nodeType',
    isWarning: true,
    within: { offset, length },
  });
  const subject = [path.at(-1) ?? '', nameNode(node.id)] as const;
  const unclosed = [...findExpressions(text)].find(({ isClosed }) => !isClosed);
  if (unclosed) {
    const message = l10n.t('"{0}" of {1} has "{2}" without "{3}", so it stays text', ...subject, '{{', '}}');
    return [warn(message, unclosed.start - 2, 2)];
  }
  if (/^\s*=\s*\{\{/.test(text)) {
    const message = l10n.t('"{0}" of {1} begins with "=", which stays in the text', ...subject);
    return [warn(message, text.indexOf('='), 1)];
  }
  for (const [marks, written] of foreign) {
    const found = marks.exec(text);
    if (!found) continue;
    const message = l10n.t(
      '"{0}" of {1} has "{2}", which stays text; an expression is written as "{3}"',
      ...subject,
      written,
      '{{ … }}',
    );
    return [warn(message, found.index, found[0].length)];
  }
  return [];
}
