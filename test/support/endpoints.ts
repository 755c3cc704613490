// Services that have some endpoints and answer all others as their router would.
import type { OperationOverrides } from '../../src/protocol/operationOverrides.ts';
import { createScriptedClient, type ScriptedClient } from './scriptedClient.ts';
import type { ScriptedAnswer } from './scriptedPort.ts';

/** The client on a service that has these endpoints, as "METHOD /path". asked: each request with its body. */
export function serviceWith(
  endpoints: Readonly<Record<string, ScriptedAnswer>>,
  overrides?: () => OperationOverrides,
): ScriptedClient & { readonly asked: () => readonly string[] } {
  const missing = { status: 404, body: { error: { code: 'route_not_found', message: 'No such endpoint.' } } };
  const scripted = createScriptedClient(
    (path, { method }) => endpoints[`${method} ${path.replace(/\?.*/, '')}`] ?? missing,
    undefined,
    overrides,
  );
  const asked = (): readonly string[] =>
    scripted.requests.map(({ method, url, body }) =>
      `${method} ${url.replace('https://service.example/v1', '')} ${body ?? ''}`.trim(),
    );
  return Object.assign(scripted, { asked });
}
