import type { NodeLog } from '../domain/nodeLog.ts';
import type { ExecutionTarget } from '../domain/targets.ts';
import type { OpenService } from './openService.ts';

/** In characters: how much is read before it's written. */
const pieceSize = 2 * 1024 * 1024;

type Reads = Pick<OpenService, 'clients' | 'executions' | 'following'>;

/**
 * Reads the log of an execution as it is now, piece by piece and keeping none: it may be larger than the memory. Where rows have no numbers to
 * go on from, a log that isn't read in one go is kept until its end. Rejects with a ServiceError, or with the signal's reason.
 */
export async function* readRows(
  { clients, executions, following }: Reads,
  target: ExecutionTarget,
  signal: AbortSignal,
): AsyncGenerator<readonly NodeLog[], void> {
  const client = clients.get(target.connectionId).executions;
  let after: number | undefined;
  for (;;) {
    const piece = { maximumSize: pieceSize, ...(after !== undefined && { after }) };
    const { rows, isWhole } = await client.logs(target.executionId, piece, { signal });
    const last = rows.at(-1)?.sequence ?? null;
    if (!isWhole && last === null) {
      const feed = await following.readLog(target, signal);
      yield feed.lastRows(feed.count);
      return;
    }
    yield rows;
    if (isWhole || last === null) return;
    after = last;
    const { status } = await executions.get(target, signal);
    // A stream costs one request, and each page one: a minute has sixty.
    if (status.isTerminal)
      return yield* readToEnd(client.follow(target.executionId, { after }, signal), after);
  }
}

/** The rows after a sequence. A stream may repeat rows after a drop. */
async function* readToEnd(
  items: ReturnType<ReturnType<Reads['clients']['get']>['executions']['follow']>,
  after: number,
): AsyncGenerator<readonly NodeLog[], void> {
  let last = after;
  for await (const item of items) {
    if (item.kind === 'end') return;
    if (item.kind !== 'logs') continue;
    const rows = item.logs.filter(({ sequence }) => sequence === null || sequence > last);
    last = Math.max(last, ...rows.map(({ sequence }) => sequence ?? last));
    if (rows.length > 0) yield rows;
  }
}
