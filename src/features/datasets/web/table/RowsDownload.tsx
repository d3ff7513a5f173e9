import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import { filteredRowsPath } from '#features/datasets/web/api/rowQueries.ts';
import { TRAINER_FORMS, type TrainerForm } from '#features/datasets/shared/contract/filteredFile.ts';
import { toTrainerName } from '#features/datasets/shared/trainerRows.ts';
import { fitsQuery, type RowFilter } from '#features/datasets/web/api/rowQueries.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { downloadFrom } from '#ui/kit/download.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { Menu } from '#ui/lazy/Menu.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { isFiltered } from './rowFilter.ts';

interface RowsDownloadProps {
  of: RowsOf;
  filter: RowFilter;
}

/** The service names the file. */
const download = (path: string): void => downloadFrom(path, '');

/** Downloads exactly the rows that the filters and the search leave. */
export function RowsDownload({ of, filter }: RowsDownloadProps) {
  const client = useQueryClient();
  const which = isFiltered(filter) ? 'these rows' : 'all rows';
  /** What a form can't express is told before the browser begins a file. */
  const downloadAs = async (form: TrainerForm): Promise<void> => {
    try {
      const { fits } = await fetchKept(client, fitsQuery(of, filter));
      const fit = fits.find((each) => each.form === form);
      if (!fit?.first) return download(filteredRowsPath(of, filter, form));
      const rows = `${formatCounted(fit.misfits, 'row')} can’t be written`;
      showToast(`${rows}, first row ${formatCount(fit.first.position + 1)}. ${fit.first.reason}`, { tone: 'error' });
    } catch (error) {
      const { detail, hint } = toErrorWords(error);
      showToast(`The rows were not written. ${detail} ${hint}`, { tone: 'error' });
    }
  };
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
        ...TRAINER_FORMS.map((form) => ({
          label: `Download ${which} for ${toTrainerName(form)}`,
          onSelect: () => void downloadAs(form),
        })),
      ]}
    />
  );
}
