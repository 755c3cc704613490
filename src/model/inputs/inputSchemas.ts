// Why: what the input of a workflow looks like: by its trigger's declaration, else as far as past inputs tell.
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { isServiceError } from '../../base/serviceError.ts';
import { targetName } from '../targets.ts';
import type { WorkflowTarget } from '../targets.ts';
import type { Workflows } from '../workflows/workflows.ts';
import { boundSchema } from './boundedSchema.ts';
import type { InputHistory } from './inputHistory.ts';
import { inputSchemaOf } from './inputText.ts';
import { learnSchema } from './learnedSchema.ts';

export interface InputSchema {
  /** Bounded: nothing in it loops, fetches or hangs. */
  readonly schema: JsonObject;
  /** From how many inputs it was learned; null: the workflow's trigger declares it. */
  readonly learnedFrom: number | null;
}

export interface InputSchemas extends Disposable {
  /** Schemas may be others now. */
  readonly onDidChange: Event<undefined>;
  /** Reads the workflow when its definition is not at hand; the same object until something changed. */
  find(target: WorkflowTarget): Promise<InputSchema | undefined>;
}

export interface InputSchemasPorts {
  readonly workflows: Workflows;
  readonly history: InputHistory;
  readonly logger: Logger;
}

export function createInputSchemas({ workflows, history, logger }: InputSchemasPorts): InputSchemas {
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<undefined>());
  const found = new Map<string, Promise<InputSchema | undefined>>();

  const forget = (isGone: (name: string) => boolean): void => {
    for (const name of [...found.keys()]) if (isGone(name)) found.delete(name);
    changes.fire(undefined);
  };
  owned.add(
    history.onDidChange((target) => {
      forget((name) => name === targetName(target));
    }),
  );
  owned.add(
    workflows.onDidChangeItems((change) => {
      const { connectionId } = workflows.state.current;
      if (connectionId === null) return;
      const changed =
        change.kind === 'rows' &&
        new Set(change.workflowIds.map((workflowId) => targetName({ connectionId, workflowId })));
      forget((name) => changed === false || changed.has(name));
    }),
  );

  async function readDeclared(target: WorkflowTarget): Promise<JsonObject | undefined> {
    const known = workflows.find(target);
    if (known?.hasDefinition === true) return inputSchemaOf(known);
    try {
      return inputSchemaOf(await workflows.read(target));
    } catch (error) {
      if (!isServiceError(error)) throw error;
      logger.warn(`No schema of an input: the workflow could not be read (${error.message}).`);
      return undefined;
    }
  }

  async function read(target: WorkflowTarget): Promise<InputSchema | undefined> {
    const declared = await readDeclared(target);
    if (declared !== undefined) return { schema: boundSchema(declared), learnedFrom: null };
    const inputs = history.read(target).map(({ input }) => input);
    const schema = learnSchema(inputs);
    return schema && { schema, learnedFrom: inputs.length };
  }

  return Object.freeze<InputSchemas>({
    onDidChange: changes.event,
    find: (target) => {
      const name = targetName(target);
      const known = found.get(name);
      if (known !== undefined) return known;
      const reading = read(target);
      found.set(name, reading);
      return reading;
    },
    dispose: () => {
      owned.dispose();
      found.clear();
    },
  });
}
