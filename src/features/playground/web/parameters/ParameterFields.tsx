import { Fragment } from 'react';
import { useFieldsEpoch } from '#features/playground/web/desk/fieldsEpoch.ts';
import type { Settings } from '#features/playground/web/desk/settings.ts';
import { FormatFields } from './FormatFields.tsx';
import { GenerationFields } from './GenerationFields.tsx';
import { OwnPromptField } from './OwnPromptField.tsx';
import { SamplingFields } from './SamplingFields.tsx';

interface ParameterFieldsProps {
  paneId: string;
  settings: Settings;
  /** There are other panes to link with. */
  canLink: boolean;
  onChange: (patch: Settings) => void;
}

/** The fields of an open parameter panel. Their code loads when a panel is first opened. */
export function ParameterFields(fields: ParameterFieldsProps) {
  const epoch = useFieldsEpoch(fields.paneId);
  return (
    <div className="[--label-width:7.9rem] @sm:[--label-width:10.5rem]">
      <OwnPromptField {...fields} />
      <Fragment key={epoch}>
        <SamplingFields {...fields} />
        <GenerationFields {...fields} />
      </Fragment>
      <FormatFields {...fields} />
    </div>
  );
}
