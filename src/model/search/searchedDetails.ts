// What a search reads of an execution: its input, output and error, and what its node runs say and have.
import type { ServicePort } from '../../api/servicePort.ts';
import { isJsonObject, stringifyJson } from '../../base/json.ts';
import { ifOffered } from '../../domain/errors.ts';
import type { Execution, Output, RunError } from '../../domain/execution.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import type { CallOptions } from '../../domain/queries.ts';
import { isTruncated } from '../../protocol/truncatedValue.ts';
import type { SearchedText } from './searchedTexts.ts';

type Reads = ServicePort['executions'];

/** How much of a log is read in one go, in characters. */
const pieceSize = 4 * 1024 * 1024;
/** Whole values of rows that have only their beginning, for one execution at most: each is a request. */
const maximumWholeRows = 30;

export class SearchedDetails {
  readonly #reads: Reads;
  readonly #execution: Execution;
  readonly #options: CallOptions;
  #error: RunError | null;
  readonly #failedNodes = new Set<string>();
  #wholeRows = 0;
  #isWhole = true;

  constructor(reads: Reads, execution: Execution, options: CallOptions) {
    this.#reads = reads;
    this.#execution = execution;
    this.#options = options;
    this.#error = execution.error;
  }

  /** Known once all texts were read, as the next two. */
  get error(): RunError | null {
    return this.#error;
  }

  get failedNodes(): readonly string[] {
    return [...this.#failedNodes];
  }

  /** False where values are left out, because that many aren't read. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads piece by piece. Nothing comes of an execution that is gone. Rejects with a ServiceError, or with the signal's reason. */
  async *texts(): AsyncGenerator<SearchedText, void, void> {
    const { id, input } = this.#execution;
    const [record, output, log] = await Promise.all([
      input === undefined ? ifOffered(this.#reads.getWithInput(id, this.#options)) : this.#execution,
      this.#readOutput(),
      this.#readLog(undefined),
    ]);
    const fromOutput = output?.kind === 'ready' ? output.error : null;
    this.#error ??= record?.error ?? fromOutput;
    if (record?.input !== undefined) yield { place: 'input', json: stringifyJson(record.input) };
    const value = valueOf(output);
    if (value !== undefined) yield { place: 'output', json: stringifyJson(value) };
    if (this.#error !== null) yield { place: 'error', json: stringifyJson(this.#error) };
    yield* this.#rows(log);
  }

  #readOutput(): Promise<Output | undefined> {
    const { id, output } = this.#execution;
    if (output !== undefined) return Promise.resolve({ kind: 'ready', output, error: null });
    return ifOffered(this.#reads.output(id, this.#options));
  }

  #readLog(after: number | undefined) {
    const piece = { maximumSize: pieceSize, ...(after !== undefined && { after }) };
    return ifOffered(this.#reads.logs(this.#execution.id, piece, this.#options));
  }

  async *#rows(
    first: Awaited<ReturnType<Reads['logs']>> | undefined,
  ): AsyncGenerator<SearchedText, void, void> {
    let log = first;
    while (log !== undefined) {
      const last = log.rows.at(-1)?.sequence ?? undefined;
      for (const row of log.rows) yield this.#textOf(await this.#wholeRow(row));
      if (log.isWhole) return;
      if (last === undefined) {
        this.#isWhole = false;
        return;
      }
      log = await this.#readLog(last);
    }
  }

  /** Lists have only the beginning of large values. */
  async #wholeRow(row: NodeLog): Promise<NodeLog> {
    if (![row.input, row.output, row.exchange].some(isTruncated)) return row;
    this.#wholeRows += 1;
    const whole =
      this.#wholeRows > maximumWholeRows
        ? undefined
        : await ifOffered(this.#reads.getNodeLog(this.#execution.id, row.key, this.#options));
    if (whole === undefined) this.#isWhole = false;
    return whole ?? row;
  }

  #textOf({ nodeId, iteration, message, status, input, output, exchange }: NodeLog): SearchedText {
    if (status?.state === 'failed') this.#failedNodes.add(nodeId);
    const values = {
      // Where a row has no message, the word of its status takes its place.
      ...(message !== status?.word && { message }),
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      // The request and the response.
      ...(isJsonObject(exchange) && exchange),
    };
    return {
      place: 'nodeRun',
      ...(nodeId !== '' && { nodeId }),
      ...(iteration.length > 0 && { iteration }),
      json: stringifyJson(values),
    };
  }
}

function valueOf(output: Output | undefined) {
  if (output?.kind === 'text') return output.text;
  return output?.kind === 'ready' && output.output !== null ? output.output : undefined;
}
