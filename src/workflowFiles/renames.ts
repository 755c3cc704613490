// Linked files that are under another path now, as after "git mv".
import { type JsonObject, stringifyJson } from '../base/json.ts';
import type { Workflow } from '../domain/workflow.ts';
import { toDefinition } from '../model/workflows/workflowDefinition.ts';
import { agreedDefinition, type Agreement, hashOf } from './agreed.ts';
import { nodeNames } from './changes.ts';

/** A linked file that isn't there. */
export interface GoneFile {
  readonly path: string;
  readonly agreement: Agreement | undefined;
  /** As it's listed; undefined: the service doesn't have it. */
  readonly workflow: Workflow | undefined;
}

/** A file that is linked to nothing. */
export interface NewFile {
  readonly path: string;
  readonly definition: JsonObject;
}

export interface Renames {
  /** The former path of each renamed file. */
  readonly formerPaths: ReadonlyMap<string, string>;
  /** For a person to decide: the new files that a gone one may be, and the gone ones that a new one may be. */
  readonly candidates: ReadonlyMap<string, readonly string[]>;
}

/** What a file is recognized by. */
interface Marks {
  /** Hashes of definitions. */
  readonly definition: readonly string[];
  readonly name: readonly string[];
  /** The IDs of its nodes, as one text. */
  readonly nodes: readonly string[];
}

interface Marked {
  readonly path: string;
  readonly marks: Marks;
}

/**
 * A new file is a gone one under another path if it has the definition that was agreed, or else the name that was, and no other of them has it. Where
 * several do, or only the IDs of all nodes are the same, they are candidates.
 */
export async function findRenames(gone: readonly GoneFile[], added: readonly NewFile[]): Promise<Renames> {
  if (gone.length === 0 || added.length === 0) return { formerPaths: new Map(), candidates: new Map() };
  const before = await Promise.all(gone.map(markGone));
  const after = await Promise.all(
    added.map(async ({ path, definition }) => ({ path, marks: await marksOf(definition) })),
  );
  const formerPaths = new Map<string, string>();
  const alikeOfRest = (mark: keyof Marks) => {
    const renamed = new Set(formerPaths.values());
    return alike(
      mark,
      before.filter(({ path }) => !renamed.has(path)),
      after.filter(({ path }) => !formerPaths.has(path)),
    );
  };
  for (const mark of ['definition', 'name'] as const)
    for (const [from, to] of alikeOfRest(mark))
      if (from.length === 1 && to.length === 1) formerPaths.set(to[0] ?? '', from[0] ?? '');
  const candidates = new Map<string, readonly string[]>();
  const note = (path: string, others: readonly string[]): void => {
    candidates.set(path, [...new Set([...(candidates.get(path) ?? []), ...others])]);
  };
  for (const mark of ['definition', 'name', 'nodes'] as const)
    for (const [from, to] of alikeOfRest(mark)) {
      for (const path of from) note(path, to);
      for (const path of to) note(path, from);
    }
  return { formerPaths, candidates };
}

/** The paths before and after that share a mark, for each mark that both have. */
function alike(
  mark: keyof Marks,
  before: readonly Marked[],
  after: readonly Marked[],
): readonly (readonly [before: readonly string[], after: readonly string[]])[] {
  const [from, to] = [byMark(mark, before), byMark(mark, after)];
  return [...from].flatMap(([key, paths]) => {
    const others = to.get(key);
    return others === undefined ? [] : [[paths, others] as const];
  });
}

function byMark(mark: keyof Marks, files: readonly Marked[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const { path, marks } of files)
    for (const key of new Set(marks[mark])) paths.set(key, [...(paths.get(key) ?? []), path]);
  return paths;
}

async function markGone({ path, agreement, workflow }: GoneFile): Promise<Marked> {
  const agreed = agreedDefinition(agreement);
  if (agreement !== undefined && agreed !== undefined) {
    const marks = await marksOf(agreed);
    return { path, marks: { ...marks, definition: [...marks.definition, agreement.hash] } };
  }
  // Where nothing was agreed, what the service has tells.
  if (workflow === undefined) return { path, marks: { definition: [], name: [], nodes: [] } };
  if (workflow.hasDefinition) return { path, marks: await marksOf(toDefinition(workflow)) };
  return { path, marks: { definition: [], name: [workflow.name], nodes: [] } };
}

async function marksOf(definition: JsonObject): Promise<Marks> {
  const { name } = definition;
  const nodes = nodeNames(definition);
  return {
    definition: [await hashOf(definition)],
    name: typeof name === 'string' && name !== '' ? [name] : [],
    nodes: nodes === undefined || nodes.length === 0 ? [] : [stringifyJson([...nodes].sort())],
  };
}
