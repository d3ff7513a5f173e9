import { Dices } from 'lucide-react';
import type { ChatParameters } from '../api/chatParameters';
import { MAX_TOKENS_LIMITS, SEED_LIMITS } from '../contract/limits';
import { IconButton } from '../ui/IconButton';
import { NumberField } from '../ui/NumberField';
import { StopSequences } from './StopSequences';

interface GenerationFieldsProps {
  parameters: ChatParameters;
  onChange: (patch: ChatParameters) => void;
}

/** Small enough to be read and copied; any integer can be typed. */
const DICE_SIDES = 1_000_000;

export function GenerationFields({ parameters, onChange }: GenerationFieldsProps) {
  return (
    <div className="flex flex-col gap-1.5 pt-1.5">
      <div className="grid grid-cols-2 items-start gap-x-3">
        <NumberField
          label="Max tokens"
          value={parameters.max_completion_tokens}
          onChange={(value) => onChange({ max_completion_tokens: value })}
          min={MAX_TOKENS_LIMITS.min}
          max={MAX_TOKENS_LIMITS.max}
          isInteger
          placeholder="model's"
        />
        <div className="flex min-w-0 items-start gap-0.5">
          <div className="min-w-0 flex-1">
            <NumberField label="Seed" value={parameters.seed} onChange={(value) => onChange({ seed: value })} min={SEED_LIMITS.min} max={SEED_LIMITS.max} isInteger placeholder="random" />
          </div>
          <IconButton label="Roll a seed" icon={<Dices aria-hidden size={14} />} onClick={() => onChange({ seed: Math.floor(Math.random() * DICE_SIDES) })} />
        </div>
      </div>
      <StopSequences value={parameters.stop ?? []} onChange={(stop) => onChange({ stop: stop.length === 0 ? undefined : stop })} />
    </div>
  );
}
