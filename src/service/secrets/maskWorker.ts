// The program of the thread that masks long texts, a bundle of its own.
import { parentPort, workerData } from 'node:worker_threads';
import type { MaskOrder } from './maskThread.ts';
import { SecretMask } from './secretMask.ts';

const values = workerData as readonly string[];
const mask = new SecretMask(values);

parentPort?.on('message', (order: MaskOrder) => {
  if (order.kind === 'update') mask.update(order.values);
  else {
    const masked = order.kind === 'json' ? mask.json(order.text) : mask.text(order.text);
    parentPort?.postMessage(masked === order.text ? null : masked);
  }
});
