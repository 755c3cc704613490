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
  /** That the body's text is sent in; default: UTF-8. */
  readonly charset?: string | undefined;
}

export function renderCurl({ method, url, headers, body, charset }: CurlRequest): string {
  const piped = pipeOf(body, charset);
  const isPlain = typeof body === 'string' && piped === undefined;
  const sent = isPlain ? `--data-raw ${shellWord(body)}` : '--data-binary @-';
  // Without it, curl reads brackets and braces as patterns.
  const isPattern = /[[\]{}]/.test(url);
  const lines = [
    `${piped ?? ''}curl ${methodOption(method, body)} ${isPattern ? '--globoff ' : ''}${shellWord(url)}`,
    ...headers.map((header) => `--header ${header}`),
    ...(body === undefined ? [] : [sent]),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

/** What hands the body over, where an argument of curl can't. */
function pipeOf(body: CurlRequest['body'], charset: string | undefined): string | undefined {
  if (typeof body === 'object') return `printf %s ${shellWord(body.base64)} | base64 --decode | `;
  if (body === undefined || charset === undefined) return undefined;
  return `printf %s ${shellWord(body)} | iconv -f UTF-8 -t ${shellWord(charset)} | `;
}

/** With another option, curl would wait for the body of a response to HEAD. */
function methodOption(method: string, body: CurlRequest['body']): string {
  return method === 'HEAD' && body === undefined ? '--head' : `--request ${shellName(method)}`;
}

/** A word without quotation marks, if it needs none. */
function shellName(text: string): string {
  return /^[A-Za-z]+$/.test(text) ? text : shellWord(text);
}
