import { SAMPLING_NAMES, SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { SliderField } from '#ui/fields/SliderField.tsx';
import { useRunsEpoch } from '#features/playground/web/desk/fieldsEpoch.ts';
import { SettingRow } from './SettingRow.tsx';
import type { Settings } from '#features/playground/web/desk/settings.ts';

interface SamplingFieldsProps {
  paneId: string;
  settings: Settings;
  canLink: boolean;
  onChange: (patch: Settings) => void;
}

export function SamplingFields({ paneId, settings, canLink, onChange }: SamplingFieldsProps) {
  const runs = useRunsEpoch();
  return (
    <>
      {SAMPLING_NAMES.map((name) => (
        <SettingRow key={name} paneId={paneId} name={name} canLink={canLink} hasReset>
          <SliderField
            key={runs}
            limit={SAMPLING_PARAMETERS[name]}
            value={settings[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        </SettingRow>
      ))}
      {settings.temperature !== undefined && settings.top_p !== undefined && (
        <p className="text-sm text-faint">
          Temperature and top P are both set. Both narrow sampling; change one of them.
        </p>
      )}
    </>
  );
}
