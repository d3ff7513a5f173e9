import { useQueryClient } from '@tanstack/react-query';
import type { Trace, TraceChange } from '#features/traces/shared/traces.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { showToast } from '#ui/kit/toast.ts';
import { addToDataset, changeTrace, deleteTrace } from './traceQueries.ts';

function sayWhy(what: string, error: unknown): false {
  const { detail, hint } = toErrorWords(error);
  showToast(`${what} ${detail} ${hint}`, { tone: 'error' });
  return false;
}

/** Changes of traces, which say why where they fail. Each resolves to whether it was done. */
export function useTraceActs() {
  const client = useQueryClient();
  return {
    change: (trace: Trace, change: TraceChange): Promise<boolean> =>
      changeTrace(client, trace.id, change).then(
        () => true,
        (error: unknown) => sayWhy('The trace was not changed.', error),
      ),
    remove: (trace: Trace): Promise<boolean> =>
      deleteTrace(client, trace.id).then(
        () => true,
        (error: unknown) => sayWhy('The trace was not deleted.', error),
      ),
    async add(trace: Trace, datasetId: string | null): Promise<boolean> {
      try {
        const { status, reason } = await addToDataset(client, trace, datasetId);
        if (status === 'failed') showToast(`Not added. ${reason ?? ''}`, { tone: 'error' });
        else
          showToast(status === 'added' ? 'Added as a row.' : 'A model corrects the answer; then it is added as a row.');
        return status !== 'failed';
      } catch (error) {
        return sayWhy('The trace was not added.', error);
      }
    },
  };
}
