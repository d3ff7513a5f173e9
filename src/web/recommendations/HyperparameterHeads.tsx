import { useContext } from 'react';
import { WireName } from '#web/ui/WireName.tsx';
import { RateMark } from './listControl.ts';

const HEAD = 'px-1.5 pr-2.5 pb-1.5 text-right align-bottom font-mono text-2xs leading-tight font-normal text-soft';

/**
 * Heads of HyperparameterCells, with the names of the wire. The long name may break at its underscores. Where it is said
 * that the multiplier is the rate, it is called so.
 */
export function HyperparameterHeads() {
  const isMultiplier = useContext(RateMark);
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
      <th scope="col" className={`${HEAD} w-24 pr-4.5`}>
        {isMultiplier ? <WireName name="learning_rate_multiplier" /> : 'learning rate'}
      </th>
    </>
  );
}
