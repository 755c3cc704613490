import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settle } from '../support/memory/ports.ts';
import { connectBoth, createWorld, firstUrl, secondUrl, type World } from '../support/memory/world.ts';
import { DefinitionTargets } from '../../src/ui/definitionTargets.ts';
import { LinkedFiles } from '../../src/ui/linkedFiles.ts';
import { documents, folder, front } from '../support/vscodeStandIn.ts';

const inFolder = (path: string) => vscode.Uri.from({ scheme: 'memory', path: `/workspace/${path}` });
const links = (change: object = {}) =>
  JSON.stringify({
    environments: { staging: { url: `${firstUrl}/` }, production: { url: secondUrl } },
    default: 'staging',
    workflows: { 'orders.workflow.json': { staging: 'w1', production: 'w9' } },
    ...change,
  });

describe('linked files', () => {
  let world: World;
  let first: string;
  let linked: LinkedFiles;
  let targets: DefinitionTargets;
  const file = inFolder('flows/orders.workflow.json');
  const document = { uri: file };

  const begin = async (text: string, isTrusted = true): Promise<void> => {
    world = createWorld();
    [first] = await connectBoth(world);
    folder.open({ isTrusted });
    folder.write('flows/workflows.json', text);
    folder.write('flows/orders.workflow.json', '{}');
    folder.write('other-workflows.json', links());
    linked = new LinkedFiles(world.connections);
    targets = new DefinitionTargets(linked);
  };
  const open = async (): Promise<void> => {
    documents.open(document);
    await settle();
  };
  afterEach(() => {
    if (documents.all.includes(document)) documents.close(document);
    targets.dispose();
    linked.dispose();
    folder.close();
    front.close();
  });

  it('are looked for when the first one is opened, without a request', async () => {
    await begin(links());
    await settle();
    assert.deepEqual(folder.reads, []);
    const calls = world.first.calls.length;
    await open();
    assert.deepEqual(targets.of(file), { connectionId: first, workflowId: 'w1' });
    assert.deepEqual(folder.reads, ['/workspace/flows/workflows.json']);
    assert.equal(targets.of(inFolder('orders.workflow.json')), undefined);
    assert.equal(world.first.calls.length, calls);
  });

  it('are not looked for before the workspace is trusted', async () => {
    await begin(links(), false);
    await open();
    await linked.load();
    assert.deepEqual(folder.reads, []);
    assert.equal(targets.of(file), undefined);
    folder.trust();
    await settle();
    assert.deepEqual(targets.of(file)?.workflowId, 'w1');
  });

  it('follow what workflows.json says, and are plain files once it or its folder is gone', async () => {
    await begin(links());
    await open();
    let changes = 0;
    targets.onDidChange(() => (changes += 1));
    folder.write('flows/workflows.json', links({ default: 'production' }));
    await settle();
    assert.equal(targets.of(file)?.workflowId, 'w9');
    folder.delete('flows/workflows.json');
    assert.equal(targets.of(file), undefined);
    folder.write('flows/workflows.json', links());
    await settle();
    assert.equal(targets.of(file)?.workflowId, 'w1');
    folder.delete('flows');
    assert.equal(targets.of(file), undefined);
    assert.equal(changes, 4);
  });

  it('are those of the newest text, also where it changes or goes while an older one is read', async () => {
    await begin(links());
    let end = folder.holdNextRead();
    await open();
    folder.write('flows/workflows.json', links({ default: 'production' }));
    await settle();
    end();
    await settle();
    assert.equal(targets.of(file)?.workflowId, 'w9');
    end = folder.holdNextRead();
    folder.write('flows/workflows.json', links());
    await settle();
    folder.delete('flows/workflows.json');
    end();
    await settle();
    assert.equal(targets.of(file), undefined);
  });

  it('are those of a workflows.json, too, that is created while they are looked for', async () => {
    await begin(links());
    const loading = linked.load();
    folder.write('late/workflows.json', links());
    await loading;
    await settle();
    assert.equal(targets.of(inFolder('late/orders.workflow.json'))?.workflowId, 'w1');
    assert.equal(linked.folders.length, 2);
  });

  it('use only a connection that the user has to exactly this URL', async () => {
    for (const url of ['https://first.example/v2', 'https://first.example.evil/v1', `${firstUrl}?x`, 'x']) {
      await begin(links({ environments: { staging: { url } } }));
      await open();
      assert.equal(targets.of(file), undefined, url);
      assert.equal(linked.find(file)?.workflowId, 'w1');
      documents.close(document);
    }
    await begin(links({ environments: { staging: { url: firstUrl, kind: 'n8n' } } }));
    await open();
    assert.equal(targets.of(file), undefined);
  });

  it('use the active one of several connections, and none once they are removed', async () => {
    await begin(links());
    await open();
    const again = { name: 'Again', baseUrl: firstUrl, apiKey: 'svc_sk_good' };
    const { id } = await world.connections.add(again, { verify: 'never' });
    assert.equal(targets.of(file)?.connectionId, id);
    await world.connections.switchTo(first);
    assert.equal(targets.of(file)?.connectionId, first);
    await world.connections.remove(id);
    await world.connections.remove(first);
    assert.equal(targets.of(file), undefined);
  });

  for (const [what, text, problem] of [
    ["isn't JSON", '{', "workflows.json isn't valid JSON."],
    ['is too large', ' '.repeat(5 * 1024 * 1024 + 1), 'workflows.json is too large.'],
  ] as const)
    it(`are none where workflows.json ${what}, and the folder says so`, async () => {
      await begin(text);
      await open();
      assert.equal(linked.find(file), undefined);
      assert.deepEqual(
        linked.folders.map((each) => each.problem),
        [problem],
      );
    });

  it('have no workflow where several environments are there and none is the default', async () => {
    await begin(links({ default: undefined }));
    await open();
    assert.deepEqual([linked.find(file)?.workflowId, targets.of(file)], [undefined, undefined]);
  });
});

describe('the open document of a workflow', () => {
  it('is the one of the file and of the service that was in front last', async () => {
    const world = createWorld();
    const { definitionTargets: targets } = world;
    const target = { connectionId: 'c', workflowId: 'w' };
    const file = { uri: vscode.Uri.from({ scheme: 'memory', path: '/workspace/a.workflow.json' }) };
    const own = {
      uri: vscode.Uri.from({ scheme: 'workflow-definition', authority: 'c', path: '/C/A.json', query: 'w' }),
    };
    const show = ({ uri }: typeof file) => front.show({ uri }, uri);
    world.links.set(file.uri, target);
    documents.open(own);
    documents.open(file);
    assert.equal(targets.findOpen(target), file);
    show(own);
    assert.equal(targets.findOpen(target), own);
    show(file);
    assert.equal(targets.findOpen(target), file);
    assert.equal((await targets.openFile(target))?.uri, file.uri);
    world.links.set(file.uri, undefined);
    assert.equal(targets.findOpen(target), own);
    await assert.rejects(targets.openLinked(file.uri, target), { code: 'FileNotFound' });
    documents.close(file);
    documents.close(own);
    front.close();
  });
});
