// What libraries may throw or print: a table over which every log runs.

/** The key that stands in many of them, and must not be seen. */
export const secretKey = `svc_sk_${'Ab1'.repeat(12)}`;

export interface OddPrint {
  readonly title: string;
  readonly printed: readonly unknown[];
  /** What the log must say of it. */
  readonly says: RegExp;
}

const throwing = (): never => {
  throw new Error('This cannot be read.');
};

function errorWith(name: string, descriptor: PropertyDescriptor): Error {
  return Object.defineProperty(new Error(`words and ${secretKey}`), name, descriptor);
}

function circular(): unknown {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function circularCause(): Error {
  const error = new Error('in circles');
  error.cause = error;
  return error;
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const hostileTraps: ProxyHandler<object> = {
  get: throwing,
  has: throwing,
  getPrototypeOf: throwing,
  ownKeys: throwing,
  getOwnPropertyDescriptor: throwing,
};

export const oddPrints: readonly OddPrint[] = [
  { title: 'nothing', printed: [], says: /A library reports:/ },
  { title: 'undefined', printed: [undefined], says: /A library reports:/ },
  { title: 'null', printed: [null], says: /null/ },
  { title: 'words', printed: ['It failed.'], says: /It failed\./ },
  { title: 'an empty text', printed: [''], says: /A library reports:/ },
  { title: 'words with a key', printed: [`key ${secretKey}`], says: /svc_sk_Ab1A…/ },
  {
    title: 'words and an error',
    printed: ['Worker tick failed:', new Error('why')],
    says: /tick failed:.*why/s,
  },
  { title: 'an error alone', printed: [new TypeError('why')], says: /TypeError: why/ },
  { title: 'an error with a key', printed: [new Error(`Bearer ${secretKey}`)], says: /Bearer/ },
  {
    title: 'an error and its causes',
    printed: [new Error('a', { cause: new Error('b', { cause: 7 }) })],
    says: /a.*b.*7/s,
  },
  { title: 'an error that causes itself', printed: [circularCause()], says: /in circles/ },
  { title: 'errors in a list', printed: [[new Error('one'), new Error('two')]], says: /one.*two/s },
  {
    title: 'an error whose stack throws',
    printed: [errorWith('stack', { get: throwing })],
    says: /words and/,
  },
  {
    title: 'an error whose message throws',
    printed: [errorWith('message', { get: throwing })],
    says: /Error|cannot be read/,
  },
  {
    title: 'an error whose cause throws',
    printed: [errorWith('cause', { get: throwing })],
    says: /words and/,
  },
  { title: 'an error whose code throws', printed: [errorWith('code', { get: throwing })], says: /words and/ },
  {
    title: 'an error whose errcode throws',
    printed: [errorWith('errcode', { get: throwing })],
    says: /words and/,
  },
  {
    title: 'an error whose stack is a symbol',
    printed: [errorWith('stack', { value: Symbol('s') })],
    says: /words/,
  },
  {
    title: 'an error of which nothing can be read',
    printed: [new Proxy(new Error('hidden'), { get: throwing, has: throwing })],
    says: /cannot be read/,
  },
  { title: 'numbers and truths', printed: [1, Number.NaN, true, -0], says: /NaN true 0.*1/s },
  { title: 'a bigint', printed: [2n ** 70n], says: /1180591620717411303424/ },
  { title: 'bigints in an object', printed: [{ a: [1n] }], says: /\{"a":\["1"\]\}/ },
  { title: 'a symbol', printed: [Symbol('sign')], says: /Symbol\(sign\)/ },
  {
    title: 'symbols behind words',
    printed: ['a', Symbol('b'), Symbol('c')],
    says: /a.*Symbol\(c\).*Symbol\(b\)/s,
  },
  { title: 'an object', printed: [{ key: secretKey, code: 7 }], says: /"code":7/ },
  { title: 'a circular object', printed: [circular()], says: /\[object Object\]/ },
  {
    title: 'an object without a prototype',
    printed: [Object.assign(Object.create(null), { a: 1 })],
    says: /"a":1/,
  },
  {
    title: 'an object whose getter throws',
    printed: [Object.defineProperty({}, 'a', { enumerable: true, get: throwing })],
    says: /object/,
  },
  { title: 'an object whose toJSON throws', printed: [{ toJSON: throwing }], says: /object/ },
  {
    title: 'an object that can be no text',
    printed: [{ toString: throwing, valueOf: throwing, [Symbol.toPrimitive]: throwing }],
    says: /\{\}/,
  },
  {
    title: 'an object whose tag throws',
    printed: [Object.defineProperty(circular(), Symbol.toStringTag, { get: throwing })],
    says: /cannot be read/,
  },
  { title: 'a proxy that throws', printed: [new Proxy({}, hostileTraps)], says: /cannot be read/ },
  { title: 'a revoked proxy', printed: ['words', revoked()], says: /words.*cannot be read/ },
  {
    title: 'a function',
    printed: [
      function named() {
        return 1;
      },
    ],
    says: /function named/,
  },
  {
    title: 'a function that can be no text',
    printed: [Object.assign(() => 1, { toString: throwing })],
    says: /cannot be read/,
  },
  { title: 'a date that is none', printed: [new Date(Number.NaN)], says: /null/ },
  { title: 'bytes', printed: [new Uint8Array([1, 2])], says: /"0":1/ },
  { title: 'half a character', printed: ['\uD800'], says: /./ },
  { title: 'placeholders', printed: ['%s of %d', { a: 1 }], says: /%s of %d.*"a":1/ },
  { title: 'a huge text', printed: ['x'.repeat(50_000_000) + secretKey], says: /x… \(50000043 characters\)/ },
  { title: 'a huge text of beginnings', printed: ['a.'.repeat(5_000_000)], says: /10000000 characters/ },
  {
    title: 'a huge text of addresses',
    printed: [`a://${':'.repeat(5_000_000)}`],
    says: /5000004 characters/,
  },
  { title: 'a huge list', printed: [Array.from({ length: 100_000 }, () => secretKey)], says: /characters/ },
  { title: 'a key at the cut', printed: [`${'y'.repeat(16_370)} ${secretKey}`], says: /y svc_sk_/ },
];
