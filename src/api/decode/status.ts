// Decodes a status: services use different words, such as "succeeded", "done" or "SUCCESS", for the same state.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import {
  isUnfinished,
  type NodeStatus,
  nodeStatuses,
  type RunState,
  type Status,
} from '../../domain/status.ts';
import { anyOf, type Names, pick, pickText } from './fields.ts';

const words: Readonly<Record<NodeStatus, string>> = {
  queued:
    'queued dequeued pending new created scheduled triggered accepted enqueued received pending_version not_started late ' +
    'submitted requested preparing assigned',
  running:
    'running executing in_progress processing active started retrying restarted reattempting redacting killing starting ' +
    'cancelling canceling stopping aborting terminating finalizing failing resuming',
  waiting:
    'waiting paused suspended frozen delayed sleeping blocked deferred up_for_retry up_for_reschedule awaiting_retry ' +
    'action_required on_hold manual waiting_for_approval waiting_for_input awaiting_input input_required breakpoint',
  completed:
    'completed complete success succeeded successful passed done finished fulfilled ok warning neutral cached ' +
    'continued_as_new unstable succeeded_with_issues success_with_failures completed_with_warnings',
  failed:
    'failed failure error errored crashed exception timeout timed_out interrupted system_failure internal_error ' +
    'quota_exceeded memory_limit_exceeded log_size_exceeded upstream_failed startup_failure expired faulted dead fatal ' +
    'broken unauthorized lost',
  cancelled: 'cancelled canceled aborted stopped killed terminated upstream_canceled upstream_cancelled',
  skipped: 'skipped removed retried omitted not_run not_built excluded ignored',
};
/** Words of what completed, though not without trouble. */
const withWarning = new Set(
  'warning unstable succeeded_with_issues success_with_failures completed_with_warnings'.split(' '),
);
const stateOfWord = new Map<string, RunState>(
  nodeStatuses.flatMap((state) => words[state].split(' ').map((word) => [word, state] as const)),
);

function normalized(word: string): string {
  return word
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[-\s:]+/g, '_')
    .replace(/^(?:workflow_)?(?:execution|run)_status_/, '');
}

/** Maximum length in UTF-16 units. Longer words are truncated, because they're shown in rows and read aloud. */
const longestWord = 100;

/** Decodes a status word. An unknown word is terminal only when the record has an end time. */
export function decodeStatusWord(word: string, hasEnded = false): Status {
  const plain = normalized(word.slice(0, longestWord));
  const state = stateOfWord.get(plain) ?? 'unknown';
  const isTerminal = state === 'unknown' ? hasEnded : !isUnfinished(state);
  return { state, word: word.slice(0, longestWord), isTerminal, hasWarning: withWarning.has(plain) };
}

const names = {
  status: anyOf('conclusion', 'status', 'state', 'executionStatus', 'runStatus'),
  success: anyOf('success'),
  finished: anyOf('finished'),
  error: anyOf('error'),
} satisfies Record<string, Names>;

/** Rules for a record without a status word. The first match applies. */
const withoutWord: readonly { readonly applies: (record: JsonObject) => boolean; readonly word: string }[] = [
  { applies: (record) => pick(record, names.success) === false, word: 'failed' },
  { applies: (record) => hasError(record), word: 'failed' },
  { applies: (record) => pick(record, names.finished) === true, word: 'completed' },
  { applies: (record) => pick(record, names.success) === true, word: 'completed' },
];

function hasError(record: JsonObject): boolean {
  const error = pick(record, names.error);
  return (typeof error === 'string' && error !== '') || isJsonObject(error);
}

/** Decodes a record's status; null when the record doesn't say. */
export function decodeStatus(record: JsonObject, hasEnded: boolean): Status | null {
  const word = pickText(record, names.status);
  if (word !== null) return decodeStatusWord(word, hasEnded);
  const rule = withoutWord.find(({ applies }) => applies(record));
  if (rule) return decodeStatusWord(rule.word, hasEnded);
  return hasEnded ? decodeStatusWord('completed', true) : null;
}
