import { selectNode } from '#ui/address/nodeTab.ts';
import { Button } from '#ui/kit/Button.tsx';
import type { DatasetResult } from '#features/experiments/web/rows/datasetResults.ts';
import { toRightText } from './measureWords.ts';
import { Card } from '#ui/kit/Card.tsx';

interface NothingLeftProps {
  results: readonly DatasetResult[];
}

/** The datasets on whose validation rows no training can show an improvement. */
export function NothingLeft({ results }: NothingLeftProps) {
  return (
    <Card
      title="No improvement can be measured"
      note="The best runs answer almost all validation rows right. To measure more, add harder or newer rows."
    >
      <ul>
        {results.map((result) => (
          <li
            key={result.dataset_id ?? ''}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 last:border-b-0"
          >
            <span className="min-w-0 flex-1">
              <span className="font-medium">{result.dataset ?? 'No dataset'}</span>{' '}
              <span className="text-soft">{toRightText(result)}</span>
            </span>
            {result.dataset_id !== null && (
              <Button
                size="small"
                aria-label={`Show runs: ${result.dataset ?? 'no dataset'}`}
                onClick={() =>
                  result.dataset_id !== null && selectNode({ id: result.dataset_id, type: 'dataset' }, 'experiments')
                }
              >
                Show runs
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
