// A worker's program that does nothing but say what it was given.
import { parentPort } from 'node:worker_threads';
import type { WorkOrder } from '../../../src/service/sandbox/messages.ts';

parentPort?.on('message', ({ load, drop }: WorkOrder) => {
  const result = [...load.map(([id]) => `load ${id}`), ...drop.map((id) => `drop ${id}`)];
  parentPort?.postMessage({ kind: 'done', result, rounded: [] });
});
parentPort?.postMessage({ kind: 'ready' });
