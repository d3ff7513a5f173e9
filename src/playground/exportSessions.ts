// Hands sessions over as a file to keep. It must not know the list that they are chosen from.
import { downloadText } from '../ui/download';
import { showToast } from '../ui/toast';
import { readSessions } from './sessions';
import { toSessionFile } from './sessionFile';
import type { SessionSummary } from './sessionSummary';

/** A name that every file system takes. */
export function toFileName(title: string): string {
  const name = title.normalize('NFKD').replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60).toLowerCase();
  return `${name || 'session'}.json`;
}

export async function exportSessions(listed: readonly SessionSummary[]): Promise<void> {
  try {
    const sessions = await readSessions(listed);
    const missing = listed.length - sessions.length;
    if (sessions.length === 0) return showToast('These sessions can’t be read. Nothing was exported.', { tone: 'bad' });
    const [only] = listed;
    const fileName = listed.length === 1 && only ? toFileName(only.title) : 'sessions.json';
    downloadText(fileName, 'application/json', toSessionFile(sessions));
    const told = `Exported ${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} to ${fileName}.`;
    showToast(missing === 0 ? told : `${told} ${missing} could not be read.`, { tone: missing === 0 ? 'ok' : 'bad' });
  } catch {
    showToast('The sessions could not be read. Nothing was exported. Reload the page to try again.', { tone: 'bad' });
  }
}
