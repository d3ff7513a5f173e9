import { useQuery } from '@tanstack/react-query';
import { toErrorWords } from '#ui/client/failure.ts';
import { servingOfferQuery } from './servingQueries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { ProgressLine } from '#ui/timing/ProgressLine.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { GgufLinks } from '#features/runs/web/GgufLinks.tsx';
import { ServingCommands } from './ServingCommands.tsx';
import { ServingWay } from './ServingWay.tsx';
import { toBaseModel, toCheckpointName, toWayGroups, type OfferedFile } from './servingWords.ts';
import { useServing, type ServingProps } from './useServing.ts';

const NO_FILES: readonly OfferedFile[] = [];

/** The ways to chat with saved weights: one press converts or loads them, then the model opens in the playground. */
export function ServingWays(props: ServingProps) {
  const { run, checkpoint } = props;
  const { data: offer, error, isPending, refetch } = useQuery(servingOfferQuery(run.id, checkpoint.path));
  const { work, failure, open, take } = useServing(props);
  if (isPending) return <Skeleton rows={5} />;
  if (!offer)
    return (
      <ErrorNotice
        title="The ways to serve these weights can’t be listed"
        {...toErrorWords(error)}
        onRetry={() => void refetch()}
      />
    );
  const baseModel = toBaseModel(run);
  const { here, commands, refused } = toWayGroups(offer);
  const { model_id: model } = offer;
  return (
    // The rows of the table that the dialog is in don't wrap.
    <div className="flex flex-col gap-3 whitespace-normal">
      <p className="text-soft">
        {run.label}, {toCheckpointName(checkpoint)}
        {baseModel !== null && `, trained on ${baseModel}`}
      </p>
      {model !== null && (
        <p className="flex flex-wrap items-center gap-2">
          <span>{model} answers with these weights.</span>
          <Button variant="primary" onClick={() => void open(model)}>
            Try
          </Button>
        </p>
      )}
      {!here.some(({ way }) => way === 'llama') && (
        <GgufLinks runId={run.id} checkpoint={checkpoint.path} files={offer.files} />
      )}
      {here.map((way) => (
        <ServingWay
          key={way.way}
          way={way}
          runId={run.id}
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
      <ServingCommands commands={commands} refused={refused} />
      {offer.ways.length === 0 && model === null && (
        <p>The studio does not know what kind of weights these are, so it can’t say how to serve them.</p>
      )}
    </div>
  );
}
