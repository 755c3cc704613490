// The colors and fonts that VS Code gives a webview, of those that the page uses, in three of its themes.

export interface PageTheme {
  /** The class of the page's body. */
  readonly kind: string;
  readonly variables: Readonly<Record<string, string>>;
}

export const themes = {
  dark: {
    kind: 'vscode-dark',
    variables: {
      '--vscode-descriptionForeground': '#9d9d9d',
      '--vscode-disabledForeground': 'rgba(204, 204, 204, 0.5)',
      '--vscode-editorWidget-background': '#202020',
      '--vscode-editorWidget-border': 'rgba(204, 204, 204, 0.2)',
      '--vscode-focusBorder': '#0078d4',
      '--vscode-font-family': 'system-ui, "Ubuntu", "Droid Sans", sans-serif',
      '--vscode-font-size': '13px',
      '--vscode-foreground': '#cccccc',
      '--vscode-icon-foreground': '#cccccc',
      '--vscode-list-hoverBackground': '#2a2d2e',
      '--vscode-list-inactiveSelectionBackground': '#37373d',
      '--vscode-panel-background': '#181818',
      '--vscode-panel-border': '#2b2b2b',
      '--vscode-progressBar-background': '#0078d4',
      '--vscode-testing-iconFailed': '#f88070',
      '--vscode-testing-iconPassed': '#73c991',
      '--vscode-testing-iconQueued': '#cca700',
      '--vscode-testing-iconSkipped': '#848484',
      '--vscode-toolbar-hoverBackground': 'rgba(90, 93, 94, 0.31)',
    },
  },
  light: {
    kind: 'vscode-light',
    variables: {
      '--vscode-descriptionForeground': '#3b3b3b',
      '--vscode-disabledForeground': 'rgba(97, 97, 97, 0.5)',
      '--vscode-editorWidget-background': '#f8f8f8',
      '--vscode-editorWidget-border': 'rgba(59, 59, 59, 0.2)',
      '--vscode-focusBorder': '#005fb8',
      '--vscode-font-family': 'system-ui, "Ubuntu", "Droid Sans", sans-serif',
      '--vscode-font-size': '13px',
      '--vscode-foreground': '#3b3b3b',
      '--vscode-icon-foreground': '#3b3b3b',
      '--vscode-list-hoverBackground': '#f2f2f2',
      '--vscode-list-inactiveSelectionBackground': '#e4e6f1',
      '--vscode-panel-background': '#f8f8f8',
      '--vscode-panel-border': '#e5e5e5',
      '--vscode-progressBar-background': '#005fb8',
      '--vscode-testing-iconFailed': '#b01011',
      '--vscode-testing-iconPassed': '#73c991',
      '--vscode-testing-iconQueued': '#855f00',
      '--vscode-testing-iconSkipped': '#848484',
      '--vscode-toolbar-hoverBackground': 'rgba(184, 184, 184, 0.31)',
    },
  },
  highContrast: {
    kind: 'vscode-high-contrast',
    variables: {
      '--vscode-contrastActiveBorder': '#f38518',
      '--vscode-contrastBorder': '#6fc3df',
      '--vscode-descriptionForeground': 'rgba(255, 255, 255, 0.7)',
      '--vscode-disabledForeground': '#a5a5a5',
      '--vscode-editorWidget-background': '#0c141f',
      '--vscode-editorWidget-border': '#6fc3df',
      '--vscode-focusBorder': '#f38518',
      '--vscode-font-family': 'system-ui, "Ubuntu", "Droid Sans", sans-serif',
      '--vscode-font-size': '13px',
      '--vscode-foreground': '#ffffff',
      '--vscode-icon-foreground': '#ffffff',
      '--vscode-list-hoverBackground': 'rgba(255, 255, 255, 0.1)',
      '--vscode-panel-background': '#000000',
      '--vscode-panel-border': '#6fc3df',
      '--vscode-progressBar-background': '#6fc3df',
      '--vscode-testing-iconPassed': '#73c991',
      '--vscode-testing-iconSkipped': '#848484',
      '--vscode-toolbar-hoverOutline': '#f38518',
    },
  },
} as const satisfies Readonly<Record<string, PageTheme>>;
