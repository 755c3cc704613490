// Where the page of the graph lies in the window.

/** A webview is a frame in a frame. */
export const inPage = (selector: string): string =>
  ['iframe.webview.ready', 'iframe', selector].join(' >> internal:control=enter-frame >> ');

export const node = (id: string, ...attributes: readonly string[]): string =>
  inPage(`.node[data-id="${id}"]${attributes.map((each) => `[${each}]`).join('')}`);
