// The name that a new environment gets: one that a file and the variable of a key can have.
import assert from 'node:assert/strict';
import { workflowsFileName as nameAtActivation } from '../../../src/editor/ids.ts';
import { environmentName } from '../../../src/features/workflowFiles/linking.ts';
import { differentStates, stateLooks } from '../../../src/features/workflowFiles/stateWords.ts';
import {
  readWorkflowsFile,
  variablePart,
  workflowsFileName,
} from '../../../src/workflowFiles/workflowsFile.ts';
import { renderWorkflowsFile } from '../../../src/workflowFiles/editWorkflowsFile.ts';

describe('the environment of a connection', () => {
  for (const [name, environment] of [
    ['Local service', 'local-service'],
    ['  Prod (EU) #2 ', 'prod-eu-2'],
    ['日本', 'service'],
    ['CON', '_con'],
    ['$(zap) [x](command:y)', 'zap-x-command-y'],
  ] as const)
    it(`of "${name}" is ${environment}`, () => {
      const found = environmentName({ name }, []);
      assert.equal(found, environment);
      const file = { url: 'https://a.example/v1', kind: 'service', isGuarded: false } as const;
      assert.equal(readWorkflowsFile(renderWorkflowsFile(found, file)).defaultEnvironment, found);
      assert.match(variablePart(found), /^[A-Z0-9_]+$/);
    });

  it('is another one where the name, or the variable of its key, is taken', () => {
    assert.equal(environmentName({ name: 'Staging' }, ['staging', 'staging-2']), 'staging-3');
    assert.equal(environmentName({ name: 'Prod EU' }, ['Prod_EU']), 'prod-eu-2');
  });
});

describe('a linked folder', () => {
  it('is found at activation by the name that its file has', () =>
    assert.equal(nameAtActivation, workflowsFileName));

  it('shows each state by a letter of its own', () => {
    const letters = differentStates.map((state) => stateLooks[state].letter);
    assert.equal(new Set(letters).size, letters.length);
  });
});
