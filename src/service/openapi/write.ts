// Writes the description to media/openapi.json, which is committed.
import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from './document.ts';

writeFileSync(
  new URL('../../../media/openapi.json', import.meta.url),
  `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`,
);
