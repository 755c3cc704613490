import type { WorkflowTarget } from '../../domain/targets.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import type { JsonLanguage } from './jsonLanguage.ts';

/** Limits that keep a key press below about a second: the text's length in UTF-16 units, and that length times the checks per value. */
const maximumLength = 256 * 1024;
const maximumChecks = 2_000_000;

interface Help {
  readonly language: JsonLanguage;
  readonly schema: InputSchema;
}

/** The language service of each schema. */
export class JsonLanguages {
  readonly #schemas: InputSchemas;
  readonly #languages = new WeakMap<InputSchema, JsonLanguage>();

  constructor(schemas: InputSchemas) {
    this.#schemas = schemas;
  }

  /** Returns undefined where there's no schema, and for a text that is too large for its schema. length: of the text, in UTF-16 units. */
  async find(target: WorkflowTarget, length: number): Promise<Help | undefined> {
    if (length > maximumLength) return undefined;
    return this.#helpOf(await this.#schemas.find(target), length);
  }

  /** The same without a request: undefined also where the workflow's definition isn't loaded. */
  async findLoaded(target: WorkflowTarget, length: number): Promise<Help | undefined> {
    if (length > maximumLength) return undefined;
    return this.#helpOf(await this.#schemas.findLoaded(target), length);
  }

  async #helpOf(schema: InputSchema | undefined, length: number): Promise<Help | undefined> {
    if (schema === undefined || length * schema.checksPerValue > maximumChecks) return undefined;
    const { JsonLanguage } = await import('./jsonLanguage.ts');
    const language = this.#languages.get(schema) ?? new JsonLanguage(schema.schema);
    this.#languages.set(schema, language);
    return { language, schema };
  }
}
