// What the import of a file says when the file can't be used.
import { mkdirSync, mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/logger.ts';
import { systemClock } from '../../../src/base/time.ts';
import { importSources } from '../../../src/features/workflows/importExport/importing.ts';
import { fileSource } from '../../../src/features/workflows/importExport/importSources.ts';
import type { Meetings } from './meeting.ts';

/** Imports one file. size: its bytes, where they are not its text's. */
const importing = (name: string, content: string | Uint8Array, size?: number) => () => {
  const path = join(mkdtempSync(join(tmpdir(), 'errors-')), name);
  writeFileSync(path, content);
  if (size !== undefined) truncateSync(path, size);
  return importingFile(path);
};
async function importingFile(path: string): Promise<void> {
  const actions = { import: () => Promise.reject(new Error('Nothing should have come so far.')) };
  await importSources({ actions, clock: systemClock, logger: silentLogger }, 'c', [
    fileSource(vscode.Uri.file(path)),
  ]);
}

function importingFolder(name: string): Promise<void> {
  const path = join(mkdtempSync(join(tmpdir(), 'errors-')), name);
  mkdirSync(path);
  return importingFile(path);
}

export const importErrors: Meetings = {
  nothing: { meet: importing('a.json', ' '), words: '"a.json": It\'s empty.' },
  noJson: {
    meet: importing('a.json', '{\n  "name": \n}'),
    words: '"a.json": It isn\'t valid JSON. Line 3: a value is missing.',
  },
  noWorkflow: {
    meet: importing('a.json', '[]'),
    words: '"a.json": It isn\'t a workflow: a definition is a JSON object.',
  },
  noText: {
    meet: importing('a.json', new Uint8Array([0x7b, 0xff, 0xfe])),
    words: '"a.json": It isn\'t UTF-8 text.',
  },
  tooLarge: {
    meet: importing('a.json', '{}', 5 * 1024 * 1024 + 1),
    words: '"a.json": It\'s too large. The maximum is 5 MiB.',
  },
  folder: { meet: () => importingFolder('drafts'), words: '"drafts": It\'s a folder, not a file.' },
  gone: {
    meet: () => importingFile('/gone/a.json'),
    words: '"a.json": Couldn\'t read or write a file: ',
  },
};
