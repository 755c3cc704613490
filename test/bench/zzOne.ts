import * as v from 'valibot';
import { runProbe } from './probing.ts';
const more = process.argv[2] === 'bare' ? { WORKFLOW_BENCH_READER: 'bare' } : { PROF: process.argv[2] ?? '' };
console.log(JSON.stringify(await runProbe('longLog', v.unknown(), more)));
