import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshTrainings } from '#features/training/web/api/trainingQueries.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toErrorWords } from '#ui/client/failure.ts';

/** Does something with trainings, says why where it fails, and asks for everything that shows them again. */
export function useTrainingAct() {
  const client = useQueryClient();
  const readOnlyReason = useReadOnlyReason();
  const [isActing, setActing] = useState(false);
  const act = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    setActing(true);
    try {
      await work();
    } catch (error) {
      const { detail, hint } = toErrorWords(error);
      showToast(`${what} ${detail} ${hint}`, { tone: 'error' });
    }
    await refreshTrainings(client);
    setActing(false);
  };
  return { act, busyReason: readOnlyReason ?? (isActing ? 'Your last action is still being sent.' : null) };
}
