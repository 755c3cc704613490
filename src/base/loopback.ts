// A key may travel readable only where it never leaves this machine; one rule for every layer that asks.

/** True for this machine's own names and addresses. hostname: as URL gives it, IPv6 in brackets. Names below "localhost" are left to resolvers, so they do not count. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
