import { Columns2, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import type { TreeNode } from '../contract/projectReader';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { formatCount } from '../ui/format';
import { toModels } from './experimentFacts';
import { ExperimentTableRow } from './ExperimentTableRow';
import { openInPlayground } from './layoutStore';

interface ExperimentsTabProps {
  experiments: readonly TreeNode[];
}

const PAGE = 100;

/** The experiments beneath the selected node and what can be done with them. */
export function ExperimentsTab({ experiments }: ExperimentsTabProps) {
  const [limit, setLimit] = useState(PAGE);
  if (experiments.length === 0) {
    return (
      <EmptyState icon={<FlaskConical aria-hidden size={20} />} title="No experiments here yet">
        Experiments belong to fine-tuning jobs. They appear here by themselves soon after a job is created.
      </EmptyState>
    );
  }
  const models = toModels(experiments);
  const hidden = experiments.length - limit;
  return (
    <section aria-label="Experiments" className="@container overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
        <h2 className="font-semibold">
          {formatCount(experiments.length)} {experiments.length === 1 ? 'experiment' : 'experiments'}
        </h2>
        <span className="flex-1" />
        {models.length > 1 && (
          <Button size="small" onClick={() => openInPlayground(models)}>
            <Columns2 aria-hidden size={13} />
            Compare {models.length} succeeded
          </Button>
        )}
      </div>
      <div className="overflow-x-auto">
        <table className="w-full border-collapse">
          <thead>
            <tr className="text-left text-sm text-soft [&>th]:h-8 [&>th]:px-3 [&>th]:font-medium [&>th]:whitespace-nowrap">
              <th scope="col">Experiment</th>
              <th scope="col">Status</th>
              <th scope="col">Base model</th>
              <th scope="col">Model id</th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {experiments.slice(0, limit).map((experiment) => (
              <ExperimentTableRow key={experiment.id} experiment={experiment} />
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && (
        <div className="border-t border-line px-3 py-2">
          <Button size="small" onClick={() => setLimit(limit + PAGE)}>
            Show {formatCount(Math.min(PAGE, hidden))} more of {formatCount(hidden)}
          </Button>
        </div>
      )}
    </section>
  );
}
