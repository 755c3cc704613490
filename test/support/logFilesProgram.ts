// A window that keeps a long log in files and doesn't end by itself. Its argument: the extension's storage.
import { silentLogger } from '../../src/base/logger.ts';
import { logsFolder } from '../../src/editor/logFiles/leftLogs.ts';
import { LogFiles } from '../../src/editor/logFiles/logFiles.ts';
import { makeNodeLog } from './memory/records.ts';

const [, , storage = ''] = process.argv;
const file = new LogFiles(logsFolder(storage), silentLogger).create('e');
file.append([{ row: makeNodeLog(1), position: 0, runKey: null }]);
await file.written();
process.stdout.write('written\n');
setInterval(() => undefined, 1000);
