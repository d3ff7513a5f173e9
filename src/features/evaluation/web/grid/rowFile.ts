// Reads a chosen or dropped file as text.
import { formatCount } from '#ui/kit/format.ts';

export interface RowFile {
  readonly name: string;
  readonly text: string;
  /** A warning about the text; null: nothing was found. */
  readonly note: string | null;
}

export type RowFileRead =
  | { readonly ok: true; readonly file: RowFile }
  | { readonly ok: false; readonly message: string };

const MAX_BYTES = 64 * 1024 * 1024;

/** Never throws. */
export async function readRowFile(file: File): Promise<RowFileRead> {
  if (file.size > MAX_BYTES) {
    return {
      ok: false,
      message:
        `${file.name} has ${formatCount(Math.ceil(file.size / 1024 / 1024))} MB; files of up to 64 MB can be read. ` +
        'Split it first.',
    };
  }
  try {
    const text = await file.text();
    if (text.includes('\0'))
      return {
        ok: false,
        message: `${file.name} is not a text file. Rows are read from JSON, JSONL, CSV or plain text.`,
      };
    const note = text.includes('\uFFFD')
      ? 'Some characters could not be read: the file is not in UTF-8. Save it as UTF-8 to keep them.'
      : null;
    return { ok: true, file: { name: file.name, text, note } };
  } catch (error) {
    return {
      ok: false,
      message: `${file.name} could not be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
