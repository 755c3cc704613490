// Which service a command is about: from its options, the environment and workflows.json.
import { readFileSync } from 'node:fs';
import {
  findEnvironment,
  readWorkflowsFile,
  serviceKinds,
  variablePart,
  workflowsFileName,
} from '../../workflowFiles/workflowsFile.ts';
import type { ServiceAddress, ServiceSecrets } from '../openService.ts';
import { type GivenArguments, UsageError } from './given.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const keyVariable = 'WORKFLOW_API_KEY';
const tokenVariable = 'WORKFLOW_MCP_TOKEN';

/** What may be a secret in the environment. */
export function secretsIn(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    (name.startsWith(keyVariable) || name === tokenVariable) && value !== undefined ? [value] : [],
  );
}

/** A service that a command names, and the name of its environment if it has one. */
export interface NamedService {
  readonly address: ServiceAddress;
  readonly environment: string | undefined;
}

/** Throws a UsageError if the file isn't there, and a FilesError if it can't be read, or has no such environment. */
function readEnvironment(name: string): ServiceAddress {
  let text: string;
  try {
    text = readFileSync(workflowsFileName, 'utf8');
  } catch {
    throw new UsageError(`There's no ${workflowsFileName} in this folder, which --environment reads.`);
  }
  return findEnvironment(readWorkflowsFile(text), name);
}

/** Throws a UsageError if no service is named. */
export function readNamedService(given: GivenArguments, variables: Environment): NamedService {
  const environment = given.text('environment');
  if (environment !== undefined && (given.has('url') || given.has('kind')))
    throw new UsageError('Give --environment, or --url with --kind: not both.');
  const address = environment === undefined ? readAddress(given, variables) : readEnvironment(environment);
  return { address, environment };
}

/** Of --url and --kind. Throws a UsageError if no service is named. */
export function readAddress(given: GivenArguments, variables: Environment): ServiceAddress {
  const url = given.text('url') ?? variables['WORKFLOW_BASE_URL'] ?? '';
  if (url === '')
    throw new UsageError('Name the service: --url URL, or WORKFLOW_BASE_URL in the environment.');
  return { url, kind: given.oneOf('kind', serviceKinds) ?? 'service' };
}

/**
 * Throws a UsageError if there's no key for the service. The address of an environment comes out of a file that others write: a key that the
 * variables give to another address isn't sent to it.
 */
export function readSecrets(
  { address, environment }: NamedService,
  given: GivenArguments,
  variables: Environment,
): ServiceSecrets {
  const isOthers = environment !== undefined && isOtherOrigin(address.url, variables['WORKFLOW_BASE_URL']);
  const ofEnvironment = environment === undefined ? [] : [`${keyVariable}_${variablePart(environment)}`];
  const own = given.text('key-variable');
  const named = own === undefined ? [...ofEnvironment, ...(isOthers ? [] : [keyVariable])] : [own];
  const apiKey = named.map((each) => variables[each] ?? '').find((value) => value !== '');
  if (apiKey === undefined) {
    const because = isOthers ? ` ${keyVariable} is for WORKFLOW_BASE_URL, which is another service.` : '';
    throw new UsageError(`Set ${named.join(' or ')} in the environment to the API key.${because}`);
  }
  const mcpToken = address.kind === 'n8n' && !isOthers ? variables[tokenVariable] : undefined;
  return { apiKey, mcpToken };
}

function isOtherOrigin(url: string, base: string | undefined): boolean {
  if (base === undefined || !URL.canParse(base) || !URL.canParse(url)) return false;
  return new URL(base).origin !== new URL(url).origin;
}
