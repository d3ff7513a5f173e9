// The languages of exported files: file extensions and media types.

const LANGUAGES = {
  json: { extension: 'json', mediaType: 'application/json' },
  yaml: { extension: 'yaml', mediaType: 'application/yaml' },
  shell: { extension: 'sh', mediaType: 'text/x-shellscript' },
  python: { extension: 'py', mediaType: 'text/x-python' },
  csv: { extension: 'csv', mediaType: 'text/csv' },
} as const;

export type FileLanguage = keyof typeof LANGUAGES;

export interface FileFacts {
  readonly fileName: string;
  readonly mediaType: string;
}

/** `name`: without an extension. */
export function toFileFacts(name: string, language: FileLanguage): FileFacts {
  const { extension, mediaType } = LANGUAGES[language];
  return { fileName: `${name}.${extension}`, mediaType };
}
