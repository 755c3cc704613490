// Which proxy a request goes through.
import { isLoopback } from '../../domain/connection.ts';
import type { HttpSettings } from './httpPort.ts';

/** A failure of the proxy instead of the service. Contains no address, because a proxy's address may contain a password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'ERR_PROXY';
}

/** Returns the first address that's set, with http as the default scheme; '' for none. Throws a ProxyError when it can't be used. */
function proxyAddress(...choices: readonly (string | undefined)[]): string {
  const choice = choices.find((text) => text !== undefined && text.trim() !== '')?.trim() ?? '';
  const address = choice === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(choice) ? choice : `http://${choice}`;
  if (address !== '' && !/^(https?|socks5?):$/.test(URL.parse(address)?.protocol ?? ''))
    throw new ProxyError('The address of the proxy cannot be used.');
  return address;
}

interface ProxyChoice {
  /** '' for none. */
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts without a proxy, separated by commas or white space. */
  readonly noProxy: string;
}

/** Throws a ProxyError when an address can't be used. */
export function chooseProxies({ proxy, noProxy = [], environment = process.env }: HttpSettings): ProxyChoice {
  const httpProxy = proxyAddress(proxy, environment['http_proxy'], environment['HTTP_PROXY']);
  const httpsProxy = proxyAddress(proxy, environment['https_proxy'], environment['HTTPS_PROXY'], httpProxy);
  const fromEnvironment = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  return { httpProxy, httpsProxy, noProxy: noProxy.length > 0 ? noProxy.join(',') : fromEnvironment };
}

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks:': 1080,
  'socks5:': 1080,
};

export interface HostAndPort {
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

export function hostAndPort({ protocol, hostname, port }: URL): HostAndPort {
  const host = hostname.replace(/^\[(.+)\]$/, '$1');
  return { host, port: port === '' ? (defaultPorts[protocol] ?? 0) : Number(port) };
}

/** True if one entry of a NO_PROXY list names the host, as undici understands it: "*", "host", ".domain", "*.domain", "host:port". */
function isExempt(entry: string, { host, port }: HostAndPort): boolean {
  const parts = /^\[(.+)\](?::(\d+))?$/.exec(entry) ?? /^([^:]+)(?::(\d+))?$/.exec(entry);
  const [name = entry, only] = parts?.slice(1) ?? [];
  if (only !== undefined && Number(only) !== port) return false;
  if (name === '*') return true;
  const domain = name
    .replace(/^\*?\./, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const asked = host.replace(/\.$/, '').toLowerCase();
  return (asked === domain && !entry.startsWith('*')) || asked.endsWith(`.${domain}`);
}

/** Returns the proxy for a request to this address; undefined for none. Throws a ProxyError when its address can't be used. */
export function proxyFor(url: URL, settings: HttpSettings): HostAndPort | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const { httpProxy, httpsProxy, noProxy } = chooseProxies(settings);
  const chosen = url.protocol === 'https:' ? httpsProxy : httpProxy;
  const target = hostAndPort(url);
  const entries = noProxy.split(/[,\s]/).filter((entry) => entry !== '');
  if (chosen === '' || entries.some((entry) => isExempt(entry, target))) return undefined;
  return hostAndPort(new URL(chosen));
}
