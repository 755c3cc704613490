// Checks the user's setting for endpoints that differ from the defaults.
import { isJsonObject } from '../base/json.ts';
import { type HttpMethod, isOperationName, type OperationName, operations } from './operations.ts';

/** A different method or path (below the base URL) for one operation. */
export interface OperationOverride {
  readonly method?: HttpMethod;
  readonly path?: string;
}
export type OperationOverrides = Readonly<Partial<Record<OperationName, OperationOverride>>>;

/** The valid overrides, and one sentence for each rejected entry. */
interface OverridesReading {
  readonly overrides: OperationOverrides;
  readonly problems: readonly string[];
}

const names = Object.keys(operations).filter((name) => isOperationName(name));
const readMethods: readonly HttpMethod[] = ['GET', 'POST'];
const changeMethods: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Services may nest executions below their workflow, so these paths may contain {workflowId}. */
const belowWorkflows: readonly OperationName[] = [
  'listExecutions',
  'getExecution',
  'getOutput',
  'listNodeLogs',
  'getNodeLog',
];

function placeholders(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([placeholder]) => placeholder);
}

/** A read must not turn into a change, and a change sent with GET could be retried. */
function methodProblem(name: OperationName, method: unknown): string | undefined {
  const allowed = operations[name].method === 'GET' ? readMethods : changeMethods;
  const isAllowed = allowed.some((each) => each === method);
  return isAllowed ? undefined : `its method must be one of ${allowed.join(', ')}`;
}

function pathProblem(name: OperationName, path: unknown): string | undefined {
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('//'))
    return 'its path must begin with one "/" and lie below the base URL, never on another origin';
  // In an address, %2e is a point.
  if (/[?#\\\s]|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path))
    return 'its path can\'t have "?", "#", "\\", space, or "." segment';
  const wanted = placeholders(operations[name].path);
  const given = placeholders(path);
  const missing = wanted.find((each) => !given.includes(each));
  if (missing !== undefined) return `its path must have ${missing}`;
  const known = belowWorkflows.includes(name) ? [...wanted, '{workflowId}'] : wanted;
  const unknown = given.find((each) => !known.includes(each));
  if (unknown !== undefined) return `its path has ${unknown}, for which there is no value`;
  return /[{}]/.test(path.replace(/\{\w+\}/g, ''))
    ? "its path has a brace that isn't part of a placeholder"
    : undefined;
}

function readOne(name: string, value: unknown): OperationOverride | string {
  if (!isOperationName(name)) return `there is no such operation; use one of ${names.join(', ')}`;
  if (!isJsonObject(value)) return 'it must be an object with a method, a path, or both';
  const { method, path, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) return `it has "${other}"; only method and path can be set`;
  const problem =
    (method === undefined ? undefined : methodProblem(name, method)) ??
    (path === undefined ? undefined : pathProblem(name, path));
  if (problem !== undefined) return problem;
  const given = [...readMethods, ...changeMethods].find((each) => each === method);
  return { ...(given && { method: given }), ...(typeof path === 'string' && { path }) };
}

/** Reads the "operations" setting and leaves out invalid entries. */
export function readOperationOverrides(value: unknown): OverridesReading {
  if (value === undefined || value === null) return { overrides: {}, problems: [] };
  if (!isJsonObject(value)) return { overrides: {}, problems: ['"operations" must be an object.'] };
  const read = Object.entries(value).map(([name, entry]) => [name, readOne(name, entry)] as const);
  const problems = read.flatMap(([name, result]) =>
    typeof result === 'string' ? [`"operations.${name}" is ignored: ${result}.`] : [],
  );
  const overrides = read.filter(([, result]) => typeof result !== 'string');
  return { overrides: Object.fromEntries(overrides), problems };
}
