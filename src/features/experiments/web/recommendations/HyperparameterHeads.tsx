import { useContext } from 'react';
import { toFieldHint, toFieldLabel, toFieldTip, type FieldName } from '#features/experiments/shared/fieldLabels.ts';
import { RateMark } from './listControl.ts';

const HEAD = 'pl-1 pr-2 pb-1.5 text-right align-bottom text-sm leading-tight font-medium text-soft';

const FIELDS = ['n_epochs', 'batch_size', 'learning_rate_multiplier'] as const satisfies readonly FieldName[];

/** Heads of HyperparameterCells. */
export function HyperparameterHeads() {
  const isRate = !useContext(RateMark);
  return (
    <>
      <th scope="col" className="border-l border-line">
        <span className="sr-only">Compare</span>
      </th>
      {FIELDS.map((id) => {
        const label = toFieldLabel(id, isRate);
        return (
          <th
            key={id}
            scope="col"
            title={toFieldTip({ id, label, hint: toFieldHint(id, isRate) })}
            className={`${HEAD} ${id === 'learning_rate_multiplier' ? 'w-23 pr-4' : ''}`}
          >
            {label}
          </th>
        );
      })}
    </>
  );
}
