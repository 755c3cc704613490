// The client of an n8n, the recorded n8n, and the socket between them.
import { HttpLoader } from '../../../src/api/http/httpLoader.ts';
import { createN8nClient } from '../../../src/api/n8n/client.ts';
import type { ClientOwner, ServicePort } from '../../../src/api/servicePort.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { Clock } from '../../../src/base/time.ts';
import { createHastyClock } from '../hastyClock.ts';
import { recordedKey, RecordedN8n } from './recordedN8n.ts';

export interface N8nWorld {
  readonly n8n: RecordedN8n;
  /** The address of the editor. */
  readonly address: string;
  readonly client: ServicePort;
  readonly clock: Clock;
  /** What the client waited for, in milliseconds; no time passes. */
  readonly waits: readonly number[];
  /** Another client, of this address, with this key or with a token. */
  readonly connect: (given: {
    readonly address?: string;
    readonly key?: string | (() => string);
    readonly mcpToken?: string | (() => string);
    readonly owner?: ClientOwner;
  }) => ServicePort;
  dispose(): Promise<void>;
}

export async function createN8nWorld(): Promise<N8nWorld> {
  const hasty = createHastyClock();
  const waits: number[] = [];
  const clock: Clock = {
    now: hasty.now,
    schedule(callback, delayMs, kind) {
      if (kind !== 'deadline') waits.push(delayMs);
      return hasty.schedule(callback, delayMs, kind);
    },
  };
  let time = Date.UTC(2026, 0, 6, 10);
  // Each thing that happens takes a second.
  const { n8n, running } = await RecordedN8n.serve(() => (time += 1000));
  const loader = new HttpLoader(() => ({ environment: {} }));
  const here = `http://127.0.0.1:${running.port}`;
  const clients: ServicePort[] = [];
  const connect: N8nWorld['connect'] = ({ address = here, key = recordedKey, mcpToken, owner }) => {
    const client = createN8nClient({
      http: loader.load,
      baseUrl: address,
      key: () => Promise.resolve(typeof key === 'function' ? key() : key),
      mcpToken: () => Promise.resolve(typeof mcpToken === 'function' ? mcpToken() : mcpToken),
      owner,
      logger: silentLogger,
      clock,
      random: () => 0,
    });
    clients.push(client);
    return client;
  };
  return {
    n8n,
    address: here,
    client: connect({}),
    clock,
    waits,
    connect,
    async dispose() {
      for (const client of clients) client.dispose();
      loader.dispose();
      await running.close();
    },
  };
}

/** A turn of a node as n8n records it. */
export function turnOf(
  startTime: number,
  executionIndex: number,
  items: readonly object[],
  from?: {
    readonly previousNode: string;
    readonly previousNodeOutput?: number;
    readonly previousNodeRun?: number;
  },
) {
  return {
    startTime,
    executionIndex,
    executionTime: 10,
    executionStatus: 'success',
    source: from === undefined ? [] : [{ ...from }],
    data: { main: [items.map((json) => ({ json: { ...json }, pairedItem: { item: 0 } }))] },
  };
}
