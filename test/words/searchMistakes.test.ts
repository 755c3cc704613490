// Every mistake in a query has words of its own, with what it's about in them.
import assert from 'node:assert/strict';
import { parseSearch } from '../../src/model/search/searchQuery.ts';
import { describeMistake } from '../../src/words/searchMistakes.ts';

const texts: Readonly<Record<string, string>> = {
  '': 'Enter a text, or a criterion such as status:failed.',
  ['x'.repeat(2001)]: 'The query is too long.',
  'ab workflow:"Order': 'A quotation mark is missing at the end of workflow:"Order.',
  'statsu:failed':
    "There's no statsu:. Did you mean status:? To search for it as text, put it in quotation marks.",
  'status: failed': 'status: needs a value right after the colon.',
  'kind:draft kind:draft': 'kind: is given twice.',
  'status:fialed': "status:fialed isn't a known status. Did you mean failed?",
  'status:x':
    "status:x isn't a known status. There are: queued, running, waiting, completed, failed, cancelled.",
  'kind:test': "kind:test isn't a known kind of execution. There are: deployed, draft.",
  'after:soon':
    "after:soon isn't a time. Use how long ago, such as 1h or 7d, a date such as 2026-01-31, today or yesterday.",
  'longer:5': "longer:5 isn't a duration. Use a number with a unit, such as 10s, 5m or 1h30m.",
  'after:1d before:2d': 'The time of after: must be earlier than the time of before:.',
  'kind:draft x': 'A text to search for needs at least 2 characters.',
  ['x'.repeat(201)]: 'A text to search for can have at most 200 characters.',
};

describe('the words for a mistake in a query', () => {
  for (const [query, words] of Object.entries(texts))
    it(words, () => {
      const [mistake = assert.fail()] = parseSearch(query, { now: () => Date.UTC(2026, 0, 5) }).mistakes;
      assert.equal(describeMistake(query, mistake), words);
    });
});
