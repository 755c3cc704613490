// How numbers and dates read in the language of what people read.
import * as l10n from '@vscode/l10n';

export interface Formats {
  /** "12,345". */
  readonly number: (value: number) => string;
  /** "2.4", always with one decimal. */
  readonly tenths: (value: number) => string;
  /** "Nov 23, 2026". */
  readonly date: (date: Date) => string;
  /** "Nov 23, 2026, 12:56:48 PM". */
  readonly time: (date: Date) => string;
}

/** The language if it's a language tag, then English for one that isn't known. */
function localesOf(language: string): string[] {
  try {
    return [...Intl.getCanonicalLocales(language), 'en'];
  } catch {
    // Thrown for a text that isn't a language tag.
    return ['en'];
  }
}

/** Makes a value when it's first asked for. A formatter takes several milliseconds to make. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** language: as in `vscode.env.language`. */
export function formatsOf(language: string): Formats {
  const locales = lazy(() => localesOf(language));
  const numbers = lazy(() => new Intl.NumberFormat(locales()));
  const tenths = lazy(
    () => new Intl.NumberFormat(locales(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  );
  const dates = lazy(() => new Intl.DateTimeFormat(locales(), { dateStyle: 'medium' }));
  const times = lazy(() => new Intl.DateTimeFormat(locales(), { dateStyle: 'medium', timeStyle: 'medium' }));
  return {
    // The narrow space that separates thousands in French would double the memory of a log's text.
    number: (value) => numbers().format(value).replaceAll('\u202f', '\u00a0'),
    tenths: (value) => tenths().format(value),
    date: (date) => dates().format(date),
    time: (date) => times().format(date),
  };
}

let shown = formatsOf('en');

/** Those of the language that was set, at first English. */
export const formats: Formats = {
  number: (value) => shown.number(value),
  tenths: (value) => shown.tenths(value),
  date: (date) => shown.date(date),
  time: (date) => shown.time(date),
};

/**
 * Sets the language of what people read, before any of it is made: a host has one language as long as it runs. texts: of `l10n.t` in this
 * language by the English ones; undefined for English.
 */
export function setLanguage(language: string, texts?: Readonly<Record<string, string>>): void {
  shown = formatsOf(language);
  if (texts !== undefined) l10n.config({ contents: { ...texts } });
}
