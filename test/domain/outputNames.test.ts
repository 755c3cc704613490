// The outputs of n8n's nodes have n8n's names.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { outputNames } from '../../src/domain/outputNames.ts';

const names = (type: string, count: number, parameters: JsonObject = {}, onError = '') =>
  outputNames({ type: `n8n-nodes-base.${type}`, parameters, onError }, count).join();
const goesOn = 'continueErrorOutput';

describe('the outputs of a node of n8n', () => {
  for (const [title, given, wanted] of [
    ['of an If', names('if', 2), 'true,false'],
    ['of an If that goes on where it fails', names('if', 3, {}, goesOn), 'true,false,error'],
    ['of an If of which one is connected', names('if', 1), 'true'],
    ['of a loop', names('splitInBatches', 2), 'done,loop'],
    ['of a node with one', names('set', 1), ''],
    ['of a node that goes on where it fails', names('httpRequest', 2, {}, goesOn), 'success,error'],
    ['of a node with several', names('own', 3), '1,2,3'],
    ['of such a node that goes on where it fails', names('own', 3, {}, goesOn), '1,2,error'],
    [
      'of a Switch',
      names('switch', 4, {
        rules: { values: [{ outputKey: 'large' }, {}, { outputKey: 'large' }] },
        options: { fallbackOutput: 'extra', renameFallbackOutput: 'Rest' },
      }),
      'large,2,large (3),Rest',
    ],
    ['of an older Switch', names('switch', 2, { rules: { rules: [{}, {}] } }), '1,2'],
  ] as const)
    it(`are called as n8n does: ${title}`, () => assert.equal(given, wanted));
});
