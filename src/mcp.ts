// The server of tools for language models as a process; its client is at its standard input and output.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { parseJson } from './base/json.ts';
import { redact } from './base/secrets.ts';
import { systemClock as clock } from './base/time.ts';
import { defaultIgnoredFields, parseFieldPatterns } from './model/comparison/fieldPatterns.ts';
import { serveTools } from './program/mcp/serveStdio.ts';
import { openService, serviceKinds } from './program/openService.ts';
import { Evaluator } from './service/sandbox/evaluator.ts';
import { describeTypedError } from './words/describeTypedError.ts';

const usage = `Usage: node mcp.js [--url URL] [--kind service|n8n] [--allow-changes]
  --url            the base URL of the service; default WORKFLOW_BASE_URL
  --kind           default service
  --allow-changes  also offers the tools that execute, retry and save
The API key is in WORKFLOW_API_KEY, and the MCP token of an n8n in WORKFLOW_MCP_TOKEN.`;

const Package = v.object({ version: v.string() });

const describe = (error: unknown): string =>
  describeTypedError(error)?.message ?? (error instanceof Error ? error.message : String(error));

function readOptions() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: process.env['WORKFLOW_BASE_URL'] ?? '' },
      kind: { type: 'string', default: 'service' },
      'allow-changes': { type: 'boolean', default: false },
    },
  });
  return {
    url: values.url,
    kind: v.parse(v.picklist(serviceKinds), values.kind),
    allowsChanges: values['allow-changes'],
  };
}

async function serve({ url, kind, allowsChanges }: ReturnType<typeof readOptions>): Promise<void> {
  const { WORKFLOW_API_KEY: apiKey = '', WORKFLOW_MCP_TOKEN: mcpToken } = process.env;
  const service = openService({ url, kind }, { apiKey, mcpToken });
  const checker = new Evaluator({ program: new URL('./sandbox.js', import.meta.url), clock });
  const { patterns } = parseFieldPatterns(defaultIgnoredFields);
  const { version } = v.parse(
    Package,
    parseJson(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
  );
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
  const ports = {
    ...service,
    checker,
    ignoredFields: () => patterns,
    hide: (text: string) => redact(text),
    describe,
  };
  try {
    const { connectionId } = service;
    const { stdin: input, stdout: output } = process;
    await serveTools({ ports, connectionId, allowsChanges, version }, { input, output }, ended.signal);
  } finally {
    checker.dispose();
    service.dispose();
  }
}

function fail(text: string, code: number): void {
  process.stderr.write(`${redact(text)}\n`);
  process.exitCode = code;
}

let options: ReturnType<typeof readOptions> | undefined;
try {
  options = readOptions();
} catch (error) {
  fail(`${describe(error)}\n${usage}`, 2);
}
if (options !== undefined)
  try {
    await serve(options);
  } catch (error) {
    fail(describe(error), 2);
  }
