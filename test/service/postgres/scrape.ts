// Reads metrics as Prometheus does.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** By name and labels, such as `name{status="queued"}`. */
export type Figures = ReadonlyMap<string, number>;

/** Asks a process for its metrics, which must be in the text format. */
export async function scrape(origin: string): Promise<Figures> {
  const answer = await fetch(new URL('/metrics', origin));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8');
  return parseFigures(await answer.text());
}

/** Asks until the figures fit. */
export async function scrapeUntil(origin: string, fits: (figures: Figures) => boolean): Promise<Figures> {
  for (;;) {
    const figures = await scrape(origin);
    if (fits(figures)) return figures;
    await nextTurn();
  }
}

/** Each family must have its help and its type once, before its samples. */
function parseFigures(text: string): Figures {
  assert.ok(text.endsWith('\n'));
  const figures = new Map<string, number>();
  const helped = new Set<string>();
  let family = '';
  let type = '';
  for (const line of text.trimEnd().split('\n')) {
    const head = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line);
    const [, kind = '', name = '', rest = ''] = head ?? [];
    if (kind === 'HELP') {
      assert.ok(!helped.has(name), line);
      helped.add(name);
      family = name;
    } else if (kind === 'TYPE') {
      assert.equal(name, family);
      type = rest;
    } else {
      const sample = /^(\w+)(\{(?:\w+="[^"\\\n]*",?)+\})? (\S+)$/.exec(line);
      assert.ok(sample, line);
      const [, sampleName = '', labels = '', value = ''] = sample;
      const names =
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family];
      assert.ok(names.includes(sampleName) && Number.isFinite(Number(value)), line);
      assert.ok(!figures.has(sampleName + labels), line);
      figures.set(sampleName + labels, Number(value));
    }
  }
  assertBuckets(figures);
  return figures;
}

/** Each bucket holds those before it, and the last one all. */
function assertBuckets(figures: Figures): void {
  const last = new Map<string, number>();
  for (const [key, value] of figures) {
    const [, name = '', labels = '', bound = ''] = /^(\w+)_bucket\{(.*?),?le="(.+)"\}$/.exec(key) ?? [];
    if (name === '') continue;
    const series = labels === '' ? '' : `{${labels}}`;
    assert.ok(value >= (last.get(name + series) ?? 0), key);
    last.set(name + series, value);
    if (bound === '+Inf') assert.equal(figures.get(`${name}_count${series}`), value, key);
  }
}
