// Every text for people is in the bundle, and has a German one that fits in its place.
import assert from 'node:assert/strict';
import { bundlePath, collectTexts, readTexts, translations } from './texts.ts';

/** What a translation must take over: places for values, icons, and commands that links run. Sorted: languages differ in order. */
function fixedParts(text: string): readonly string[] {
  return [...text.matchAll(/\{\d+\}|\$\([\w~-]+\)|\]\([^)]*\)/g)].map(([part]) => part).sort();
}

describe('texts for people', () => {
  it('are all in the bundle that translations start from', () => {
    assert.deepEqual(readTexts(bundlePath), collectTexts(), 'Run "npm run l10n".');
  });

  for (const { name, path, translated } of translations) {
    it(`of ${name} are all there`, () => {
      const texts = readTexts(path);
      const translation = readTexts(translated);
      assert.deepEqual(Object.keys(translation).sort(), Object.keys(texts).sort(), 'Run "npm run l10n".');
      for (const [key, text] of Object.entries(texts)) {
        const translatedText = translation[key] ?? '';
        assert.notEqual(translatedText.trim(), '', key);
        assert.deepEqual(fixedParts(translatedText), fixedParts(text), key);
      }
    });
  }
});
