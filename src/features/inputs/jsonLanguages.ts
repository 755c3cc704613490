import { isAbortError } from '../../base/async.ts';
import type { Logger } from '../../base/logger.ts';
import type { InputChecker } from '../../definition/inputSchema.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import type { InputSchema, InputSchemas } from '../../model/inputs/inputSchemas.ts';
import type { JsonLanguage } from './jsonLanguage.ts';
import { SchemaValidator } from './schemaValidator.ts';

/** Longer inputs get no help and aren't validated, in UTF-16 units. */
const maximumLength = 256 * 1024;
/** Keeps help below about a second: the text's length times the checks per value. Validation has a deadline of its own. */
const maximumChecks = 2_000_000;

/** Why an input isn't validated here: the service alone decides then. */
export type Unvalidated = 'longInput' | 'largeSchema' | 'failed';

export type Validation<T> =
  | { readonly kind: 'validated'; readonly problems: readonly T[] }
  | { readonly kind: 'unvalidated'; readonly because: Unvalidated };

/** The language service of each schema, and validation by it. */
export class JsonLanguages {
  readonly #schemas: InputSchemas;
  readonly #checker: InputChecker;
  readonly #logger: Logger;
  readonly #languages = new WeakMap<InputSchema, JsonLanguage>();

  constructor(schemas: InputSchemas, checker: InputChecker, logger: Logger) {
    this.#schemas = schemas;
    this.#checker = checker;
    this.#logger = logger;
  }

  /** For help. Resolves with undefined where there's no schema, and for a text that is too long for its schema. length: of the text, in UTF-16 units. */
  async find(target: WorkflowTarget, length: number): Promise<JsonLanguage | undefined> {
    if (length > maximumLength) return undefined;
    const schema = await this.#schemas.find(target);
    const isUsable = schema !== undefined && length * schema.checksPerValue <= maximumChecks;
    if (!isUsable) return undefined;
    const { JsonLanguage } = await import('./jsonLanguage.ts');
    const language = this.#languages.get(schema) ?? new JsonLanguage(schema.schema);
    this.#languages.set(schema, language);
    return language;
  }

  /** What `look` finds by the schema. length: of the text, in UTF-16 units. Rejects with an AbortError when it's cancelled. */
  async validate<T>(
    schema: InputSchema,
    length: number,
    look: (validator: SchemaValidator) => Promise<readonly T[]>,
  ): Promise<Validation<T>> {
    if (schema.isTooLarge) return { kind: 'unvalidated', because: 'largeSchema' };
    if (length > maximumLength) return { kind: 'unvalidated', because: 'longInput' };
    try {
      return { kind: 'validated', problems: await look(new SchemaValidator(schema.schema, this.#checker)) };
    } catch (error) {
      if (isAbortError(error)) throw error;
      this.#logger.error('An input could not be validated.', error);
      return { kind: 'unvalidated', because: 'failed' };
    }
  }
}
