// What is wrong with what was written to search, in words.
import * as l10n from '@vscode/l10n';
import { plainLine } from '../base/format.ts';
import type { SearchErrorReason } from '../domain/errors.ts';
import { searchedText, type SearchMistake } from '../domain/search.ts';
import { executionKinds, executionStatuses } from '../domain/status.ts';

/** The names of criteria are what is written, whatever the language. */
export function describeMistake(query: string, mistake: SearchMistake): string {
  const written = plainLine(query.slice(mistake.start, mistake.end), 80);
  switch (mistake.kind) {
    case 'nothing':
      return l10n.t('Enter a text, or a criterion such as status:failed.');
    case 'tooLong':
      return l10n.t('The query is too long.');
    case 'unclosedQuote':
      return l10n.t('A quotation mark is missing at the end of {0}.', written);
    case 'unknownName':
      return l10n.t(
        "There's no {0}. Did you mean {1}? To search for it as text, put it in quotation marks.",
        written.replace(/:.*/, ':'),
        `${mistake.nearest ?? ''}:`,
      );
    case 'missingValue':
      return l10n.t('{0} needs a value right after the colon.', written.replace(/:.*/, ':'));
    case 'repeated':
      return l10n.t('{0} is given twice.', written.replace(/:.*/, ':'));
    case 'unknownStatus':
      return withNearest(l10n.t("{0} isn't a known status.", written), mistake, executionStatuses);
    case 'unknownKind':
      return withNearest(l10n.t("{0} isn't a known kind of execution.", written), mistake, executionKinds);
    case 'unreadableTime':
      return l10n.t(
        "{0} isn't a time. Use how long ago, such as 1h or 7d, a date such as 2026-01-31, today or yesterday.",
        written,
      );
    case 'unreadableDuration':
      return l10n.t("{0} isn't a duration. Use a number with a unit, such as 10s, 5m or 1h30m.", written);
    case 'noTimeBetween':
      return l10n.t('The time of after: must be earlier than the time of before:.');
    case 'textTooShort':
      return l10n.t('A text to search for needs at least {0} characters.', searchedText.shortest);
    case 'textTooLong':
      return l10n.t('A text to search for can have at most {0} characters.', searchedText.longest);
  }
}

function withNearest(message: string, { nearest }: SearchMistake, known: readonly string[]): string {
  return nearest === undefined
    ? `${message} ${l10n.t('There are: {0}.', known.join(', '))}`
    : `${message} ${l10n.t('Did you mean {0}?', nearest)}`;
}

/** Of several mistakes the first. */
export function describeSearchError(reason: SearchErrorReason): string {
  switch (reason.kind) {
    case 'mistakes': {
      const [first] = reason.mistakes;
      return first === undefined ? l10n.t('The query has mistakes.') : describeMistake(reason.query, first);
    }
    case 'unknownWorkflow':
      return l10n.t('No workflow has the name or ID "{0}".', plainLine(reason.workflow, 80));
    case 'notSearched':
      return l10n.t("The service hasn't searched. It may be in the middle of an upgrade. Try again soon.");
    case 'tooManySaved':
      return l10n.t('You can save up to {0} searches. Remove one first.', reason.maximum);
    case 'savedUnreadable':
      return l10n.t("The saved searches can't be read now, so they weren't changed. Try again.");
  }
}
