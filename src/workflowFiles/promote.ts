// Brings what one environment has to another. What is sent is the service's definition, since that is what was tried there.
import type { JsonObject } from '../base/json.ts';
import { renderDefinition } from '../model/workflows/workflowDefinition.ts';
import { type ComparedFile, compareLinks, type Comparison } from './compareFolder.ts';
import { findLinks, type FolderLinks } from './links.ts';
import type { FilesService } from './ports.ts';
import type { FileText, OpenedFolder } from './readFolder.ts';
import { findCalled, mapCalled } from './subWorkflows.ts';

interface PromotedSide {
  readonly opened: OpenedFolder;
  readonly service: FilesService;
}

export interface PromotionComparison {
  /** Of the definitions that the first environment has with the other one; all count as files. */
  readonly comparison: Comparison;
  /** The files that the first environment has a workflow of, by path, as they stand to it. */
  readonly from: ReadonlyMap<string, ComparedFile>;
}

/** `files`: only these. Rejects with a ServiceError or the signal's reason. */
export async function comparePromotion(
  from: PromotedSide,
  to: PromotedSide,
  files: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<PromotionComparison> {
  const linked = [...from.opened.workflowsFile.workflows].flatMap(([file, ids]) =>
    ids.has(from.opened.environment) && files?.has(file) !== false ? [file] : [],
  );
  // A promotion goes by the names in workflows.json: no file is taken for a renamed one.
  const byName = { findsRenamed: false } as const;
  const source = { ...from.opened, ...byName, service: from.service, files: new Set(linked) };
  const sourceLinks = await findLinks(source, signal);
  const { files: compared } = await compareLinks(source, sourceLinks, signal);
  const promoted = new Map(
    compared.flatMap(({ file, there }) => (there === undefined ? [] : [[file, there] as const])),
  );
  const target = {
    ...to.opened,
    ...byName,
    service: to.service,
    files: new Set(promoted.keys()),
    definitions: render(promoted),
  };
  const targetLinks = await findLinks(target, signal);
  const { ids, promised } = matchIds(promoted, sourceLinks, targetLinks);
  const definitions = new Map(
    [...promoted].map(([file, definition]) => [file, mapCalled(definition, ids)] as const),
  );
  const comparison = await compareLinks(target, { ...targetLinks, definitions: render(definitions) }, signal);
  return {
    comparison: { ...comparison, promised },
    from: new Map(compared.map((each) => [each.file, each])),
  };
}

function render(definitions: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, FileText> {
  return new Map(
    [...definitions].map(([file, definition]) => [file, { text: renderDefinition(definition) }]),
  );
}

interface MatchedIds {
  /** What the workflows that definitions name are called by there, by their ids here. */
  readonly ids: ReadonlyMap<string, string>;
  readonly promised: Comparison['promised'];
}

/** A workflow is that of its file, or else the only one of its name. */
function matchIds(
  promoted: ReadonlyMap<string, JsonObject>,
  source: FolderLinks,
  target: FolderLinks,
): MatchedIds {
  const called = [...promoted.values()].flatMap(findCalled);
  const ids = new Map<string, string>();
  const promised = new Map<string, string>();
  if (called.length === 0) return { ids, promised };
  const files = new Map([...source.links].map(([file, id]) => [id, file]));
  const byName = Map.groupBy(
    [...target.rows.values()].filter(({ isArchived }) => isArchived !== true),
    ({ name }) => name,
  );
  for (const { workflowId, name } of called) {
    const file = files.get(workflowId);
    const linked = file === undefined ? undefined : target.links.get(file);
    const [named, ...others] = byName.get(source.rows.get(workflowId)?.name ?? name ?? '') ?? [];
    if (linked !== undefined && target.rows.has(linked)) ids.set(workflowId, linked);
    else if (file !== undefined && promoted.has(file)) promised.set(workflowId, file);
    else if (named !== undefined && others.length === 0) ids.set(workflowId, named.id);
  }
  return { ids, promised };
}
