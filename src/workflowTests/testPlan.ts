// What a test would execute: the workflow that its file names, with what the test gives it. Nothing is sent for a test that can't hold.
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject, parseJson } from '../base/json.ts';
import { once } from '../base/async.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import { definitionFormats, formatOf } from '../domain/definitionFormat.ts';
import type { WorkflowTarget } from '../domain/targets.ts';
import type { Workflow } from '../domain/workflow.ts';
import { DefinitionText } from '../definition/definitionText.ts';
import { readJsonText } from '../definition/jsonText.ts';
import { renderDefinition, toDefinition } from '../model/workflows/workflowDefinition.ts';
import { findByIdOrName } from '../model/workflows/workflowNames.ts';
import type { TestCase, TestFile } from './testFile.ts';
import type { TestPorts } from './testPorts.ts';
import { namedNodes, type TestSpec } from './testSpec.ts';

/** A workflow as it is tested. */
export interface TestedWorkflow {
  readonly target: WorkflowTarget;
  readonly text: DefinitionText;
  /** undefined: the one that the service has. */
  readonly definition: JsonObject | undefined;
  /** Where the text is from. */
  readonly origin: 'editor' | 'file' | 'saved' | 'deployed';
}

/** Why a test doesn't run. "errored": something is wrong with it; "skipped": the service can't do what it needs. */
export interface Refusal {
  readonly kind: 'errored' | 'skipped';
  readonly message: string;
  /** In the test, or in the file if it's undefined. */
  readonly path: readonly (string | number)[];
  readonly isName?: boolean;
}

export interface PlannedTest {
  readonly kind: 'planned';
  readonly workflow: TestedWorkflow;
  readonly spec: TestSpec;
  readonly input: JsonObject;
  /** Executes the text; else what is deployed. */
  readonly isDraft: boolean;
}

const errored = (message: string, path: Refusal['path'] = [], isName = false): Refusal => ({
  kind: 'errored',
  message,
  path,
  isName,
});

/** Plans the tests of one run: what several of them need is read once. */
export class TestPlanner {
  readonly #ports: TestPorts;
  readonly #connectionId: string;
  readonly #signal: AbortSignal;
  readonly #listed: () => Promise<readonly Workflow[]>;
  readonly #byFile = new Map<TestFile, Promise<TestedWorkflow | Refusal>>();
  readonly #byWorkflow = new Map<string, Promise<TestedWorkflow | Refusal>>();

  constructor(ports: TestPorts, connectionId: string, signal: AbortSignal) {
    this.#ports = ports;
    this.#connectionId = connectionId;
    this.#signal = signal;
    this.#listed = once(() => ports.workflows.listWhole(connectionId, { signal, purpose: 'tests' }));
  }

  /** `row`: the position in `each`. `place`: of the file. Rejects with a ServiceError or the signal's reason. */
  async plan(place: string, file: TestFile, test: TestCase, row?: number): Promise<PlannedTest | Refusal> {
    const [problem] = [...file.problems, ...test.problems];
    if (problem !== undefined) return errored(problem.message);
    const { spec } = test;
    if (spec === undefined) return errored(l10n.t("The test can't be read."));
    const workflow = await this.#workflowOf(place, file);
    if ('kind' in workflow) return workflow;
    const refusal = findStale(spec, workflow.text)[0] ?? this.#findLack(spec, workflow);
    if (refusal !== undefined) return refusal;
    const input = await this.#inputOf(place, spec, row);
    if ('refusal' in input) return input.refusal;
    const isDraft = this.#ports.services.offers(this.#connectionId, 'draft');
    return { kind: 'planned', workflow, spec, input: input.value, isDraft };
  }

  async #workflowOf(place: string, file: TestFile): Promise<TestedWorkflow | Refusal> {
    return getOrInsert(this.#byFile, file, () => this.#findWorkflow(place, file.workflow ?? ''));
  }

  async #findWorkflow(place: string, wanted: string): Promise<TestedWorkflow | Refusal> {
    if (isPath(wanted)) return this.#readDefinitionFile(place, wanted);
    const found = await this.#findListed(wanted);
    return 'kind' in found ? found : this.#readWorkflow(found.id);
  }

  async #findListed(wanted: string): Promise<Workflow | Refusal> {
    const all = await this.#listed();
    await this.#ports.services.learnOffers(this.#connectionId);
    const [first, ...others] = findByIdOrName(all, wanted);
    if (first === undefined)
      return errored(l10n.t('No workflow has the name or ID "{0}".', wanted), ['workflow']);
    if (others.length === 0) return first;
    return errored(l10n.t('Several workflows are named "{0}". Use the ID of one of them.', wanted), [
      'workflow',
    ]);
  }

  async #findTarget(place: string, path: string, { name }: JsonObject): Promise<WorkflowTarget | Refusal> {
    const linked = await this.#ports.linkedTo?.(place, path);
    if (linked?.connectionId === this.#connectionId) {
      await this.#ports.services.learnOffers(this.#connectionId);
      return linked;
    }
    if (typeof name !== 'string' || name === '')
      return errored(l10n.t('The definition in "{0}" has no name, so its workflow can\'t be found.', path), [
        'workflow',
      ]);
    const found = await this.#findListed(name);
    return 'kind' in found ? found : { connectionId: this.#connectionId, workflowId: found.id };
  }

  /** A definition in a file is executed as a draft of the workflow that it's linked to, or else of the one with its name. */
  async #readDefinitionFile(place: string, path: string): Promise<TestedWorkflow | Refusal> {
    const text = await this.#ports.readFile(place, path);
    if (text === undefined) return errored(l10n.t('There\'s no file "{0}".', path), ['workflow']);
    const definition = parseJson(text);
    if (!isJsonObject(definition))
      return errored(l10n.t('"{0}" isn\'t a definition: {1}.', path, reasonOf(text)), ['workflow']);
    const found = await this.#findTarget(place, path, definition);
    if ('kind' in found) return found;
    return {
      target: found,
      definition,
      text: new DefinitionText(text, formatOf(definition)),
      origin: 'file',
    };
  }

  #readWorkflow(workflowId: string): Promise<TestedWorkflow | Refusal> {
    return getOrInsert(this.#byWorkflow, workflowId, () =>
      this.#readTested({ connectionId: this.#connectionId, workflowId }),
    );
  }

  async #readTested(target: WorkflowTarget): Promise<TestedWorkflow | Refusal> {
    const { services, workflows, openText } = this.#ports;
    const { connectionId } = target;
    const format = services.traits(connectionId).definitionFormat;
    const takesDrafts = services.offers(connectionId, 'draft');
    const open = takesDrafts ? openText(target) : undefined;
    if (open !== undefined) {
      const definition = parseJson(open);
      return isJsonObject(definition)
        ? { target, definition, text: new DefinitionText(open, format), origin: 'editor' }
        : errored(l10n.t("The definition in the editor isn't valid JSON: {0}.", reasonOf(open)), [
            'workflow',
          ]);
    }
    const workflow = await workflows.read(target, this.#signal, 'tests');
    const deployed = takesDrafts ? null : workflow.deployedDefinition;
    const text = new DefinitionText(renderDefinition(deployed ?? toDefinition(workflow)), format);
    return { target, definition: undefined, text, origin: takesDrafts ? 'saved' : 'deployed' };
  }

  /** What the test needs, and the service doesn't offer. */
  #findLack({ pinned, answers }: TestSpec, { origin }: TestedWorkflow): Refusal | undefined {
    const { services } = this.#ports;
    const hasAnswers = Object.keys(answers).length > 0;
    const product = services.traits(this.#connectionId).product ?? l10n.t('The service');
    const lacks = (message: string, path: Refusal['path']): Refusal => ({ kind: 'skipped', message, path });
    if (services.offers(this.#connectionId, 'draft'))
      return !hasAnswers || services.offers(this.#connectionId, 'answers')
        ? undefined
        : lacks(l10n.t('{0} takes no answers to requests.', product), ['answers']);
    if (origin === 'file')
      return lacks(l10n.t("{0} takes no drafts, so a definition in a file can't be tested.", product), [
        'workflow',
      ]);
    if (Object.keys(pinned).length > 0)
      return lacks(l10n.t("{0} takes no drafts, so nodes can't be pinned.", product), ['pinned']);
    if (hasAnswers)
      return lacks(l10n.t("{0} takes no drafts, so requests can't be answered.", product), ['answers']);
    return undefined;
  }

  async #inputOf(
    place: string,
    { input, preset, each }: TestSpec,
    row: number | undefined,
  ): Promise<{ readonly value: JsonObject } | { readonly refusal: Refusal }> {
    const ofRow = row === undefined ? undefined : each[row]?.input;
    if (ofRow !== undefined || preset === undefined) return { value: ofRow ?? input ?? {} };
    const text = await this.#ports.readPreset(place, preset);
    if (text === undefined)
      return { refusal: errored(l10n.t('No preset is named "{0}".', preset), ['preset']) };
    const value = parseJson(text);
    return isJsonObject(value)
      ? { value }
      : { refusal: errored(l10n.t('The preset "{0}" isn\'t a JSON object.', preset), ['preset']) };
  }
}

/** Whether a test file names a definition's file instead of a workflow. */
export const isPath = (workflow: string): boolean =>
  /^\.{0,2}\//.test(workflow) && workflow.endsWith('.json');

function reasonOf(text: string): string {
  return readJsonText(text).error?.reason ?? l10n.t('it must be an object');
}

/** What the test says of nodes that aren't there, or that can't do it. */
export function findStale(spec: TestSpec, definition: DefinitionText): readonly Refusal[] {
  const { requestType } = definitionFormats[definition.format];
  return namedNodes(spec).flatMap(({ nodeId, kind, path }) => {
    const node = definition.byId.get(nodeId);
    if (node === undefined) return errored(l10n.t('The workflow has no node "{0}".', nodeId), path, true);
    return kind === 'answers' && node.type !== requestType
      ? errored(l10n.t('The node "{0}" sends no requests, so it can\'t get answers.', nodeId), path, true)
      : [];
  });
}
