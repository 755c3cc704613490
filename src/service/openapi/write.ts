// Writes the description to media/openapi.json, which is committed.
import { writeFileSync } from 'node:fs';
import { stringifyJson } from '../../base/json.ts';
import { createOpenApiDocument } from './document.ts';

writeFileSync(
  new URL('../../../media/openapi.json', import.meta.url),
  `${stringifyJson(createOpenApiDocument(), 2)}\n`,
);
