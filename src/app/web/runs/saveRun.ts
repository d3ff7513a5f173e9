// A run's page as a file: its facts from the room of runs, its curves from the room of curves.
import type { QueryClient } from '@tanstack/react-query';
import type { Run } from '#features/runs/shared/runs.ts';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { curvesQuery } from '#features/runs/web/api/runQueries.ts';
import { notesQuery } from '#features/notes/web/noteQueries.ts';
import { toRunPictures } from '#features/runs/web/curves/runPictures.ts';
import { toDocumentName, toRunDocument } from '#features/runs/web/runHtmlFile.ts';
import { downloadText } from '#ui/kit/download.ts';
import { showToast } from '#ui/kit/toast.ts';

/** Of one question. */
const MOST_METRICS = 100;
/** A picture is 500 pixels wide; two values for each tell its extremes. */
const POINTS = 2000;

/** Resolves when the file was given to the browser. Throws ApiFailure if the curves can't be read. */
export async function saveRun(client: QueryClient, run: Run, rootPath: string | null, savedAt: number): Promise<void> {
  const names = run.metrics.map(({ name }) => name).slice(0, MOST_METRICS);
  const { curves } =
    names.length === 0
      ? { curves: [] }
      : await fetchKept(client, curvesQuery({ runs: [run.id], names, points: POINTS }, false));
  const note = client.getQueryData(notesQuery().queryKey)?.get(run.id) ?? null;
  const html = toRunDocument({
    run,
    rootPath,
    pictures: toRunPictures(curves, run.id),
    leftOut: run.metrics.length - names.length,
    note,
    savedAt,
  });
  const name = toDocumentName(note?.name ?? run.label);
  downloadText(name, 'text/html', html);
  showToast(`Downloaded ${name}. It opens without the studio.`, { tone: 'success' });
}
