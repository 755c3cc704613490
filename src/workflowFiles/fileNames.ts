// How files are named after workflows, and which names a folder may hold, by the rules of Windows, macOS and Linux together.
import { fileName } from '../base/format.ts';
import { definitionFormats } from '../domain/definitionFormat.ts';

/** How the names of all definitions end, of whichever format. */
export const workflowFileEnding = definitionFormats.service.fileEnding;

/** Of one name without its ending, in characters and in UTF-8 bytes. A file system takes 255 bytes with it. */
const maximumStem = { characters: 80, bytes: 200 };
const maximumPath = 1000;

/** Windows takes these for devices, whatever follows the first point. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?=\.|$)/i;

/** The same for all names that some file system takes for one: they differ in case, or in how a letter is composed. */
export function fileKey(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
}

/** The first whole characters. */
function beginning(text: string, { characters, bytes }: typeof maximumStem): string {
  if (text.length <= characters && byteLength(text) <= bytes) return text;
  const kept = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment).slice(0, characters);
  while (byteLength(kept.join('')) > bytes) kept.pop();
  return kept.join('');
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The name of a workflow as a part of a file name; may be empty. What it gives stays as it is when it's given again. */
export function fileStem(name: string): string {
  const line = fileName(name, 1000).replace(/ +/g, ' ').normalize('NFC');
  const plain = beginning(line.replace(/^[. ]+/, ''), maximumStem).replace(/[. ]+$/, '');
  return device.test(plain) ? `_${plain}` : plain;
}

/** Returns a file name for each workflow ("Name 2.workflow.json"), unique among these and `taken` on every file system. */
export function freeFileNames(
  workflowNames: readonly string[],
  taken: readonly string[],
  ending: string,
): readonly string[] {
  const used = new Set(taken.map(fileKey));
  return workflowNames.map((workflowName) => {
    const name = freeName(workflowFileName(workflowName, ending), ending, used);
    used.add(fileKey(name));
    return name;
  });
}

/** The name of a file of a workflow. */
export function workflowFileName(workflowName: string, ending: string): string {
  const stem = fileStem(workflowName);
  return `${stem === '' ? 'workflow' : stem}${ending}`;
}

function freeName(name: string, ending: string, used: ReadonlySet<string>): string {
  const stem = name.slice(0, -ending.length);
  let free = name;
  for (let number = 2; used.has(fileKey(free)); number += 1) free = `${stem} ${number}${ending}`;
  return free;
}

/**
 * True for the path of a definition inside the folder, in the only way in which it's written: from the folder on, with "/" between names, each
 * of which Windows, macOS and Linux take as it stands.
 */
export function isWorkflowPath(path: string): boolean {
  const names = path.split('/');
  return (
    path.length <= maximumPath &&
    path.endsWith(workflowFileEnding) &&
    path.length > workflowFileEnding.length &&
    names.every(isPlainName)
  );
}

function isPlainName(name: string): boolean {
  const isLong = byteLength(name) > 255;
  return name !== '' && !isLong && !device.test(name) && !/^\.|[. ]$|[\\/:*?"<>|\p{Cc}\p{Cs}]/u.test(name);
}
