// Downloads a text as a file.

/** Long after the browser has begun to read the file. */
const KEPT_MS = 60_000;

/** `text` may come in parts. */
export function downloadText(fileName: string, mediaType: string, text: string | readonly string[]): void {
  const url = URL.createObjectURL(
    new Blob(typeof text === 'string' ? [text] : [...text], { type: `${mediaType};charset=utf-8` }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
