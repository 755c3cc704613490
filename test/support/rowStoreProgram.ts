// A window with a log that is too long for SQLite's cache, which doesn't end by itself. Says how many of its rows are there, and how often a trouble was said.
import { silentLogger } from '../../src/base/logger.ts';
import { LogFeed } from '../../src/model/log/logFeed.ts';
import { LogTable } from '../../src/model/log/logTable.ts';
import { createRowStore } from './memory/logs.ts';
import { makeNodeLog } from './memory/records.ts';

let said = 0;
const logger = { ...silentLogger, error: () => void (said += 1) };
const feed = new LogFeed(new LogTable(createRowStore({ logger })));
for (let from = 0; from < 20_000; from += 1000)
  feed.append(
    Array.from({ length: 1000 }, (_, at) =>
      makeNodeLog(from + at, { message: `${from} ${'x'.repeat(1000)}` }),
    ),
  );
const { count } = feed;
process.stdout.write(`written ${feed.lines(0, count).length} of ${count}, said ${said}\n`);
setInterval(() => undefined, 1000);
