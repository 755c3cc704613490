import { type DatabaseAddress, DatabaseUrlError, readDatabaseUrl } from '../store/postgres/address.ts';
import { optionalValue, type Options, UsageError } from './options.ts';

/** Where the data is: in a folder of this machine, or in a PostgreSQL database that several processes share. */
export type DataLocation = { readonly dataFolder: string } | { readonly address: DatabaseAddress };

export type Environment = Readonly<Partial<Record<string, string>>>;

/** Reads --data or --database-url; without either, the variable DATABASE_URL. Throws a UsageError. */
export function readLocation(options: Options, environment: Environment): DataLocation {
  const dataFolder = optionalValue(options, 'data');
  const given = optionalValue(options, 'database-url');
  if (dataFolder !== undefined) {
    if (given !== undefined) throw new UsageError("--data and --database-url can't be used together.");
    return { dataFolder };
  }
  return { address: toAddress(given, environment, '--data or --database-url is missing.') };
}

/** Reads --database-url, or the variable DATABASE_URL. Throws a UsageError. */
export function readAddress(options: Options, environment: Environment): DatabaseAddress {
  return toAddress(optionalValue(options, 'database-url'), environment, '--database-url is missing.');
}

function toAddress(given: string | undefined, environment: Environment, missing: string): DatabaseAddress {
  const url = given ?? environment['DATABASE_URL'];
  if (url === undefined || url === '') throw new UsageError(missing);
  try {
    return readDatabaseUrl(url);
  } catch (error) {
    throw error instanceof DatabaseUrlError ? new UsageError(error.message) : error;
  }
}
