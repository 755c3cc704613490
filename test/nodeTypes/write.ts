// "npm run node-types": writes the tables of the page on node types anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { fillPage, pagePath } from './page.ts';

writeFileSync(pagePath, await fillPage(readFileSync(pagePath, 'utf8')));
