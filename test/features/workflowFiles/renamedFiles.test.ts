// What workflows.json links after files were renamed in the editor.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Commands } from '../../../src/editor/commands.ts';
import { followRenames } from '../../../src/features/workflowFiles/renamedFiles.ts';
import { LinkedFiles } from '../../../src/ui/linkedFiles.ts';
import { connectBoth, createWorld, firstUrl } from '../../support/memory/world.ts';
import { folder } from '../../support/vscodeStandIn.ts';

describe('the links of renamed files', () => {
  afterEach(() => folder.close());

  it('follow each rename, however soon after another it comes', async () => {
    const world = createWorld();
    await connectBoth(world);
    folder.open({ isTrusted: true });
    const workflows = { 'a.workflow.json': { staging: 'w1' }, 'x.workflow.json': { staging: 'w2' } };
    folder.write(
      'workflows.json',
      JSON.stringify({ environments: { staging: { url: firstUrl } }, workflows }),
    );
    for (const file of Object.keys(workflows)) folder.write(file, '{}');
    const linkedFiles = new LinkedFiles(world.connections);
    await linkedFiles.load();
    const commands = new Commands({
      logger: silentLogger,
      describe: (error) => assert.fail(String(error)),
      activeConnectionId: () => '',
      findSubject: () => undefined,
    });
    const following = followRenames({ linkedFiles, commands });
    const files = () => [...(linkedFiles.folders[0]?.file?.workflows.keys() ?? [])];
    const noted = new Promise<void>((resolve) => {
      linkedFiles.onDidChange(() => {
        if (files().includes('z.workflow.json')) resolve();
      });
    });
    folder.rename('a.workflow.json', 'b.workflow.json');
    folder.rename('b.workflow.json', 'c.workflow.json');
    folder.rename('x.workflow.json', 'z.workflow.json');
    await noted;
    assert.deepEqual(files(), ['c.workflow.json', 'z.workflow.json']);
    following.dispose();
    linkedFiles.dispose();
    world.following.dispose();
  });
});
