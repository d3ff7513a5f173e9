// The languages of exported files: the ending of their names, and their media types.

const LANGUAGES = {
  json: { ending: 'json', mediaType: 'application/json' },
  yaml: { ending: 'yaml', mediaType: 'application/yaml' },
  shell: { ending: 'sh', mediaType: 'text/x-shellscript' },
  python: { ending: 'py', mediaType: 'text/x-python' },
  csv: { ending: 'csv', mediaType: 'text/csv' },
} as const;

export type FileLanguage = keyof typeof LANGUAGES;

export interface FileFacts {
  readonly fileName: string;
  readonly mediaType: string;
}

/** `name`: without an ending. */
export function toFileFacts(name: string, language: FileLanguage): FileFacts {
  const { ending, mediaType } = LANGUAGES[language];
  return { fileName: `${name}.${ending}`, mediaType };
}
