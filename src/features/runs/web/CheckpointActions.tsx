import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Play, Square } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import type { RunCheckpoint, ServedAs, Run } from '#features/runs/shared/runs.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { modelsQuery } from '#ui/client/queries.ts';
import { renewServed, serveCheckpoint, stopServing } from '#features/serving/web/servingQueries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toCheckpointName, toTriedModels } from '#features/serving/web/servingWords.ts';

const ServingDialog = toLazyPopup(async () => (await import('#features/serving/web/ServingDialog.tsx')).ServingDialog);

const INCOMPLETE = 'Saving was interrupted, or has not finished.';

interface CheckpointActionsProps {
  run: Run;
  checkpoint: RunCheckpoint;
  onTry: (models: readonly string[]) => void;
}

/** Chat with saved weights, after they are served if they are not; stop serving them; take them away. */
export function CheckpointActions({ run, checkpoint, onTry }: CheckpointActionsProps) {
  const { is_complete: isComplete, model_id: model, served } = checkpoint;
  const client = useQueryClient();
  const { data: models } = useQuery(modelsQuery());
  const [opened, setOpened] = useState<string | null>(null);
  const [isStopping, setStopping] = useState(false);
  const tryButton = useRef<HTMLButtonElement>(null);
  const name = toCheckpointName(checkpoint);
  const serveAgain = async (id: string, { way, base_model_id: base }: ServedAs) => {
    showToast(`${id} is being served again.`);
    try {
      const request = { checkpoint: checkpoint.path, way, ...(base !== null && { base_model_id: base }) };
      showToast(`${await serveCheckpoint(run.id, request)} answers again.`, { tone: 'success' });
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : 'The studio did not answer.';
      showToast(`${id} is not served again. ${reason}`, { tone: 'error' });
    } finally {
      void renewServed(client, run.id);
    }
  };
  const stop = async (id: string, before: ServedAs) => {
    setStopping(true);
    try {
      await stopServing(id);
      // The pressed button goes.
      tryButton.current?.focus();
      // Without its base, llama.cpp can't run the adapter again.
      const canUndo = before.way === 'engine' || before.base_model_id !== null;
      showToast(`${id} is no longer served.`, {
        ...(canUndo && { action: { label: 'Undo', onSelect: () => void serveAgain(id, before) } }),
      });
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : 'The studio did not answer.';
      showToast(`${id} is still served. ${reason}`, { tone: 'error' });
    } finally {
      setStopping(false);
      void renewServed(client, run.id);
    }
  };
  return (
    <div className="flex max-w-96 flex-wrap gap-1.5 whitespace-normal">
      <Button
        ref={tryButton}
        size="small"
        aria-label={`Try ${name}${model === null ? '…' : ''}`}
        disabledReason={model === null && !isComplete ? INCOMPLETE : null}
        onClick={() =>
          model === null
            ? setOpened('Chat with these weights')
            : onTry(toTriedModels(model, served?.base_model_id, models))
        }
      >
        <Play aria-hidden size={12} />
        {model === null ? 'Try…' : 'Try'}
      </Button>
      <Button
        size="small"
        aria-label={`Download ${name}…`}
        disabledReason={isComplete ? null : INCOMPLETE}
        onClick={() => setOpened('Download these weights')}
      >
        <Download aria-hidden size={12} />
        Download…
      </Button>
      {model !== null && served && (
        <ChangeButton
          size="small"
          aria-label={`Stop serving ${name}`}
          disabledReason={isStopping ? 'It is being stopped.' : null}
          onClick={() => void stop(model, served)}
        >
          <Square aria-hidden size={11} />
          Stop serving
        </ChangeButton>
      )}
      {model === null && served?.problem !== undefined && (
        <p className="basis-full text-sm [overflow-wrap:anywhere] text-warning">{served.problem}</p>
      )}
      {opened !== null && (
        <Suspense>
          <ServingDialog
            title={opened}
            run={run}
            checkpoint={checkpoint}
            onTry={onTry}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
