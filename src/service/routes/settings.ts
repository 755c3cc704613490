// The settings surface of the local service: API keys, secrets, leases and stopping (contract section 3).
import type { Disposable } from '../../base/disposable.ts';
import { settingsOperations } from '../../protocol/operations.ts';
import { CreateApiKeyRequest, SecretsKeyRequest, SetSecretRequest } from '../../protocol/requests.ts';
import { readRequest } from '../http/body.ts';
import { type EventStreamOptions, streamToWindow } from '../http/eventStream.ts';
import { HttpError, invalidRequest } from '../http/httpError.ts';
import { pathValue, readText } from '../http/query.ts';
import { route, type ServiceApp } from '../http/routes.ts';
import { noncePattern, proveIdentity } from '../../protocol/localService/instance.ts';
import { type Secrets, SecretsError } from '../secrets/secrets.ts';
import { isSecretName, readOrigin } from '../../domain/secret.ts';
import type { KeyStore } from '../store/keys.ts';

export interface SettingsOptions {
  /** Keeps the service running until what it returns is disposed. */
  readonly takeLease: () => Disposable;
  /** Stops the service shortly after the response. */
  readonly stop: () => void;
  /** The token that requests to this surface need; it's new at every start. */
  readonly sessionToken: string;
}

export function registerSettingsRoutes(
  app: ServiceApp,
  keys: KeyStore,
  secrets: Secrets,
  options: SettingsOptions,
  port: () => number | null,
  stream: EventStreamOptions,
): void {
  route(app, '', settingsOperations.identity, (context) => {
    const nonce = readText(context, 'nonce') ?? '';
    if (!noncePattern.test(nonce)) throw invalidRequest('"nonce" must be 32 bytes in base64url.');
    const origin = `http://127.0.0.1:${port() ?? 0}`;
    return context.json({ proof: proveIdentity(options.sessionToken, nonce, origin) });
  });
  route(app, '', settingsOperations.listApiKeys, async (context) =>
    context.json({ data: await keys.list(), nextCursor: null }),
  );
  route(app, '', settingsOperations.createApiKey, async (context) => {
    const { name, expiration } = await readRequest(context, CreateApiKeyRequest);
    return context.json(await keys.create(name, expiration), 201);
  });
  route(app, '', settingsOperations.revokeApiKey, async (context) => {
    if (!(await keys.revoke(pathValue(context, 'keyId'))))
      throw new HttpError(404, 'api_key_not_found', 'There is no API key with this id.');
    return context.body(null, 204);
  });
  registerSecretRoutes(app, secrets);
  route(app, '', settingsOperations.lease, (context) =>
    streamToWindow(
      context,
      { subscribe: options.takeLease, read: () => Promise.resolve({ frames: [], isEnd: false }) },
      stream,
    ),
  );
  route(app, '', settingsOperations.stop, (context) => {
    options.stop();
    return context.json({ status: 'stopping' }, 202);
  });
}

function registerSecretRoutes(app: ServiceApp, secrets: Secrets): void {
  route(app, '', settingsOperations.listSecrets, async (context) =>
    context.json({ data: await secrets.list(), nextCursor: null }),
  );
  route(app, '', settingsOperations.setSecret, async (context) => {
    const name = pathValue(context, 'name');
    if (!isSecretName(name))
      throw invalidRequest(
        "The name of a secret has at most 64 letters, digits and _, and doesn't begin with a digit.",
      );
    const { value, origins } = await readRequest(context, SetSecretRequest);
    const normalized = origins.flatMap((text) => readOrigin(text) ?? []);
    return context.json(await secrets.set(name, value, normalized).catch(refuse));
  });
  route(app, '', settingsOperations.deleteSecret, async (context) => {
    if (!(await secrets.delete(pathValue(context, 'name'))))
      throw new HttpError(404, 'secret_not_found', 'There is no secret with this name.');
    return context.body(null, 204);
  });
  route(app, '', settingsOperations.giveSecretsKey, async (context) => {
    const { key } = await readRequest(context, SecretsKeyRequest);
    try {
      secrets.giveKey(key);
    } catch (error) {
      refuse(error);
    }
    return context.body(null, 204);
  });
}

function refuse(error: unknown): never {
  throw error instanceof SecretsError ? new HttpError(409, error.code, error.message) : error;
}
