// A page in a browser must not reach the local service, neither by another name for 127.0.0.1 nor from another origin.
import { HttpError } from './httpError.ts';
import type { ServiceMiddleware } from './environment.ts';

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Refuses requests for another host or port, and requests that a page of another origin sent. `port` is null while not listening. */
export function createLoopbackGuard(port: () => number | null): ServiceMiddleware {
  return async (context, next) => {
    const host = context.req.header('Host') ?? new URL(context.req.url).host;
    if (!isLoopback(host, port()))
      throw new HttpError(403, 'forbidden', 'The service answers to loopback names only.');
    const origin = context.req.header('Origin');
    if (origin !== undefined && origin !== `http://${host}`)
      throw new HttpError(403, 'forbidden', 'The service answers no pages of other origins.');
    await next();
  };
}

function isLoopback(host: string, port: number | null): boolean {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host.toLowerCase());
  if (!match || !loopbackNames.has(match[1] ?? '')) return false;
  return port === null || Number(match[2] ?? 80) === port;
}
