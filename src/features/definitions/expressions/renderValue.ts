// How a value of an expression reads in the text and in full. Pure.
import * as l10n from '@vscode/l10n';
import { plainLine } from '../../../editor/format.ts';

/** JSON text, or its beginning. */
export interface ShownValue {
  readonly kind: 'value';
  readonly text: string;
  /** False if the text is only the beginning. */
  readonly isWhole: boolean;
}

/** In words. */
export interface Failure {
  readonly kind: 'failed';
  readonly message: string;
  /** True if it reads a value that isn't known. */
  readonly isOfUnknown: boolean;
}

/** In characters. */
const maximumInText = 60;
const maximumInFull = 10_000;
const maximumMessage = 160;

/** Cuts JSON text to what is ever shown of it. */
export function toShown(text: string): ShownValue {
  const isWhole = text.length <= maximumInFull;
  return { kind: 'value', text: isWhole ? text : text.slice(0, maximumInFull), isWhole };
}

/** One plain line. `mark`: stands before the value. */
export function renderInText(mark: string, given: ShownValue | Failure): string {
  if (given.kind === 'failed')
    return `${mark} ${l10n.t('failed: {0}', plainLine(given.message, maximumMessage))}`;
  // A line of twice the length is enough to cut from: white space within only makes it shorter.
  const { text, isWhole } = given;
  const line = plainLine(text.slice(0, maximumInText * 2), maximumInText);
  const isCut = !isWhole || text.length > maximumInText * 2;
  return `${mark} ${isCut && !line.endsWith('…') ? `${line}…` : line}`;
}

/** Several plain lines, as JSON where the value is whole. */
export function renderInFull({ text, isWhole }: ShownValue): string {
  if (!isWhole) return `${plainLine(text, maximumInFull)}…`;
  return indented(text)
    .split('\n')
    .map((line) => ' '.repeat(line.search(/\S|$/)) + plainLine(line, maximumInFull))
    .join('\n');
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
