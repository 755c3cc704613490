// Where a search found its text, as a service may say it.
import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/base/json.ts';
import { decodeExecution } from '../../../src/api/decode/execution.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

const foundIn = (found: JsonValue) => decodeExecution({ id: 'e1', found })?.found;

describe('the places where a search found its text', () => {
  it('are those that the record has', () => {
    const inInput = { in: 'input', path: 'invoice.id', excerpt: 'INV-7' };
    const inRun = { in: 'nodeRun', nodeId: 'n1', iteration: [2, 0], path: 'input.id', excerpt: 'INV-7' };
    assert.deepEqual(foundIn([inInput, inRun, { in: 'error', excerpt: 'timeout' }]), [
      { place: 'input', path: 'invoice.id', excerpt: 'INV-7' },
      { place: 'nodeRun', nodeId: 'n1', iteration: [2, 0], path: 'input.id', excerpt: 'INV-7' },
      { place: 'error', excerpt: 'timeout' },
    ]);
  });

  it('are none where the record says nothing of them', () => {
    assert.equal(decodeExecution({ id: 'e1' })?.found, undefined);
    for (const found of [null, 'x', {}, 7]) assert.equal(foundIn(found), undefined);
  });

  it('leave out what is no place', () => {
    assert.deepEqual(foundIn([null, 7, {}, { in: 'names', excerpt: 'x' }]), []);
    assert.deepEqual(foundIn([{ in: 'input' }, { in: 'output', excerpt: 'x' }]), [
      { place: 'output', excerpt: 'x' },
    ]);
  });

  it('are three at most, with bounded texts that harm nobody', () => {
    const long = 'x'.repeat(1_000_000);
    const hostile = {
      in: 'nodeRun',
      nodeId: long,
      iteration: [-1, 1.5, '2'],
      path: long,
      excerpt: `\u001b[31m\u202e${long}`,
    };
    const found = foundIn(Array.from({ length: 1000 }, () => hostile)) ?? [];
    assert.equal(found.length, 3);
    for (const { nodeId, iteration, path, excerpt } of found) {
      assert.deepEqual([nodeId, iteration, path], [undefined, undefined, undefined]);
      assert.match(excerpt, /^x{399}…$/);
    }
  });

  it('are asked for with the text and the other filters of a search', async () => {
    const headers = { 'content-type': 'application/json' };
    const { client, requests } = createScriptedClient(() => ({ headers, body: { data: [] } }));
    const query = { q: 'INV-7 & "x"', minDurationMs: 60_000, errorCode: 'timeout', failedNodeId: 'n1' };
    await client.executions.list(query);
    const asked = new URL(requests.at(-1)?.url ?? '').searchParams;
    assert.deepEqual(Object.fromEntries(asked), {
      q: 'INV-7 & "x"',
      minDurationMs: '60000',
      errorCode: 'timeout',
      nodeId: 'n1',
    });
  });
});
