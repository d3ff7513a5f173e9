import type { TreeNode } from '#core/contract/projectReader.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { NotesSection } from '#features/notes/web/NotesSection.tsx';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { openInPlayground } from '#app/web/layout/layoutStore.ts';
import { toDetailFields, toNodeJson, toNodeSummary } from './nodeSummary.ts';
import { FeatureBoundary } from '#ui/kit/FeatureBoundary.tsx';

const ExperimentTab = toLazyPart(
  'The run’s training',
  async () => (await import('#app/web/runs/ExperimentTab.tsx')).ExperimentTab,
);

interface DetailTabProps {
  node: TreeNode;
  /** From the project to the node. */
  path: readonly TreeNode[];
}

function Summary({ node, path }: DetailTabProps) {
  const index = treeIndex(path[0] ?? node);
  const rollUp = index.rollUps[index.placeOf.get(node.id) ?? 0];
  return (
    <section aria-label="Summary" className="rounded-lg border border-line bg-surface p-3">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        {rollUp &&
          toNodeSummary(node, rollUp).map(({ label, text }) => (
            <div key={label} className="contents">
              <dt className="leading-6 text-soft">{label}</dt>
              <dd className="min-w-0 leading-6">{text}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** What the node is and how it went; then, folded, every field as the service sent it. */
export function DetailTab({ node, path }: DetailTabProps) {
  return (
    <div className="flex flex-col gap-3.5">
      <NotesSection node={node} />
      {node.type === 'experiment' ? (
        <FeatureBoundary name="The run’s training" fallback={<Skeleton rows={4} />}>
          <ExperimentTab path={path} onTry={openInPlayground} />
        </FeatureBoundary>
      ) : (
        <Summary node={node} path={path} />
      )}
      <MoreFigures title="All fields, as the service sent them">
        <section aria-label="Fields" className="mt-1.5 overflow-hidden rounded-lg border border-line bg-surface">
          <div className="flex items-center border-b border-line py-1 pr-2 pl-3">
            <h2 className="flex-1 font-semibold">Fields</h2>
            <CopyButton label="Copy as JSON" text={() => toNodeJson(node)} />
          </div>
          <dl className="divide-y divide-line">
            {toDetailFields(node).map(({ path: fieldPath, text, isStructured }) => (
              <div
                key={fieldPath}
                className="grid min-h-8 grid-cols-[minmax(7rem,14rem)_minmax(0,1fr)] items-center gap-3 pr-2 pl-3"
              >
                <dt className="truncate font-mono text-sm text-soft" title={fieldPath}>
                  {fieldPath}
                </dt>
                <dd className="flex min-w-0 items-center gap-2">
                  <span
                    className={
                      'min-w-0 flex-1 py-1 font-mono text-sm ' +
                      `${isStructured ? 'max-h-80 overflow-auto whitespace-pre' : 'whitespace-pre-wrap'}`
                    }
                  >
                    {text}
                  </span>
                  <CopyButton label={`Copy ${fieldPath}`} text={text} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </MoreFigures>
    </div>
  );
}
