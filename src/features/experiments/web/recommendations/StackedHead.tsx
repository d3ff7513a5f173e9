import { HyperparameterHeads } from './HyperparameterHeads.tsx';

/** The head of a table whose base models stand above their values. */
export function StackedHead() {
  return (
    <tr className="text-left">
      <th scope="col" className="w-full px-3 pt-1.5 pb-1.5 align-bottom font-semibold">
        Base model, training
      </th>
      <HyperparameterHeads />
    </tr>
  );
}
