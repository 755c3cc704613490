// What is sent to a service is what a file has, or nothing.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText, readTextIfThere } from '../../../src/program/commandLine/readFiles.ts';

const { signal } = new AbortController();

describe('a file that a command reads', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-files-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('has no byte order mark', async () => {
    const path = join(folder, 'marked.json');
    await writeFile(path, '\ufeff{}');
    assert.equal(await readText(path, signal), '{}');
  });

  it('in another encoding is refused: its letters would become others', async () => {
    const path = join(folder, 'latin.json');
    await writeFile(path, '{"name":"Grüße"}', 'latin1');
    await assert.rejects(readText(path, signal), /it isn't UTF-8 text/);
  });

  it('that is missing is not one that cannot be read', async () => {
    const missing = join(folder, 'missing.json');
    assert.equal(await readTextIfThere(missing, signal), undefined);
    await assert.rejects(readText(missing, signal), /there is no such file/);
    await assert.rejects(readTextIfThere(folder, signal), /it's a folder/);
  });
});
