import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { RunRoot, Run } from '#features/runs/shared/runs.ts';
import { runRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { CheckpointTable } from './CheckpointTable.tsx';
import { FactList } from './FactList.tsx';
import type { OtherRun } from './otherRun.ts';
import { toCertaintyText, toProgress, toProgressText, toTimeText } from './runWords.ts';
import { SettingsList } from './SettingsList.tsx';

const Completions = toLazyPart('The completions', async () => (await import('./Completions.tsx')).Completions);

interface RunPageProps {
  run: Run;
  others: readonly OtherRun[];
  /** What it can be taken away as. */
  actions: ReactNode;
  /** Its curves in small. */
  curves: ReactNode;
  onTry: (models: readonly string[]) => void;
}

const SURFACE = 'min-w-0 rounded-lg border border-line bg-surface p-3';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={`${SURFACE} flex flex-col gap-2`}>
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function State({ run, root }: { run: Run; root: RunRoot | null }) {
  const now = useNow(1000);
  const share = toProgress(run);
  const progress = toProgressText(run);
  const path = root === null ? run.folder : `${root.path.replace(/\/$/, '')}/${run.folder}`;
  const formats = run.formats.map((format) => root?.formats.find((each) => each.format === format)?.label ?? format);
  return (
    <section aria-label="State" className={`${SURFACE} flex flex-col gap-1.5`}>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <StatusBadge status={run.status} cause={run.status_cause} />
        <span className="min-w-0">{run.status_reason}</span>
        <span className="text-sm text-soft">{toCertaintyText(run)}</span>
      </div>
      {progress !== null && (
        <div className="flex items-center gap-3">
          {share !== null && (
            <progress
              aria-label="Progress"
              value={share}
              max={1}
              className="h-1.5 w-48 appearance-none overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-running"
            />
          )}
          <span>{progress}</span>
        </div>
      )}
      <p className="text-soft">
        {toTimeText(run, now)}
        {formats.length > 0 && ` · read as ${formats.join(', ')}`}
      </p>
      <p className="flex min-w-0 items-center font-mono text-sm">
        <span className="min-w-0 [overflow-wrap:anywhere]">{path}</span>
        <CopyButton label="Copy the path of the run" text={path} />
      </p>
    </section>
  );
}

/** A run of a folder: how it stands, its curves, what it was trained with and where each fact was read. */
export function RunPage({ run, others, actions, curves, onTry }: RunPageProps) {
  const [isSourced, setSourced] = useState(false);
  const { data: roots } = useQuery(runRootsQuery());
  const root = roots?.find(({ id }) => id === run.root_id) ?? null;
  const rootPath = root?.path ?? null;
  return (
    <div className="@container flex flex-col gap-3.5">
      <State run={run} root={root} />
      {actions}
      {run.problems.length > 0 && (
        <section aria-label="Problems" className="flex gap-2 rounded-lg bg-warning-soft px-3 py-2">
          <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-warning" />
          <ul className="min-w-0">
            {run.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </section>
      )}
      {curves}
      <section aria-label="Facts" className={`${SURFACE} flex flex-col gap-3`}>
        <div className="flex flex-wrap items-center gap-x-4">
          <h3 className="flex-1 font-semibold">Facts</h3>
          <Toggle label="Show the source of each fact" value={isSourced} onChange={setSourced} />
        </div>
        <div className="flex flex-wrap gap-x-8 gap-y-3">
          <FactList facts={run.facts} isSourced={isSourced} />
          <FactList facts={run.summary} isSourced={isSourced} />
        </div>
        {run.facts.length + run.summary.length === 0 && (
          <p className="text-soft">Its files contain no base model, dataset or method.</p>
        )}
        {run.environment.length > 0 && (
          <MoreFigures
            title={`Environment, ${formatCounted(run.environment.length, 'entry').replace(/entrys$/, 'entries')}`}
          >
            <FactList facts={run.environment} isSourced={isSourced} />
          </MoreFigures>
        )}
      </section>
      <Part title="Saved weights">
        <CheckpointTable run={run} rootPath={rootPath} onTry={onTry} />
      </Part>
      <Part title="Settings">
        <SettingsList run={run} others={others} isSourced={isSourced} />
      </Part>
      {run.parts.length > 1 && (
        <Part title="Parts">
          <p className="text-soft">
            It was resumed {run.parts.length - 1 === 1 ? 'once' : `${run.parts.length - 1} times`}. The oldest part is
            first. A repeated step is shown once, from the later part; Curves has what it replaced as metrics that begin
            with <span className="font-mono">replaced/</span>.
          </p>
          <ol className="list-decimal pl-6 font-mono text-sm [overflow-wrap:anywhere]">
            {run.parts.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ol>
        </Part>
      )}
      {run.row_files.length > 0 && (
        <Part title="Completions">
          <Completions key={run.id} run={run} />
        </Part>
      )}
    </div>
  );
}
