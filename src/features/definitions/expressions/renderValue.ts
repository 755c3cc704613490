// How a value of an expression reads in the text and in full. Pure.
import * as l10n from '@vscode/l10n';
import { escapeUnseen, jsonLine, plainLine } from '../../../editor/format.ts';

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

/** One line. `mark`: stands before the value. */
export function renderInText(mark: string, given: ShownValue | Failure): string {
  if (given.kind === 'failed')
    return `${mark} ${l10n.t('failed: {0}', plainLine(given.message, maximumMessage))}`;
  return `${mark} ${toLine(given, maximumInText)}`;
}

/** Several lines, as JSON where the value is whole. */
export function renderInFull(shown: ShownValue): string {
  if (!shown.isWhole) return toLine(shown, maximumInFull);
  return indented(shown.text).split('\n').map(escapeUnseen).join('\n');
}

function toLine({ text, isWhole }: ShownValue, maximum: number): string {
  const line = jsonLine(text, maximum);
  return isWhole || line.endsWith('…') ? line : `${line}…`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
