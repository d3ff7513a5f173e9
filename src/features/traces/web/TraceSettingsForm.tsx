import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import type { TraceSettings } from '#features/traces/shared/traces.ts';
import { toErrorWords } from '#ui/client/failure.ts';
import { NumberField } from '#ui/fields/NumberField.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { saveSettings } from './traceQueries.ts';

interface TraceSettingsFormProps {
  projectId: string;
  value: TraceSettings;
  onClose: () => void;
}

/** What the project does with traces. */
export function TraceSettingsForm({ projectId, value, onClose }: TraceSettingsFormProps) {
  const client = useQueryClient();
  const [keepsChats, setKeepsChats] = useState(value.keeps_chats);
  const [days, setDays] = useState<number | undefined>(value.keep_days ?? undefined);
  const [corrector, setCorrector] = useState(value.corrector ?? '');
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    const name = corrector.trim();
    try {
      const next = { keeps_chats: keepsChats, keep_days: days ?? null, corrector: name === '' ? null : name };
      await saveSettings(client, projectId, next);
      onClose();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog title="Traces of this project" isOpen onClose={onClose}>
      <form
        className="flex max-w-lg flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div>
          <Toggle label="Keep chats as traces" value={keepsChats} onChange={setKeepsChats} />
          <p className="text-sm text-soft">
            Answers of models that were trained in this project are kept with the whole conversation, whoever asks; also
            those to requests that name the project in project_id.
          </p>
        </div>
        <div>
          <NumberField
            label="Delete traces after days"
            value={days}
            onChange={setDays}
            min={1}
            max={TRACE_LIMITS.days}
            isInteger
            placeholder="never"
          />
          <p className="text-sm text-soft">Also those that programs added. Rows of datasets stay.</p>
        </div>
        <div>
          <TextField
            label="Model that corrects weak answers"
            value={corrector}
            onChange={setCorrector}
            placeholder="the first of --engine or --model"
            spellCheck={false}
          />
          <p className="text-sm text-soft">
            Its id or alias in this studio. It writes a better answer from the feedback.
          </p>
        </div>
        {error !== null && <ErrorNotice title="Not saved" {...toErrorWords(error)} />}
        <div className="flex gap-2">
          <ChangeButton type="submit" variant="primary">
            Save
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
