import { redact } from '../../../base/masking.ts';
import { defaultIgnoredFields, parseFieldPatterns } from '../../../model/comparison/fieldPatterns.ts';
import { describeTypedError } from '../../../words/describeTypedError.ts';
import { serveTools } from '../../mcp/serveStdio.ts';
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
