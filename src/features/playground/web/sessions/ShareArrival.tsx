import { useEffect, useState } from 'react';
import { makeId } from '#ui/storage/makeId.ts';
import { useShareHash } from '#ui/address/sharedLink.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import type { Read } from '#core/contract/readJson.ts';
import type { Desk } from '#features/playground/web/desk/desk.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { newSession, findSessionBlocker } from './sessions.ts';
import { toSettingSummary } from '#features/playground/web/desk/settingLabels.ts';
import { toPaneNames, parseShareHash } from './shareLink.ts';

interface ShareArrivalProps {
  /** The names of models that the page knows, by id. */
  names: ReadonlyMap<string, string>;
  /** Also removes the session from the address. */
  onClose: () => void;
}

function toRows(desk: Desk, names: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const { panes, parked, shared, draft, values = {}, title = '' } = desk;
  const turns = panes.reduce((sum, pane) => sum + pane.turns.length, 0);
  const ownCount = panes.filter((pane) => Object.keys(pane.own).length > 0).length;
  const rows: readonly (readonly [string, string])[] = [
    ['Title', title],
    ['Panes', toPaneNames(panes, names)],
    [
      'Settings',
      `${toSettingSummary(shared)}` +
        (ownCount > 0 ? ` · ${ownCount} ${ownCount === 1 ? 'pane has its' : 'panes have their'} own` : ''),
    ],
    ['System prompt', shared.systemPrompt ?? ''],
    ['Variables', Object.keys(values).join(', ')],
    ['Messages', turns === 0 ? 'none' : formatCount(turns)],
    ['Closed panes', parked.length === 0 ? '' : formatCount(parked.length)],
    ['Draft', draft],
  ];
  return rows.filter(([, text]) => text !== '');
}

/** Shows what a shared link holds, and opens it as a new session after a click. The current session stays. */
export function ShareArrival({ names, onClose }: ShareArrivalProps) {
  const hash = useShareHash();
  const [found, setFound] = useState<{ readonly hash: string; readonly read: Read<Desk> } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOpening, setOpening] = useState(false);
  const blocker = useDesk(({ desk }) => findSessionBlocker(desk));
  useEffect(() => {
    if (hash === null) return undefined;
    let isWanted = true;
    void parseShareHash(hash, makeId).then((read) => isWanted && setFound({ hash, read }));
    return () => {
      isWanted = false;
    };
  }, [hash]);
  if (found === null || found.hash !== hash) return <p className="text-soft">Reading the link…</p>;
  const { read } = found;
  if (!read.ok) {
    return (
      <div className="flex flex-col gap-3">
        <ErrorNotice title="The link can’t be opened" detail={read.reason} hint="Nothing was changed here." />
        <Button onClick={onClose} className="self-end">
          Close
        </Button>
      </div>
    );
  }
  const open = async () => {
    setOpening(true);
    const reason = await newSession(read.value);
    setOpening(false);
    if (reason === null) onClose();
    else setProblem(reason);
  };
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {toRows(read.value, names).map(([term, text]) => (
          <div key={term} className="contents">
            <dt className="text-soft">{term}</dt>
            <dd className="line-clamp-4 whitespace-pre-wrap">{text}</dd>
          </div>
        ))}
      </dl>
      {problem !== null && <ErrorNotice title="The link was not opened" detail={problem} />}
      <p className="text-sm text-soft">It opens as a new session. The current one stays under Sessions.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Ignore</Button>
        <Button
          variant="primary"
          onClick={() => void open()}
          disabledReason={isOpening ? 'It is being opened.' : blocker}
        >
          Open as a new session
        </Button>
      </div>
    </div>
  );
}
