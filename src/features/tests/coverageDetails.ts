// Coverage in the editor's own view: the nodes and branches of each definition that tests executed.
import * as vscode from 'vscode';
import type { App } from '../../ui/app.ts';
import { deployedUri } from '../../ui/addresses.ts';
import { findServiceDocument, serviceUri } from '../../ui/pickers/openDefinition.ts';
import { TextPositions } from '../../editor/documents/textPositions.ts';
import { type NodeCoverage, WorkflowCoverage } from '../../workflowTests/coverage.ts';
import type { TestedWorkflow } from '../../workflowTests/testPlan.ts';
import type { EndedTest } from './testItems.ts';
import { resolvePath } from '../../ui/testFiles.ts';

type CoverageDeps = Pick<App, 'connections' | 'definitionTargets' | 'services' | 'workflows'>;

export class CoverageDetails {
  readonly #covered = new WeakMap<vscode.FileCoverage, WorkflowCoverage>();

  /** Adds to a run what its tests covered, of all of them together. */
  show(run: vscode.TestRun, ended: readonly EndedTest[], deps: CoverageDeps): void {
    const byUri = new Map<string, { readonly uri: vscode.Uri; readonly coverage: WorkflowCoverage }>();
    for (const { test, result, planned } of ended) {
      if (planned === undefined || result.nodeRuns === undefined) continue;
      const uri = uriOf(deps, planned.workflow, test.uri, test.file.workflow ?? '');
      const covered = byUri.get(uri.toString()) ?? {
        uri,
        coverage: new WorkflowCoverage(planned.workflow.text),
      };
      byUri.set(uri.toString(), covered);
      covered.coverage.add(result.nodeRuns);
    }
    for (const { uri, coverage } of byUri.values()) {
      const { nodes } = coverage;
      const branches = nodes.flatMap((node) => node.branches);
      const ran = count(nodes);
      const file = new vscode.FileCoverage(uri, ran, count(branches), ran);
      this.#covered.set(file, coverage);
      run.addCoverage(file);
    }
  }

  /** Each node as what is declared and as a statement with its branches. */
  detail(file: vscode.FileCoverage): vscode.FileCoverageDetail[] {
    const coverage = this.#covered.get(file);
    if (coverage === undefined) return [];
    const { byId, text } = coverage.definition;
    const positions = new TextPositions(text);
    return coverage.nodes.flatMap((node): readonly vscode.FileCoverageDetail[] => {
      const written = byId.get(node.nodeId);
      if (written === undefined) return [];
      const range = positions.range(written);
      return [
        new vscode.DeclarationCoverage(written.name, node.count, range),
        new vscode.StatementCoverage(node.count, range, branchesOf(node, positions)),
      ];
    });
  }
}

function branchesOf({ branches }: NodeCoverage, positions: TextPositions): vscode.BranchCoverage[] {
  return branches.map(
    ({ branch, offset, count: taken }) => new vscode.BranchCoverage(taken, positions.at(offset), branch),
  );
}

function count(parts: readonly { readonly count: number }[]): vscode.TestCoverageCount {
  return new vscode.TestCoverageCount(parts.filter((part) => part.count > 0).length, parts.length);
}

/** The document of the definition that was tested. */
function uriOf(
  deps: CoverageDeps,
  { target, origin }: TestedWorkflow,
  testFile: vscode.Uri,
  workflow: string,
): vscode.Uri {
  if (origin === 'file') return resolvePath(testFile, workflow);
  const open = origin === 'editor' ? deps.definitionTargets.findOpen(target) : findServiceDocument(target);
  const name = deps.workflows.find(target)?.name ?? target.workflowId;
  const uri = open?.uri ?? serviceUri(deps, target, name);
  return origin === 'deployed' ? deployedUri(uri) : uri;
}
