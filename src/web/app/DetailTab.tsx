import type { TreeNode } from '#shared/contract/projectReader.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { toLazyPart } from '#web/ui/lazy/lazyPart.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { toDetailFields, toNodeJson } from './detailFields.ts';
import { FeatureBoundary } from '#web/ui/FeatureBoundary.tsx';

const ExperimentDetail = toLazyPart(
  'The experiment’s training',
  async () => (await import('#web/experiments/ExperimentDetail.tsx')).ExperimentDetail,
);

interface DetailTabProps {
  node: TreeNode;
  /** From the project to the node. */
  path: readonly TreeNode[];
}

/** Every field of the node as the service sent it; for an experiment, first the facts of its job. */
export function DetailTab({ node, path }: DetailTabProps) {
  return (
    <div className="flex flex-col gap-3.5">
      {node.type === 'experiment' && (
        <FeatureBoundary name="The experiment’s training" fallback={<Skeleton rows={4} />}>
          <ExperimentDetail path={path} />
        </FeatureBoundary>
      )}
      <section aria-label="Detail" className="overflow-hidden rounded-lg border border-line bg-surface">
        <div className="flex items-center border-b border-line py-1 pr-2 pl-3">
          <h2 className="flex-1 font-semibold">Fields</h2>
          <CopyButton label="Copy as JSON" text={() => toNodeJson(node)} />
        </div>
        <dl className="divide-y divide-line">
          {toDetailFields(node).map(({ path, text, isStructured }) => (
            <div
              key={path}
              className="grid min-h-8 grid-cols-[minmax(7rem,14rem)_minmax(0,1fr)] items-center gap-3 pr-2 pl-3"
            >
              <dt className="truncate font-mono text-sm text-soft" title={path}>
                {path}
              </dt>
              <dd className="flex min-w-0 items-center gap-2">
                <span
                  className={
                    'min-w-0 flex-1 py-1 font-mono text-sm break-words ' +
                    `${isStructured ? 'max-h-80 overflow-auto whitespace-pre' : 'whitespace-pre-wrap'}`
                  }
                >
                  {text}
                </span>
                <CopyButton label={`Copy ${path}`} text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
