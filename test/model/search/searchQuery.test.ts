// What is written to search: what it means, and what is wrong with it where.
import assert from 'node:assert/strict';
import type { SearchFilter } from '../../../src/domain/search.ts';
import { completeSearch } from '../../../src/model/search/completeSearch.ts';
import { parseSearch } from '../../../src/model/search/searchQuery.ts';

const now = new Date(2026, 10, 28, 12, 30).getTime();
const parse = (query: string) => parseSearch(query, { now: () => now });

function meaning(query: string): Partial<SearchFilter> {
  const { filter, mistakes } = parse(query);
  assert.deepEqual(mistakes, [], query);
  return Object.fromEntries(
    Object.entries(filter).filter(
      ([, value]) => value !== null && (!Array.isArray(value) || value.length > 0),
    ),
  );
}

/** Each mistake with the part of the query that it's about. */
function mistakesOf(query: string): readonly string[] {
  return parse(query).mistakes.map(({ kind, start, end, nearest }) =>
    [kind, query.slice(start, end), ...(nearest === undefined ? [] : [nearest])].join(' | '),
  );
}

describe('a query of the search', () => {
  const meanings: readonly (readonly [string, Partial<SearchFilter>])[] = [
    ['INV-7', { text: 'INV-7' }],
    ['  Two   words ', { text: 'Two words' }],
    ['"two  spaces"', { text: 'two  spaces' }],
    ['"say \\"no\\" \\\\ "', { text: 'say "no" \\ ' }],
    ['{"id":7}', { text: '{"id":7}' }],
    ['orderId:7', { text: 'orderId:7' }],
    ['https://example.com/a?b=c', { text: 'https://example.com/a?b=c' }],
    ['"status:failed"', { text: 'status:failed' }],
    ['😀'.repeat(200), { text: '😀'.repeat(200) }],
    ['100%_', { text: '100%_' }],
    ['größe ß 漢字', { text: 'größe ß 漢字' }],
    ['status:failed', { statuses: ['failed'] }],
    ['STATUS:Failed', { statuses: ['failed'] }],
    ['status:failed,cancelled,failed', { statuses: ['failed', 'cancelled'] }],
    ['status:"failed, waiting"', { statuses: ['failed', 'waiting'] }],
    ['workflow:"Order totals" INV-7', { workflow: 'Order totals', text: 'INV-7' }],
    ['INV workflow:wf_1 7', { workflow: 'wf_1', text: 'INV 7' }],
    ['error:http_status node:call', { errorCode: 'http_status', nodeId: 'call' }],
    ['kind:draft', { kind: 'draft' }],
    ['longer:90s', { longerMs: 90_000 }],
    ['longer:1.5h', { longerMs: 5_400_000 }],
    ['longer:1h30m', { longerMs: 5_400_000 }],
    ['longer:250ms', { longerMs: 250 }],
    ['longer:2min', { longerMs: 120_000 }],
    ['after:1d', { after: new Date(now - 86_400_000) }],
    [
      'after:2w before:1d12h',
      { after: new Date(now - 14 * 86_400_000), before: new Date(now - 129_600_000) },
    ],
    ['after:today', { after: new Date(2026, 10, 28) }],
    ['after:yesterday before:today', { after: new Date(2026, 10, 27), before: new Date(2026, 10, 28) }],
    ['after:2026-11-01', { after: new Date(2026, 10, 1) }],
    ['after:2026-11-01T08:15', { after: new Date(2026, 10, 1, 8, 15) }],
    ['after:"2026-11-01 08:15:30"', { after: new Date(2026, 10, 1, 8, 15, 30) }],
    ['after:2026-11-01T08:15Z', { after: new Date(Date.UTC(2026, 10, 1, 8, 15)) }],
    ['after:2026-11-01T08:15:00+02:00', { after: new Date(Date.UTC(2026, 10, 1, 6, 15)) }],
  ];
  for (const [query, wanted] of meanings)
    it(`means what it says: ${query}`, () => assert.deepEqual(meaning(query), wanted));

  const mistakes: readonly (readonly [string, ...string[]])[] = [
    ['', 'nothing | '],
    ['   ', 'nothing |    '],
    ['a', 'textTooShort | a'],
    ['status:failed x', 'textTooShort | x'],
    ['status:failed "  "', 'textTooShort | "  "'],
    ['a b'],
    ['"open', 'unclosedQuote | "open'],
    ['INV-7 workflow:"Order totals', 'unclosedQuote | workflow:"Order totals'],
    ['statsu:failed', 'unknownName | statsu:failed | status'],
    ['workflows:x INV-7', 'unknownName | workflows:x | workflow'],
    ['status:', 'missingValue | status:'],
    ['status: failed', 'missingValue | status:'],
    ['workflow:""', 'missingValue | workflow:""'],
    ['status:fialed', 'unknownStatus | status:fialed | failed'],
    ['status:failed,', 'unknownStatus | status:failed,'],
    ['status:skipped', 'unknownStatus | status:skipped'],
    ['kind:drafts', 'unknownKind | kind:drafts | draft'],
    ['after:tomorrow', 'unreadableTime | after:tomorrow'],
    ['after:2026-02-30', 'unreadableTime | after:2026-02-30'],
    ['after:999999999w', 'unreadableTime | after:999999999w'],
    ['before:7', 'unreadableTime | before:7'],
    ['longer:5', 'unreadableDuration | longer:5'],
    ['longer:0s', 'unreadableDuration | longer:0s'],
    ['longer:-5s', 'unreadableDuration | longer:-5s'],
    ['workflow:a workflow:b', 'repeated | workflow:b'],
    ['status:failed INV-7 status:completed', 'repeated | status:completed'],
    ['after:1d before:2d', 'noTimeBetween | before:2d'],
    ['kind:x status:y', 'unknownKind | kind:x', 'unknownStatus | status:y'],
    ['😀'.repeat(201), `textTooLong | ${'😀'.repeat(201)}`],
    [`ok ${'x'.repeat(198)}`, `textTooLong | ok ${'x'.repeat(198)}`],
  ];
  for (const [query, ...wanted] of mistakes)
    it(`says what is wrong with it: ${query.slice(0, 40)}`, () =>
      assert.deepEqual(mistakesOf(query), wanted));

  it('is searched for without what is wrong with it', () => {
    const { filter } = parse('INV-7 status:fialed longer:1m');
    assert.deepEqual([filter.text, filter.statuses, filter.longerMs], ['INV-7', [], 60_000]);
  });

  it('has a bound, whatever it is made of', () => {
    for (const query of ['"'.repeat(100_000), 'a:'.repeat(50_000), '\\'.repeat(100_000), ' x'.repeat(50_000)])
      assert.deepEqual(
        parse(query).mistakes.map(({ kind }) => kind),
        ['tooLong'],
      );
  });
});

describe('what can be written in a query', () => {
  const known = {
    workflows: ['Order totals', 'Reminders', 'say "hi"'],
    errorCodes: ['timeout', 'http_status'],
    nodeIds: ['call'],
    now,
  };
  /** `|`: where the cursor is. */
  const proposals = (marked: string): readonly string[] => {
    const offset = marked.indexOf('|');
    const query = marked.replace('|', '');
    return completeSearch(query, offset, known).map(
      ({ start, end, insert }) => `${query.slice(0, start)}${insert}${query.slice(end)}`,
    );
  };

  it('are names, of which those that were given are left out', () => {
    assert.deepEqual(
      proposals('|').map((text) => text.slice(0, -1)),
      ['status', 'workflow', 'error', 'node', 'after', 'before', 'longer', 'kind'],
    );
    assert.deepEqual(proposals('INV-7 kind:draft k|'), []);
    assert.deepEqual(proposals('INV-7 s| kind:draft'), ['INV-7 status: kind:draft']);
    assert.deepEqual(proposals('INV-7|'), []);
  });

  it('are values, in quotation marks where they need them', () => {
    assert.deepEqual(proposals('status:f|'), ['status:failed']);
    assert.deepEqual(proposals('x1 workflow:|'), [
      'x1 workflow:"Order totals"',
      'x1 workflow:Reminders',
      'x1 workflow:"say \\"hi\\""',
    ]);
    assert.deepEqual(proposals('workflow:"ord|'), ['workflow:"Order totals"']);
    assert.deepEqual(proposals('workflow:total|'), ['workflow:"Order totals"']);
    assert.deepEqual(proposals('error:|'), ['error:timeout', 'error:http_status']);
    assert.deepEqual(proposals('node:c|'), ['node:call']);
    assert.deepEqual(proposals('after:2|'), ['after:2026-11-28']);
    assert.deepEqual(proposals('kind:|'), ['kind:deployed', 'kind:draft']);
  });

  it('mean themselves', () => {
    for (const marked of ['workflow:|', 'status:|', 'after:|', 'longer:|', 'kind:|'])
      for (const query of proposals(marked)) assert.deepEqual(parse(query).mistakes, [], query);
    assert.deepEqual(meaning('workflow:"say \\"hi\\""'), { workflow: 'say "hi"' });
  });
});
