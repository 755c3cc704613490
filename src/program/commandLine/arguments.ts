// Reads a command's arguments.
import { parseArgs } from 'node:util';
import { hasWebToken, redact } from '../../base/masking.ts';
import type { Command, OptionSpecs } from './command.ts';
import { GivenArguments, UsageError } from './given.ts';

const serviceOptions: OptionSpecs = {
  url: { value: 'URL', says: 'The base URL with its version. Default: WORKFLOW_BASE_URL' },
  kind: { value: 'KIND', says: 'service, or n8n. Default: service' },
  environment: { value: 'NAME', says: 'Takes the URL and the kind from workflows.json in this folder' },
  'key-variable': {
    value: 'NAME',
    says: 'The environment variable with the API key. Default: WORKFLOW_API_KEY',
  },
  timeout: { value: 'SECONDS', says: 'Gives up after this time' },
};

export const commonOptions: OptionSpecs = {
  json: { says: 'Writes one JSON value to stdout' },
  quiet: { says: 'Writes nothing but the result and errors' },
  'no-color': { says: 'No colors; so does the environment variable NO_COLOR' },
  help: { says: 'Shows this help' },
};

export function optionsOf({ options, asksService }: Command): OptionSpecs {
  return { ...options, ...(asksService ? serviceOptions : {}), ...commonOptions };
}

const secretOption = /^--?(?:api-?)?(?:key|token|secret|password|mcp-?token)(?:=|$)/i;

/** Throws a UsageError if an argument looks like a secret: other users of a machine see the arguments of its processes. */
export function refuseSecrets(words: readonly string[], secrets: readonly string[]): void {
  const isSecret = (word: string): boolean =>
    secretOption.test(word) ||
    hasWebToken(word) ||
    redact(word) !== word ||
    secrets.some((secret) => secret.length >= 8 && word.includes(secret));
  if (words.some(isSecret))
    throw new UsageError(
      "A key can't be an argument, since other users of this machine see arguments. Set WORKFLOW_API_KEY in the environment.",
    );
}

/** Throws a UsageError that names what is wrong. words: those after the command's own. */
export function readArguments(command: Command, words: readonly string[]): GivenArguments {
  const specs = optionsOf(command);
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    const given = Object.entries(values).flatMap(([name, value]) =>
      value === true || typeof value === 'string' ? [[name, value] as const] : [],
    );
    const read = new GivenArguments(new Map(given), positionals);
    if (!read.has('help')) requireCount(command, positionals.length);
    return read;
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(error.message.replace(/\. To specify a positional[^]*$/, '.'));
  }
}

/** "workflow-automation workflow show W". */
export function usageOf({ name, takes }: Pick<Command, 'name' | 'takes'>): string {
  return ['workflow-automation', name, ...takes].join(' ');
}

function requireCount(command: Command, count: number): void {
  const { takes } = command;
  const least = takes.filter((each) => !each.startsWith('[')).length;
  const most = takes.some((each) => each.includes('…')) ? Infinity : takes.length;
  if (count >= least && count <= most) return;
  const problem = count < least ? `An argument is missing: ${takes[count] ?? ''}.` : 'Too many arguments.';
  throw new UsageError(`${problem} The command is: ${usageOf(command)}`);
}
