import type { Logger } from '../../base/logger.ts';
import type { CompletedRequest, RequestListener } from './requestWatch.ts';

/** Longer than any path of the API; a caller can send a path of any length. */
const longestPath = 200;
/** The paths that probes request every few seconds. */
const quiet = new Set<string | undefined>(['/health', '/metrics']);

/** Logs each request when its response is ready, and each stream when it ends. */
export function createRequestLog(logger: Logger): RequestListener {
  const say = (request: CompletedRequest, end: string): void => {
    const { requestId, method, status, durationMs, keyId } = request;
    const path = request.path.slice(0, longestPath);
    const fields = { requestId, method, path, status, durationMs: Math.round(durationMs), keyId };
    logger.info(`${method} ${path} ${end}.`, fields);
  };
  return {
    onResponse: (request) => {
      if (!request.isStream && !quiet.has(request.route)) say(request, `was answered with ${request.status}`);
    },
    onStreamEnd: (request) => say(request, 'was streamed to its end'),
  };
}
