// What the app is made of, for features and pickers to take their needs from: `Pick<App, 'commands' | 'executions'>`.
import type { Uri } from 'vscode';
import type { Logger } from '../base/logger.ts';
import type { DefinitionChecker } from '../definition/checkText.ts';
import type { InputChecker } from '../definition/inputSchema.ts';
import type { ExpressionEvaluator } from '../definition/expressionScope.ts';
import type { Clock } from '../base/time.ts';
import type { RouteCheck } from '../domain/routeCheck.ts';
import type { Commands } from '../editor/commands.ts';
import type { Ages } from '../editor/tree/ages.ts';
import type { ContextKeys } from '../editor/tree/tree.ts';
import type { viewIds } from '../editor/ids.ts';
import type {
  LazyDocuments,
  LazyFiles,
  LazyHelp,
  LazyLenses,
  LazyLinks,
  LazySymbols,
  LazyTasks,
  LazyWebview,
} from '../editor/lazy/lazySurfaces.ts';
import type { LazyDebugging } from '../editor/lazy/lazyDebugging.ts';
import type { LazyTests } from '../editor/lazy/lazyTests.ts';
import type { LazyTools } from '../editor/lazy/lazyTools.ts';
import type { LazyTree } from '../editor/lazy/lazyTree.ts';
import type { Connections } from '../model/connections/connections.ts';
import type { Executions } from '../model/executions/executions.ts';
import type { RanDefinitions } from '../model/workflows/ranDefinitions.ts';
import type { Following } from '../model/executions/following.ts';
import type { FreshExecutions } from '../model/executions/freshExecutions.ts';
import type { ExecutionSearches } from '../model/search/executionSearches.ts';
import type { SavedSearches } from '../model/search/savedSearches.ts';
import type { Selection } from '../model/selection/selection.ts';
import type { InputDrafts } from '../model/inputs/inputDrafts.ts';
import type { InputHistory } from '../model/inputs/inputHistory.ts';
import type { InputSchemas } from '../model/inputs/inputSchemas.ts';
import type { PresetChoices } from '../model/inputs/presetChoices.ts';
import type { Pins } from '../model/pins/pins.ts';
import type { DefinitionTargets } from './definitionTargets.ts';
import type { DefinitionTexts } from './definitionTexts.ts';
import type { LinkedFiles } from './linkedFiles.ts';
import type { TestFiles } from './testFiles.ts';
import type { LocalService } from '../model/localService.ts';
import type { LocalSecrets } from '../model/secrets.ts';
import type { LocalData, RecordPort, StatePort } from '../model/ports.ts';
import type { Services } from '../model/connections/clients.ts';
import type { RequestWaits } from '../model/requestWaits.ts';
import type { ConnectionTroubles } from '../model/connections/connectionTroubles.ts';
import type { PortalEvents } from '../model/portalEvents/portalEvents.ts';
import type { WorkflowActions } from '../model/workflows/workflowActions.ts';
import type { Workflows } from '../model/workflows/workflows.ts';

export interface App {
  readonly commands: Commands;
  readonly connections: Connections;
  readonly services: Services;
  readonly connectionTroubles: ConnectionTroubles;
  readonly requestWaits: RequestWaits;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly searches: ExecutionSearches;
  readonly ranDefinitions: RanDefinitions;
  readonly selection: Selection;
  readonly following: Following;
  readonly freshExecutions: FreshExecutions;
  readonly savedSearches: SavedSearches;
  readonly actions: WorkflowActions;
  readonly drafts: InputDrafts;
  readonly history: InputHistory;
  readonly schemas: InputSchemas;
  readonly presetChoices: PresetChoices;
  readonly pins: Pins;
  readonly localService: LocalService;
  readonly secrets: LocalSecrets;
  readonly localData: LocalData;
  readonly portalEvents: PortalEvents;
  readonly contextKeys: ContextKeys;
  /** The time that all ages are counted to. */
  readonly ages: Ages;
  /** The files of the workspace that are linked to workflows. */
  readonly linkedFiles: LinkedFiles;
  readonly definitionTargets: DefinitionTargets;
  readonly definitionTexts: DefinitionTexts;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Checks the way to a service, without its key. Rejects only when the signal is aborted. */
  readonly checkRoute: (baseUrl: string, signal: AbortSignal) => Promise<RouteCheck>;
  readonly globalState: StatePort;
  /** What the documents of definitions rest on, of this workspace. */
  readonly definitionBases: RecordPort;
  readonly views: Readonly<Record<keyof typeof viewIds, LazyTree>>;
  readonly inputFiles: LazyFiles;
  readonly debugging: LazyDebugging;
  readonly tasks: LazyTasks;
  readonly pinFiles: LazyFiles;
  readonly codeFiles: LazyFiles;
  readonly definitionFiles: LazyFiles;
  readonly deployedDocuments: LazyDocuments;
  /** What services have of linked files. */
  readonly serviceDocuments: LazyDocuments;
  readonly executionDocuments: LazyDocuments;
  readonly eventDocuments: LazyDocuments;
  readonly diagnosisDocuments: LazyDocuments;
  readonly statisticsDocuments: LazyDocuments;
  readonly definitionHelp: LazyHelp;
  readonly definitionSymbols: LazySymbols;
  readonly presetLenses: LazyLenses;
  readonly tests: LazyTests;
  readonly languageTools: LazyTools;
  readonly testHelp: LazyHelp;
  readonly testLenses: LazyLenses;
  /** The files with tests of the workspace. */
  readonly testFiles: TestFiles;
  readonly links: LazyLinks;
  readonly graph: LazyWebview;
  /** Evaluates expressions on what an execution recorded, and checks definitions. */
  readonly evaluator: ExpressionEvaluator & DefinitionChecker & InputChecker;
  /** The folder that the extension is installed in. */
  readonly extensionFolder: Uri;
  /** The folder of the sample workflows. */
  readonly samples: Uri;
}
