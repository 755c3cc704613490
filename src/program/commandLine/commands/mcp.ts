import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { aborted } from '../../../base/async.ts';
import { redact } from '../../../base/masking.ts';
import { systemClock, within } from '../../../base/time.ts';
import { defaultIgnoredFields, parseFieldPatterns } from '../../../model/comparison/fieldPatterns.ts';
import { describeTypedError } from '../../../words/describeTypedError.ts';
import { type LineStreams, LineTransport } from '../../mcp/lineTransport.ts';
import { createToolServer, type ToolServerOptions } from '../../mcp/toolServer.ts';
import { exitCodes, type Run } from '../command.ts';
import { readVersion } from '../version.ts';

export const serveMcp: Run = async ({ given, openChecker, openService, packageFolder, signal }) => {
  const service = openService();
  const { connectionId, clock } = service;
  const { patterns } = parseFieldPatterns(defaultIgnoredFields);
  const ports = {
    ...service,
    checker: await openChecker(),
    ignoredFields: () => patterns,
    hide: (text: string) => redact(text),
    describe: (error: unknown) =>
      describeTypedError(error, clock.now())?.message ?? 'Something went wrong in the tool.',
  };
  const options = {
    ports,
    connectionId,
    allowsChanges: given.has('allow-changes'),
    version: readVersion(packageFolder),
  };
  await serveTools(options, { input: process.stdin, output: process.stdout }, signal);
  return exitCodes.done;
};

/** In milliseconds: a client that ends its input waits for the end of the program, and a call may wait for an execution. */
const answeredWithin = 5000;

/** Serves one client. Resolves when its input has ended and what it asked is answered, when it reads no more, or when `signal` is aborted. */
async function serveTools(
  options: ToolServerOptions,
  streams: LineStreams,
  signal: AbortSignal,
): Promise<void> {
  const { input, output } = streams;
  const transport = new LineTransport(streams);
  const handle = serveStdio(() => createToolServer(options), { transport });
  const isOver = Promise.race([aborted(signal), finished(output).catch(() => undefined)]);
  await Promise.race([finished(input).catch(() => undefined), isOver]);
  if (input.readableEnded)
    await within(systemClock, answeredWithin, Promise.race([transport.whenAnswered(), isOver]));
  await handle.close();
}
