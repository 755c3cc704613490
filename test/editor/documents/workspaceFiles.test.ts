// Which files of a folder are found, and what is said where it has too many.
import assert from 'node:assert/strict';
import { findFiles } from '../../../src/editor/documents/workspaceFiles.ts';
import { folder, messages } from '../../support/vscodeStandIn.ts';

describe('the files of a folder on a virtual file system', () => {
  beforeEach(() => {
    folder.open({ isTrusted: true });
    messages.troubles.length = 0;
  });
  afterEach(() => folder.close());

  const count = async (ending: string) => (await findFiles(folder, ending)).length;

  it('are all found where it has as many as are looked for, and nothing is said', async () => {
    for (let index = 0; index < 500; index += 1) folder.write(`below/${index}.some.json`, '');
    assert.deepEqual([await count('.some.json'), messages.troubles], [500, []]);
  });

  for (const [what, ending, write, found] of [
    ['files', '.many.json', (index: number) => `${index}.many.json`, 500],
    ['folders', '.deep.json', (index: number) => `${index}/a.deep.json`, 99],
  ] as const)
    it(`are said to be only some of them where it has too many ${what}, once`, async () => {
      for (let index = 0; index < 501; index += 1) folder.write(write(index), '');
      assert.deepEqual([await count(ending), await count(ending)], [found, found]);
      assert.equal(messages.troubles.length, 1);
      assert.ok(messages.troubles[0]?.includes(`"*${ending}" in "/workspace"`), messages.troubles[0]);
    });
});
