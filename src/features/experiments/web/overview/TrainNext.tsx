import { useQuery } from '@tanstack/react-query';
import { useIsRate } from '#features/experiments/web/compareState/rateChoice.ts';
import { recommendationQuery } from '#ui/client/queries.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { Button } from '#ui/kit/Button.tsx';
import { WholeNumbers } from '#ui/kit/WholeNumbers.tsx';
import { selectNode } from '#ui/address/nodeTab.ts';
import { Card } from '#ui/kit/Card.tsx';
import { toNextTrainings } from './nextTrainings.ts';
import type { RenderExport } from './renderExport.ts';

interface TrainNextProps {
  /** Its id. */
  project: string;
  /** Among the cards of the overview, from 0. */
  place: number;
  dataset: TreeNode;
  snapshot: TreeNode;
  renderExport: RenderExport;
}

/** What to train next on a dataset, in one sentence, with its config to copy. */
function Advice({ dataset, snapshot, renderExport }: Omit<TrainNextProps, 'project' | 'place'>) {
  const { data, error, isPending, refetch } = useQuery(recommendationQuery(snapshot.id));
  const name = nodeLabel(dataset);
  const open = () => selectNode({ id: snapshot.id, type: 'snapshot' });
  const isRate = useIsRate();
  const next = data ? toNextTrainings(data, isRate) : [];
  const [first] = next;
  const elsewhere = next.find(({ isOnHub }) => isOnHub);
  const see = (label: string) => (
    <Button size="small" aria-label={`${label}: ${name}`} onClick={open}>
      {label}
    </Button>
  );
  return (
    <Card title="Train next" subject={name}>
      <div className="flex flex-col items-start gap-2 px-3 py-2.5">
        {first ? (
          <>
            <h3 className="max-w-full text-lg leading-6 font-semibold">
              <WholeNumbers text={first.title} />
            </h3>
            {first.reason !== null && (
              <p className="max-w-full text-soft">
                <WholeNumbers text={first.reason} />
              </p>
            )}
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
              <fieldset aria-label={`Config: ${name}`} className="contents">
                {renderExport(snapshot, [first.candidate], true)}
              </fieldset>
              {see('See the reason and other options')}
            </div>
            {elsewhere && elsewhere !== first && (
              <div className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1.5">
                <p className="min-w-0 text-sm text-soft">
                  On a GPU elsewhere: <WholeNumbers text={elsewhere.title} />
                </p>
                <fieldset aria-label={`Config for elsewhere: ${name}`} className="contents">
                  {renderExport(snapshot, [elsewhere.candidate], false)}
                </fieldset>
              </div>
            )}
          </>
        ) : error ? (
          <>
            <p className="text-soft">The recommendation could not be loaded: {error.message}</p>
            <Button size="small" onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        ) : isPending || data?.status === 'processing' ? (
          <p className="text-soft">The recommendation is being computed.</p>
        ) : (
          <>
            <p className="text-soft">
              {data?.status === 'failed'
                ? `The recommendation failed${data.error === null ? '.' : `: ${data.error}`}`
                : 'The service recommends no run.'}
            </p>
            {see('See the recommendation')}
          </>
        )}
      </div>
    </Card>
  );
}

/** A folder of runs has no rows, and without rows there is no recommendation. Its runs can still be compared. */
export function TrainNext({ project, place, ...advised }: TrainNextProps) {
  const { data: roots, isPending } = useQuery(knownRootsQuery());
  const name = nodeLabel(advised.dataset);
  if (isPending) return <Card title="Train next" subject={name} />;
  if (roots?.some(({ id }) => id === project) !== true) return <Advice {...advised} />;
  if (place > 0) return null;
  return (
    <Card title="Train next">
      <div className="flex flex-col items-start gap-2 px-3 py-2.5">
        <p className="text-soft">
          No recommendation: it needs training rows, and a folder of runs has none. The runs show which settings worked.
        </p>
        <Button size="small" onClick={() => selectNode({ id: project, type: 'project' }, 'experiments')}>
          See which settings worked
        </Button>
      </div>
    </Card>
  );
}
