// What a service says mustn't move the cursor or change the title of the terminal that it's shown in.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseJson } from '../../../src/base/json.ts';
import { Terminal } from '../../../src/program/commandLine/terminal.ts';

const hostile = 'name\u001B]0;title\u0007 \u009B2J \u007F end';
const isObeyed = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/; // eslint-disable-line no-control-regex

describe('what the command line writes', () => {
  for (const isJson of [true, false])
    it(`as JSON ${isJson ? 'for programs' : 'for people'} has no control characters, and the same value`, async () => {
      const output = new PassThrough();
      const terminal = new Terminal({ output, errors: new PassThrough(), isJson, isQuiet: false });
      terminal.writeJson({ [hostile]: [hostile] });
      const written = await text(output.end());
      assert.doesNotMatch(written, isObeyed);
      assert.deepEqual(parseJson(written), { [hostile]: [hostile] });
    });

  it('as words has none either', async () => {
    const output = new PassThrough();
    const errors = new PassThrough();
    const terminal = new Terminal({ output, errors, isJson: false, isQuiet: false });
    terminal.write(hostile);
    terminal.fail(hostile);
    for (const stream of [output, errors]) assert.doesNotMatch(await text(stream.end()), isObeyed);
  });
});
