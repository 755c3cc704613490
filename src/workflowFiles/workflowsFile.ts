// workflows.json: the environments, and which workflow of each a file is.
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { plainLine, withoutMark } from '../base/format.ts';
import { parseJson } from '../base/json.ts';
import { hasWebToken, redact } from '../base/masking.ts';
import { members } from '../protocol/members.ts';
import { fileKey, fileStem, isWorkflowPath } from './fileNames.ts';
import { FilesError } from './filesError.ts';

export const workflowsFileName = 'workflows.json';
/** In bytes. */
export const maximumWorkflowsFile = 5 * 1024 * 1024;

/** The kinds of services that an environment may be; "service" is any service of the contract. */
export const serviceKinds = ['service', 'n8n'] as const;
export type ServiceKind = (typeof serviceKinds)[number];

/** A service by its URL. */
export interface FilesEnvironment {
  readonly url: string;
  readonly kind: ServiceKind;
  /** Promoting to it wants its name typed. */
  readonly isGuarded: boolean;
}

/** Ids by the names of environments. */
type LinkedIds = ReadonlyMap<string, string>;

export interface WorkflowsFile {
  readonly environments: ReadonlyMap<string, FilesEnvironment>;
  readonly defaultEnvironment: string | undefined;
  /** By the path of the file, from the folder on. */
  readonly workflows: ReadonlyMap<string, LinkedIds>;
}

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(500));
const Environment = v.object({
  url: v.pipe(v.string(), v.maxLength(2000)),
  kind: v.optional(v.picklist(serviceKinds), 'service'),
  guarded: v.optional(v.boolean(), false),
});
const Environments = v.object({ environments: members(Environment) });
const Workflows = v.object({ workflows: v.optional(members(members(Id)), {}) });
const Default = v.object({ default: v.optional(v.string()) });

/** What a part of it has to be; throws a FilesError with these words if it isn't. */
function decode<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  words: () => string,
): v.InferOutput<Schema> {
  const { success, output } = v.safeParse(schema, value);
  if (!success) throw new FilesError(words());
  return output;
}

/** Throws a FilesError for a text that isn't such a file, that has a key in it, or that names a file outside the folder. */
export function readWorkflowsFile(text: string): WorkflowsFile {
  if (redact(text) !== text || hasWebToken(text))
    throw new FilesError(
      l10n.t(
        '{0} has what looks like an API key. Remove it: keys never belong in this file.',
        workflowsFileName,
      ),
    );
  const value = parseJson(withoutMark(text));
  if (value === undefined) throw new FilesError(l10n.t("{0} isn't valid JSON.", workflowsFileName));
  const { environments } = decode(Environments, value, () =>
    l10n.t('{0} has no "environments" with a "url" each.', workflowsFileName),
  );
  const { workflows } = decode(Workflows, value, () =>
    l10n.t('"workflows" in {0} must have the IDs of workflows by file and environment.', workflowsFileName),
  );
  const named = decode(Default, value, () =>
    l10n.t('"default" in {0} must be the name of an environment.', workflowsFileName),
  );
  checkEnvironmentNames(Object.keys(environments));
  checkPaths(Object.keys(workflows));
  return {
    environments: new Map(
      Object.entries(environments).map(([name, { guarded, ...rest }]) => [
        name,
        { ...rest, isGuarded: guarded },
      ]),
    ),
    defaultEnvironment: named.default,
    workflows: new Map(Object.entries(workflows).map(([file, ids]) => [file, new Map(Object.entries(ids))])),
  };
}

/** Throws a FilesError that lists the names that there are. */
export function findEnvironment({ environments }: WorkflowsFile, name: string): FilesEnvironment {
  const found = environments.get(name);
  if (found !== undefined) return found;
  const names = [...environments.keys()].join(', ');
  throw new FilesError(
    l10n.t('{0} has no environment "{1}". It has: {2}.', workflowsFileName, plainLine(name, 80), names),
  );
}

/** The name of the default one, or of the only one; undefined where neither is. */
export function usualEnvironment({ defaultEnvironment, environments }: WorkflowsFile): string | undefined {
  const [only, ...others] = environments.keys();
  return defaultEnvironment ?? (others.length === 0 ? only : undefined);
}

/** The name of an environment in the variable with its key: "near-by" is NEAR_BY. */
export function variablePart(environment: string): string {
  return environment.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** A name is also that of a file, and part of that of a variable with a key, which is for one environment alone. */
function checkEnvironmentNames(names: readonly string[]): void {
  const strange = names.find((name) => name === '' || fileStem(name) !== name);
  if (strange !== undefined)
    throw new FilesError(
      l10n.t('"{0}" can\'t be the name of an environment: no file can be named so.', plainLine(strange, 80)),
    );
  const [one, other] = findSame(names, variablePart) ?? [];
  if (one !== undefined && other !== undefined)
    throw new FilesError(
      l10n.t('The environments "{0}" and "{1}" would share the variable of one key.', one, other),
    );
}

function checkPaths(paths: readonly string[]): void {
  const strange = paths.find((path) => !isWorkflowPath(path));
  if (strange !== undefined) throw strangePath(strange);
  const [one, other] = findSame(paths, fileKey) ?? [];
  if (one !== undefined && other !== undefined)
    throw new FilesError(l10n.t('"{0}" and "{1}" are one file on some machines.', one, other));
}

export function strangePath(path: string): FilesError {
  return new FilesError(
    l10n.t(
      '"{0}" can\'t be the file of a workflow: a file in this folder whose name ends in ".workflow.json", by a name that every system takes.',
      plainLine(path, 200),
    ),
  );
}

function findSame(
  names: readonly string[],
  keyOf: (name: string) => string,
): readonly [one: string, other: string] | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    const one = seen.get(keyOf(name));
    if (one !== undefined) return [one, name];
    seen.set(keyOf(name), name);
  }
  return undefined;
}
