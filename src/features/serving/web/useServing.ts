import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RunCheckpoint, Run } from '#features/runs/shared/runs.ts';
import { ApiFailure, toErrorWords } from '#ui/client/failure.ts';
import { modelsQuery } from '#ui/client/queries.ts';
import { showToast } from '#ui/kit/toast.ts';
import { renewServed, serveCheckpoint } from './servingQueries.ts';
import { toCheckpointName, toTriedModels, toWorkText, type TakenWay } from './servingWords.ts';

export interface ServingProps {
  run: Run;
  checkpoint: RunCheckpoint;
  onTry: (models: readonly string[]) => void;
  onClose: () => void;
}

interface Serving {
  /** What the service works on; null: nothing. */
  readonly work: string | null;
  readonly failure: ReturnType<typeof toErrorWords> | null;
  /** Opens a model that answers with the weights, beside its base. */
  readonly open: (model: string, base?: string) => Promise<void>;
  /** Serves the weights, and opens the model. */
  readonly take: (way: TakenWay['way'], base: string | undefined) => Promise<void>;
}

/** A reason of the service says what to do itself. */
const toRefusal = (error: unknown): ReturnType<typeof toErrorWords> => {
  const words = toErrorWords(error);
  return error instanceof ApiFailure && error.code === 'cannot_serve' ? { ...words, hint: '' } : words;
};

/** Serving goes on when what uses this is closed; the end is said then. */
export function useServing({ run: { id: runId, label }, checkpoint, onTry, onClose }: ServingProps): Serving {
  const client = useQueryClient();
  const [work, setWork] = useState<string | null>(null);
  const [failure, setFailure] = useState<Serving['failure']>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  async function open(model: string, base?: string): Promise<void> {
    await renewServed(client, runId);
    const models = toTriedModels(model, base, client.getQueryData(modelsQuery().queryKey));
    if (isShown.current) {
      onClose();
      onTry(models);
    } else
      showToast(`${toCheckpointName(checkpoint)} of ${label} answers as ${model}.`, {
        tone: 'success',
        action: { label: 'Try', onSelect: () => onTry(models) },
      });
  }

  async function take(way: TakenWay['way'], base: string | undefined): Promise<void> {
    setWork(toWorkText(way, base));
    setFailure(null);
    try {
      const request = { checkpoint: checkpoint.path, way, ...(base !== undefined && { base_model_id: base }) };
      await open(await serveCheckpoint(runId, request), base);
    } catch (error) {
      const refusal = toRefusal(error);
      setFailure(refusal);
      if (!isShown.current) showToast(`The weights can’t be served. ${refusal.detail}`, { tone: 'error' });
    } finally {
      setWork(null);
    }
  }

  return { work, failure, open, take };
}
