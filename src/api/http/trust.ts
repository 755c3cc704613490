// Which certificates are trusted.
import * as tls from 'node:tls';
import type { HttpSettings } from './httpPort.ts';

/** Returns the certificates to trust; undefined for Node's own choice. */
function trusted({ systemCertificates = true, certificates = [] }: HttpSettings): string[] | undefined {
  // Not available in Node before 22.15.
  const canAsk = typeof tls.getCACertificates === 'function';
  const system = systemCertificates && canAsk ? tls.getCACertificates('system') : [];
  if (system.length === 0 && certificates.length === 0) return undefined;
  const own = canAsk ? tls.getCACertificates('default') : tls.rootCertificates;
  return [...new Set([...own, ...system, ...certificates])];
}

/** The options of a TLS connection. */
export function trustOf(settings: HttpSettings): {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string[];
} {
  const ca = trusted(settings);
  return { rejectUnauthorized: settings.strictTls ?? true, ...(ca ? { ca } : {}) };
}
