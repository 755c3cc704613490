// "npm run l10n": writes the bundle of the sources' texts anew, drops translations of texts that are gone, and names those that lack one.
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { say } from '../rig/say.ts';
import {
  bundlePath,
  collectTexts,
  germanBundlePath,
  germanManifestTextsPath,
  manifestTextsPath,
  readTexts,
  type Texts,
} from './texts.ts';

async function write(path: string, texts: Texts): Promise<void> {
  writeFileSync(path, await format(JSON.stringify(texts), { parser: 'json' }));
}

/** Keeps of a translation what has a text, in the order of the texts. Returns the texts that it lacks. */
async function translate(path: string, texts: Texts): Promise<readonly string[]> {
  const translation = readTexts(path);
  const kept = Object.keys(texts).flatMap((key) => {
    const text = translation[key];
    return text === undefined ? [] : [[key, text] as const];
  });
  await write(path, Object.fromEntries(kept));
  return Object.keys(texts).filter((key) => translation[key] === undefined);
}

const texts = await collectTexts();
await write(bundlePath, texts);
const lacking = [
  ...(await translate(germanBundlePath, texts)),
  ...(await translate(germanManifestTextsPath, readTexts(manifestTextsPath))),
];
say(`${Object.keys(texts).length} texts in the sources.`);
for (const key of lacking) say(`No German text: ${key}`);
