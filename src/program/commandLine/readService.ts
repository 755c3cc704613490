// Which service a command is about: from its options, the environment and workflows.json.
import { readFileSync } from 'node:fs';
import {
  findEnvironment,
  readWorkflowsFile,
  type ServiceKind,
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

function readKind(text: string | undefined): ServiceKind {
  const kind = serviceKinds.find((each) => each === (text ?? 'service'));
  if (kind === undefined) throw new UsageError(`--kind is one of: ${serviceKinds.join(', ')}.`);
  return kind;
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
  const ofEnvironment = name === undefined ? [] : [`${keyVariable}_${variablePart(name)}`];
  const own = given.text('key-variable');
  const variables = own === undefined ? [...ofEnvironment, keyVariable] : [own];
  const apiKey = variables.map((each) => environment[each] ?? '').find((value) => value !== '');
  if (apiKey === undefined)
    throw new UsageError(`Set ${variables.join(' or ')} in the environment to the API key.`);
  const mcpToken = address.kind === 'n8n' ? environment[tokenVariable] : undefined;
  return { address, secrets: { apiKey, mcpToken } };
}
