// Folders of a workspace may have the same name; a person must see which one is meant.

/** A workspace's folder as far as it is told apart. */
interface NamedFolder {
  readonly name: string;
  readonly uri: { readonly authority: string; readonly path: string };
}

/** The last parts of the paths, as few as tell them apart; the whole paths when nothing does. */
function shortestDistinct(paths: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(...paths.map(({ length }) => length));
  for (let count = 1; ; count += 1) {
    const ends = paths.map((parts) => parts.slice(-count).join('/'));
    if (new Set(ends).size === ends.length || count >= longest) return ends;
  }
}

/** What each folder is called: its name, or, where several share it, as much of its path as tells it apart. In the order of the folders. */
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
