// The extension's log takes whatever is thrown, and shows no key.
import assert from 'node:assert/strict';
import { channelNames } from '../../src/editor/ids.ts';
import { ExtensionLog } from '../../src/editor/ports.ts';
import { oddPrints, secretKey } from '../support/oddPrints.ts';
import { logChannels } from '../support/logChannels.ts';

const longestLine = 40_000;

describe("The extension's log", () => {
  for (const { title, printed, says } of oddPrints)
    it(`takes ${title}`, () => {
      const log = new ExtensionLog();
      const lines = logChannels.get(channelNames.extension)?.lines;
      assert.ok(lines);
      const words = printed.filter((each) => typeof each === 'string').join(' ');
      const causes = printed.filter((each) => typeof each !== 'string');
      for (const cause of [undefined, ...causes]) log.error(words, cause);
      for (const level of ['debug', 'info', 'warn'] as const) log[level](words);
      assert.equal(lines.length, causes.length + 4);
      if (printed.length === 1 && Boolean(printed[0])) assert.match(lines.join('\n'), says);
      for (const line of lines) {
        assert.ok(!line.includes(secretKey.slice(0, 20)), line.slice(0, 1000));
        assert.ok(line.length < longestLine, String(line.length));
      }
    });
});
