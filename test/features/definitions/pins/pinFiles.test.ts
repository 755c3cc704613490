// A pin is edited as a file: saving pins, what isn't JSON is refused and loses nothing, and a removed pin has no file.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PinFiles } from '../../../../src/features/definitions/pins/pinFiles.ts';
import { pinAddress, pinUri } from '../../../../src/ui/addresses.ts';
import { connectBoth, createWorld, type World } from '../../../support/memory/world.ts';

describe('the file of a pin', () => {
  let world: World;
  let files: PinFiles;
  const target = { connectionId: 'connection_1', workflowId: 'a "quoted" & id' };
  const nodeId = 'get/orders?';
  const uri = pinUri(target, 'First', { id: nodeId, name: 'Get orders' }, 'output');
  const changes: vscode.FileChangeEvent[] = [];
  const read = async () => new TextDecoder().decode(await files.readFile(uri));
  const write = (text: string) => files.writeFile(uri, new TextEncoder().encode(text));
  const told = () => changes.splice(0).map(({ type }) => type);

  beforeEach(async () => {
    world = createWorld();
    await connectBoth(world);
    files = new PinFiles(world);
    files.onDidChangeFile((events) => changes.push(...events));
    await world.pins.set(target, nodeId, { total: 42 });
    told();
  });
  afterEach(() => {
    files.dispose();
    world.following.dispose();
  });

  it('is named for people, and says which node it is of', () => {
    assert.equal(uri.path, '/First/Get orders.pin.json');
    assert.deepEqual(pinAddress(uri), { target, nodeId, kind: 'output' });
    assert.equal(pinAddress(uri.with({ query: 'workflow=w' })), undefined);
  });

  it('has the value, and pins what is saved', async () => {
    assert.equal(await read(), '{\n  "total": 42\n}\n');
    const { mtime, size } = await files.stat(uri);
    assert.equal(size, (await read()).length);
    await world.clock.advance(1000);
    assert.equal((await files.stat(uri)).mtime, mtime);
    await write('[1, 2]');
    assert.deepEqual(world.pins.find(target, nodeId)?.value, [1, 2]);
    assert.equal(await read(), '[\n  1,\n  2\n]\n');
    assert.equal((await files.stat(uri)).mtime, mtime + 1000);
  });

  it('refuses what is no value, and keeps the earlier one', async () => {
    await assert.rejects(() => write('{ "total": '), /isn't valid JSON/);
    await assert.rejects(() => write('['.repeat(300) + ']'.repeat(300)), /nested more than 200 levels deep/);
    await assert.rejects(() => write(JSON.stringify('x'.repeat(200_000))), /too large for a pin/);
    const otherBytes = Buffer.from('{"city":"Z\xfcrich"}', 'latin1');
    await assert.rejects(() => files.writeFile(uri, otherBytes), /must be UTF-8/);
    assert.deepEqual(world.pins.find(target, nodeId)?.value, { total: 42 });
  });

  it('of answers takes what a draft takes, and says which answer is none', async () => {
    const ofAnswers = pinUri(target, 'First', { id: 'call', name: 'Call' }, 'answers');
    const save = (value: unknown) =>
      files.writeFile(ofAnswers, new TextEncoder().encode(JSON.stringify(value)));
    assert.equal(ofAnswers.path, '/First/Call.answers.json');
    assert.equal(pinAddress(ofAnswers)?.kind, 'answers');
    files.begin(ofAnswers);
    const begun: unknown = JSON.parse(new TextDecoder().decode(await files.readFile(ofAnswers)));
    await assert.rejects(() => save([]), /write a list of 1 to 1,000 answers/);
    await assert.rejects(() => save({ status: 200 }), /write a list/);
    await assert.rejects(() => save([{ status: 200 }, { status: 99 }]), /answer 2 must have a "status"/);
    assert.equal(world.pins.find(target, 'call'), undefined);
    await save(begun);
    assert.equal(world.pins.find(target, 'call')?.kind, 'answers');
    // The same node's output has another file.
    assert.throws(() => files.stat(pinUri(target, 'First', { id: 'call', name: 'Call' }, 'output')), {
      code: 'FileNotFound',
    });
  });

  it('that is begun pins nothing before it is saved', async () => {
    const begun = pinUri(target, 'First', { id: 'new', name: 'New' }, 'output');
    assert.throws(() => files.stat(begun), { code: 'FileNotFound' });
    files.begin(begun);
    assert.equal(new TextDecoder().decode(await files.readFile(begun)), 'null\n');
    assert.equal(world.pins.find(target, 'new'), undefined);
    await files.writeFile(begun, new TextEncoder().encode('7'));
    assert.equal(world.pins.find(target, 'new')?.value, 7);
    assert.deepEqual(told(), [vscode.FileChangeType.Changed]);
    await files.stat(begun);
    await world.pins.remove(target, ['new']);
    assert.deepEqual(told(), [vscode.FileChangeType.Deleted]);
    assert.throws(() => files.stat(begun), { code: 'FileNotFound' });
  });

  it('follows the pin, and goes with it', async () => {
    await read();
    await world.pins.set(target, nodeId, 1);
    assert.deepEqual(told(), [vscode.FileChangeType.Changed]);
    await read();
    await world.pins.set(target, 'another', 1);
    assert.deepEqual(told(), []);
    await world.pins.remove(target, [nodeId]);
    assert.deepEqual(told(), [vscode.FileChangeType.Deleted]);
    assert.throws(() => files.stat(uri), { code: 'FileNotFound' });
  });
});
