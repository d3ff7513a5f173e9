import { Play } from 'lucide-react';
import { useId, useState } from 'react';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { GgufLinks } from '#features/runs/web/GgufLinks.tsx';
import { toActionText, toBaseHint, toBaseId, toBaseNote, type OfferedFile, type TakenWay } from './servingWords.ts';

interface ServingWayProps {
  way: TakenWay;
  /** The weights, and the files that they leave as in this way. */
  runId: string;
  checkpoint: string;
  files: readonly OfferedFile[];
  /** As the run names it; null: it names none. */
  baseModel: string | null;
  /** Another request is on its way. */
  isBusy: boolean;
  onTake: (baseId: string | undefined) => void;
}

const NO_BASES: NonNullable<TakenWay['bases']> = [];
const NO_NOTES: readonly string[] = [];

/** A way that a press takes, with the choice of the base; or why it can't be taken. */
export function ServingWay({
  way: { way, title, reason, bases = NO_BASES },
  runId,
  checkpoint,
  files,
  baseModel,
  isBusy,
  onTake,
}: ServingWayProps) {
  const id = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const base = toBaseId(bases, chosen);
  const { reason: baseReason = null, notes = NO_NOTES } = bases.find((each) => each.id === base) ?? {};
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
                options={bases.map((each) => ({
                  value: each.id,
                  label: each.id,
                  ...toBaseHint(each),
                }))}
                onChange={setChosen}
              />
            )}
            <ChangeButton
              variant="primary"
              disabledReason={baseReason ?? (isBusy ? 'Wait until the earlier request has finished.' : null)}
              onClick={() => onTake(base)}
            >
              <Play aria-hidden size={12} />
              {toActionText(way)}
            </ChangeButton>
          </div>
          {baseReason === null && <GgufLinks runId={runId} checkpoint={checkpoint} files={files} base={base} />}
          {baseReason !== null && <p>Not possible with this base. {baseReason}</p>}
          {note !== '' && baseReason === null && <p className="text-soft">{note}</p>}
          {notes.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </>
      ) : (
        <p>Not possible now. {reason}</p>
      )}
    </section>
  );
}
