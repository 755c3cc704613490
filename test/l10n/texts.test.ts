// Every text for people is in the bundle, and has a German one that fits in its place.
import assert from 'node:assert/strict';
import {
  bundlePath,
  collectTexts,
  germanBundlePath,
  germanManifestTextsPath,
  manifestTextsPath,
  readTexts,
} from './texts.ts';

/** What a translation must take over: places for values, icons, and commands that links run. Sorted: languages differ in order. */
function fixedParts(text: string): readonly string[] {
  return [...text.matchAll(/\{\d+\}|\$\([\w~-]+\)|\]\([^)]*\)/g)].map(([part]) => part).sort();
}

describe('texts for people', function () {
  this.timeout(120_000);

  it('are all in the bundle that translations start from', async () => {
    assert.deepEqual(readTexts(bundlePath), await collectTexts(), 'Run "npm run l10n".');
  });

  for (const [name, path, germanPath] of [
    ['the sources', bundlePath, germanBundlePath],
    ['package.json', manifestTextsPath, germanManifestTextsPath],
  ] as const) {
    it(`of ${name} are all there in German`, () => {
      const texts = readTexts(path);
      const german = readTexts(germanPath);
      assert.deepEqual(Object.keys(german).sort(), Object.keys(texts).sort(), 'Run "npm run l10n".');
      for (const [key, text] of Object.entries(texts)) {
        const translated = german[key] ?? '';
        assert.notEqual(translated.trim(), '', key);
        assert.deepEqual(fixedParts(translated), fixedParts(text), key);
      }
    });
  }
});
