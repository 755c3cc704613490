// The result of checking the way to a service, step by step.
import type { UnreachableCause } from './errors.ts';

/** Why a step wasn't taken: an earlier one failed, the host is an address, the connection isn't encrypted, or the proxy does it. */
export type SkipReason = 'earlier' | 'address' | 'plain' | 'proxy';

export type StepResult =
  | { readonly kind: 'ok'; readonly ms: number }
  /** code: of Node, such as ECONNREFUSED. */
  | { readonly kind: 'failed'; readonly cause: UnreachableCause; readonly code: string | null }
  | { readonly kind: 'skipped'; readonly why: SkipReason };

export interface RouteCheck {
  /** The target of name resolution and TCP: the proxy if there is one, else the service. */
  readonly host: string;
  readonly port: number;
  readonly isProxy: boolean;
  /** IP addresses of the host. */
  readonly addresses: readonly string[];
  readonly dns: StepResult;
  readonly tcp: StepResult;
  readonly tls: StepResult;
  /** A request without a key. Any response is ok, whatever its status. */
  readonly request: StepResult;
  /** The HTTP status of that request; null without a response. */
  readonly status: number | null;
}
