import { Toggle } from '#ui/fields/Toggle.tsx';
import { setAlone } from '#features/playground/web/desk/actions.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';

/** Whether each message is sent without the ones before it. */
export function AloneSwitch() {
  const isAlone = useDesk(({ desk }) => desk.isAlone === true);
  return (
    <span title="Each message is sent without the ones before it: for models that were trained on single questions.">
      <Toggle label="Each message alone" value={isAlone} onChange={setAlone} />
    </span>
  );
}
