// Unique names for workspace folders, which may have the same name.

/** The parts of a workspace folder that its name is made from. */
interface NamedFolder {
  readonly name: string;
  readonly uri: { readonly authority: string; readonly path: string };
}

/** The shortest path ends that differ from each other; the whole paths if they're the same. */
function shortestDistinct(paths: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(...paths.map(({ length }) => length));
  for (let count = 1; ; count += 1) {
    const ends = paths.map((parts) => parts.slice(-count).join('/'));
    if (new Set(ends).size === ends.length || count >= longest) return ends;
  }
}

/** Returns a name for each folder, in order: its own name or, if several share it, enough of its path to be unique. */
export function folderNames(folders: readonly NamedFolder[]): readonly string[] {
  const partsOf = ({ uri }: NamedFolder): readonly string[] => [
    uri.authority,
    ...uri.path.split('/').filter((part) => part !== ''),
  ];
  return folders.map((folder) => {
    const namesakes = folders.filter(({ name }) => name === folder.name);
    if (namesakes.length === 1) return folder.name;
    const ends = shortestDistinct(namesakes.map(partsOf));
    return ends[namesakes.indexOf(folder)] ?? folder.name;
  });
}
