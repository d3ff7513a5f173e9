import { ArrowUpRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import { chooseRootMeasure } from '#features/experiments/web/mainMeasure.ts';
import { addRunRoot, groupRunRoot, removeRunRoot } from '#features/runs/web/api/runQueries.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { GroupingForm } from './GroupingForm.tsx';
import { toFormatsText, toRootCounts, toRootState } from './rootWords.ts';

interface RootEntryProps {
  root: RunRoot;
  now: number;
  onOpen: () => void;
  /** The list has changed on the service. */
  onChange: () => void;
  /** Its project is gone. */
  onRemoved: () => void;
}

/** One folder: where, in which state, what was found in it and what was not understood. */
export function RootEntry({ root, now, onOpen, onChange, onRemoved }: RootEntryProps) {
  const [error, setError] = useState<string | null>(null);
  const restore = async () => {
    try {
      const { id } = await addRunRoot(root.path);
      if (root.grouping.by !== 'folder') await groupRunRoot(id, root.grouping);
      if (root.main_measure !== undefined) await chooseRootMeasure(id, root.main_measure);
      onChange();
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : 'The studio did not answer.';
      showToast(`${root.path} is not shown again. ${reason}`, { tone: 'error' });
    }
  };
  const remove = async () => {
    setError(null);
    try {
      await removeRunRoot(root.id);
      onChange();
      onRemoved();
      showToast(`${root.path} is no longer shown. Its files stay.`, {
        action: { label: 'Undo', onSelect: () => void restore() },
      });
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'The studio did not answer.');
    }
  };
  const left = root.not_understood_count - root.not_understood.length;
  return (
    <li className="flex flex-col gap-1.5 rounded-lg border border-line p-3">
      <div className="flex min-w-0 items-center gap-1.5">
        <span className="min-w-0 flex-1 truncate font-mono" title={root.path}>
          {root.path}
        </span>
        <CopyButton label={`Copy ${root.path}`} text={root.path} />
        <Button size="small" aria-label={`Open ${root.path}`} onClick={onOpen}>
          <ArrowUpRight aria-hidden size={13} />
          Open
        </Button>
        <ChangeButton
          size="small"
          variant="danger"
          aria-label={`Remove ${root.path}`}
          title="Removes the folder from the studio. Its files stay"
          disabledReason={
            root.from_flag ? 'It was added with --runs. To remove it, start the studio without that flag.' : null
          }
          onClick={() => void remove()}
        >
          <Trash2 aria-hidden size={13} />
          Remove
        </ChangeButton>
      </div>
      <p className={root.state === 'missing' ? 'text-error' : 'text-soft'}>
        {toRootCounts(root, now)}; {toRootState(root)}.
      </p>
      {root.formats.length > 0 && <p>{toFormatsText(root)}</p>}
      {error !== null && (
        <p role="alert" className="text-error">
          {error}
        </p>
      )}
      <GroupingForm key={JSON.stringify(root.grouping)} root={root} onDone={onChange} />
      {root.not_understood_count > 0 && (
        <MoreFigures title={`Not understood, ${formatCount(root.not_understood_count)}`}>
          <dl className="max-h-56 overflow-y-auto" tabIndex={-1}>
            {root.not_understood.map(({ folder, reason }) => (
              <div key={folder} className="py-0.5">
                <dt className="font-mono text-sm [overflow-wrap:anywhere]">{folder === '' ? root.path : folder}</dt>
                <dd className="text-sm text-soft">{reason}</dd>
              </div>
            ))}
          </dl>
          {left > 0 && <p className="text-sm text-soft">and {formatCount(left)} more</p>}
        </MoreFigures>
      )}
      {root.problems.length > 0 && (
        <MoreFigures title={`Problems, ${formatCount(root.problems.length)}`}>
          <dl className="max-h-56 overflow-y-auto" tabIndex={-1}>
            {root.problems.map(({ file, problem }) => (
              <div key={`${file} ${problem}`} className="py-0.5">
                <dt className="font-mono text-sm [overflow-wrap:anywhere]">{file}</dt>
                <dd className="text-sm text-soft">{problem}</dd>
              </div>
            ))}
          </dl>
        </MoreFigures>
      )}
    </li>
  );
}
