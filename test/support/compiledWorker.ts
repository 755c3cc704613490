// The worker of a sandbox, from what Node made of the sources earlier.
import { enableCompileCache } from 'node:module';
import { compiledSources } from '../rig/paths.ts';

enableCompileCache(compiledSources);
await import('../../src/service/sandbox/worker.ts');
