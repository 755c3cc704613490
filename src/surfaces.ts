import { graphViewId, schemes, viewIds } from './editor/ids.ts';
import { DocumentOpener } from './editor/documentOpener.ts';
import {
  LazyDocuments,
  LazyFiles,
  LazyHelp,
  LazyLenses,
  LazyLinks,
  LazyTree,
  type LoadApp,
} from './editor/lazySurfaces.ts';
import { LazyWebview } from './editor/lazyWebview.ts';

/** The parts that the editor needs at activation, by name. */
export type Surfaces = ReturnType<typeof createSurfaces>;

export function createSurfaces(load: LoadApp) {
  const severalFolding = { showCollapseAll: true, canSelectMany: true };
  /** Opens all documents and files. */
  const opener = new DocumentOpener();
  return {
    opener,
    views: {
      workflows: new LazyTree(viewIds.workflows, load, severalFolding, ['text/uri-list', 'files']),
      executions: new LazyTree(viewIds.executions, load, severalFolding),
      portalEvents: new LazyTree(viewIds.portalEvents, load, {}),
      connections: new LazyTree(viewIds.connections, load, {}),
    },
    inputFiles: new LazyFiles(schemes.input, opener, load),
    definitionFiles: new LazyFiles(schemes.definition, opener, load),
    deployedDocuments: new LazyDocuments(schemes.deployed, opener, load),
    executionDocuments: new LazyDocuments(schemes.execution, opener, load),
    eventDocuments: new LazyDocuments(schemes.event, opener, load),
    diagnosisDocuments: new LazyDocuments(schemes.diagnosis, opener, load),
    definitionHelp: new LazyHelp({ pattern: '**/*.workflow.json' }, ['"', '.', '$', '{', '`'], load),
    links: new LazyLinks(load),
    graph: new LazyWebview(graphViewId, load),
    presetLenses: new LazyLenses({ pattern: '**/*.input.json' }, load),
  };
}
