// What the input of a workflow looks like: by its trigger's declaration, else as far as past inputs tell.
import { isAbortError } from '../../base/cancellation.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { targetName, type WorkflowTarget } from '../../domain/targets.ts';
import type { Workflows } from '../workflows/workflows.ts';
import { boundSchema, checksPerValue } from './boundedSchema.ts';
import type { InputHistory } from './inputHistory.ts';
import { inputSchemaOf } from './inputText.ts';
import { learnSchema } from './learnedSchema.ts';

export interface InputSchema {
  /** Bounded: nothing in it loops, fetches or hangs. */
  readonly schema: JsonObject;
  /** From how many inputs it was learned; null: the workflow's trigger declares it. */
  readonly learnedFrom: number | null;
  /** How many checks one value of a document may cost at worst. */
  readonly checksPerValue: number;
}

export interface InputSchemas extends Disposable {
  /** Schemas may be others now, or are known now. */
  readonly onDidChange: Event<undefined>;
  /** What was found last, without asking anybody. */
  known(target: WorkflowTarget): InputSchema | undefined;
  /** Reads the workflow when its definition is not at hand; the same object until something changed. Never rejects: without an answer nothing is declared. */
  find(target: WorkflowTarget): Promise<InputSchema | undefined>;
}

export interface InputSchemasDeps {
  readonly workflows: Workflows;
  readonly history: InputHistory;
  readonly logger: Logger;
}

export function createInputSchemas({ workflows, history, logger }: InputSchemasDeps): InputSchemas {
  const owned = new DisposableStore();
  const changes = owned.add(new Emitter<undefined>());
  const found = new Map<string, Promise<InputSchema | undefined>>();
  const known = new Map<string, InputSchema | undefined>();

  const forget = (isGone: (name: string) => boolean): void => {
    for (const name of [...found.keys()]) if (isGone(name)) found.delete(name);
    changes.fire(undefined);
  };
  owned.add(history.onDidChange((target) => forget((name) => name === targetName(target))));
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
    const held = workflows.find(target);
    if (held?.hasDefinition === true) return inputSchemaOf(held);
    try {
      return inputSchemaOf(await workflows.read(target));
    } catch (error) {
      if (!isAbortError(error)) logger.error('The schema of an input could not be read.', error);
      return undefined;
    }
  }

  async function read(target: WorkflowTarget): Promise<InputSchema | undefined> {
    const declared = await readDeclared(target);
    if (declared !== undefined) {
      const schema = boundSchema(declared);
      return { schema, learnedFrom: null, checksPerValue: 1 + checksPerValue(schema) };
    }
    const inputs = history.read(target).map(({ input }) => input);
    const schema = learnSchema(inputs);
    return schema && { schema, learnedFrom: inputs.length, checksPerValue: 1 };
  }

  function find(target: WorkflowTarget): Promise<InputSchema | undefined> {
    const name = targetName(target);
    const earlier = found.get(name);
    if (earlier !== undefined) return earlier;
    const reading = read(target).then((schema) => {
      if (found.get(name) !== reading) return schema;
      known.set(name, schema);
      changes.fire(undefined);
      return schema;
    });
    found.set(name, reading);
    return reading;
  }

  return Object.freeze<InputSchemas>({
    onDidChange: changes.event,
    known: (target) => known.get(targetName(target)),
    find,
    dispose: () => {
      owned.dispose();
      found.clear();
      known.clear();
    },
  });
}
