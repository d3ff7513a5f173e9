import { Download } from 'lucide-react';
import { filteredRowsPath, type RowsOf } from '#shared/contract/data/dataRoutes.ts';
import type { RowFilter } from '#web/api/data/rowQueries.ts';
import { downloadFrom } from '#web/ui/download.ts';
import { Menu } from '#web/ui/lazy/Menu.tsx';
import { isFiltered } from './rowFilter.ts';

interface RowsDownloadProps {
  of: RowsOf;
  filter: RowFilter;
}

/** The service names the file. */
const download = (path: string): void => downloadFrom(path, '');

/** Downloads exactly the rows that the filters and the search leave. */
export function RowsDownload({ of, filter }: RowsDownloadProps) {
  const which = isFiltered(filter) ? 'these rows' : 'all rows';
  return (
    <Menu
      label={`Download ${which}`}
      icon={<Download aria-hidden size={14} />}
      items={[
        { label: `Download ${which} as chat rows`, onSelect: () => download(filteredRowsPath(of, filter, 'chat')) },
        {
          label: `Download ${which} as original lines`,
          onSelect: () => download(filteredRowsPath(of, filter, 'original')),
        },
      ]}
    />
  );
}
