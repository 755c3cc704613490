// How both sides read a body's charset.
import assert from 'node:assert/strict';
import { decodeText } from '../../src/protocol/body.ts';

describe('a text in a charset', () => {
  // Node 22 gives the control characters of ISO 8859-1 instead: run these there too after a change.
  it('has every character of windows-1252, whatever it is called', () => {
    const expected =
      '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ' +
      Array.from({ length: 96 }, (_, index) => String.fromCharCode(0xa0 + index)).join('');
    const bytes = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index);
    for (const name of ['windows-1252', 'iso-8859-1', 'latin1', 'us-ascii'])
      assert.equal(decodeText(bytes, name), expected, name);
  });

  it('is none where its bytes are none of the charset', () => {
    assert.equal(decodeText(Uint8Array.of(0xe9)), undefined);
    assert.equal(decodeText(Uint8Array.of(0x41), 'nonsense'), undefined);
    assert.equal(decodeText(Uint8Array.of(0x41, 0x80, 0xd8), 'utf-16le'), undefined);
  });

  it('has the charset of its mark, whatever is said of it, and not the mark', () => {
    assert.equal(decodeText(Buffer.from('\ufeffé', 'utf16le'), 'utf-8'), 'é');
    assert.equal(decodeText(Buffer.from('\ufeffé', 'utf16le').swap16(), 'utf-8'), 'é');
    assert.equal(decodeText(Buffer.from('\ufeffé'), 'latin1'), 'é');
  });
});
