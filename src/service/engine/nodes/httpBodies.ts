// The bodies of HTTP messages, as values of a workflow and as bytes (contract section 10, "Bodies").
import { type BinaryValue, readBinary, toBinaryJson } from '../../../base/binary.ts';
import { isJsonObject, type JsonValue, parseJson, readJson, stringifyJson } from '../../../base/json.ts';
import { isFormType } from '../../../definition/requestFields.ts';
import { charsetOf, decodeText, isJsonType, mediaTypeOf } from '../../../protocol/body.ts';
import { NodeError } from '../../errors.ts';
import type { Masking } from '../../secrets/masking.ts';
import { encodeText } from './charsets.ts';
import { readFields } from './formFields.ts';

/** A body to send. */
export interface SentBody {
  readonly bytes: Buffer;
  /** What is kept of it. */
  readonly shown: JsonValue;
  /** Whether it's an object that was written as a form. */
  readonly isForm?: true;
  /** For a header that the author didn't write; undefined for none. */
  readonly contentType?: string;
}

/**
 * Returns the body as it's sent: bytes unchanged, an object as a form if the type says so, and any other value except text as JSON.
 * `contentType`: of the author's header. Throws a NodeError if the body doesn't fit it.
 */
export function writeSentBody(body: JsonValue, contentType: string | undefined): SentBody {
  const binary = readBinary(body);
  if (binary !== undefined) return writeBinary(binary, contentType);
  const charset = charsetOf(contentType) ?? 'utf-8';
  if (typeof body !== 'string' && isFormType(contentType)) return writeForm(body, charset);
  const text = typeof body === 'string' ? body : stringifyJson(body);
  if (typeof body === 'string' && isJsonType(mediaTypeOf(contentType))) refuseOther(body);
  const bytes = writeText(text, charset);
  const shown = typeof body === 'string' ? valueOf(body, mediaTypeOf(contentType)) : body;
  return typeof body === 'string' || contentType !== undefined
    ? { bytes, shown }
    : { bytes, shown, contentType: 'application/json' };
}

function writeText(text: string, charset: string): Buffer {
  const bytes = encodeText(text, charset);
  if (bytes !== undefined) return bytes;
  throw new NodeError('config_invalid', `Nothing was sent because the body can't be written in ${charset}.`);
}

/** Throws a NodeError for a text that isn't JSON. */
function refuseOther(text: string): void {
  if (text === '' || readJson(text).kind !== 'notJson') return;
  throw new NodeError(
    'config_invalid',
    "Nothing was sent because the body isn't JSON, although its Content-Type says so.",
  );
}

function writeForm(body: JsonValue, charset: string): SentBody {
  if (!isJsonObject(body))
    throw new NodeError('config_invalid', 'Nothing was sent because a form must be an object or text.');
  const encode = (text: string): string => encodeFormBytes(writeText(text, charset));
  const text = readFields(body, 'form')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
  return { bytes: Buffer.from(text), shown: text, isForm: true };
}

/** As browsers do. */
function encodeFormBytes(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^\w*.-]/g, (byte) => (byte === ' ' ? '+' : `%${hexOf(byte.charCodeAt(0))}`));
}

function hexOf(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

function writeBinary({ contentType, base64 }: BinaryValue, authors: string | undefined): SentBody {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, ''))
    throw new NodeError('config_invalid', 'Nothing was sent because "$binary" isn\'t valid base64.');
  const type = authors ?? contentType;
  const shown = toBinaryJson({ contentType: type, bytes: bytes.byteLength, base64 });
  return authors === undefined && type !== '' ? { bytes, shown, contentType: type } : { bytes, shown };
}

export const tooDeep = Symbol('JSON that is too deep');

/** A body that was received, as a value and as it's kept. */
export interface ReceivedBody {
  /** JSON where it is, else text, or bytes as contract section 10 has them. */
  readonly value: JsonValue | typeof tooDeep;
  readonly shown: JsonValue;
  /** Whether a part of it was masked. */
  readonly isChanged: boolean;
}

/** Returns the body of a response, without secrets. */
export async function readReceivedBody(
  bytes: Buffer,
  contentType: string | undefined,
  masking: Pick<Masking, 'text' | 'json'>,
): Promise<ReceivedBody> {
  const mediaType = mediaTypeOf(contentType);
  const text = isText(mediaType, bytes) ? decodeText(bytes, charsetOf(contentType)) : undefined;
  if (text === undefined) {
    const type = contentType ?? '';
    const base64 = bytes.toString('base64');
    const masked = await masking.text(base64);
    const value = toBinaryJson({ contentType: type, bytes: bytes.byteLength, base64: masked });
    return { value, shown: value, isChanged: masked !== base64 };
  }
  const reading = isJson(mediaType) ? readJson(text) : undefined;
  if (reading?.kind === 'value') return receiveJson(reading.value, masking, text);
  const masked = await masking.text(text);
  return {
    value: reading?.kind === 'tooDeep' ? tooDeep : masked,
    shown: masked,
    isChanged: masked !== text,
  };
}

/** Returns a body that is JSON, without secrets. `text`: as it was received; a draft gives none. */
export async function receiveJson(
  body: JsonValue,
  masking: Pick<Masking, 'json'>,
  text = stringifyJson(body),
): Promise<ReceivedBody> {
  const masked = await masking.json(text);
  const isChanged = masked !== text;
  const value = isChanged ? (parseJson(masked) ?? null) : body;
  return { value, shown: value, isChanged };
}

/** A text as JSON if its type says so; JSON that is too deep stays text. */
function valueOf(text: string, mediaType: string): JsonValue {
  const reading = isJson(mediaType) ? readJson(text) : undefined;
  return reading?.kind === 'value' ? reading.value : text;
}

/** Some services use types of their own for JSON, such as `text/json`. */
function isJson(mediaType: string): boolean {
  return isJsonType(mediaType) || /\bjson\b/.test(mediaType);
}

const binaryTypes =
  /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-(?:gzip|tar|bzip2?|7z-compressed|rar-compressed)|wasm|vnd\.(?:ms-|openxmlformats|oasis)|protobuf|x-protobuf|msgpack|cbor)/;
const textTypes = /^text\/|[/+](?:json|xml|yaml)$|\bjson\b/;

/** A type that could be either is text unless a byte of it says otherwise: `decodeText` decides then. */
function isText(mediaType: string, bytes: Buffer): boolean {
  if (bytes.byteLength === 0 || textTypes.test(mediaType)) return true;
  return !binaryTypes.test(mediaType) && !bytes.includes(0);
}
