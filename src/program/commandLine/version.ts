import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';

const PackageJson = v.object({ version: v.string() });

/** packageFolder: ends in "/". */
export function readVersion(packageFolder: URL): string {
  return v.parse(PackageJson, parseJson(readFileSync(new URL('package.json', packageFolder), 'utf8')))
    .version;
}
