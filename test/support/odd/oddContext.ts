// What an odd service may do otherwise, and what its handlers are given.
import type { Context } from 'hono';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { OperationName } from '../../../src/protocol/operations.ts';
import type { OddRecords, OddRow, OddWorld } from './oddWorld.ts';

/** A refusal as the service words it. */
export interface Refusal {
  readonly status: 404 | 405 | 409 | 422;
  readonly code: string;
  readonly message: string;
}

/** The place of a page in its list: where it begins, and whether another follows. */
export interface OddPage {
  readonly from: number;
  readonly isLast: boolean;
  /** The number of all rows. */
  readonly total: number;
}

/** What a full record of an execution holds besides its summary. */
export interface OddParts {
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly rows: readonly OddRow[];
}

export interface OddService {
  readonly title: string;
  /** Where operations lie, as "METHOD /path/:parameter"; null: nowhere. Default: the contract's place. */
  readonly places?: Readonly<Partial<Record<OperationName, string | null>>>;
  readonly records?: Partial<OddRecords>;
  readonly list?: (rows: readonly JsonObject[], page: OddPage) => JsonValue;
  /** How many rows a page of any list has, however many are asked for. Default: all. */
  readonly pageSize?: number;
  /** The only parameter by which pages are asked for; others are ignored. "pageFromZero": pages that are counted from 0. Default: any. */
  readonly pagedBy?: 'offset' | 'page' | 'pageFromZero' | 'nothing';
  readonly single?: (record: JsonObject) => JsonValue;
  /** The last word on every JSON body. */
  readonly body?: (body: JsonValue) => JsonValue;
  readonly hasStream?: false;
  readonly logs?: 'text';
  /** The details hold output and logs, by default newest first. */
  readonly hasFullDetails?: true;
  /** With `singles`: the records of the list hold them. */
  readonly hasFullList?: true;
  /** How a full record holds its parts. */
  readonly parts?: (parts: OddParts) => JsonObject;
  /** Executions are told by the list only: for each of them alone there is no place, or the answer that it isn't there. */
  readonly singles?: 'missing' | 'denied';
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
