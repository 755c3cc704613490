// What an odd service may do otherwise, and what its handlers are given.
import type { Context } from 'hono';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { OperationName } from '../../../src/protocol/operations.ts';
import type { OddRecords, OddWorld } from './oddWorld.ts';

/** A refusal as the service words it. */
export interface Refusal {
  readonly status: 404 | 405 | 409 | 422;
  readonly code: string;
  readonly message: string;
}

export interface OddService {
  readonly title: string;
  /** Where operations lie, as "METHOD /path/:parameter"; null: nowhere. Default: the contract's place. */
  readonly places?: Readonly<Partial<Record<OperationName, string | null>>>;
  readonly records?: Partial<OddRecords>;
  readonly list?: (rows: readonly JsonObject[]) => JsonValue;
  readonly single?: (record: JsonObject) => JsonValue;
  /** The last word on every JSON body. */
  readonly body?: (body: JsonValue) => JsonValue;
  readonly hasStream?: false;
  readonly logs?: 'text';
  /** The details hold output and logs, newest first. */
  readonly hasFullDetails?: true;
  readonly hasDefinitionsInList?: true;
  /** What each workflow tells of its deployment, besides being deployed; deployed: its definition then, null when it is not. */
  readonly tells?: (draft: JsonObject, deployed: JsonObject | null) => JsonObject;
  readonly refusal?: (refusal: Refusal) => JsonValue;
  readonly routeMiss?: (context: Context) => Response;
}

export interface OddContext {
  readonly service: OddService;
  readonly world: OddWorld;
  readonly context: Context;
  /** The request's body; {} when it is no object. */
  readonly sent: JsonObject;
  readonly json: (body: JsonValue, status?: 200 | 201 | 202) => Response;
  readonly list: (rows: readonly JsonObject[]) => Response;
  readonly single: (record: JsonObject, status?: 200 | 201) => Response;
}

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export function refuse(status: Refusal['status'], code: string, message: string): never {
  throw new Refused({ status, code, message });
}
