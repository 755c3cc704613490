// Which rights a key has: asked once for a key, and named by the errors of calls that it has no right to.
import * as v from 'valibot';
import { isServiceError, isTransient } from '../../domain/errors.ts';
import { type KeyRight, keyRights } from '../../domain/apiKey.ts';
import type { Transport } from '../request/transport.ts';
import type { KeyReader } from '../servicePort.ts';
import { n8nOperations, rightsNeeded } from './operations.ts';

const Discovered = v.object({ data: v.object({ scopes: v.array(v.string()) }) });

interface KeyRightsDeps {
  /** Without an owner: what it refuses here says nothing of the connection. */
  readonly api: Transport;
  readonly key: KeyReader;
}

export class KeyRights {
  readonly #deps: KeyRightsDeps;
  #asked: { readonly key: string; readonly missing: Promise<readonly KeyRight[]> } | undefined;

  constructor(deps: KeyRightsDeps) {
    this.#deps = deps;
  }

  /** Those that the key lacks; none where n8n doesn't say. Rejects only when the client is disposed of. */
  async missing(): Promise<readonly KeyRight[]> {
    const key = (await this.#deps.key()) ?? '';
    if (this.#asked?.key !== key) this.#asked = { key, missing: this.#ask() };
    return this.#asked.missing;
  }

  async #ask(): Promise<readonly KeyRight[]> {
    try {
      const { body } = await this.#deps.api.call({ operation: n8nOperations.discover });
      const discovered = v.safeParse(Discovered, body);
      if (!discovered.success) return [];
      const has = new Set(discovered.output.data.scopes);
      return keyRights.filter((right) => !has.has(right));
    } catch (error) {
      if (!isServiceError(error)) throw error;
      // Once it can be reached again, it's asked again.
      if (isTransient(error)) this.#asked = undefined;
      return [];
    }
  }
}

/** The same transport, whose refusals name the right that the key lacks. */
export function tellingRights(transport: Transport, rights: Pick<KeyRights, 'missing'>): Transport {
  return {
    budget: transport.budget,
    async call(request, options) {
      try {
        return await transport.call(request, options);
      } catch (error) {
        const right = rightsNeeded.get(request.operation);
        if (!isServiceError(error, 'forbidden') || right === undefined) throw error;
        const isMissing = (await rights.missing()).includes(right);
        throw isMissing ? error.because({ kind: 'forbidden', right }) : error;
      }
    },
    open: (request, options) => transport.open(request, options),
    describe: (request) => transport.describe(request),
    dispose: () => transport.dispose(),
  };
}
