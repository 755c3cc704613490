export const apiPath = '/api/v1';

/** Returns where the API is of an n8n whose editor, or whose API, has this address. */
export function n8nApiAddress(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, '');
  return trimmed.endsWith(apiPath) ? trimmed : `${trimmed}${apiPath}`;
}
