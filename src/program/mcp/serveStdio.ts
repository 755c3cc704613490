import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createToolServer, type ToolServerOptions } from './toolServer.ts';

/** Serves one client, and resolves when its input ends or `signal` is aborted. */
export async function serveTools(
  options: ToolServerOptions,
  { input, output }: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
): Promise<void> {
  const ended = Promise.withResolvers<undefined>();
  const end = (): void => ended.resolve(undefined);
  for (const event of ['end', 'close', 'error']) input.once(event, end);
  output.once('error', end);
  signal.addEventListener('abort', end, { once: true });
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => createToolServer(options), { transport });
  await ended.promise;
  await handle.close();
}
