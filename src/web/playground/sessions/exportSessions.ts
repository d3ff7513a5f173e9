// Hands sessions over as a file to keep.
import { downloadText } from '#web/ui/download.ts';
import { formatCounted } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toast.ts';
import { readSessions } from './sessions.ts';
import { openSessionFile, TOO_LARGE, type FileSession } from './sessionFile.ts';
import type { SessionSummary } from './sessionSummary.ts';

const NAMED = 3;

/** A name that every file system takes. */
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

interface Left {
  readonly title: string;
  readonly reason: string;
}

/** What of the sessions that were listed is not in the file, the first of them by name. */
export function toOmittedText(left: readonly Left[], listedCount: number): string {
  if (left.length === 0) return '';
  const named = left
    .slice(0, NAMED)
    .map(({ title, reason }) => `“${title}” (${reason})`)
    .join(', ');
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  const advice =
    listedCount > 1 && left.some(({ reason }) => reason === TOO_LARGE)
      ? ' What had no room can be exported by itself.'
      : '';
  return ` Not in it: ${named}${more}.${advice}`;
}

/** The session on show, in a file of its own. */
export function downloadSession(session: FileSession): void {
  const file = openSessionFile();
  const problem = file.add(session);
  if (problem !== null) return showToast(`The session can’t be exported (${problem}).`, { tone: 'bad' });
  downloadText('session.json', 'application/json', file.toText());
}

export async function exportSessions(listed: readonly SessionSummary[]): Promise<void> {
  try {
    const file = openSessionFile();
    const left: Left[] = [];
    // One at a time: together they can be more than the page has room for.
    for (const summary of listed) {
      const [session] = await readSessions([summary]);
      const reason = session ? file.add(session) : 'it can’t be read';
      if (reason !== null) left.push({ title: summary.title, reason });
    }
    const leftText = toOmittedText(left, listed.length);
    if (file.count === 0) return showToast(`Nothing was exported.${leftText}`, { tone: 'bad' });
    const [only] = listed;
    const fileName = listed.length === 1 && only ? toFileName(only.title) : 'sessions.json';
    downloadText(fileName, 'application/json', file.toText());
    showToast(`Exported ${formatCounted(file.count, 'session')} to ${fileName}.${leftText}`, {
      tone: left.length === 0 ? 'ok' : 'bad',
    });
  } catch {
    showToast('The sessions could not be read. Nothing was exported. Reload the page to try again.', { tone: 'bad' });
  }
}
