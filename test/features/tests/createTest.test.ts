// A test that is made of an execution, while others write the same file.
import assert from 'node:assert/strict';
import { createTestFrom } from '../../../src/features/tests/createTest.ts';
import { TestFiles } from '../../../src/ui/testFiles.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeExecution, makeWorkflow, statusOf } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import { documents, folder } from '../../support/vscodeStandIn.ts';

describe('a test of an execution', () => {
  const { read } = documents;
  afterEach(() => {
    documents.read = read;
    folder.close();
  });

  it('is written where every file system takes the name', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { name: 'aux', hasDefinition: true })];
    world.first.executions = [makeExecution('e1', { status: statusOf('completed'), output: 1 })];
    folder.open({ isTrusted: true });
    const testFiles = new TestFiles(world.clock);
    const { uri } = await createTestFrom({ ...world, testFiles }, { connectionId, executionId: 'e1' });
    assert.equal(uri.path, folder.fileAt('_aux.workflow-test.json').path);
    testFiles.dispose();
    world.following.dispose();
  });

  it('overwrites no file that was created while the execution was read', async () => {
    const world = createWorld();
    const [connectionId] = await connectBoth(world);
    world.first.workflows = [makeWorkflow('w1', { name: 'Orders', hasDefinition: true })];
    world.first.executions = [makeExecution('e1', { status: statusOf('completed'), output: 1 })];
    folder.open({ isTrusted: true });
    const testFiles = new TestFiles(world.clock);
    const path = 'Orders.workflow-test.json';
    const textOf = async () => (await folder.fileSystem.readFile(folder.fileAt(path))).toString();
    const typed = '{"workflow": "Orders", "tests": [';
    documents.read = (uri) => Promise.resolve({ uri, getText: () => typed });
    let arrive = world.first.hold();
    const creating = createTestFrom({ ...world, testFiles }, { connectionId, executionId: 'e1' });
    creating.catch(() => undefined);
    await settle();
    for (const call of ['workflows.get w1', 'executions.get e1']) {
      const before = arrive;
      arrive = world.first.hold();
      before();
      await settle();
      assert.equal(world.first.calls.at(-1), call);
    }
    folder.write(path, typed);
    world.first.letThrough();
    arrive();
    await assert.rejects(creating, /isn't valid JSON. Nothing was added/);
    assert.equal(await textOf(), typed);
    testFiles.dispose();
    world.following.dispose();
  });
});
