// A declared schema wins over a learned one, costs one reading, and follows what changes.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { schemaOfTriggers } from '../../../src/definition/triggerInputs.ts';
import type { TriggerInput } from '../../../src/domain/triggers.ts';
import { InputHistory } from '../../../src/model/inputs/inputHistory.ts';
import { InputSchemas } from '../../../src/model/inputs/inputSchemas.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';

const keyPrefix = (): string => 'svc_sk_';
const declared = { type: 'object', properties: { a: { type: 'string' } } };
const rawWith = (inputSchema: JsonObject): JsonObject => ({
  id: 'w1',
  nodes: [{ type: 'trigger', config: { inputSchema } }],
});

async function setUp() {
  const world = createWorld();
  world.first.workflows = [makeWorkflow('w1')];
  const [connectionId] = await connectBoth(world);
  const history = new InputHistory(world.globalState, world.clock, keyPrefix);
  const { workflows } = world;
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => errors.push(message) };
  const schemas = new InputSchemas({ workflows, history, logger, schemaOfTriggers });
  const target = { connectionId, workflowId: 'w1' };
  const declare = (schema: JsonObject) =>
    world.first.change('w1', { hasDefinition: true, raw: rawWith(schema) });
  return { ...world, history, schemas, target, errors, declare };
}

describe('the schema of an input', () => {
  it('is the declared one, read once', async () => {
    const { schemas, target, first, declare, history } = await setUp();
    declare(declared);
    await history.record(target, { b: 1 });
    assert.equal(schemas.known(target), undefined);
    const found = await schemas.find(target);
    assert.deepEqual(found, { schema: declared, isTooLarge: false, learnedFrom: null, checksPerValue: 1 });
    const asked = first.calls.length;
    assert.equal(await schemas.find(target), found);
    assert.equal(schemas.known(target), found);
    assert.equal(first.calls.length, asked);
  });

  it('is learned where none is declared, and again from each new input', async () => {
    const { schemas, target, history } = await setUp();
    assert.equal(await schemas.find(target), undefined);
    let changes = 0;
    schemas.onDidChange(() => (changes += 1));
    await history.record(target, { b: 1 });
    assert.equal(changes, 1);
    assert.equal((await schemas.find(target))?.learnedFrom, 1);
    await history.record(target, { b: 'x' });
    assert.deepEqual((await schemas.find(target))?.schema['properties'], {
      b: { type: ['integer', 'string'] },
    });
  });

  it('is what the triggers tell, and where these take anything, what past inputs had too', async () => {
    const { schemas, target, history, first, workflows } = await setUp();
    const tell = async (triggerInputs: readonly TriggerInput[], version: string) => {
      first.change('w1', { hasDefinition: true, triggerInputs, version });
      workflows.update(target.connectionId, await workflows.read(target));
    };
    await workflows.refresh();
    await tell([{ kind: 'webhook', hasBody: true, parameters: [] }], '1');
    const open = await schemas.find(target);
    assert.deepEqual([open?.isOpen, open?.learnedFrom], [true, null]);
    await history.record(target, { b: 1 });
    const learned = await schemas.find(target);
    assert.deepEqual([learned?.isOpen, learned?.learnedFrom], [undefined, 1]);
    assert.match(JSON.stringify(learned?.schema), /"b".*"query"/);
    await tell([{ kind: 'chat' }], '2');
    const chat = await schemas.find(target);
    assert.deepEqual([chat?.schema['required'], chat?.learnedFrom], [['chatInput'], null]);
  });

  it('follows the workflow', async () => {
    const { schemas, target, declare, workflows } = await setUp();
    await workflows.refresh();
    assert.equal(await schemas.find(target), undefined);
    declare(declared);
    workflows.update(target.connectionId, { ...(await workflows.read(target)), version: '9' });
    assert.equal((await schemas.find(target))?.learnedFrom, null);
  });

  it('is announced where it may be another one, and not again where it is the same', async () => {
    const { schemas, target, declare, workflows, history } = await setUp();
    declare(declared);
    await workflows.refresh();
    let changes = 0;
    schemas.onDidChange(() => (changes += 1));
    await history.record(target, { b: 1 });
    declare({ ...declared });
    await workflows.refresh();
    assert.equal(changes, 0);
    const found = await schemas.find(target);
    assert.equal(changes, 1);
    workflows.update(target.connectionId, { ...(await workflows.read(target)), name: 'Renamed' });
    assert.equal(changes, 2);
    assert.equal(await schemas.find(target), found);
    assert.equal(changes, 2);
  });

  it('is that of what is deployed, which executions take, where the service tells it', async () => {
    const { schemas, target, first } = await setUp();
    const { nodes = [] } = rawWith(declared);
    const raw = rawWith({ type: 'object', properties: { b: { type: 'number' } } });
    first.change('w1', { hasDefinition: true, isDeployed: true, deployedDefinition: { nodes }, raw });
    assert.deepEqual((await schemas.find(target))?.schema, declared);
  });

  it('is learned, and the reason logged, where the workflow cannot be read', async () => {
    const { schemas, target, first, history, errors } = await setUp();
    await history.record(target, { b: 1 });
    first.failure = new Error('broken');
    assert.equal((await schemas.find(target))?.learnedFrom, 1);
    assert.equal(errors.length, 1);
    const gone = { ...target, connectionId: 'gone' };
    assert.equal(await schemas.find(gone), undefined);
  });

  it('is read again once the service answers again, and not before', async () => {
    const { schemas, target, first, declare, workflows } = await setUp();
    await workflows.refresh();
    declare(declared);
    first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    assert.equal(await schemas.find(target), undefined);
    await workflows.refresh();
    const asked = first.calls.length;
    assert.equal(await schemas.find(target), undefined);
    assert.equal(first.calls.length, asked);
    first.failure = null;
    await workflows.refresh();
    assert.deepEqual((await schemas.find(target))?.schema, declared);
  });
});
