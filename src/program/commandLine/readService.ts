// Which service a command is about: from its options, the environment and workflows.json.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { parseJson } from '../../base/json.ts';
import { type ServiceAddress, type ServiceKind, serviceKinds, type ServiceSecrets } from '../openService.ts';
import { type GivenArguments, UsageError } from './given.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const filesName = 'workflows.json';
const Environments = v.object({
  environments: v.record(
    v.string(),
    v.object({ url: v.string(), kind: v.optional(v.picklist(serviceKinds)) }),
  ),
});

const keyVariable = 'WORKFLOW_API_KEY';
const tokenVariable = 'WORKFLOW_MCP_TOKEN';

/** What may be a secret in the environment. */
export function secretsIn(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    (name.startsWith(keyVariable) || name === tokenVariable) && value !== undefined ? [value] : [],
  );
}

function readKind(text: string | undefined): ServiceKind {
  const kind = serviceKinds.find((each) => each === (text ?? 'service'));
  if (kind === undefined) throw new UsageError(`--kind is one of: ${serviceKinds.join(', ')}.`);
  return kind;
}

/** Throws a UsageError if the file isn't there, can't be read, or has no such environment. */
function readEnvironment(name: string): ServiceAddress {
  let text: string;
  try {
    text = readFileSync(filesName, 'utf8');
  } catch {
    throw new UsageError(`There's no ${filesName} in this folder, which --environment reads.`);
  }
  const { success, output } = v.safeParse(Environments, parseJson(text));
  if (!success) throw new UsageError(`${filesName} has no "environments" with a "url" each.`);
  const found = Object.hasOwn(output.environments, name) ? output.environments[name] : undefined;
  if (found === undefined)
    throw new UsageError(
      `${filesName} has no environment "${name}". It has: ${Object.keys(output.environments).join(', ')}.`,
    );
  return { url: found.url, kind: found.kind ?? 'service' };
}

/** Throws a UsageError if no service is named, or if there's no key for it. */
export function readService(
  given: GivenArguments,
  environment: Environment,
): { readonly address: ServiceAddress; readonly secrets: ServiceSecrets } {
  const name = given.text('environment');
  if (name !== undefined && (given.has('url') || given.has('kind')))
    throw new UsageError('Give --environment, or --url with --kind: not both.');
  const url = given.text('url') ?? environment['WORKFLOW_BASE_URL'] ?? '';
  const address = name === undefined ? { url, kind: readKind(given.text('kind')) } : readEnvironment(name);
  if (address.url === '')
    throw new UsageError('Name the service: --url URL, or WORKFLOW_BASE_URL in the environment.');
  const ofEnvironment =
    name === undefined ? [] : [`${keyVariable}_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`];
  const own = given.text('key-variable');
  const variables = own === undefined ? [...ofEnvironment, keyVariable] : [own];
  const apiKey = variables.map((each) => environment[each] ?? '').find((value) => value !== '');
  if (apiKey === undefined)
    throw new UsageError(`Set ${variables.join(' or ')} in the environment to the API key.`);
  const mcpToken = address.kind === 'n8n' ? environment[tokenVariable] : undefined;
  return { address, secrets: { apiKey, mcpToken } };
}
