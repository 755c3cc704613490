// Refuses the addresses of this machine and of private networks.
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { NodeError } from '../../errors.ts';

/** The ranges that the registries of special addresses don't list as global, and the IPv6 ranges that embed IPv4 addresses. */
const privateRanges = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['2001::', 32],
  ['2001:2::', 48],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv6');

/** `address` is IPv4 or IPv6, without brackets. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isPrivateAddress(address: string): boolean {
  return privateRanges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Throws a NodeError when the host is a private IP address, which is never looked up. `hostname` is in the form of URL.hostname. */
export function refusePrivateHost(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && isPrivateAddress(address)) throw refused(hostname);
}

/** Filters the addresses that the connection uses, so that a second lookup can't return others; fails when none is public. */
export const lookupPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const allowed = error ? [] : addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = allowed;
    if (error) callback(error, '');
    else if (!first) callback(refused(hostname), '');
    else if (options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });

function refused(hostname: string): NodeError {
  return new NodeError(
    'address_refused',
    `${hostname} is an address of this machine or of a private network, which this service is configured not to call.`,
  );
}
