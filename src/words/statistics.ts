// How executions of a workflow usually go, in words.
import * as l10n from '@vscode/l10n';
import type { DurationStatistics } from '../model/statistics/durations.ts';
import type { ExecutionStatistics } from '../model/statistics/executionStatistics.ts';
import { joined } from '../base/format.ts';
import { formats } from './formats.ts';
import { formatDuration } from './time.ts';

/** "median 1.2 s, 95% within 3.4 s". */
export function describeDurations({ median, p95 }: DurationStatistics): string {
  return l10n.t('median {0}, 95% within {1}', formatDuration(median), formatDuration(p95));
}

function describeFailures({ ended, failed }: ExecutionStatistics, isAll: boolean): string {
  const [all, bad] = [formats.number(ended), formats.number(failed)];
  if (failed === 0)
    return isAll
      ? l10n.t('None of {0} executions failed', all)
      : l10n.t('None of the {0} newest executions failed', all);
  return isAll
    ? l10n.t('{0} of {1} executions failed', bad, all)
    : l10n.t('{0} of the {1} newest executions failed', bad, all);
}

/** "3 of the 57 newest executions failed · median 1.2 s, 95% within 3.4 s"; undefined where that says no more than the latest one. */
export function describeStatistics(statistics: ExecutionStatistics, isAll: boolean): string | undefined {
  const { ended, durations } = statistics;
  if (ended < 2) return undefined;
  return joined(
    [describeFailures(statistics, isAll), durations === null ? undefined : describeDurations(durations)],
    ' · ',
  );
}
