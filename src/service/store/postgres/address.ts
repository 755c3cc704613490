/** A database as it may be shown to people, beside the URL that contains its password. */
export interface DatabaseAddress {
  /** Secret: with the password. */
  readonly url: string;
  /** "HOST:PORT/NAME". */
  readonly name: string;
}

/** The text isn't the URL of a PostgreSQL database. The message doesn't repeat it, as it may contain a password. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError';

  constructor() {
    super('The database URL must look like postgres://USER:PASSWORD@HOST:PORT/NAME.');
  }
}

/** Throws a DatabaseUrlError. */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.parse(text);
  const database = url?.pathname.slice(1) ?? '';
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '' || database === '')
    throw new DatabaseUrlError();
  return { url: text, name: `${url.hostname}:${url.port || '5432'}/${database}` };
}
