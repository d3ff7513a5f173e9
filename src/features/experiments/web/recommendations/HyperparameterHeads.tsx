import { WireName } from '#ui/kit/WireName.tsx';
import { RATE_FIELD_HINT } from '#features/experiments/shared/rates.ts';

const HEAD = 'pl-1 pr-2 pb-1.5 text-right align-bottom font-mono text-2xs leading-tight font-normal text-soft';

/** Heads of HyperparameterCells, with the names on the wire. The long name may break at its underscores. */
export function HyperparameterHeads() {
  return (
    <>
      <th scope="col" className="border-l border-line">
        <span className="sr-only">Compare</span>
      </th>
      <th scope="col" className={HEAD}>
        n_epochs
      </th>
      <th scope="col" className={HEAD}>
        batch_size
      </th>
      <th scope="col" title={`learning_rate_multiplier: ${RATE_FIELD_HINT}`} className={`${HEAD} w-23 pr-4`}>
        <WireName name="learning_rate_multiplier" />
      </th>
    </>
  );
}
