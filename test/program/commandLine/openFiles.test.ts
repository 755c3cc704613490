// A folder that has no workflows.json yet is begun once.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { openOrBeginFiles } from '../../../src/program/commandLine/commands/openFiles.ts';
import { GivenArguments } from '../../../src/program/commandLine/given.ts';
import { Terminal } from '../../../src/program/commandLine/terminal.ts';
import { type OpenService, openService } from '../../../src/program/openService.ts';

const url = 'http://127.0.0.1:9/v1';

describe('a folder that two pulls begin at once', () => {
  const before = process.cwd();
  let folder = '';
  let service: OpenService;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'begun-'));
    process.chdir(folder);
    service = openService(
      { url, kind: 'service' },
      { apiKey: 'key' },
      { ledgerPath: join(folder, 'budget') },
    );
  });
  afterEach(async () => {
    service.dispose();
    process.chdir(before);
    await rm(folder, { recursive: true });
  });

  it('keeps what the first one has noted', async () => {
    const path = join(folder, 'workflows.json');
    const workflows = { 'A.workflow.json': { default: 'wf_1' } };
    const noted = JSON.stringify({ environments: { default: { url } }, workflows });
    const streams = { output: new PassThrough(), errors: new PassThrough() };
    const { opened } = await openOrBeginFiles({
      given: new GivenArguments(new Map([['url', url]]), []),
      terminal: new Terminal({ ...streams, isJson: false, isQuiet: false }),
      environment: {},
      packageFolder: pathToFileURL(folder),
      signal: new AbortController().signal,
      openChecker: () => assert.fail('Nothing is checked.'),
      openService: () => {
        // By now the second one has seen that there's none.
        writeFileSync(path, noted);
        return service;
      },
    });
    assert.equal(await readFile(path, 'utf8'), noted);
    assert.equal(opened.workflowsFile.workflows.get('A.workflow.json')?.get('default'), 'wf_1');
  });
});
