// "npm run l10n": writes the bundle of the sources' texts anew, drops translations of texts that are gone, and names those that lack one.
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { say } from '../rig/say.ts';
import { bundlePath, collectTexts, readTexts, type Texts, translations } from './texts.ts';

async function write(path: string, texts: Texts): Promise<void> {
  writeFileSync(path, await format(JSON.stringify(texts), { parser: 'json' }));
}

await write(bundlePath, collectTexts());
for (const { path, translated } of translations) {
  const keys = Object.keys(readTexts(path));
  const translation = readTexts(translated);
  const kept = keys.flatMap((key) => {
    const text = translation[key];
    return text === undefined ? [] : [[key, text] as const];
  });
  await write(translated, Object.fromEntries(kept));
  for (const key of keys) if (translation[key] === undefined) say(`No German text: ${key}`);
}
