import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RunCheckpoint, Run } from '#features/runs/shared/runs.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { modelsQuery } from '#ui/client/queries.ts';
import { renewServed, serveCheckpoint, servingOfferQuery } from './servingQueries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { ProgressLine } from '#ui/timing/ProgressLine.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { GgufLinks } from '#features/runs/web/GgufLinks.tsx';
import { ServingWay } from './ServingWay.tsx';
import {
  toBaseModel,
  toCheckpointName,
  toTriedModels,
  toWayGroups,
  toWorkText,
  type OfferedFile,
  type ServingWay as Way,
} from './servingWords.ts';

interface ServingWaysProps {
  run: Run;
  checkpoint: RunCheckpoint;
  onTry: (models: readonly string[]) => void;
  onClose: () => void;
}

const NO_FILES: readonly OfferedFile[] = [];

const toFailure = (error: unknown): { readonly detail: string; readonly hint: string } => ({
  detail: error instanceof Error ? error.message : 'The studio did not answer.',
  hint: error instanceof ApiFailure && error.code !== 'cannot_serve' ? error.hint : '',
});

/** The ways to chat with saved weights: one press converts or loads them, then the model opens in the playground. */
export function ServingWays({ run, checkpoint, onTry, onClose }: ServingWaysProps) {
  const { id: runId, label: runLabel } = run;
  const baseModel = toBaseModel(run);
  const client = useQueryClient();
  const { data: offer, error, isPending, refetch } = useQuery(servingOfferQuery(runId, checkpoint.path));
  const [work, setWork] = useState<string | null>(null);
  const [failure, setFailure] = useState<ReturnType<typeof toFailure> | null>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  async function open(model: string, base: string | undefined): Promise<void> {
    await renewServed(client, runId);
    const models = toTriedModels(model, base, client.getQueryData(modelsQuery().queryKey));
    if (isShown.current) {
      onClose();
      onTry(models);
    } else
      showToast(`${toCheckpointName(checkpoint)} of ${runLabel} answers as ${model}.`, {
        tone: 'success',
        action: { label: 'Try', onSelect: () => onTry(models) },
      });
  }

  async function take(way: Way['way'], base: string | undefined): Promise<void> {
    if (way === 'command') return;
    setWork(toWorkText(way, base));
    setFailure(null);
    try {
      const request = { checkpoint: checkpoint.path, way, ...(base !== undefined && { base_model_id: base }) };
      await open(await serveCheckpoint(runId, request), base);
    } catch (problem) {
      const found = toFailure(problem);
      setFailure(found);
      if (!isShown.current) showToast(`The weights can’t be served. ${found.detail}`, { tone: 'error' });
    } finally {
      setWork(null);
    }
  }

  if (isPending) return <Skeleton rows={5} />;
  if (!offer)
    return (
      <ErrorNotice
        title="The ways to serve these weights can’t be listed"
        {...toFailure(error)}
        onRetry={() => void refetch()}
      />
    );
  const { here, commands, refused } = toWayGroups(offer);
  const { model_id: model } = offer;
  return (
    // The rows of the table that the dialog is in don't wrap.
    <div className="flex flex-col gap-3 whitespace-normal">
      <p className="text-soft">
        {runLabel}, {toCheckpointName(checkpoint)}
        {baseModel !== null && `, trained on ${baseModel}`}
      </p>
      {model !== null && (
        <p className="flex flex-wrap items-center gap-2">
          <span>{model} answers with these weights.</span>
          <Button variant="primary" onClick={() => void open(model, undefined)}>
            Try
          </Button>
        </p>
      )}
      {!here.some(({ way }) => way === 'llama') && (
        <GgufLinks runId={runId} checkpoint={checkpoint.path} files={offer.files} />
      )}
      {here.map((way) => (
        <ServingWay
          key={way.way}
          way={way}
          runId={runId}
          checkpoint={checkpoint.path}
          files={way.way === 'llama' ? offer.files : NO_FILES}
          baseModel={baseModel}
          isBusy={work !== null}
          onTake={(base) => void take(way.way, base)}
        />
      ))}
      <output className={work === null ? 'sr-only' : 'flex flex-col gap-1.5'}>
        {work !== null && (
          <>
            <span>{work}</span>
            <ProgressLine label="Serving" share={null} />
          </>
        )}
      </output>
      {failure && <ErrorNotice title="The weights can’t be served" {...failure} />}
      {commands.length + refused.length > 0 && (
        <section aria-label="Commands" className="flex flex-col gap-1.5">
          <h3 className="font-semibold">With a server of your own</h3>
          {commands.length > 0 && (
            <p className="text-soft">
              Copy a command to the machine that has the weights, then start the studio with --engine and the address of
              that server.
            </p>
          )}
          <dl className="flex flex-col gap-1.5">
            {commands.map(({ title, command = '' }) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd className="flex items-start gap-1">
                  <code className="min-w-0 flex-1 rounded-md bg-raised px-2 py-1 font-mono text-sm [overflow-wrap:anywhere]">
                    {command}
                  </code>
                  <CopyButton label={`Copy the command for ${title}`} text={command} />
                </dd>
              </div>
            ))}
            {refused.map(({ titles, reason }) => (
              <div key={titles}>
                <dt>{titles}</dt>
                <dd className="text-soft">{reason}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {offer.ways.length === 0 && model === null && (
        <p>The studio does not know what kind of weights these are, so it can’t say how to serve them.</p>
      )}
    </div>
  );
}
