// Which hosts the service accepts requests to: a page of another origin must not reach it through a name that resolves to it.
import { HttpError } from './httpError.ts';
import type { ServiceMiddleware } from './routes.ts';

export type HostRule =
  /** Names of this machine only. */
  | { readonly kind: 'loopback' }
  /** Only this origin, such as https://workflows.example.com. */
  | { readonly kind: 'public'; readonly origin: string }
  /** Any host: a proxy in front of the service decides. */
  | { readonly kind: 'proxy' };

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Rejects requests for other hosts or ports and requests from pages of other origins. `port` returns null while not listening. */
export function createHostGuard(rule: HostRule, port: () => number | null): ServiceMiddleware {
  return async (context, next) => {
    const host = (context.req.header('Host') ?? new URL(context.req.url).host).toLowerCase();
    const refusal = refusalOf(rule, host, port());
    if (refusal !== undefined) throw new HttpError(403, 'forbidden', refusal);
    const origin = context.req.header('Origin');
    if (origin !== undefined && !isOwnOrigin(rule, origin, host))
      throw new HttpError(403, 'forbidden', 'Requests from other web origins are refused.');
    await next();
  };
}

function refusalOf(rule: HostRule, host: string, port: number | null): string | undefined {
  switch (rule.kind) {
    case 'loopback':
      return isLoopback(host, port) ? undefined : 'The service accepts requests to loopback host names only.';
    case 'public':
      return hostOf(`${new URL(rule.origin).protocol}//${host}`) === new URL(rule.origin).host
        ? undefined
        : 'The service accepts requests to its public host name only.';
    case 'proxy':
      return undefined;
  }
}

/** True for a Host header that names this machine and, once it listens, the service's port. */
function isLoopback(host: string, port: number | null): boolean {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host);
  if (!match || !loopbackNames.has(match[1] ?? '')) return false;
  return port === null || Number(match[2] ?? 80) === port;
}

function isOwnOrigin(rule: HostRule, origin: string, host: string): boolean {
  switch (rule.kind) {
    case 'loopback':
      return origin === `http://${host}`;
    case 'public':
      return origin === rule.origin;
    case 'proxy': {
      // The proxy knows whether it was called with TLS; the service doesn't.
      const scheme = /^(https?):\/\/[^/]+$/.exec(origin)?.[1];
      return scheme !== undefined && hostOf(origin) === hostOf(`${scheme}://${host}`);
    }
  }
}

/** Returns the host, with the port unless it's the scheme's default; undefined for text that isn't a URL, or a URL with more than a host. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, origin, href } = new URL(url);
  return href === `${origin}/` ? host : undefined;
}
