// What HTTP request nodes of a draft execution get instead of sending their requests (contract section 9).
import type { HttpAnswer, HttpAnswers } from '../../protocol/httpAnswers.ts';
import type { ExecutionRecords } from '../store/executionRecords.ts';

/** Each attempt takes the next answer of its node. An attempt that was interrupted took none, so it gets the same one when it runs again. */
export class Answers {
  readonly #given: Readonly<Record<string, HttpAnswers>>;
  readonly #records: Pick<ExecutionRecords, 'countAttempts'>;
  readonly #executionIds: readonly string[];
  /** How many answers were taken, by node: read once, since a loop can have many attempts. */
  readonly #taken = new Map<string, number>();

  /** `executionIds`: the execution, and those that it retries, whose answers it continues with. */
  constructor(
    given: Readonly<Record<string, HttpAnswers>>,
    records: Pick<ExecutionRecords, 'countAttempts'>,
    executionIds: readonly string[],
  ) {
    this.#given = given;
    this.#records = records;
    this.#executionIds = executionIds;
  }

  /** Takes the answer of the node's next attempt; undefined for a node that sends its requests. */
  async take(nodeId: string): Promise<HttpAnswer | undefined> {
    const answers = Object.hasOwn(this.#given, nodeId) ? this.#given[nodeId] : undefined;
    if (answers === undefined) return undefined;
    const taken = this.#taken.get(nodeId) ?? (await this.#records.countAttempts(this.#executionIds, nodeId));
    this.#taken.set(nodeId, taken + 1);
    return answers[Math.min(taken, answers.length - 1)];
  }
}
