// A misspelled setting silently does nothing, so its author must see a warning.
import assert from 'node:assert/strict';
import { checkDefinition, findRefusals } from '../../src/definition/checkDefinition.ts';

describe('Checking configs', () => {
  it('warns of members of a config that its type does not know, at their names', () => {
    const nodes = [
      { id: 'start', type: 'trigger', config: { note: 'mine' } },
      { id: 'wait', type: 'delay', config: { miliseconds: 5 } },
      { id: 'theirs', type: 'webhook', config: { any: 1 } },
    ];
    const edges = [
      { source: 'start', target: 'wait' },
      { source: 'wait', target: 'theirs' },
    ];
    const inConfigs = (isLocal: boolean) =>
      checkDefinition({ nodes, edges }, isLocal).faults.filter(({ path }) => path[2] === 'config');
    assert.deepEqual(
      inConfigs(true).map(({ message, isName, isWarning }) => [message, isName, isWarning]),
      [
        ['node "wait": "milliseconds" is missing', undefined, undefined],
        ['node "start": "note" isn\'t known', true, true],
        ['node "wait": "miliseconds" isn\'t known; did you mean "milliseconds"?', true, true],
      ],
    );
    assert.deepEqual(
      inConfigs(false).filter(({ isName }) => isName),
      [],
    );
    assert.ok(findRefusals({ nodes, edges }).faults.every(({ isWarning }) => isWarning !== true));
  });
});
