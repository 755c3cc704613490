// What the documents show that have a service's version of a file.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LinkedStates } from '../../../src/features/workflowFiles/linkedStates.ts';
import { ServiceVersions } from '../../../src/features/workflowFiles/serviceVersions.ts';
import { LinkedFiles } from '../../../src/ui/linkedFiles.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, firstUrl, secondUrl } from '../../support/memory/world.ts';
import { documents, folder } from '../../support/vscodeStandIn.ts';

const token = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};
const isNotFound = (error: unknown) =>
  error instanceof vscode.FileSystemError && error.code === 'FileNotFound';

const definition = (id: string, name: string) => ({
  name,
  hasDefinition: true,
  raw: { id, name, nodes: [], edges: [] },
});

async function start() {
  const world = createWorld();
  const [first, second] = await connectBoth(world);
  world.first.workflows = [makeWorkflow('w1', definition('w1', 'Of staging'))];
  world.second.workflows = [makeWorkflow('w2', definition('w2', 'Of production'))];
  folder.open({ isTrusted: true });
  const path = 'orders.workflow.json';
  const environments = { staging: { url: firstUrl }, production: { url: secondUrl } };
  const workflows = { [path]: { staging: 'w1', production: 'w2' } };
  const choose = (name: string) =>
    folder.write('workflows.json', JSON.stringify({ environments, default: name, workflows }));
  choose('staging');
  folder.write(path, '{"name":"Here"}');
  const linkedFiles = new LinkedFiles(world.connections);
  await linkedFiles.load();
  const states = new LinkedStates({ ...world, linkedFiles });
  const versions = new ServiceVersions(states, { ...world, linkedFiles });
  const file = vscode.Uri.from({ scheme: 'memory', path: `/workspace/${path}` });
  const close = () => {
    versions.dispose();
    states.dispose();
    linkedFiles.dispose();
    world.following.dispose();
  };
  return { first, second, choose, linkedFiles, states, versions, file, close };
}

describe("a service's version of a file", () => {
  afterEach(() => folder.close());

  it('is never that of another environment, also once that is the one of the file', async () => {
    const { choose, linkedFiles, states, versions, file, close } = await start();
    const uri = versions.originalOf(file) ?? assert.fail();
    assert.match(await versions.provideTextDocumentContent(uri, token), /Of staging/);
    const document = { uri };
    documents.open(document);
    choose('production');
    await linkedFiles.reread(vscode.Uri.joinPath(file, '..'));
    await states.folders[0]?.list();
    await assert.rejects(versions.provideTextDocumentContent(uri, token), isNotFound);
    documents.close(document);
    close();
  });

  it('that was compared with another environment is gone with its document', async () => {
    const { first, second, states, versions, file, close } = await start();
    await states.folders[0]?.list();
    const compared = states.find(file)?.file ?? assert.fail();
    const [to, from] = await versions.showBetween(
      { ...compared, here: { name: 'From staging' }, there: { name: 'Of production' } },
      { target: { connectionId: first, workflowId: 'w1' }, file, environment: 'staging' },
      { target: { connectionId: second, workflowId: 'w2' }, file, environment: 'production' },
    );
    for (const [address, text] of [
      [to, /Of production/],
      [from, /From staging/],
    ] as const) {
      const document = { uri: vscode.Uri.parse(address ?? '', true) };
      documents.open(document);
      assert.match(await versions.provideTextDocumentContent(document.uri, token), text);
      documents.close(document);
      await assert.rejects(versions.provideTextDocumentContent(document.uri, token), isNotFound);
    }
    close();
  });
});
