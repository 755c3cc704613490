// Requests as commands for curl in a POSIX shell. Pure.

/** Nothing between single quotes has a meaning. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** As words of the shell, such as `"Authorization: Bearer $KEY"`. */
  readonly headers: readonly string[];
  /** Text, or bytes in base64. */
  readonly body: string | { readonly base64: string } | undefined;
}

export function renderCurl({ method, url, headers, body }: CurlRequest): string {
  const isBytes = typeof body === 'object';
  const bytes = isBytes ? `printf %s ${shellWord(body.base64)} | base64 -d | ` : '';
  const data = isBytes ? ['--data-binary @-'] : body === undefined ? [] : [`--data-raw ${shellWord(body)}`];
  const lines = [
    `${bytes}curl --request ${shellName(method)} ${shellWord(url)}`,
    ...headers.map((header) => `--header ${header}`),
    ...data,
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

/** A word without quotation marks, if it needs none. */
function shellName(text: string): string {
  return /^[A-Za-z]+$/.test(text) ? text : shellWord(text);
}
