// The name that a new environment gets: one that a file and the variable of a key can have. And where it's written.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { workflowsFileName as nameAtActivation } from '../../../src/editor/ids.ts';
import { LinkedStates } from '../../../src/features/workflowFiles/linkedStates.ts';
import { environmentName, registerLinkFolder } from '../../../src/features/workflowFiles/linking.ts';
import { differentStates, stateLooks } from '../../../src/features/workflowFiles/stateWords.ts';
import {
  readWorkflowsFile,
  variablePart,
  workflowsFileName,
} from '../../../src/workflowFiles/workflowsFile.ts';
import { LinkedFiles } from '../../../src/ui/linkedFiles.ts';
import { renderWorkflowsFile } from '../../../src/workflowFiles/editWorkflowsFile.ts';
import { settle } from '../../support/memory/ports.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { folder } from '../../support/vscodeStandIn.ts';

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

describe('linking a folder', () => {
  afterEach(() => folder.close());

  it('keeps what others have written to workflows.json meanwhile', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    folder.open({ isTrusted: true });
    const write = (environments: object) =>
      folder.write(workflowsFileName, JSON.stringify({ environments, workflows: {} }));
    write({ other: { url: 'https://other.example/v1' } });
    const linkedFiles = new LinkedFiles(world.connections);
    const states = new LinkedStates({ ...world, linkedFiles });
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => assert.fail(String(error)),
      activeConnectionId: () => connectionId,
      findSubject: () => undefined,
    });
    const deps = { ...world, commands, linkedFiles, logger: silentLogger, states };
    const registered = registerLinkFolder(deps);
    const arrive = world.first.hold();
    const linking = commands.run('files.linkFolder', { folder: folder.uri.toString(), connectionId });
    await settle();
    write({ other: { url: 'https://other.example/v1' }, third: { url: 'https://third.example/v1' } });
    arrive();
    await linking;
    const { environments } = readWorkflowsFile(
      (await folder.fileSystem.readFile(folder.fileAt(workflowsFileName))).toString(),
    );
    assert.deepEqual([...environments.keys()], ['other', 'third', 'first']);
    registered.dispose();
    states.dispose();
    linkedFiles.dispose();
    world.following.dispose();
  });
});
