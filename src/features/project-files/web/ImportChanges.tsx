import type { ReactNode } from 'react';
import type { ImportChange, ImportedModel, ProjectImported } from '#features/project-files/shared/transfer.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { usePrinting } from '#ui/kit/usePrinting.ts';
import { toChangeWords } from './changeWords.ts';

/** More than so many are folded. */
const SHOWN = 3;

interface FoldProps {
  title: string;
  reason: string;
  count: number;
  children: ReactNode;
}

/** A title and why, with what it is about: shown if that is little, else on request. */
function Fold({ title, reason, count, children }: FoldProps) {
  const isPrinting = usePrinting();
  return (
    <li className="flex flex-col gap-0.5 border-l-2 border-line-strong pl-2.5">
      <h4 className="font-medium">{title}</h4>
      {reason !== '' && <p className="text-sm text-soft">{reason}</p>}
      {count <= SHOWN || isPrinting ? (
        children
      ) : (
        <details>
          <summary className="w-fit cursor-pointer text-sm leading-6 text-accent" aria-label={`Show: ${title}`}>
            Show
          </summary>
          {children}
        </details>
      )}
    </li>
  );
}

function Name({ text, isName }: { text: string; isName: boolean }) {
  return isName ? <code className="font-mono break-all">{text}</code> : <span className="wrap-anywhere">{text}</span>;
}

function Change({ kind, reason, count, named }: ImportChange) {
  const { title, isName } = toChangeWords(kind);
  // Some are equal: two nodes may have the same name.
  const shown = [...new Map(named.map((each) => [JSON.stringify(each), each]))];
  return (
    <Fold title={title(count)} reason={reason} count={shown.length}>
      <ul className="mt-0.5 flex flex-col gap-0.5 text-sm">
        {shown.map(([key, { of, from, to }]) => (
          <li key={key}>
            {of !== null && (
              <>
                <Name text={of} isName={isName} />:{' '}
              </>
            )}
            <Name text={from} isName={isName} />
            {to !== null && (
              <>
                <span aria-hidden> → </span>
                <span className="sr-only"> becomes </span>
                <Name text={to} isName={isName} />
              </>
            )}
          </li>
        ))}
        {count > shown.length && <li className="text-soft">and {formatCount(count - shown.length)} more</li>}
      </ul>
    </Fold>
  );
}

/** Models that are left out, by why. */
function toLeftOut(models: readonly ImportedModel[]): readonly (readonly [reason: string, ids: readonly string[]])[] {
  const found = new Map<string, string[]>();
  for (const { id, state, reason } of models)
    if (state === 'missing') found.set(reason ?? '', [...(found.get(reason ?? '') ?? []), id]);
  return [...found];
}

/** What is not, or will not be, as a project's file says it: changes, and models that are left out. */
export function ImportChanges({ changes, models }: Pick<ProjectImported, 'changes' | 'models'>) {
  const leftOut = toLeftOut(models);
  if (changes.length === 0 && leftOut.length === 0)
    return <p className="text-soft">Everything is taken as the file says it.</p>;
  return (
    <section aria-labelledby="import-changes">
      <h3 id="import-changes" className="text-sm font-semibold tracking-wide text-soft">
        Not as the file says it
      </h3>
      <ul className="mt-1.5 flex flex-col gap-2.5">
        {leftOut.map(([reason, ids]) => (
          <Fold
            key={reason}
            title={`${formatCounted(ids.length, 'model')} left out`}
            reason={reason}
            count={ids.length}
          >
            <ul className="mt-0.5 flex flex-col gap-0.5 text-sm">
              {ids.map((id) => (
                <li key={id}>
                  <Name text={id} isName />
                </li>
              ))}
            </ul>
          </Fold>
        ))}
        {changes.map((change) => (
          <Change key={`${change.kind} ${change.reason}`} {...change} />
        ))}
      </ul>
    </section>
  );
}
