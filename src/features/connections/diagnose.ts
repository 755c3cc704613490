// Checks a connection step by step, and shows the result as a read-only document.
import * as vscode from 'vscode';
import { BoundedMap } from '../../base/boundedMap.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { maskKey, redact } from '../../base/masking.ts';
import { Deadline, steadyNow } from '../../base/time.ts';
import type { Connection } from '../../domain/connection.ts';
import type { RouteCheck, StepResult, SkipReason } from '../../domain/routeCheck.ts';
import { showDocument, withSignal } from '../../editor/documents/documents.ts';
import { plainLine } from '../../base/format.ts';
import { withProgress } from '../../editor/prompts/prompts.ts';
import { settings } from '../../editor/settings.ts';
import { requireActiveConnection } from '../../ui/activeConnection.ts';
import { diagnosedConnection, diagnosisUri, requireAddress } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import { describeError, toUserError } from '../../ui/words/describeError.ts';
import { describeUnreachable } from '../../words/describeServiceError.ts';
import { connectionName } from '../../words/names.ts';
import { serviceTraits } from '../../domain/serviceTraits.ts';

type DiagnoseDeps = Pick<
  App,
  'checkRoute' | 'clock' | 'commands' | 'connections' | 'diagnosisDocuments' | 'services' | 'workflows'
>;

/** For the request with the key and its repetitions, in milliseconds. */
const requestLimitMs = 30_000;

const hasFailed = ({ kind }: StepResult): boolean => kind === 'failed';

/** Asks for one workflow. Where that would wait for the request limit, or can't succeed, says so at once instead. */
async function requestWithKey(
  { services, workflows, clock }: DiagnoseDeps,
  connectionId: string,
  hasKey: boolean,
  { dns, tcp, tls, request }: RouteCheck,
  signal: AbortSignal,
): Promise<KeyRequest> {
  if ([dns, tcp, tls, request].some(hasFailed)) return { kind: 'skipped', reason: earlierFailed() };
  if (!hasKey) return { kind: 'skipped', reason: vscode.l10n.t('no key on this machine') };
  const waitMs = services.budget(connectionId).waitMs('asked');
  if (waitMs >= 1000) {
    const seconds = Math.ceil(waitMs / 1000);
    return { kind: 'skipped', reason: vscode.l10n.t('the request limit resets in {0} s', seconds) };
  }
  const deadline = new Deadline(clock, signal);
  deadline.restart(requestLimitMs);
  const began = steadyNow();
  try {
    await workflows.search(connectionId, { limit: 1 }, deadline.signal);
    return { kind: 'ok', ms: Math.round(steadyNow() - began) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = deadline.isExpired
      ? describeUnreachable('timeout')
      : describeError(error, clock.now()).message;
    return { kind: 'failed', reason };
  } finally {
    deadline.dispose();
  }
}

function describeToken(token: string | undefined): string {
  return token === undefined
    ? vscode.l10n.t('MCP token: none')
    : vscode.l10n.t('MCP token: {0}', maskKey(token, settings.keyPrefix()));
}

/**
 * Returns a report that's safe to share, without the API key and without data: the configuration, whether there is a key, and the result
 * of each step of a request.
 */
async function diagnose(deps: DiagnoseDeps, connection: Connection, signal: AbortSignal): Promise<string> {
  const { checkRoute, connections, services } = deps;
  const { id, name, kind, baseUrl } = connection;
  const [key, token] = [await connections.readKey(connection), await connections.readMcpToken(connection)];
  const route = await checkRoute(baseUrl, signal);
  const withKey = await requestWithKey(deps, id, key !== undefined, route, signal);
  const budget = services.budget(id).current;
  const lines = [
    vscode.l10n.t('Connection: {0} ({1})', plainLine(name, 80), kind),
    vscode.l10n.t('Connection ID: {0}', id),
    vscode.l10n.t('Base URL: {0}', plainLine(baseUrl, 2000)),
    key === undefined
      ? vscode.l10n.t('API key: none on this machine for this origin')
      : vscode.l10n.t('API key: {0}', maskKey(key, settings.keyPrefix())),
    ...(serviceTraits[kind].takesMcpToken ? [describeToken(token)] : []),
    '',
    ...renderSteps(route, withKey),
    '',
    ...(services.offers(id, 'requestLimit')
      ? [vscode.l10n.t('Requests left this minute: {0} of {1}', budget.remaining, budget.limit)]
      : []),
    vscode.l10n.t(
      'Editor: {0}, extension host on {1}',
      vscode.version,
      vscode.env.remoteName ?? vscode.l10n.t('this machine'),
    ),
    '',
  ];
  return redact(lines.join('\n'), {
    secrets: [key, token].filter((secret) => secret !== undefined),
    prefix: settings.keyPrefix(),
  });
}

/** Reports that are kept for their documents. */
const maximumReports = 20;

export function registerDiagnose(deps: DiagnoseDeps): Disposable {
  const { commands, connections, diagnosisDocuments } = deps;
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<vscode.Uri>());
  const reports = new BoundedMap<string, string>(maximumReports);
  const show = async (connectionId: string, report: string): Promise<void> => {
    const uri = diagnosisUri(connectionId, connectionName(connections, connectionId));
    reports.set(connectionId, report);
    changes.fire(uri);
    await showDocument(diagnosisDocuments, uri);
  };
  owned.add(
    diagnosisDocuments.attach({
      onDidChange: changes.event,
      provideTextDocumentContent: async (uri, token) => {
        const connectionId = requireAddress(uri, diagnosedConnection);
        const kept = reports.get(connectionId);
        if (kept !== undefined) return kept;
        try {
          // The editor was restarted with the document open.
          return await withSignal(token, (signal) => diagnose(deps, connections.get(connectionId), signal));
        } catch (error) {
          throw toUserError(error);
        }
      },
    }),
  );
  owned.add(
    commands.register('connection.diagnose', {
      ask: () => Promise.resolve({ connectionId: requireActiveConnection(connections).id }),
      run: async ({ connectionId }, { isInteractive }) => {
        const connection = connections.get(connectionId);
        const report = await withProgress(vscode.l10n.t('Checking the connection…'), (signal) =>
          diagnose(deps, connection, signal),
        );
        if (isInteractive) await show(connectionId, report);
        return report;
      },
    }),
  );
  return owned;
}

/** The result of a request with the key: how long it took, or in words why it failed or wasn't sent. */
type KeyRequest =
  | { readonly kind: 'ok'; readonly ms: number }
  | { readonly kind: 'failed' | 'skipped'; readonly reason: string };

const failed = (reason: string): string => vscode.l10n.t('failed: {0}', reason);
const skipped = (reason: string): string => vscode.l10n.t('skipped: {0}', reason);
const ok = (ms: number): string => vscode.l10n.t('ok, {0} ms', ms);

/** Why a step is skipped after one that failed. */
const earlierFailed = (): string => vscode.l10n.t('an earlier step failed');

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
