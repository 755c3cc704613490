// A window with a log that is too long for SQLite's cache, which doesn't end by itself.
import { LogFeed } from '../../src/model/log/logFeed.ts';
import { createRowStore } from './memory/logs.ts';
import { makeNodeLog } from './memory/records.ts';

const feed = new LogFeed(createRowStore().create());
for (let from = 0; from < 20_000; from += 1000)
  feed.append(
    Array.from({ length: 1000 }, (_, at) => makeNodeLog(from + at, { message: `${from} ${'x'.repeat(1000)}` })),
  );
process.stdout.write('written\n');
setInterval(() => undefined, 1000);
