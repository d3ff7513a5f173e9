import { SimpleTable } from '#ui/kit/SimpleTable.tsx';
import { formatBytes, formatMeasure } from '#core/contract/numberNotation.ts';
import type { RunCheckpoint, Run } from '#features/runs/shared/runs.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { toCountText } from '#ui/kit/format.ts';
import { CheckpointActions } from './CheckpointActions.tsx';
import { toDateText } from './runWords.ts';
import { toCheckpointName } from '#features/serving/web/servingWords.ts';

interface CheckpointTableProps {
  run: Run;
  /** The folder on the machine of the service, to copy whole paths. */
  rootPath: string | null;
  onTry: (models: readonly string[]) => void;
}

const KINDS: Readonly<Record<RunCheckpoint['kind'], string>> = {
  adapter: 'adapter',
  full: 'full weights',
  gguf: 'GGUF',
  unknown: 'unknown kind',
};
const HEADS = ['Step', 'Weights', 'Size', 'Measures', 'Saved'];

/** Where the training was, which the step and the settings say. */
const PROGRESS: ReadonlySet<string> = new Set(['epoch', 'grad_norm', 'learning_rate', 'num_tokens']);

/** What says how good weights are: validation measures first. How quick an evaluation was is no such measure. */
const toShownMeasures = (measures: RunCheckpoint['measures']): readonly (readonly [string, number])[] =>
  Object.entries(measures)
    .filter(([name]) => !PROGRESS.has(name) && !/(?:runtime|_per_second)$/.test(name))
    .toSorted(([a], [b]) => Number(b.startsWith('eval')) - Number(a.startsWith('eval')));

/** The saved weights of a run; each can be tried: by the model that serves it, or after one of the ways to serve it. */
export function CheckpointTable({ run, rootPath, onTry }: CheckpointTableProps) {
  const { checkpoints } = run;
  if (checkpoints.length === 0) return <p className="text-soft">The folder of the run contains no saved weights.</p>;
  return (
    <SimpleTable heads={[...HEADS, { hidden: 'Actions' }]} className="whitespace-nowrap">
      {checkpoints.map((checkpoint) => {
        const { path, step, kind, bytes, is_complete: isComplete, measures, saved_at: savedAt } = checkpoint;
        const name = toCheckpointName(checkpoint);
        const measured = toShownMeasures(measures);
        return (
          <tr key={path}>
            <th scope="row" className="max-w-64 min-w-32 py-1 pr-4 font-normal whitespace-normal">
              {step === null ? 'final' : toCountText(step)}
              {checkpoint.is_best && <span className="text-success"> · best, by the trainer’s own measure</span>}
              <span className="-mt-1 flex items-center">
                <span className="min-w-0 font-mono text-sm text-soft [overflow-wrap:anywhere]">{path}</span>
                <CopyButton
                  label={`Copy the path of ${name}`}
                  text={rootPath === null ? path : `${rootPath.replace(/\/$/, '')}/${path}`}
                />
              </span>
            </th>
            <td className="pr-4">
              {KINDS[kind]}
              {!isComplete && <span className="text-error"> · not complete</span>}
            </td>
            <td className="pr-4">{formatBytes(bytes)}</td>
            <td className="min-w-28 pr-4 font-mono text-sm whitespace-normal">
              {measured.length === 0 ? (
                <span className="font-sans text-soft">not measured</span>
              ) : (
                measured.map(([measure, value]) => `${measure} ${formatMeasure(value)}`).join(', ')
              )}
            </td>
            <td className="pr-4 whitespace-normal">{savedAt === null ? 'unknown' : toDateText(savedAt)}</td>
            <td>
              <CheckpointActions run={run} checkpoint={checkpoint} onTry={onTry} />
            </td>
          </tr>
        );
      })}
    </SimpleTable>
  );
}
