import type { CompletedRequest, RequestListener } from '../http/requestWatch.ts';
import { Counter, type Family, Histogram, single } from './families.ts';

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Callers may invent other methods. */
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Counts the responses of this process. */
export class RequestFigures implements RequestListener {
  #openStreams = 0;
  readonly #responses = new Counter(
    'workflow_automation_http_requests_total',
    'Requests answered by this process.',
  );
  readonly #durations = new Histogram(
    'workflow_automation_http_request_duration_seconds',
    'Time until the response began.',
    bounds,
  );
  readonly #refused = new Counter(
    'workflow_automation_http_requests_limited_total',
    'Requests refused at a limit of their key: of requests, of unread responses or of open streams.',
    [{ code: 'rate_limited' }, { code: 'too_many_answers' }, { code: 'too_many_streams' }],
  );
  readonly #stalled = new Counter(
    'workflow_automation_answers_stalled_total',
    'Connections closed because the client read nothing of the response.',
    [{}],
  );

  onResponse({ method, route = 'none', status, durationMs, isStream, code }: CompletedRequest): void {
    const where = { method: methods.has(method) ? method : 'other', route };
    this.#responses.add({ ...where, status: `${Math.floor(status / 100)}xx` });
    this.#durations.observe(durationMs / 1000, where);
    if (status === 429 && code !== undefined) this.#refused.add({ code });
    if (isStream) this.#openStreams += 1;
  }

  onStreamEnd(): void {
    this.#openStreams -= 1;
  }

  onStall(): void {
    this.#stalled.add();
  }

  families(): readonly Family[] {
    const streams = single(
      'gauge',
      'workflow_automation_open_streams',
      'Open streams of server-sent events.',
      this.#openStreams,
    );
    return [this.#responses, this.#durations, this.#refused, this.#stalled, streams];
  }
}
