// "npm run contributes": writes the commands into package.json and their titles into package.nls.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../rig/paths.ts';
import { fillManifest, fillTexts } from './contributes.ts';

for (const [file, fill] of [
  ['package.json', fillManifest],
  ['package.nls.json', fillTexts],
] as const) {
  const path = join(root, file);
  writeFileSync(path, await fill(readFileSync(path, 'utf8')));
}
