import {
  debugType,
  definitionSelector,
  graphViewId,
  schemes,
  taskType,
  testControllerId,
  testSelector,
  viewIds,
} from './editor/ids.ts';
import { DocumentOpener } from './editor/documents/documentOpener.ts';
import {
  LazyDocuments,
  LazyFiles,
  LazyHelp,
  LazyLenses,
  LazyLinks,
  type LoadApp,
  LazySymbols,
  LazyTasks,
  LazyWebview,
} from './editor/lazy/lazySurfaces.ts';
import { LazyDebugging } from './editor/lazy/lazyDebugging.ts';
import { LazyTests } from './editor/lazy/lazyTests.ts';
import { LazyTools } from './editor/lazy/lazyTools.ts';
import { LazyTree, type TreeOptions } from './editor/lazy/lazyTree.ts';

/** The parts that stand for the app until it's loaded, by name. */
export type Surfaces = ReturnType<typeof createSurfaces> & LaterSurfaces;
export type LaterSurfaces = ReturnType<typeof createLaterSurfaces>;

/** What the editor may ask for as soon as the extension is active. `hasConnection`: undefined if that can't be told. Without one, no view has a row. */
export function createSurfaces(load: LoadApp, hasConnection: () => Promise<boolean | undefined>) {
  const isEmpty = async () => (await hasConnection()) === false;
  const tree = (viewId: string, options: TreeOptions = {}) =>
    new LazyTree(viewId, { ...options, load, isEmpty });
  const severalFolding = { showCollapseAll: true, canSelectMany: true };
  /** Opens all documents and files. */
  const opener = new DocumentOpener();
  return {
    opener,
    views: {
      workflows: tree(viewIds.workflows, { ...severalFolding, drops: ['text/uri-list', 'files'] }),
      executions: tree(viewIds.executions, severalFolding),
      portalEvents: tree(viewIds.portalEvents),
      connections: tree(viewIds.connections),
    },
    inputFiles: new LazyFiles(schemes.input, opener, load),
    pinFiles: new LazyFiles(schemes.pin, opener, load),
    codeFiles: new LazyFiles(schemes.code, opener, load),
    definitionFiles: new LazyFiles(schemes.definition, opener, load),
    deployedDocuments: new LazyDocuments(schemes.deployed, opener, load),
    serviceDocuments: new LazyDocuments(schemes.service, opener, load),
    executionDocuments: new LazyDocuments(schemes.execution, opener, load),
    eventDocuments: new LazyDocuments(schemes.event, opener, load),
    diagnosisDocuments: new LazyDocuments(schemes.diagnosis, opener, load),
    statisticsDocuments: new LazyDocuments(schemes.statistics, opener, load),
    links: new LazyLinks(load),
    debugging: new LazyDebugging(debugType, load),
    tasks: new LazyTasks(taskType, load),
    languageTools: new LazyTools(load),
  };
}

/** What the editor takes up whenever it comes. Registering it costs as much as all the others. */
export function createLaterSurfaces(load: LoadApp) {
  return {
    definitionHelp: new LazyHelp(definitionSelector, ['"', '.', '$', '{', '`'], load),
    definitionSymbols: new LazySymbols(definitionSelector, load),
    graph: new LazyWebview(graphViewId, load),
    presetLenses: new LazyLenses({ pattern: '**/*.input.json' }, load),
    testLenses: new LazyLenses(testSelector, load),
    testHelp: new LazyHelp(testSelector, ['"'], load),
    tests: new LazyTests(testControllerId, load),
  };
}
