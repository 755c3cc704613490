// Figures in Prometheus' text format, version 0.0.4.

type Labels = Readonly<Record<string, string>>;

interface Sample {
  /** The suffix after the family's name; empty for most. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** All figures of one name. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[];
}

export function renderFamilies(families: readonly Family[]): string {
  return families.map(renderFamily).join('');
}

function renderFamily(family: Family): string {
  const { name, help, type } = family;
  const lines = family
    .samples()
    .map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${renderLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escape(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}

/** A figure that is read on request. */
export function single(type: 'counter' | 'gauge', name: string, help: string, value: number): Family {
  return { name, help, type, samples: () => [{ value }] };
}

/** A figure for each value of a label. */
export function gauge(
  name: string,
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): Family {
  const samples = Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value }));
  return { name, help, type: 'gauge', samples: () => samples };
}

/** The state of each combination of label values that occurred. */
class Series<T> {
  readonly #byKey = new Map<string, { readonly labels: Labels; readonly kept: T }>();
  readonly #create: () => T;

  constructor(create: () => T) {
    this.#create = create;
  }

  of(labels: Labels): T {
    const key = Object.values(labels).join('\n');
    const known = this.#byKey.get(key);
    if (known) return known.kept;
    const kept = this.#create();
    this.#byKey.set(key, { labels, kept });
    return kept;
  }

  samples(render: (kept: T, labels: Labels) => readonly Sample[]): readonly Sample[] {
    return [...this.#byKey.values()].flatMap(({ kept, labels }) => render(kept, labels));
  }
}

/** Counts events; always with the same names of labels. */
export class Counter implements Family {
  readonly type = 'counter';
  readonly name: string;
  readonly help: string;
  readonly #series = new Series(() => ({ count: 0 }));

  /** `known` are shown as 0 from the start. */
  constructor(name: string, help: string, known: readonly Labels[] = []) {
    this.name = name;
    this.help = help;
    for (const labels of known) this.#series.of(labels);
  }

  add(labels: Labels = {}): void {
    this.#series.of(labels).count += 1;
  }

  samples(): readonly Sample[] {
    return this.#series.samples(({ count }, labels) => [{ labels, value: count }]);
  }
}

/** Counts measured values by their size; always with the same names of labels. */
export class Histogram implements Family {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #series: Series<{ readonly counts: number[]; sum: number }>;

  /** `bounds` are the inclusive upper ones, ascending. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    this.#series = new Series(() => ({ counts: [...bounds.map(() => 0), 0], sum: 0 }));
  }

  observe(value: number, labels: Labels = {}): void {
    const kept = this.#series.of(labels);
    const found = this.#bounds.findIndex((bound) => value <= bound);
    const index = found === -1 ? this.#bounds.length : found;
    kept.counts[index] = (kept.counts[index] ?? 0) + 1;
    kept.sum += value;
  }

  samples(): readonly Sample[] {
    return this.#series.samples(({ counts, sum }, labels) => {
      let count = 0;
      const buckets = counts.map((own, index) => {
        const le = String(this.#bounds[index] ?? '+Inf');
        return { suffix: '_bucket', labels: { ...labels, le }, value: (count += own) };
      });
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
    });
  }
}
