import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type LineStreams, LineTransport } from './lineTransport.ts';
import { createToolServer, type ToolServerOptions } from './toolServer.ts';

/** Serves one client, and resolves when its input ends or `signal` is aborted. */
export async function serveTools(
  options: ToolServerOptions,
  streams: LineStreams,
  signal: AbortSignal,
): Promise<void> {
  const { input, output } = streams;
  const ended = Promise.withResolvers<undefined>();
  const end = (): void => ended.resolve(undefined);
  for (const event of ['end', 'close', 'error']) input.once(event, end);
  output.once('error', end);
  signal.addEventListener('abort', end, { once: true });
  const handle = serveStdio(() => createToolServer(options), { transport: new LineTransport(streams) });
  await ended.promise;
  await handle.close();
}
