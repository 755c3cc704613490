// Brings what one environment has to another. What is sent is the service's definition, since that is what was tried there.
import { renderDefinition } from '../model/workflows/workflowDefinition.ts';
import { type ComparedFile, type Comparison, compareFolder } from './compareFolder.ts';
import type { FilesService } from './ports.ts';
import type { FileText, OpenedFolder } from './readFolder.ts';

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
  const { files: compared } = await compareFolder(
    { ...from.opened, service: from.service, files: new Set(linked) },
    signal,
  );
  const there = compared.flatMap(({ file, there: definition }) =>
    definition === undefined ? [] : [[file, { text: renderDefinition(definition) }] as const],
  );
  const definitions = new Map<string, FileText>(there);
  const comparison = await compareFolder(
    { ...to.opened, service: to.service, definitions, files: new Set(definitions.keys()) },
    signal,
  );
  return { comparison, from: new Map(compared.map((each) => [each.file, each])) };
}
