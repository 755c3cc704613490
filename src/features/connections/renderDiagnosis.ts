import * as vscode from 'vscode';
import type { RouteCheck, SkipReason, StepResult } from '../../domain/routeCheck.ts';
import { plainLine } from '../../editor/format.ts';
import { describeUnreachable } from '../../ui/words/describeServiceError.ts';

/** The result of a request with the key: how long it took, or in words why it failed or wasn't sent. */
export type KeyRequest =
  | { readonly kind: 'ok'; readonly ms: number }
  | { readonly kind: 'failed' | 'skipped'; readonly reason: string };

const failed = (reason: string): string => vscode.l10n.t('failed: {0}', reason);
const skipped = (reason: string): string => vscode.l10n.t('skipped: {0}', reason);
const ok = (ms: number): string => vscode.l10n.t('ok, {0} ms', ms);

/** Why a step is skipped after one that failed. */
export const earlierFailed = (): string => vscode.l10n.t('an earlier step failed');

function describeSkip(why: SkipReason): string {
  return {
    earlier: earlierFailed(),
    address: vscode.l10n.t('the host is an IP address'),
    plain: vscode.l10n.t("the connection isn't encrypted (http)"),
    proxy: vscode.l10n.t('the requests below include it'),
  }[why];
}

/** Codes of a TLS connection that failed before there was a certificate to judge. */
const noTls = /^(EPROTO$|ERR_SSL_)/;

function describeFailure({ cause, code }: Extract<StepResult, { readonly kind: 'failed' }>): string {
  const isHandshake = cause === 'tls' && code !== null && noTls.test(code);
  const words = isHandshake
    ? vscode.l10n.t('no TLS connection is possible at this port')
    : describeUnreachable(cause);
  return code === null || code === 'ERR_PROXY' ? words : `${words} (${plainLine(code, 60)})`;
}

function describeStep(step: StepResult): string {
  switch (step.kind) {
    case 'ok':
      return ok(step.ms);
    case 'failed':
      return failed(describeFailure(step));
    case 'skipped':
      return skipped(describeSkip(step.why));
  }
}

function describeRequest({ request, status }: RouteCheck): string {
  if (request.kind !== 'ok' || status === null) return describeStep(request);
  return status < 500
    ? vscode.l10n.t('ok, {0} ms (HTTP {1})', request.ms, status)
    : failed(vscode.l10n.t('HTTP {0} after {1} ms', status, request.ms));
}

const shownAddresses = 4;

function describeDns({ dns, addresses }: RouteCheck): string {
  const words = describeStep(dns);
  if (dns.kind !== 'ok') return words;
  const rest = addresses.length > shownAddresses ? ', …' : '';
  return `${words} (${addresses.slice(0, shownAddresses).join(', ')}${rest})`;
}

/** One line for each step, in order. */
export function renderSteps(route: RouteCheck, withKey: KeyRequest): readonly string[] {
  const host = plainLine(route.host, 260);
  const place = `${host.includes(':') ? `[${host}]` : host}:${route.port}`;
  const key = withKey.kind === 'ok' ? ok(withKey.ms) : { failed, skipped }[withKey.kind](withKey.reason);
  return [
    ...(route.isProxy
      ? [
          vscode.l10n.t(
            'Proxy: {0}. Name resolution and TCP are checked against the proxy, not the service.',
            place,
          ),
        ]
      : []),
    vscode.l10n.t('1. Name resolution of {0}: {1}', host, describeDns(route)),
    vscode.l10n.t('2. TCP connection to {0}: {1}', place, describeStep(route.tcp)),
    vscode.l10n.t('3. TLS: {0}', describeStep(route.tls)),
    vscode.l10n.t('4. Request without key: {0}', describeRequest(route)),
    vscode.l10n.t('5. Request with key (list workflows): {0}', key),
  ];
}
