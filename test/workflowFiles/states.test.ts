import assert from 'node:assert/strict';
import { type FileState, stateOf } from '../../src/workflowFiles/states.ts';

const file = (isLinked: boolean) => ({
  hasFile: true,
  isLinked,
  hasWorkflow: false,
  isEqual: false,
  changed: undefined,
});
const both = (here: boolean, there: boolean, isEqual = false) => ({
  hasFile: true,
  isLinked: true,
  hasWorkflow: true,
  isEqual,
  changed: { here, there },
});

describe('a file and its workflow', () => {
  const rows: readonly (readonly [
    what: string,
    sides: Parameters<typeof stateOf>[0],
    state: FileState | undefined,
  ])[] = [
    ['only a file', file(false), 'only here'],
    ['a file whose workflow is gone', file(true), 'deleted there'],
    ['only a workflow', { ...both(false, false), hasFile: false, isLinked: false }, 'only there'],
    ['a linked workflow whose file is gone', { ...both(false, false), hasFile: false }, 'only there'],
    ['neither', { ...file(true), hasFile: false }, undefined],
    ['the same', both(false, false, true), 'same'],
    ['the same, which was never agreed', { ...both(true, true, true), changed: undefined }, 'same'],
    ['the same change on both sides', both(true, true, true), 'same'],
    ['what the service keeps otherwise', both(false, false), 'same'],
    ['a change of the file', both(true, false), 'changed here'],
    ['a change of the workflow', both(false, true), 'changed there'],
    ['changes of both', both(true, true), 'both changed'],
    ['others, which were never agreed', { ...both(true, true), changed: undefined }, 'both changed'],
  ];
  for (const [what, sides, state] of rows)
    it(`${what} is "${state ?? 'nothing'}"`, () => assert.equal(stateOf(sides), state));
});
