// The description is committed, so that the service serves it and a reader finds it without building anything.
import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from './document.ts';

writeFileSync(
  new URL('../../../media/openapi.json', import.meta.url),
  `${JSON.stringify(createOpenApiDocument(), null, 2)}\n`,
);
