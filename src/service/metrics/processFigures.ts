// What any process under Prometheus reports of itself; the names are those that its dashboards expect.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Disposable } from '../../base/disposable.ts';
import { type Family, single } from './families.ts';

const resolutionMs = 20;

export class ProcessFigures implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #startedAt = Date.now() / 1000 - process.uptime();

  constructor() {
    this.#delay.enable();
  }

  /** Measured since the last call. */
  families(): readonly Family[] {
    const { user, system } = process.cpuUsage();
    // The intervals between two firings of a timer, each of which includes the resolution itself.
    const lag = Math.max(0, this.#delay.percentile(99) / 1e9 - resolutionMs / 1000);
    this.#delay.reset();
    return [
      single('counter', 'process_cpu_seconds_total', 'CPU time used by the process.', (user + system) / 1e6),
      single('gauge', 'process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
      single(
        'gauge',
        'process_start_time_seconds',
        'Start time of the process, in seconds since the epoch.',
        this.#startedAt,
      ),
      single(
        'gauge',
        'nodejs_eventloop_lag_p99_seconds',
        'Event-loop delay, 99th percentile since the last scrape.',
        lag,
      ),
    ];
  }

  dispose(): void {
    this.#delay.disable();
  }
}
