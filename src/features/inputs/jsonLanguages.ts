import type { WorkflowTarget } from '../../domain/targets.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import type { JsonLanguage } from './jsonLanguage.ts';

/** Limits that keep a key press below about a second: the text's length in UTF-16 units, and that length times the checks per value. */
const maximumLength = 256 * 1024;
const maximumChecks = 2_000_000;

/** The language service of each schema. */
export class JsonLanguages {
  readonly #schemas: InputSchemas;
  readonly #languages = new WeakMap<InputSchema, JsonLanguage>();

  constructor(schemas: InputSchemas) {
    this.#schemas = schemas;
  }

  /** Returns undefined where there's no schema, and for a text that is too large for its schema. length: of the text, in UTF-16 units. */
  async findSchema(target: WorkflowTarget, length: number): Promise<InputSchema | undefined> {
    if (length > maximumLength) return undefined;
    return usableFor(length, await this.#schemas.find(target));
  }

  /** The same without a request: undefined also where the workflow's definition isn't loaded. */
  async findLoaded(target: WorkflowTarget, length: number): Promise<InputSchema | undefined> {
    if (length > maximumLength) return undefined;
    return usableFor(length, await this.#schemas.findLoaded(target));
  }

  /** The language service of what `findSchema` finds. */
  async find(target: WorkflowTarget, length: number): Promise<JsonLanguage | undefined> {
    const schema = await this.findSchema(target, length);
    if (schema === undefined) return undefined;
    const { JsonLanguage } = await import('./jsonLanguage.ts');
    const language = this.#languages.get(schema) ?? new JsonLanguage(schema.schema);
    this.#languages.set(schema, language);
    return language;
  }
}

function usableFor(length: number, schema: InputSchema | undefined): InputSchema | undefined {
  return schema && length * schema.checksPerValue <= maximumChecks ? schema : undefined;
}
