// Exports sessions as a file.
import { downloadText } from '#ui/kit/download.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { readSessions } from './sessions.ts';
import { openSessionFile, TOO_LARGE, type FileSession } from './sessionFile.ts';
import type { SessionSummary } from './sessionSummary.ts';

/** Omitted sessions that the message names; it counts the others. */
const MAX_NAMED = 3;

/** A file name that every file system accepts. */
export function toFileName(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase();
  return `${name || 'session'}.json`;
}

interface OmittedSession {
  readonly title: string;
  readonly reason: string;
}

/** Says which of the listed sessions are not in the file; names the first ones. */
export function toOmittedText(omitted: readonly OmittedSession[], listedCount: number): string {
  if (omitted.length === 0) return '';
  const named = omitted
    .slice(0, MAX_NAMED)
    .map(({ title, reason }) => `“${title}” (${reason})`)
    .join(', ');
  const more = omitted.length > MAX_NAMED ? ` and ${omitted.length - MAX_NAMED} more` : '';
  const advice =
    listedCount > 1 && omitted.some(({ reason }) => reason === TOO_LARGE)
      ? ' What had no room can be exported by itself.'
      : '';
  return ` Not in it: ${named}${more}.${advice}`;
}

/** Downloads one session as a file. */
export function downloadSession(session: FileSession): void {
  const file = openSessionFile();
  const problem = file.add(session);
  if (problem !== null) return showToast(`The session can’t be exported (${problem}).`, { tone: 'error' });
  downloadText('session.json', 'application/json', file.toText());
}

export async function exportSessions(listed: readonly SessionSummary[]): Promise<void> {
  try {
    const file = openSessionFile();
    const omitted: OmittedSession[] = [];
    // One at a time: all sessions together may not fit into memory.
    for (const summary of listed) {
      const [session] = await readSessions([summary]);
      const reason = session ? file.add(session) : 'it can’t be read';
      if (reason !== null) omitted.push({ title: summary.title, reason });
    }
    const omittedText = toOmittedText(omitted, listed.length);
    if (file.count === 0) return showToast(`Nothing was exported.${omittedText}`, { tone: 'error' });
    const [only] = listed;
    const fileName = listed.length === 1 && only ? toFileName(only.title) : 'sessions.json';
    downloadText(fileName, 'application/json', file.toText());
    showToast(`Exported ${formatCounted(file.count, 'session')} to ${fileName}.${omittedText}`, {
      tone: omitted.length === 0 ? 'success' : 'error',
    });
  } catch {
    showToast('The sessions could not be read. Nothing was exported. Reload the page to try again.', { tone: 'error' });
  }
}
