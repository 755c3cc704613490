import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DocumentOpener } from '../../../src/editor/documents/documentOpener.ts';
import { schemes } from '../../../src/editor/ids.ts';
import { LazyFiles } from '../../../src/editor/lazy/lazySurfaces.ts';
import { providers } from '../../support/providers.ts';
import { configuration } from '../../support/vscodeStandIn.ts';

const uri = vscode.Uri.parse('workflow-input://c/a.json?w');
const mark = '\ufeff';

/** As the editor, which reads and writes bytes. */
async function openFiles(text: string) {
  const files = new LazyFiles(schemes.input, new DocumentOpener(), () => assert.fail());
  const written: string[] = [];
  files.attach({
    onDidChangeFile: () => new vscode.Disposable(() => undefined),
    stat: () => assert.fail(),
    readFile: () => Promise.resolve(Buffer.from(text)),
    writeFile: (_uri, content) => {
      written.push(Buffer.from(content).toString());
      return Promise.resolve();
    },
  });
  const provider = providers.files;
  assert.ok(provider);
  const read = Buffer.from(await provider.readFile(uri)).toString();
  const save = (saved: string) =>
    provider.writeFile(uri, Buffer.from(saved), { create: true, overwrite: true });
  return { read, save, written };
}

describe('a file of our own', () => {
  afterEach(() => {
    configuration.set('files.encoding', undefined);
    configuration.set('files.autoGuessEncoding', undefined);
  });

  for (const [setting, value] of [
    ['encoding', 'iso88591'],
    ['autoGuessEncoding', true],
  ] as const)
    it(`says that it is UTF-8 where "files.${setting}" says something else, and doesn't keep that`, async () => {
      configuration.set(`files.${setting}`, value);
      const { read, save, written } = await openFiles('"Zoë"');
      assert.equal(read, `${mark}"Zoë"`);
      // The person may then save it in another encoding, without the mark.
      await save(`${mark}"Zoé"`);
      await save('"Ada"');
      assert.deepEqual(written, ['"Zoé"', '"Ada"']);
    });

  it('is as it is elsewhere, with a mark that the person gave it', async () => {
    const { read, save, written } = await openFiles('"Zoë"');
    assert.equal(read, '"Zoë"');
    await save(`${mark}"Zoé"`);
    assert.deepEqual(written, [`${mark}"Zoé"`]);
  });
});
