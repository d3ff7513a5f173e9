// Downloads a text, or an answer of the service, as a file.

/** Long after the browser has begun to read the file. */
const KEPT_MS = 60_000;

/** The browser writes the answer to the file while it comes, however long it is, and shows whether it worked. */
export function downloadFrom(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = fileName;
  link.click();
}

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
