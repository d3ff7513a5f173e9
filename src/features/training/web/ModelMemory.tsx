import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toErrorWords } from '#ui/client/failure.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { modelRunningQuery, setModelRunning } from './api/trainingQueries.ts';
import { toMemoryText } from './result/serveElsewhereText.ts';

interface ModelMemoryProps {
  model: string;
}

/** Whether a model is in memory, what computes it, and the button that changes it. Nothing where the service does not say. */
export function ModelMemory({ model }: ModelMemoryProps) {
  const client = useQueryClient();
  const query = modelRunningQuery(model);
  const { data } = useQuery(query);
  const isLocal = useQuery(sessionQuery()).data?.mode === 'local';
  const [isBusy, setBusy] = useState(false);
  if (!data) return null;
  const change = async () => {
    setBusy(true);
    try {
      await setModelRunning(model, !data.status);
      await client.invalidateQueries({ queryKey: query.queryKey });
    } catch (error) {
      const { detail, hint } = toErrorWords(error);
      showToast(`The model was not ${data.status ? 'freed' : 'loaded'}. ${detail} ${hint}`, { tone: 'error' });
    }
    setBusy(false);
  };
  return (
    <p className="flex flex-wrap items-center gap-2 text-soft">
      <span>
        <span className="font-semibold">Model</span> {toMemoryText(data, isLocal)}
      </span>
      <ChangeButton
        size="small"
        disabledReason={isBusy ? 'It is being done.' : null}
        onClick={() => void change()}
        className="print:hidden"
      >
        {data.status ? 'Free its memory' : 'Load it'}
      </ChangeButton>
    </p>
  );
}
