// Where the page of the graph lies in the window.
import { clickUntil } from './clicks.ts';
import { page } from './page.ts';

/** A webview is a frame in a frame. */
export const inPage = (selector: string): string =>
  ['iframe.webview.ready', 'iframe', selector].join(' >> internal:control=enter-frame >> ');

export const node = (id: string, ...attributes: readonly string[]): string =>
  inPage(`.node[data-id="${id}"]${attributes.map((each) => `[${each}]`).join('')}`);

/** Clicks on a node until it's selected and has the keys. */
export const selectNode = (id: string): Promise<void> =>
  clickUntil(node(id), () => page.isThere(`${node(id, 'aria-selected="true"')}:focus`));
