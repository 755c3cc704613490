// A window was killed while it kept a long log in files; this is what it left over, leftLogs.2 is the next start.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolderName } from '../../src/editor/logFiles/leftLogs.ts';
import { handOn, logsInStorage } from './userData.ts';

describe('before a start', () => {
  it('a window that is gone has left the files of a long log', () => {
    // No process has this id.
    const left = join(logsInStorage(), ownFolderName().replace(/-\d+-/, '-999999999-'));
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'a-1.ndjson'), '');
    handOn({ left });
  });
});
