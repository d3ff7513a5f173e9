import { Dices, Lock, LockOpen } from 'lucide-react';
import { useRef } from 'react';
import { MAX_TOKENS_LIMITS, SEED_LIMITS } from '#core/contract/limits.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { useRunsEpoch } from '#features/playground/web/desk/fieldsEpoch.ts';
import { SettingRow } from './SettingRow.tsx';
import { SETTING_LABELS, type Settings } from '#features/playground/web/desk/settings.ts';
import { StopSequences } from './StopSequences.tsx';

interface GenerationFieldsProps {
  paneId: string;
  settings: Settings;
  canLink: boolean;
  onChange: (patch: Settings) => void;
}

/** Rolled seeds are short enough to read and copy. Any integer can be typed. */
const DICE_SIDES = 1_000_000;
const rollSeed = (): number => Math.floor(Math.random() * DICE_SIDES);

export function GenerationFields({ paneId, settings, canLink, onChange }: GenerationFieldsProps) {
  const row = { paneId, canLink };
  const runs = useRunsEpoch();
  /** The seed that was unlocked last. Locking brings it back. */
  const lastSeed = useRef<number>(undefined);
  const isLocked = settings.seed !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <SettingRow {...row} name="max_completion_tokens" hasSpace>
        <NumberField
          key={runs}
          label={SETTING_LABELS.max_completion_tokens}
          value={settings.max_completion_tokens}
          onChange={(value) => onChange({ max_completion_tokens: value })}
          min={MAX_TOKENS_LIMITS.min}
          max={MAX_TOKENS_LIMITS.fieldMax}
          isInteger
          placeholder="no limit set"
        />
      </SettingRow>
      <SettingRow {...row} name="seed" hasReset>
        <div className="flex items-start gap-0.5">
          <div className="relative min-w-0 flex-1">
            <NumberField
              key={runs}
              label={SETTING_LABELS.seed}
              value={settings.seed}
              onChange={(value) => onChange({ seed: value })}
              min={SEED_LIMITS.min}
              max={SEED_LIMITS.max}
              isInteger
              placeholder="random"
            />
            {/* At the start of the field, whose numbers stand at its end. */}
            <IconButton
              label="New random seed"
              icon={<Dices aria-hidden size={14} />}
              className="absolute! top-0 left-[calc(var(--label-width)+0.5rem)] size-6!"
              onClick={() => onChange({ seed: rollSeed() })}
            />
          </div>
          <IconButton
            label="Lock the seed"
            icon={isLocked ? <Lock aria-hidden size={13} /> : <LockOpen aria-hidden size={13} />}
            isPressed={isLocked}
            className="size-6!"
            onClick={() => {
              if (isLocked) lastSeed.current = settings.seed;
              onChange({ seed: isLocked ? undefined : (lastSeed.current ?? rollSeed()) });
            }}
          />
        </div>
      </SettingRow>
      <SettingRow {...row} name="stop" hasSpace>
        <StopSequences value={settings.stop ?? []} onChange={(stop) => onChange({ stop })} />
      </SettingRow>
    </div>
  );
}
