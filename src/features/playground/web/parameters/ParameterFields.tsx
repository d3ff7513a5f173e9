import { Fragment, useRef } from 'react';
import { useFieldsEpoch, useRunsEpoch } from '#features/playground/web/desk/fieldsEpoch.ts';
import { type Settings, SETTING_LABELS } from '#features/playground/web/desk/settings.ts';
import { FormatFields } from './FormatFields.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { SettingRow } from './SettingRow.tsx';
import {
  SAMPLING_NAMES,
  SAMPLING_PARAMETERS,
  type OwnParameter,
  type SamplingName,
} from '#core/contract/samplingParameters.ts';
import { SliderField } from '#ui/fields/SliderField.tsx';
import { Dices, Lock, LockOpen } from 'lucide-react';
import { MAX_TOKENS_LIMITS, SEED_LIMITS } from '#core/contract/limits.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { StopSequences } from './StopSequences.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { useNotOffered } from './notOffered.ts';

interface ParameterFieldsProps {
  paneId: string;
  settings: Settings;
  /** There are other panes to link with. */
  canLink: boolean;
  onChange: (patch: Settings) => void;
}

/** Rolled seeds are short enough to read and copy. Any integer can be typed. */
const DICE_SIDES = 1_000_000;
const rollSeed = (): number => Math.floor(Math.random() * DICE_SIDES);

function GenerationFields({ paneId, settings, canLink, onChange }: ParameterFieldsProps) {
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

/** A value stays when a model is changed, so one that is set can be one that the model's server does not take. */
function NotTaken({ isShown }: { isShown: boolean }) {
  return (
    isShown && <p className="text-sm text-warning">Not known to this model’s server. Unset it to send messages.</p>
  );
}

function SamplingFields({
  paneId,
  settings,
  canLink,
  onChange,
  notOffered,
}: ParameterFieldsProps & { notOffered: readonly string[] }) {
  const runs = useRunsEpoch();
  const isShown = (name: SamplingName): boolean => settings[name] !== undefined || !notOffered.includes(name);
  return (
    <>
      {SAMPLING_NAMES.filter(isShown).map((name) => (
        <Fragment key={name}>
          <SettingRow paneId={paneId} name={name} canLink={canLink} hasReset>
            <SliderField
              key={runs}
              limit={SAMPLING_PARAMETERS[name]}
              value={settings[name]}
              onChange={(value) => onChange({ [name]: value })}
            />
          </SettingRow>
          <NotTaken isShown={notOffered.includes(name)} />
        </Fragment>
      ))}
      {settings.temperature !== undefined && settings.top_p !== undefined && (
        <p className="text-sm text-faint">
          Temperature and top P are both set. Both narrow sampling; change one of them.
        </p>
      )}
    </>
  );
}

/** The switch for log probabilities, and why parameters are not there. */
function OwnParameterFields({
  paneId,
  settings,
  canLink,
  onChange,
  notOffered,
}: ParameterFieldsProps & { notOffered: readonly OwnParameter[] }) {
  const isRefused = notOffered.includes('logprobs');
  const missing = notOffered.filter((name) => settings[name] === undefined);
  return (
    <>
      {(!isRefused || settings.logprobs === true) && (
        <SettingRow paneId={paneId} name="logprobs" canLink={canLink} hasReset hasSpace>
          <Toggle
            label={SETTING_LABELS.logprobs}
            value={settings.logprobs === true}
            onChange={(logprobs) => onChange({ logprobs: logprobs || undefined })}
          />
        </SettingRow>
      )}
      <NotTaken isShown={isRefused && settings.logprobs === true} />
      {missing.length > 0 && (
        <p className="text-sm text-faint">
          {`Not offered: ${missing.map((name) => SETTING_LABELS[name]).join(', ')}. This model’s server does not say that it takes ${missing.length === 1 ? 'it' : 'them'}.`}
        </p>
      )}
    </>
  );
}

/** Panes share the system prompt of the composer. Here one pane can have its own. */
function OwnPromptField({ paneId, settings, canLink, onChange }: ParameterFieldsProps) {
  const isOwn = usePane(paneId, (pane) => 'systemPrompt' in pane.own) ?? false;
  if (!canLink) return null;
  return (
    <SettingRow paneId={paneId} name="systemPrompt" canLink hasReset={!isOwn}>
      {isOwn ? (
        <TextArea
          label="System prompt"
          rows={2}
          value={settings.systemPrompt ?? ''}
          onChange={(systemPrompt) => onChange({ systemPrompt })}
          placeholder="None for this pane"
          className="text-sm"
        />
      ) : (
        <p className="flex min-h-7 min-w-0 items-center gap-2">
          <span className="shrink-0 text-soft">System prompt</span>
          <span className="min-w-0 truncate text-sm text-faint" title={settings.systemPrompt}>
            {settings.systemPrompt?.trim() || 'none'}
          </span>
        </p>
      )}
    </SettingRow>
  );
}

/** The fields of an open parameter panel. Their code loads when a panel is first opened. */
export function ParameterFields(fields: ParameterFieldsProps) {
  const epoch = useFieldsEpoch(fields.paneId);
  const notOffered = useNotOffered(fields.paneId);
  return (
    <div className="[--label-width:7.9rem] @sm:[--label-width:10.5rem]">
      <OwnPromptField {...fields} />
      <Fragment key={epoch}>
        <SamplingFields {...fields} notOffered={notOffered} />
        <GenerationFields {...fields} />
        <OwnParameterFields {...fields} notOffered={notOffered} />
      </Fragment>
      <FormatFields {...fields} />
    </div>
  );
}
