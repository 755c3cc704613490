// What it costs that numbers keep their digits: a page of 100 rows, about 1 MiB, parsed by us and by JSON.parse alone.
import { parseJson } from '../../src/base/json.ts';
import type { Benchmark, Figure } from './benchmark.ts';

const rounds = 60;
const warming = 30;

interface Case {
  readonly name: string;
  readonly price: (index: number) => string;
  readonly aim?: string;
}

const cases: readonly Case[] = [
  { name: 'ordinary rows', price: (index) => (index * 1.25).toFixed(2), aim: 'at most 1.3 ×' },
  { name: 'fractions of 17 digits', price: (index) => String(index * 1.37 + 0.1) },
  { name: 'numbers beyond 2^53', price: (index) => `90071992547409${index}93` },
];

/** A page of node logs. */
function page({ price }: Case): string {
  const order = (index: number): string =>
    `{"id":"ord_${index}","customer":"Customer ${index}","createdAt":"2026-11-26T21:00:00.000Z","total":${price(index)},` +
    `"isPaid":${index % 2 === 0},"address":{"street":"Main Street ${index}","city":"Springfield"}}`;
  const row = (sequence: number): string => {
    const orders = Array.from({ length: 58 }, (_order, index) => order(sequence * 100 + index));
    return (
      `{"id":"log_${sequence}","sequence":${sequence},"executionId":"exec_01J","nodeId":"n2","nodeName":"Read","level":"info",` +
      `"message":"node completed","status":"completed","output":[${orders.join(',')}],"timestamp":"2026-11-26T21:00:00.000Z"}`
    );
  };
  return `{"data":[${Array.from({ length: 100 }, (_row, index) => row(index)).join(',')}],"nextCursor":null}`;
}

function time(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

/** Both take turns, so that a busy moment of the machine meets both. */
function measure(one: Case): readonly Figure[] {
  const text = page(one);
  const plain: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < warming + rounds; round += 1) {
    const [first, second] = [time(() => JSON.parse(text)), time(() => parseJson(text))];
    if (round < warming) continue;
    plain.push(first);
    own.push(second);
  }
  const floor = `${one.name}, JSON.parse`;
  return [
    { name: floor, values: plain, unit: 'ms' },
    { name: one.name, values: own, unit: 'ms', comparedTo: floor, ...(one.aim && { aim: one.aim }) },
  ];
}

export const json: Benchmark = {
  name: 'JSON of a page of 100 rows, 1 MiB',
  measure: () => Promise.resolve(cases.flatMap(measure)),
};
