import { Download, FileUp, Plus, Search, TriangleAlert } from 'lucide-react';
import { useRef, useState, type ReactNode, useEffect } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { StoredRow } from '#ui/fields/StoredRow.tsx';
import { useStoredList } from '#ui/storage/useStoredList.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { exportSessions } from './exportSessions.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { SessionImport } from './SessionImport.tsx';
import {
  deleteSession,
  listSessions,
  newSession,
  NO_DATABASE,
  openSession,
  renameSession,
  findSessionBlocker,
  type ListedSession,
} from './sessions.ts';
import { session } from '#features/playground/web/storage/deskSaver.ts';
import { useSessionSearch } from './sessionSearch.ts';
import { formatBytes } from '#core/contract/numberNotation.ts';

const NEARLY_FULL = 0.9;

/** Shows how much of the browser's storage is in use. */
function StorageUse() {
  const [use, setUse] = useState<{ readonly usage: number; readonly quota: number } | null>(null);
  useEffect(() => {
    // `storage` exists only in secure contexts.
    if (!('storage' in navigator)) return;
    navigator.storage.estimate().then(
      ({ usage = 0, quota = 0 }) => setUse({ usage, quota }),
      () => undefined,
    );
  }, []);
  const isTight = use !== null && use.quota > 0 && use.usage / use.quota > NEARLY_FULL;
  return (
    <p className={`flex items-start gap-2 text-sm ${isTight ? 'text-warning' : 'text-faint'}`}>
      {isTight && <TriangleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />}
      <span>
        {use !== null && use.quota > 0 && `${formatBytes(use.usage)} of ${formatBytes(use.quota)} in use. `}
        {isTight
          ? 'The browser’s storage is nearly full: export and delete sessions that are no longer needed.'
          : 'Sessions are kept in this browser until you delete them.'}
      </span>
    </p>
  );
}

/** A line of the list that is no session. */
interface OtherEntry {
  readonly id: string;
  /** Unix milliseconds. */
  readonly savedAt: number;
  /** What a search finds it by. */
  readonly text: string;
  readonly row: ReactNode;
}

interface SessionsViewProps {
  onClose: () => void;
  /** Listed among the sessions by their time. */
  others?: readonly OtherEntry[];
}

const NO_OTHERS: readonly OtherEntry[] = [];

const PAGE = 100;
/** In characters: longer than any real query, and far below the limit of a regular expression. */
const MAX_QUERY = 1_000;

const showError = (reason: string): void => showToast(reason, { tone: 'error' });
const showUnsearched = (count: number): void =>
  showError(
    `${formatCounted(count, 'session')} could not be searched: the text can’t be read. Reload the page to try again.`,
  );

/** A stable reference, so React calls it once. */
const focusSearch = (box: HTMLElement | null) => box?.querySelector('input')?.focus();

/** The list of all sessions in this browser: search, open, rename, delete, export, import. */
export function SessionsView({ onClose, others = NO_OTHERS }: SessionsViewProps) {
  const { items: sessions, reload, ...list } = useStoredList(listSessions, 'session', onClose);
  const [query, setQuery] = useState('');
  const [most, setMost] = useState(PAGE);
  const [file, setFile] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const blocker = useDesk(({ desk }) => findSessionBlocker(desk));
  const problem = session.findPlace() === null ? NO_DATABASE : null;
  const { hits, isReading, isStale } = useSessionSearch(sessions, query, showUnsearched);
  const found = hits === null ? sessions : (sessions?.filter(({ id }) => hits.has(id)) ?? null);
  const toEntry = (session: ListedSession) => ({
    savedAt: session.savedAt,
    row: (
      <StoredRow
        key={session.id}
        title={session.title}
        savedAt={session.savedAt}
        isCurrent={session.isCurrent}
        isElsewhere={session.isElsewhere}
        isUnreadable={session.isDamaged}
        blocker={blocker}
        excerpt={hits?.get(session.id)?.excerpt}
        about={[formatCounted(session.turnCount, 'message'), session.models.join(', ')]}
        onOpen={() => void list.enter(openSession(session.id))}
        actions={{
          nameLabel: 'Title',
          name: session.isNamed ? session.title : '',
          maxLength: 200,
          // An empty title means this.
          placeholder: 'The first message',
          onRename: (title) => void list.rename(renameSession(session.id, title)),
          saveLabel: `Export ${session.title}`,
          onSave: () => void exportSessions([session]),
          onDelete: () => void list.remove(session.title, deleteSession(session.id)),
        }}
      />
    ),
  });
  const words = query.trim().toLowerCase();
  const entries = [
    ...(found?.map(toEntry) ?? []),
    ...others.filter(({ text }) => text.toLowerCase().includes(words)),
  ].toSorted((a, b) => b.savedAt - a.savedAt);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <span ref={focusSearch} className="relative min-w-48 flex-1">
          <Search aria-hidden size={13} className="absolute top-2 left-2 text-faint" />
          <TextField
            label="Search titles and text"
            isLabelHidden
            type="search"
            maxLength={MAX_QUERY}
            placeholder="Search titles and text"
            value={query}
            onChange={setQuery}
            className="[&_input]:pl-7"
          />
        </span>
        <Button variant="primary" onClick={() => void list.enter(newSession())} disabledReason={problem ?? blocker}>
          <Plus aria-hidden size={13} /> New
        </Button>
        <Button onClick={() => input.current?.click()} disabledReason={problem}>
          <FileUp aria-hidden size={13} /> Import
        </Button>
        <Button
          onClick={() => void exportSessions(sessions ?? [])}
          disabledReason={sessions === null || sessions.length === 0 ? 'There is no session to export.' : null}
        >
          <Download aria-hidden size={13} /> Export all
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          hidden
          onChange={({ target }) => (setFile(target.files?.[0] ?? null), (target.value = ''))}
        />
      </div>
      {file && (
        <SessionImport key={`${file.name} ${file.lastModified}`} file={file} onDone={() => (setFile(null), reload())} />
      )}
      {problem !== null && <p className="text-soft">{problem}</p>}
      {blocker !== null && <p className="text-sm text-soft">{blocker} Then you can open another session.</p>}
      {found === null ? (
        <Skeleton rows={4} />
      ) : (
        <ul inert={isStale} className="-mx-2 flex flex-col inert:opacity-60">
          {entries.slice(0, most).map(({ row }) => row)}
        </ul>
      )}
      <output className="text-sm text-soft">
        {isReading
          ? 'Searching the texts…'
          : found && hits !== null
            ? `${formatCount(found.length)} of ${formatCount(sessions?.length ?? 0)} sessions`
            : ''}
      </output>
      {entries.length > most && (
        <Button onClick={() => setMost(most + PAGE)}>Show {Math.min(PAGE, entries.length - most)} more</Button>
      )}
      <StorageUse />
    </div>
  );
}
