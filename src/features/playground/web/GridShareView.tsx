import { Copy, Download, Share2 } from 'lucide-react';
import { downloadParts } from '#features/evaluation/web/exportGrid.ts';
import { readBook, readTally, useGrid } from '#features/evaluation/web/gridStore.ts';
import { toGridCsv } from '#features/evaluation/web/grid/gridExport.ts';
import { readUrl, toSearch } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { openDialog } from '#ui/commands/dialogs.ts';
import { copyLink } from '#features/playground/web/sessions/shareLink.ts';
import { LinkField } from '#features/playground/web/sessions/LinkField.tsx';

interface GridShareViewProps {
  onClose: () => void;
}

/** A link to the grid for this browser, and what somebody else needs to see the same. */
export function GridShareView({ onClose }: GridShareViewProps) {
  const { rows } = useGrid((state) => state.setup);
  const checks = useGrid((state) => state.checks);
  const { id } = useGrid((state) => state.storedAs);
  const { project, models } = readUrl();
  const { origin, pathname } = window.location;
  const link = `${origin}${pathname}${toSearch('', { project, models, grid: id })}`;
  const obstacle = rows.length === 0 ? 'The grid is empty: there is nothing to share yet.' : null;
  const copy = async () => {
    if (await copyLink(link)) onClose();
  };
  const download = () =>
    void downloadParts(
      toGridCsv({ book: readBook(), checks, verdictOf: readTally().verdictOf }, [...rows.keys()]),
      'grid.csv',
      'text/csv',
    );
  return (
    <div className="flex flex-col gap-3">
      {obstacle === null ? (
        <>
          <p className="text-soft">
            The grid is stored in this browser and nowhere else. This link opens it again in this browser.
          </p>
          <LinkField link={link} />
          <p className="text-soft">
            For somebody else, download its rows and answers. To let them ask the same models with the same settings,
            share the session too.
          </p>
        </>
      ) : (
        <p className="text-soft">{obstacle}</p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => openDialog({ kind: 'share' })}>
          <Share2 aria-hidden size={13} /> Share the session
        </Button>
        <Button onClick={download} disabledReason={obstacle}>
          <Download aria-hidden size={13} /> Download CSV
        </Button>
        <Button variant="primary" onClick={() => void copy()} disabledReason={obstacle}>
          <Copy aria-hidden size={13} /> Copy link
        </Button>
      </div>
    </div>
  );
}
