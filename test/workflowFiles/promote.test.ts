// What was tried on one service is brought to another.
import assert from 'node:assert/strict';
import { stringifyJson } from '../../src/base/json.ts';
import type { PlanOptions } from '../../src/workflowFiles/plan.ts';
import { MemoryFolder } from '../support/memory/filesFolder.ts';
import {
  actionsOf,
  Clone,
  createRemote,
  definitionOf,
  kindsOf,
  promote as promoteFiles,
  type Remote,
  textOf,
} from './filesWorld.ts';

const file = 'Orders.workflow.json';
const url = 'http://127.0.0.1:4100/v1';

describe('a promotion', () => {
  let staging: Remote;
  let production: Remote;
  let folder: MemoryFolder;
  let clone: Clone;
  beforeEach(async () => {
    staging = await createRemote();
    production = await createRemote();
    const environments = { staging: { url }, production: { url } };
    folder = new MemoryFolder([
      ['workflows.json', stringifyJson({ environments })],
      [file, textOf(definitionOf('Orders'))],
    ]);
    clone = new Clone(staging.model, folder, 'staging');
    await clone.push();
  });
  afterEach(async () => {
    await staging.dispose();
    await production.dispose();
  });

  const promote = (options: PlanOptions = {}, files?: ReadonlySet<string>) =>
    promoteFiles(
      folder,
      {
        from: { name: 'staging', service: staging.model },
        to: { name: 'production', service: production.model },
      },
      options,
      files,
    );

  const there = async () => production.read(clone.idOf(file, 'production') ?? '');

  it('creates what the other one lacks, updates what it has, and does nothing twice', async () => {
    assert.deepEqual(actionsOf((await promote()).plan), { [file]: 'create workflow' });
    assert.deepEqual(await there(), definitionOf('Orders'));
    assert.deepEqual(actionsOf((await promote()).plan), { [file]: 'nothing' });
    clone.write(file, definitionOf('Orders', 'input.changed'));
    await clone.push();
    const { plan } = await promote();
    assert.deepEqual(plan.steps[0]?.difference, { nodes: ['end'], members: [] });
    assert.deepEqual(await there(), definitionOf('Orders', 'input.changed'));
    const inProduction = new Clone(production.model, folder, 'production');
    assert.deepEqual(await inProduction.states(), { [file]: 'same' });
    assert.deepEqual(await clone.states(), { [file]: 'same' });
  });

  it('brings what was tried there, not what the file has become since', async () => {
    const text = textOf(definitionOf('Orders', 'input.untried'));
    folder.files.set(file, text);
    await promote();
    assert.deepEqual(await there(), definitionOf('Orders'));
    assert.equal(clone.text(file), text);
    assert.deepEqual(await clone.states(), { [file]: 'changed here' });
  });

  it("writes over nobody's change, and leaves the files alone", async () => {
    await promote();
    const id = clone.idOf(file, 'production') ?? '';
    await production.change(id, definitionOf('Orders', 'input.theirs'));
    clone.write(file, definitionOf('Orders', 'input.mine'));
    await clone.push();
    const text = clone.text(file);
    for (const decision of [undefined, 'theirs'] as const) {
      await promote({ decision });
      assert.deepEqual(await there(), definitionOf('Orders', 'input.theirs'));
      assert.equal(clone.text(file), text);
    }
    assert.deepEqual(kindsOf((await promote()).results), ['conflict']);
    await promote({ decision: 'mine' });
    assert.deepEqual(await there(), definitionOf('Orders', 'input.mine'));
    await production.delete(id);
    assert.deepEqual(kindsOf((await promote()).results), ['conflict']);
    await promote({ decision: 'theirs' });
    assert.equal(clone.text(file), text);
    await promote({ decision: 'mine' });
    assert.notEqual(clone.idOf(file, 'production'), id);
    assert.deepEqual(await production.names(), ['Orders']);
  });

  it('finds the workflow that has the name there', async () => {
    const id = await production.create(definitionOf('Orders'));
    assert.deepEqual(actionsOf((await promote()).plan), { [file]: 'nothing' });
    assert.equal(clone.idOf(file, 'production'), id);
    assert.deepEqual(await production.names(), ['Orders']);
  });

  it('of a name that is there with something else is for a person to decide', async () => {
    const id = await production.create(definitionOf('Orders', 'input.other'));
    assert.deepEqual(kindsOf((await promote()).results), ['conflict']);
    assert.deepEqual(await production.read(id), definitionOf('Orders', 'input.other'));
  });

  it('of one file takes it for no other one that is not promoted', async () => {
    await promote();
    const id = clone.idOf(file, 'production') ?? '';
    const other = 'New.workflow.json';
    clone.write(file, definitionOf('Former orders'));
    clone.write(other, definitionOf('Orders', 'input.new'));
    await clone.push();
    const { plan } = await promote({}, new Set([other]));
    assert.deepEqual(actionsOf(plan), { [other]: 'create workflow' });
    assert.deepEqual(await production.read(id), definitionOf('Orders'));
    assert.equal(clone.idOf(file, 'production'), id);
  });

  it('says which secrets the workflow needs there that it did not before', async () => {
    const call = (name: string) => ({
      id: name,
      type: 'httpRequest',
      config: { url: 'https://a.example', headers: { 'X-Key': `{{ secrets.${name} }}` } },
    });
    const nodes = (...names: readonly string[]) => ({
      nodes: [{ id: 'start', type: 'trigger', config: {} }, ...names.map(call)],
      edges: [],
    });
    clone.write(file, definitionOf('Orders', '', nodes('ONE')));
    await clone.push();
    assert.deepEqual((await promote()).plan.steps[0]?.needs?.secrets, ['ONE']);
    clone.write(file, definitionOf('Orders', '', nodes('ONE', 'TWO')));
    await clone.push();
    assert.deepEqual((await promote()).plan.steps[0]?.needs?.secrets, ['TWO']);
  });
});
