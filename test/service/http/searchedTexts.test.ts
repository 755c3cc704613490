// Whatever a text is, a search finds it where it stands: odd characters, a value of a mebibyte, a log of many rows, masks.
import assert from 'node:assert/strict';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { call, chain, createDeployed, execute, follow, keepDrafts, runToEnd } from '../calls.ts';
import { fillIndex, idsOf, search } from '../searching.ts';

const pass = chain(['start', 'trigger']);

/** A text, and what is searched for. */
const odd: readonly (readonly [stored: string, searched: string])[] = [
  ['100 % of it', '0 % o'],
  ['100 x of it', '0 x o'],
  ['under_score', 'r_s'],
  ['underxscore', 'rxs'],
  ['C:\\folder\\new', 'r\\N'],
  ['say "hi" now', '"HI"'],
  ["it's so", "'s s"],
  ['two\nlines\tand', 'o\nlines\ta'],
  ['nothing\0here', 'g\0h'],
  ['nothing\ufffdhere', 'g\ufffdh'],
  ['a * b OR c AND NEAR(d)', '* B or C AND near('],
  ['Ärger in ŁÓDŹ', 'ärger in łódź'],
  ['İSTANBUL ΟΔΟΣ', 'istanbul οδος'],
  ['東京都へ', '京都へ'],
  ['大阪', '大阪'],
  ['so 😀👍🏽 so', '😀👍🏽'],
  ['e\u0301te', 'e\u0301t'],
  ['null', 'null'],
  ['{"a":1}', '{"a":1}'],
  ['   ', '   '],
  ['---===', '--='],
  ['x'.repeat(500), 'x'.repeat(200)],
];

describe('A text that is searched for', () => {
  let service: TestService;
  const current = new SecretsKey('a key of thirty-two characters or more');
  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 100_000, secretsKeys: { current, old: [] } });
  });
  afterEach(() => service.dispose());

  it('can have any characters', async () => {
    const workflowId = await createDeployed(service, pass);
    const ids: string[] = [];
    for (const [stored] of odd) {
      const id = await execute(service, workflowId, { a: { b: [`before ${stored} after`] } });
      await follow(service, id);
      ids.push(id);
    }
    for (let round = 0; round < 2; round += 1) {
      for (const [at, [stored, q]] of odd.entries()) {
        const found = await idsOf(service, { q });
        assert(found.includes(ids[at] ?? ''), JSON.stringify([stored, q]));
        if (stored.startsWith('100') || stored.startsWith('under'))
          assert.deepEqual(found, [ids[at]], 'only itself: % and _ are no wildcards');
      }
      await fillIndex(service.store);
    }
  });

  it('is found anywhere in a value of a mebibyte, which takes several steps to be in the index', async () => {
    const words = Array.from({ length: 120_000 }, (_word, at) => `word${at.toString(36)}`);
    const text = words.join(' ').slice(0, 900_000);
    const { executionId } = await runToEnd(service, pass, { text });
    assert.equal(await service.store.searchQueue.step(), true);
    assert.equal(await service.store.searchQueue.count(), 1);
    const places = [0, 1, 3, 9, 26].flatMap((part) => [
      part * 32 * 1024,
      part * (32 * 1024 - 400) + 32 * 1024 - 100,
    ]);
    for (let round = 0; round < 2; round += 1) {
      for (const place of [...places, text.length - 200]) {
        const q = text.slice(place, place + 200).trim();
        const [found] = await search(service, { q });
        assert.equal(found?.['id'], executionId, String(place));
      }
      await fillIndex(service.store);
    }
    assert.deepEqual(await idsOf(service, { q: 'word that is not there' }), []);
  });

  it('is found in any row of a long log', async () => {
    const items = Array.from({ length: 260 }, (_item, at) => `turn ${at} of it`);
    const loop = {
      name: 'Loop',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'all', type: 'forEach', config: { items: 'input.list', result: '0' } },
        { id: 'say', type: 'log', config: { message: 'Said {{ index }}' } },
      ],
      edges: [
        { source: 'start', target: 'all' },
        { source: 'all', target: 'say', branch: 'each' },
      ],
    };
    const { executionId } = await runToEnd(service, loop, { list: items });
    await fillIndex(service.store);
    for (const q of ['Said 0', 'Said 259', 'turn 259 of'])
      assert.deepEqual(await idsOf(service, { q }), [executionId], q);
  });

  it('is never what a mask hides', async () => {
    const secret = 'Tr0ub4dor&3';
    await service.secrets.set('TOKEN', secret);
    const { executionId } = await runToEnd(service, pass, { note: `with ${secret} in it` });
    for (let round = 0; round < 2; round += 1) {
      for (const q of [secret, 'ub4dor', Buffer.from(secret).toString('base64').slice(0, 12)])
        assert.deepEqual(await idsOf(service, { q }), [], q);
      assert.deepEqual(await idsOf(service, { q: 'with *** in it' }), [executionId]);
      await fillIndex(service.store);
    }
  });

  it('is gone with its execution, however large that is', async () => {
    const text = Array.from({ length: 9000 }, (_word, at) => `gone${at}`).join(' ');
    await runToEnd(service, pass, { text });
    await fillIndex(service.store);
    assert.equal((await idsOf(service, { q: 'gone8999' })).length, 1);
    await runToEnd(service, pass, { text: 'gone but waiting' });
    const bounds = { before: null, draftsBefore: null, keep: 0, keepDrafts, limit: 10 };
    while ((await service.store.executions.prune(bounds)) > 0);
    assert.deepEqual(await idsOf(service, { q: 'gone' }), []);
    assert.equal(await service.store.searchQueue.count(), 0);
  });

  it('needs no more than a page at a time', async () => {
    const workflowId = await createDeployed(service, pass);
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const id = await execute(service, workflowId, { text: `paged ${count % 2}` });
      await follow(service, id);
      ids.unshift(id);
      if (count % 3 === 0) await fillIndex(service.store);
    }
    for (const limit of [1, 5, 12, 100]) assert.deepEqual(await idsOf(service, { q: 'paged' }, limit), ids);
    const answer = await call(service, 'GET', '/v1/executions?q=paged%201&limit=6');
    assert.equal(answer.body['nextCursor'], null);
  });
});
