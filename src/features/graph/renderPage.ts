// The HTML of the page. Everything that is shown comes later, in messages. Pure.

export interface PageAddresses {
  /** As the page must name them. */
  readonly script: string;
  readonly style: string;
  /** The source of the extension's own files, as a webview's policy names it. */
  readonly cspSource: string;
  readonly nonce: string;
  /** As in `vscode.env.language`. */
  readonly language: string;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Nothing is loaded but the two files, and nothing runs but the one script. */
export function renderPage({ script, style, cspSource, nonce, language }: PageAddresses): string {
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${escape(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escape(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workflow Graph</title>
    <link rel="stylesheet" href="${escape(style)}" />
  </head>
  <body>
    <script nonce="${escape(nonce)}" src="${escape(script)}"></script>
  </body>
</html>
`;
}
