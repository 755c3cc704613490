// A server that answers only when a test says so, so that a node that asks it runs as long as the test wants.
import type { ServerResponse } from 'node:http';
import { type Running, serve } from '../support/servers.ts';
import { until } from './until.ts';

export interface Gate extends Running {
  /** Answers whatever waits, or comes next. */
  letThrough(status: number): Promise<void>;
}

export async function openGate(): Promise<Gate> {
  const waiting: ServerResponse[] = [];
  const running = await serve((_request, response) => void waiting.push(response));
  return {
    ...running,
    async letThrough(status) {
      await until(
        () => waiting.length,
        (count) => count > 0,
      );
      for (const response of waiting.splice(0))
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    },
  };
}
