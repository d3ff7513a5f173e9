import type { RunFact } from '#features/runs/shared/runs.ts';
import { toFactText, toSourceText } from './factText.ts';

interface FactListProps {
  facts: readonly RunFact[];
  isSourced: boolean;
}

/** Values of a run. Where sources disagree, all of them are shown, whether sources are asked for or not. */
export function FactList({ facts, isSourced }: FactListProps) {
  if (facts.length === 0) return null;
  return (
    <div className="min-w-72 flex-1">
      <dl className="grid grid-cols-[minmax(5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        {facts.map((fact) => (
          <div key={fact.name} className="contents">
            <dt className="leading-6 text-soft">{fact.name}</dt>
            <dd className="min-w-0 leading-6">
              <span className="font-mono text-sm">{toFactText(fact.value)}</span>
              {fact.note && <span className="block text-sm text-soft">{fact.note}</span>}
              {(isSourced || fact.others) && (
                <span className="block text-sm text-soft [overflow-wrap:anywhere]">
                  from {toSourceText(fact.source)}
                </span>
              )}
              {fact.others?.map(({ value, source }) => (
                <span key={toSourceText(source)} className="block text-sm [overflow-wrap:anywhere]">
                  <span className="text-warning">but </span>
                  <span className="font-mono">{toFactText(value)}</span>{' '}
                  <span className="text-soft">from {toSourceText(source)}</span>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
