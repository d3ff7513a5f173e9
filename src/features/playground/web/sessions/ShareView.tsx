import { Copy, Download, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { BUSY_REASON, isBusy, panePhase } from '#features/playground/web/desk/desk.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { copyLink, toPaneNames, MAX_LINK_CHARACTERS, toShareHash, toShareText, toReachNotice } from './shareLink.ts';
import { LinkField } from './LinkField.tsx';
import { downloadSession } from './exportSessions.ts';
import { withoutMessages, withoutParked } from '#features/playground/web/storage/sharedSession.ts';

/** Says so where a link to this studio opens on no other machine. */
function ReachNotice() {
  const notice = toReachNotice(window.location.hostname);
  if (notice === null) return null;
  return (
    <p className="flex gap-2 rounded-md border border-warning bg-warning-soft px-2.5 py-2 text-sm">
      <TriangleAlert aria-hidden size={14} className="mt-0.5 shrink-0 text-warning" />
      {notice}
    </p>
  );
}

interface ShareViewProps {
  /** The names of models that the page knows, by id. */
  names: ReadonlyMap<string, string>;
  onClose: () => void;
}

/** The link that holds `text`, or why there is none. */
type ShareLink = { readonly text: string } & ({ readonly link: string } | { readonly problem: string });

const NO_COMPRESSION = 'This browser can’t compress, so it can’t make the link. Download the session as a file.';

/** Makes a link that holds the session itself. Only people with the link can read it; no server gets it. */
export function ShareView({ names, onClose }: ShareViewProps) {
  const desk = useDesk((state) => state.desk);
  const count = desk.panes.reduce((sum, pane) => sum + pane.turns.length, 0);
  const [hasMessages, setMessages] = useState(count > 0);
  const [packed, setPacked] = useState<ShareLink | null>(null);
  const isGrowing = hasMessages && desk.panes.some((pane) => isBusy(panePhase(pane)));
  const text = useMemo(() => (isGrowing ? null : toShareText(desk, hasMessages)), [desk, hasMessages, isGrowing]);
  useEffect(() => {
    if (text === null) return undefined;
    let isWanted = true;
    toShareHash(text).then(
      (hash) => isWanted && setPacked({ text, link: `${window.location.origin}${window.location.pathname}${hash}` }),
      () => isWanted && setPacked({ text, problem: NO_COMPRESSION }),
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  // Ignores a link of an earlier choice.
  const current = packed?.text === text ? packed : null;

  const link = current && 'link' in current ? current.link : '';
  const title = (desk.title ?? '').trim();
  const isLong = link.length > MAX_LINK_CHARACTERS;
  const copy = async () => {
    if (await copyLink(link)) onClose();
  };
  const download = () =>
    downloadSession({ desk: hasMessages ? withoutParked(desk) : withoutMessages(desk), savedAt: Date.now() });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        The link holds {title !== '' && <>the session’s title “{title}”, </>}the open panes (
        {toPaneNames(desk.panes, names)}) with their parameters, system prompts, tools and variables
        {hasMessages && ', and the messages'}. Anyone who has the link can read them. Nothing is uploaded. It holds no
        token{desk.parked.length > 0 && ' and no closed panes'}.
      </p>
      <Toggle
        label={`With messages (${formatCount(count)})${desk.draft === '' ? '' : ' and the draft'}`}
        value={hasMessages}
        onChange={setMessages}
      />
      {current !== null && 'problem' in current && <ErrorNotice title="There is no link" detail={current.problem} />}
      {isLong && (
        <ErrorNotice
          title="Too long for a link"
          detail={
            `It would have ${formatCount(link.length)} characters; more than ${formatCount(MAX_LINK_CHARACTERS)} ` +
            'are cut off by mail and chat programs.'
          }
          hint="Download the session as a file, and ask the other person to import it under Sessions."
        />
      )}
      {link !== '' && !isLong && (
        <>
          <LinkField link={link} />
          <ReachNotice />
        </>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <output className="min-w-0 flex-1 basis-28 text-sm text-soft">
          {isGrowing
            ? BUSY_REASON
            : current === null
              ? 'Making the link…'
              : link !== '' && `${formatCount(link.length)} characters`}
        </output>
        <Button onClick={download}>
          <Download aria-hidden size={13} /> Download as a file
        </Button>
        <Button
          variant="primary"
          onClick={() => void copy()}
          disabledReason={
            link === '' ? (isGrowing ? BUSY_REASON : 'There is no link yet.') : isLong ? 'The link is too long.' : null
          }
        >
          <Copy aria-hidden size={13} /> Copy link
        </Button>
      </div>
    </div>
  );
}
