// What can go wrong on the way to a service and in its answers, each by the name it's shown under.
import { gzipSync } from 'node:zlib';
import { body, type Fault, json, page, refusal, stream, streamed } from './answers.ts';
import { network } from './networkFaults.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const row = { id: 'same', workflowId: 'wf_1', status: 'running', name: 'N' };
let pageNumber = 0;

const statuses: readonly (readonly [number, string])[] = [
  ...([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [402, 'payment_required'],
    [403, 'forbidden'],
  ] as const),
  ...([
    [404, 'workflow_not_found'],
    [404, 'route_not_found'],
    [405, 'method_not_allowed'],
  ] as const),
  ...([
    [408, 'request_timeout'],
    [409, 'version_conflict'],
    [409, 'workflow_not_deployed'],
    [410, 'event_gap'],
  ] as const),
  ...([
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [422, 'validation_failed'],
  ] as const),
  ...([
    [422, 'too_deep'],
    [451, 'unavailable_for_legal_reasons'],
    [500, 'internal_error'],
    [501, 'not_implemented'],
  ] as const),
  ...([
    [502, 'bad_gateway'],
    [503, 'unavailable'],
    [504, 'timeout'],
    [507, 'storage_full'],
    [507, 'storage_read_only'],
  ] as const),
];

const limited = (name: string, headers: Readonly<Record<string, string>>): Fault => ({
  name: `429 with ${name}`,
  answer: refusal(429, 'rate_limited', headers),
  isRefusal: true,
});

const answers: readonly Fault[] = [
  ...statuses.map(([status, code]) => ({ name: `${status} ${code}`, answer: refusal(status, code) })),
  ...[400, 401, 404, 500, 503].map((status) => ({
    name: `${status} with no body`,
    answer: body('', {}, status),
  })),
  ...[200, 404, 502].map((status) => ({
    name: `${status} with a page of HTML`,
    answer: body('<!doctype html><h1>Hi</h1>', { 'content-type': 'text/html' }, status),
  })),
  limited('no time', {}),
  limited('Retry-After 0', { 'retry-after': '0' }),
  limited('Retry-After in the past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
  limited('Retry-After of a day', { 'retry-after': '86400' }),
  {
    name: '429 too_many_answers',
    answer: refusal(429, 'too_many_answers', { 'retry-after': '1' }),
    isRefusal: true,
  },
  {
    name: '429 too_many_streams',
    answer: refusal(429, 'too_many_streams', { 'retry-after': '30' }),
    isRefusal: true,
  },
  limited('Retry-After of no sense', { 'retry-after': '-1e999 soon' }),
  { name: '200 with no body', answer: body('') },
  {
    name: 'a Location of no sense',
    answer: body('{}', { ...json, location: '/executions/%E0%A4%A' }, 202),
  },
  { name: '204', answer: body('', {}, 204) },
  { name: 'JSON that is cut off', answer: body('{"data":[{"id":') },
  ...[150, 5000, 100_000].map((depth) => ({ name: `JSON ${depth} deep`, answer: body(nested(depth)) })),
  ...['4000000000', '10000000'].map((limit) => ({
    name: `a limit of ${limit}, used up`,
    answer: body(page(), { ...json, 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': '0' }),
  })),
  { name: 'a Link of 14 kB', answer: body(page(), { ...json, link: `<${'a;'.repeat(7000)}>` }) },
  { name: 'a number', answer: body('12') },
  { name: 'a text', answer: body('"OK"') },
  { name: 'null', answer: body('null') },
  {
    name: 'members of wrong types',
    answer: body(page({ id: {}, name: [], status: 7, nodes: 'x', data: null })),
  },
  {
    name: 'numbers without measure',
    answer: body('{"data":[{"id":1e999,"durationMs":1e308,"sequence":-1e999}],"nextCursor":1e999}'),
  },
  {
    name: 'names such as __proto__',
    answer: body('{"data":[{"id":"a","__proto__":{"x":1},"constructor":5,"then":1}]}'),
  },
  { name: 'success that says it failed', answer: body('{"success":false,"message":"No."}') },
  {
    name: 'the same record a thousand times',
    answer: body(page(...Array.from({ length: 1000 }, () => row))),
  },
  {
    name: 'a next page that is this one',
    answer: body(JSON.stringify({ data: [row], nextCursor: 'again' })),
  },
  {
    name: 'pages without end',
    answer: (...all) => body(JSON.stringify({ data: [row], nextCursor: `p${(pageNumber += 1)}` }))(...all),
  },
  {
    name: 'a next page on another origin',
    answer: (...all) => body(JSON.stringify({ data: [row], next: `${all[2].otherOrigin}/v1/x` }))(...all),
  },
  { name: 'gzip that is none', answer: body('nonsense', { ...json, 'content-encoding': 'gzip' }) },
  {
    name: 'gzip of 30 MB in 30 kB',
    answer: body(gzipSync(Buffer.alloc(30_000_000)), { ...json, 'content-encoding': 'gzip' }),
  },
  { name: '20 MB', answer: body(JSON.stringify({ data: ['x'.repeat(20_000_000)] })) },
  { name: 'invalid UTF-8', answer: body(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])) },
  {
    name: 'a limit of nothing',
    answer: body(page(), { ...json, 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }),
  },
  {
    name: 'a limit of no sense',
    answer: body(page(), { ...json, 'x-ratelimit-limit': 'NaN', ratelimit: 'r=;t=x' }),
  },
];

const streams: readonly Fault[] = [
  { name: 'stream that is cut off', answer: streamed('id: 1\nevent: log\ndata: {"id":"l1"', stream, true) },
  ...[5000, 100_000].map((depth) => ({
    name: `event ${depth} deep`,
    answer: streamed(`id: 1\nevent: log\ndata: {"id":"l1","output":${nested(depth)}}\n\n`),
  })),
  { name: 'stream that ends at once', answer: streamed('') },
  { name: 'stream without a type', answer: streamed('data: {}\n\n', {}) },
  { name: 'stream of comments', answer: streamed(': ping\n\n'.repeat(20_000)) },
  { name: 'event of 9 MB', answer: streamed(`data: ${'x'.repeat(9_000_000)}\n\n`) },
  {
    name: 'stream of invalid UTF-8',
    answer: streamed(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a])),
  },
  { name: 'stream that asks to come back at once', answer: streamed('retry: 0\n\n', stream, true) },
  {
    name: 'stream that asks to come back in a year',
    answer: streamed('retry: 31536000000\n\n', stream, true),
  },
  {
    name: 'stream of the same event',
    answer: streamed('id: 1\ndata: {"id":"l1","sequence":1}\n\n'.repeat(500)),
  },
  { name: 'stream of events that are no JSON', answer: streamed('data: {{{\n\n'.repeat(50)) },
];

export const faults: readonly Fault[] = [...network, ...answers, ...streams];
