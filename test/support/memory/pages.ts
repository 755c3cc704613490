import { ServiceError } from '../../../src/domain/errors.ts';
import type { Page } from '../../../src/domain/queries.ts';

export function need<T extends { readonly id: string }>(records: readonly T[], id: string): T {
  const record = records.find((each) => each.id === id);
  if (!record) throw new ServiceError({ kind: 'notFound' }, `no ${id}`, { status: 404 });
  return record;
}

export function pageOf<T>(records: readonly T[], cursor = '0', limit = 50): Page<T> {
  const from = Number(cursor);
  const end = from + limit;
  return { items: records.slice(from, end), nextCursor: end < records.length ? String(end) : null };
}
