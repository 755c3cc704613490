// Names the surfaces of the extension, each typed by the feature that fills it.
import type { ConnectionsElement } from './features/connections/connectionElements.ts';
import type { ExecutionsElement } from './features/executions/tree/executionsTree.ts';
import type { PortalEventsElement } from './features/portalEvents/elements.ts';
import type { TreeElement } from './features/workflows/elements.ts';
import { schemes, viewIds } from './editor/ids.ts';
import {
  createLazyTree,
  type LazyDocuments,
  type LazyFiles,
  type LazyLenses,
  type LazyTree,
  type LoadApp,
  registerLazyDocuments,
  registerLazyFiles,
  registerLazyLenses,
} from './editor/surfaces/lazySurfaces.ts';
import { Openings } from './editor/surfaces/openings.ts';

export interface Surfaces {
  readonly workflows: LazyTree<TreeElement>;
  readonly executions: LazyTree<ExecutionsElement>;
  readonly portalEvents: LazyTree<PortalEventsElement>;
  readonly connections: LazyTree<ConnectionsElement>;
  readonly inputFiles: LazyFiles;
  readonly definitionFiles: LazyFiles;
  readonly deployedDocuments: LazyDocuments;
  readonly executionDocuments: LazyDocuments;
  readonly eventDocuments: LazyDocuments;
  readonly presetLenses: LazyLenses;
  /** Of all documents and files. */
  readonly openings: Openings;
}

export function createSurfaces(load: LoadApp): Surfaces {
  const openings = new Openings();
  return {
    openings,
    workflows: createLazyTree(viewIds.workflows, load, {
      showCollapseAll: true,
      canSelectMany: true,
      drops: ['text/uri-list', 'files'],
    }),
    executions: createLazyTree(viewIds.executions, load, { showCollapseAll: true, canSelectMany: true }),
    portalEvents: createLazyTree(viewIds.portalEvents, load, { showCollapseAll: false }),
    connections: createLazyTree(viewIds.connections, load, { showCollapseAll: false }),
    inputFiles: registerLazyFiles(schemes.input, openings, load),
    definitionFiles: registerLazyFiles(schemes.definition, openings, load),
    deployedDocuments: registerLazyDocuments(schemes.deployed, openings, load),
    executionDocuments: registerLazyDocuments(schemes.execution, openings, load),
    eventDocuments: registerLazyDocuments(schemes.event, openings, load),
    presetLenses: registerLazyLenses({ pattern: '**/*.input.json' }, load),
  };
}
