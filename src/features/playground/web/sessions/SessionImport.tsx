import { useEffect, useState } from 'react';
import { makeId } from '#ui/storage/makeId.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { MAX_FILE_CHARACTERS, parseSessionFile, type ReadFile } from './sessionFile.ts';
import { storeSessions } from './sessions.ts';

interface SessionImportProps {
  file: File;
  onDone: () => void;
}

const MOST_PROBLEMS = 10;

async function readFile(file: File): Promise<ReadFile> {
  // A character takes at most four bytes.
  if (file.size > MAX_FILE_CHARACTERS * 4)
    return { sessions: [], problems: ['The file is too large. Export fewer sessions at a time.'] };
  try {
    return parseSessionFile(await file.text(), { makeId, now: Date.now() });
  } catch {
    return { sessions: [], problems: ['The browser could not read the file. Choose it again.'] };
  }
}

/** Shows what a chosen file holds, and imports its sessions after a click. */
export function SessionImport({ file, onDone }: SessionImportProps) {
  const [read, setRead] = useState<ReadFile | null>(null);
  const [isImporting, setImporting] = useState(false);
  useEffect(() => {
    let isWanted = true;
    void readFile(file).then((found) => isWanted && setRead(found));
    return () => {
      isWanted = false;
    };
  }, [file]);
  if (read === null) return <p className="text-soft">Reading {file.name}…</p>;
  const { sessions, problems } = read;
  const importAll = async () => {
    setImporting(true);
    try {
      await storeSessions(sessions);
      showToast(`Imported ${formatCounted(sessions.length, 'session')}.`, { tone: 'success' });
      onDone();
    } catch {
      showToast('There is no room for these sessions in the browser’s storage. Nothing was imported.', {
        tone: 'error',
      });
    } finally {
      setImporting(false);
    }
  };
  return (
    <section aria-label="Import" className="flex flex-col gap-2 rounded-lg border border-line p-3">
      {problems.length > 0 && (
        <ErrorNotice
          title={
            sessions.length === 0
              ? `${file.name} can’t be imported`
              : `${formatCounted(problems.length, 'session')} of ${file.name} can’t be imported`
          }
          detail={
            <ul className="font-mono text-sm">
              {problems.slice(0, MOST_PROBLEMS).map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
              {problems.length > MOST_PROBLEMS && <li>and {problems.length - MOST_PROBLEMS} more</li>}
            </ul>
          }
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {sessions.length > 0 && (
          <>
            <p className="min-w-0 flex-1">
              {file.name} contains {formatCounted(sessions.length, 'session')}. They are added. Your other sessions do
              not change.
            </p>
            <Button
              variant="primary"
              onClick={() => void importAll()}
              disabledReason={isImporting ? 'They are being stored.' : null}
            >
              Import {formatCounted(sessions.length, 'session')}
            </Button>
          </>
        )}
        <Button onClick={onDone}>{sessions.length > 0 ? 'Cancel' : 'Close'}</Button>
      </div>
    </section>
  );
}
