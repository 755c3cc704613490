import type * as sqlite from 'node:sqlite';

const name = 'emitWarning';

/** Returns node:sqlite where this Node has it, without the experimental warning that some versions print to the console. */
export function loadSqlite(): typeof sqlite | undefined {
  const original = Object.getOwnPropertyDescriptor(process, name);
  Object.defineProperty(process, name, { configurable: true, value: () => undefined });
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    if (original === undefined) Reflect.deleteProperty(process, name);
    else Object.defineProperty(process, name, original);
  }
}
