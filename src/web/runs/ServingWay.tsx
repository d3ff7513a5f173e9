import { Play } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/fields/Select.tsx';
import { toActionText, toBaseId, toBaseNote, type ServingWay as Way } from './servingWords.ts';

interface ServingWayProps {
  way: Way;
  /** As the run names it; null: it names none. */
  baseModel: string | null;
  /** Another request is on its way. */
  isBusy: boolean;
  onTake: (baseId: string | undefined) => void;
}

const NO_BASES: NonNullable<Way['bases']> = [];

/** A way that a press takes, with the choice of the base; or why it can't be taken. */
export function ServingWay({
  way: { way, title, reason, bases = NO_BASES },
  baseModel,
  isBusy,
  onTake,
}: ServingWayProps) {
  const id = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const base = toBaseId(bases, chosen);
  const note = toBaseNote(bases, base, baseModel);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1.5 rounded-lg border border-line p-3">
      <h3 id={id} className="font-semibold">
        {title.replace(/^the /, 'The ')}
      </h3>
      {reason === null ? (
        <>
          <div className="flex flex-wrap items-center gap-2">
            {base !== undefined && (
              <Select
                label="Base model"
                value={base}
                options={bases.map(({ id: value, has_fitting_name: isFitting }) => ({
                  value,
                  label: value,
                  ...(isFitting && { hint: 'matching name' }),
                }))}
                onChange={setChosen}
              />
            )}
            <Button
              variant="primary"
              disabledReason={isBusy ? 'Wait until the earlier request has finished.' : null}
              onClick={() => onTake(base)}
            >
              <Play aria-hidden size={12} />
              {toActionText(way)}
            </Button>
          </div>
          {note !== '' && <p className="text-soft">{note}</p>}
        </>
      ) : (
        <p>Not possible now. {reason}</p>
      )}
    </section>
  );
}
