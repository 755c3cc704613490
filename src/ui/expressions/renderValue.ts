// How a value of an expression reads in the text and in full. Pure.
import * as l10n from '@vscode/l10n';
import { type BoundedJson, writeTruncatedJson } from '../../base/boundedJson.ts';
import { type JsonValue, parseJson, stringifyJson } from '../../base/json.ts';
import { jsonLine, jsonLines, plainLine } from '../../base/format.ts';

export interface ShownValue extends BoundedJson {
  readonly kind: 'value';
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

/** Truncates JSON text to what is ever shown of it. */
export function toShown(text: string): ShownValue {
  const isTruncated = text.length > maximumInFull;
  return { kind: 'value', text: isTruncated ? text.slice(0, maximumInFull) : text, isTruncated };
}

/** As much of a value as is ever shown. */
export function showValue(value: JsonValue): ShownValue {
  return { kind: 'value', ...writeTruncatedJson(value, maximumInFull) };
}

/** One line. `mark`: stands before the value. */
export function renderInText(mark: string, given: ShownValue | Failure): string {
  if (given.kind === 'failed')
    return `${mark} ${l10n.t('failed: {0}', plainLine(given.message, maximumMessage))}`;
  return `${mark} ${jsonLine(given, maximumInText)}`;
}

/** Several lines where the value is whole. */
export function renderInFull(shown: ShownValue): string {
  const value = shown.isTruncated ? undefined : parseJson(shown.text);
  return value === undefined
    ? jsonLine(shown, maximumInFull)
    : jsonLines({ text: stringifyJson(value, 2), isTruncated: false });
}
