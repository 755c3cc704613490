// Prints the figures that the project cares about; npm run bench -- WORD runs only those whose name contains the word.
import { say } from '../rig/say.ts';
import { activation } from './activation.ts';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { commandLine } from './commandLine.ts';
import { crash } from './crash.ts';
import { crowd } from './crowd.ts';
import { debugging } from './debugging.ts';
import { definitionCheck } from './definitionCheck.ts';
import { graph } from './graph.ts';
import { following } from './following.ts';
import { inline } from './inline.ts';
import { json } from './json.ts';
import { lists } from './lists.ts';
import { longLog } from './longLog.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { logRows } from './logRows.ts';
import { loops } from './loops.ts';
import { masks } from './masks.ts';
import { postgresDelays } from './postgres/delays.ts';
import { postgresPages } from './postgres/pages.ts';
import { postgresThroughput } from './postgres/throughput.ts';
import { retries } from './retries.ts';
import { sandbox } from './sandbox.ts';
import { searching } from './search.ts';
import { secrets } from './secrets.ts';
import { sizes } from './sizes.ts';

const benchmarks: readonly Benchmark[] = [
  sizes,
  commandLine,
  activation,
  following,
  json,
  logRows,
  longLog,
  lists,
  loops,
  retries,
  searching,
  secrets,
  masks,
  crash,
  crowd,
  load,
  memory,
  sandbox,
  definitionCheck,
  inline,
  debugging,
  graph,
  postgresThroughput,
  postgresDelays,
  postgresPages,
];

/** One line: name, median, spread, ratio, aim. */
function render(figure: Figure, all: readonly Figure[]): string {
  const { name, values, unit, comparedTo, aim } = figure;
  const middle = median(values);
  const spread =
    values.length > 1 ? `(${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})` : '';
  const other = all.find((candidate) => candidate.name === comparedTo);
  const ratio = other ? `${(middle / median(other.values)).toFixed(2)} ×` : '';
  const columns = [
    name.padEnd(40),
    `${middle.toFixed(1).padStart(8)} ${unit}`,
    spread.padEnd(18),
    ratio.padEnd(8),
  ];
  return `  ${columns.join(' ')} ${aim === undefined ? '' : `aim: ${aim}`}`.trimEnd();
}

const [word = ''] = process.argv.slice(2);
for (const benchmark of benchmarks) {
  if (!benchmark.name.toLowerCase().includes(word.toLowerCase())) continue;
  say(`${benchmark.name} …`);
  const figures = await benchmark.measure();
  const lines = figures.map((figure) => render(figure, figures));
  say(`\n${[benchmark.name, ...lines].join('\n')}\n`);
}
