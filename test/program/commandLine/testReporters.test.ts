// What a report of tests says to the CI that reads it.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { Terminal } from '../../../src/program/commandLine/terminal.ts';
import { reporters } from '../../../src/program/commandLine/testReporters.ts';

/** Of what XML 1.0 takes. */
const characters = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

describe('the report for JUnit', () => {
  it('has no character that XML does not take, whatever a message has', () => {
    const output = new PassThrough();
    const terminal = new Terminal({ output, errors: new PassThrough(), isJson: false, isQuiet: false });
    const message = 'a\u0000b\u0008c\ud800d\ufffee\uffff <"&> 💥';
    const result = { outcome: 'failed', message } as const;
    reporters.junit(terminal, [{ uri: 'file:///t', path: 't', title: '\uffff', result }]);
    const text = String(output.read());
    assert.match(text, characters);
    assert.match(text, /message="abcde &lt;&quot;&amp;&gt; 💥"/);
  });
});
