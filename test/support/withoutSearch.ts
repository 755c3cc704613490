import type { HttpPort } from '../../src/api/http/httpPort.ts';
import { capabilities, capabilitiesHeader } from '../../src/protocol/operations.ts';

const offered = capabilities.filter((each) => each !== 'search').join(', ');

/** The same service as one that doesn't search by itself. */
export function withoutSearch(port: HttpPort): HttpPort {
  return async (url, request) => {
    const response = await port(url, request);
    const { headers } = response;
    const get = (name: string): string | null =>
      name.toLowerCase() === capabilitiesHeader.toLowerCase() ? offered : headers.get(name);
    return { ...response, headers: { get } };
  };
}
