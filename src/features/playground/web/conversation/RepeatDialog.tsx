import { useState } from 'react';
import { SEED_LIMITS } from '#core/contract/limits.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';

interface RepeatDialogProps {
  paneId: string;
  turnId: string;
  answerId: string;
  onClose: () => void;
}

const SOME = 2 ** 31;

/** Asks how to repeat a request that had no seed. */
export function RepeatDialog({ paneId, turnId, answerId, onClose }: RepeatDialogProps) {
  const ask = useRunAction();
  const [seed, setSeed] = useState<number | undefined>(() => Math.floor(Math.random() * SOME));
  const repeat = (how: number | 'anyway') => {
    onClose();
    void ask((actions, mode) => actions.repeatAnswer(mode, paneId, turnId, answerId, how));
  };
  return (
    <Dialog title="This request had no seed" isOpen onClose={onClose}>
      <p className="mb-3 text-soft">
        The service chose a seed and does not say which, so the repeated request may give another answer. With a fixed
        seed you can tell whether repeats give the same answer.
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <div className="mr-auto w-56">
          <NumberField
            label="Seed"
            value={seed}
            onChange={setSeed}
            min={SEED_LIMITS.min}
            max={SEED_LIMITS.max}
            isInteger
          />
        </div>
        <Button onClick={() => repeat('anyway')}>Repeat without a seed</Button>
        <Button
          variant="primary"
          onClick={() => seed !== undefined && repeat(seed)}
          disabledReason={seed === undefined ? 'Write a seed first.' : null}
        >
          Repeat with this seed
        </Button>
      </div>
    </Dialog>
  );
}
