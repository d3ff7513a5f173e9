import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { LIBRARY_LIMITS } from '#features/playground/shared/libraryLimits.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import {
  choosePreset,
  deletePreset,
  readPresetSource,
  renamePreset,
  savePreset,
  BUILT_IN,
  findNameProblem,
  usePresets,
  type Preset,
  watchPresets,
} from './presets.ts';
import { PresetRow } from './PresetRow.tsx';
import { toBy } from '#features/playground/web/library/library.ts';
import {
  deleteShared,
  refreshPresets,
  renameShared,
  useSharedPresets,
} from '#features/playground/web/library/sharedPresets.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { toSettingSummary } from '#features/playground/web/desk/settingLabels.ts';

interface PresetsViewProps {
  paneId: string | null;
}

const ALL = 'all';
const IN_STUDIO = 'The studio keeps presets: all who use it see them.';
const IN_BROWSER = 'Presets are kept in this browser until you delete them.';

/** Saves, applies, renames and deletes presets. */
export function PresetsView({ paneId }: PresetsViewProps) {
  const { presets, problem } = usePresets();
  const panes = useDesk(({ desk }) => desk.panes);
  const [place, setPlace] = useState(paneId ?? ALL);
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const [hasPrompt, setPrompt] = useState(true);
  const [hasTools, setTools] = useState(true);
  const shared = useSharedPresets();
  const readOnlyReason = useReadOnlyReason();
  useEffect(() => {
    const stop = watchPresets();
    void refreshPresets();
    return stop;
  }, []);
  const own = presets.filter(({ id }) => shared.presets.every((other) => other.id !== id));
  const all: readonly Preset[] = [...shared.presets, ...own];
  const isLeft = shared.hasLibrary === true && own.length > 0;

  const target = panes.some(({ id }) => id === place) ? place : null;
  const toCommon = (preset: Preset) => ({
    preset,
    onApply: () => choosePreset(preset, target),
    findProblem: (text: string) =>
      findNameProblem(
        text,
        all.filter(({ id }) => id !== preset.id),
      ),
  });
  const source = useDesk(({ desk }) => readPresetSource(desk, target));
  const nameProblem = findNameProblem(name, all);
  const save = () => {
    setTried(true);
    if (nameProblem !== null) return;
    savePreset(name, target, { hasPrompt, hasTools });
    void refreshPresets();
    setName('');
    setTried(false);
  };
  const places = [
    { value: ALL, label: 'all linked panes' },
    ...panes.map(({ id, model }, index) => ({
      value: id,
      label: `pane ${index + 1}${model === '' ? '' : `, ${model}`}`,
    })),
  ];
  return (
    <div className="flex flex-col gap-4">
      <Select label="For" value={target ?? ALL} options={places} onChange={setPlace} />
      <p className="text-sm text-soft">{shared.hasLibrary === true ? IN_STUDIO : IN_BROWSER}</p>
      {[problem, shared.problem].map(
        (words) =>
          words !== null && (
            <p
              key={words}
              role="alert"
              className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-1.5 text-sm text-warning"
            >
              <TriangleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
              {words === shared.problem && isLeft ? `Some presets are only in this browser. ${words}` : words}
            </p>
          ),
      )}
      <ul aria-label="Presets" className="-mx-2 flex flex-col">
        {BUILT_IN.map((preset) => (
          <PresetRow key={preset.id} preset={preset} onApply={() => choosePreset(preset, target)} />
        ))}
        {shared.presets.map((preset) => (
          <PresetRow
            key={preset.id}
            {...toCommon(preset)}
            note={toBy(preset.item.updated_by)}
            disabledReason={readOnlyReason}
            onRename={(text) => void renameShared(preset, text)}
            onDelete={() => void deleteShared(preset)}
          />
        ))}
        {own.map((preset) => (
          <PresetRow
            key={preset.id}
            {...toCommon(preset)}
            {...(isLeft && { note: 'this browser only' })}
            onRename={(text) => renamePreset(preset.id, text)}
            onDelete={() => deletePreset(preset)}
          />
        ))}
      </ul>
      <form
        className="flex flex-col gap-2 border-t border-line pt-3"
        onSubmit={(event) => (event.preventDefault(), save())}
      >
        <h3 className="font-semibold">
          Save the settings of{' '}
          {target === null ? 'all linked panes' : `pane ${panes.findIndex(({ id }) => id === target) + 1}`}
        </h3>
        <p className="text-sm text-soft">{toSettingSummary(source)}</p>
        <span className="flex flex-wrap gap-x-5 gap-y-1">
          <Toggle label="System prompt" value={hasPrompt} onChange={setPrompt} />
          <Toggle label="Tools and format" value={hasTools} onChange={setTools} />
        </span>
        <div className="flex items-end gap-2">
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            maxLength={LIBRARY_LIMITS.name}
            problem={isTried ? nameProblem : null}
            className="flex-1"
          />
          <Button type="submit" variant="primary">
            Save preset
          </Button>
        </div>
      </form>
    </div>
  );
}
