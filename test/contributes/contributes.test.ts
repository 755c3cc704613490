// Package.json says of commands what their declarations do.
import assert from 'node:assert/strict';
import { manifestText, readText } from '../support/manifest.ts';
import { fillManifest, fillTexts } from './contributes.ts';

describe('what package.json contributes', () => {
  it('has the commands, menus, keys and tools as declared; "npm run contributes" writes them anew', async () =>
    assert.equal(await fillManifest(manifestText), manifestText));

  it('has the titles as declared; "npm run contributes" writes them anew', async () => {
    const texts = readText('package.nls.json');
    assert.equal(await fillTexts(texts), texts);
  });
});
