import { Suspense } from 'react';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Select } from '#ui/fields/Select.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { parseTools } from '#features/playground/web/desk/requestSettings.ts';
import { SettingRow } from './SettingRow.tsx';
import { EMPTY_SCHEMA, TOOL_PREFIX, type FormatType, type Settings } from '#features/playground/web/desk/settings.ts';
import { ToolsField } from '#features/playground/web/schemas/ToolsField.tsx';

const SchemaField = toLazyPart(
  'The schema',
  async () => (await import('#features/playground/web/schemas/SchemaField.tsx')).SchemaField,
);

interface FormatFieldsProps {
  paneId: string;
  settings: Settings;
  canLink: boolean;
  onChange: (patch: Settings) => void;
}

const FORMATS: readonly { value: FormatType | ''; label: string }[] = [
  { value: '', label: 'text (default)' },
  { value: 'text', label: 'text' },
  { value: 'json_object', label: 'JSON object' },
  { value: 'json_schema', label: 'JSON schema' },
];

const CHOICES = [
  { value: '', label: 'auto (default)' },
  { value: 'auto', label: 'auto' },
  { value: 'none', label: 'none' },
  { value: 'required', label: 'required' },
] as const;

/** What the answer must look like, and the tools that the model may call. */
export function FormatFields({ paneId, settings, canLink, onChange }: FormatFieldsProps) {
  const row = { paneId, canLink };
  const schema = settings.schema ?? EMPTY_SCHEMA;
  const isSent = settings.response_format === 'json_schema';
  const isChecked = schema.check === true;
  const tools = parseTools(settings.tools);
  const named = tools.ok
    ? tools.value.map(({ function: { name } }) => ({ value: `${TOOL_PREFIX}${name}`, label: name }))
    : [];
  const choice = settings.tool_choice ?? '';
  const isMissing = choice.startsWith(TOOL_PREFIX) && !named.some(({ value }) => value === choice);
  const missing = isMissing
    ? [{ value: choice, label: `${choice.slice(TOOL_PREFIX.length)} (not among the tools)` }]
    : [];
  return (
    <div className="mt-1 flex flex-col gap-1">
      <SettingRow {...row} name="response_format" hasReset hasSpace>
        <Select
          label="Response format"
          isWide
          value={settings.response_format ?? ''}
          options={FORMATS}
          onChange={(value) =>
            onChange({ response_format: FORMATS.find((format) => format.value === value)?.value || undefined })
          }
        />
      </SettingRow>
      {!isSent && (
        <Toggle
          label="Check answers against a schema"
          value={isChecked}
          onChange={(check) => onChange({ schema: check || schema.text !== '' ? { ...schema, check } : undefined })}
        />
      )}
      {(isSent || isChecked) && (
        <SettingRow {...row} name="schema" hasReset hasSpace>
          <Suspense fallback={<Skeleton rows={2} />}>
            <SchemaField value={schema} onChange={(next) => onChange({ schema: next })} isSent={isSent} />
          </Suspense>
        </SettingRow>
      )}
      <SettingRow {...row} name="tools">
        <ToolsField value={settings.tools ?? ''} onChange={(text) => onChange({ tools: text })} />
      </SettingRow>
      {(settings.tools ?? '').trim() !== '' && (
        <SettingRow {...row} name="tool_choice" hasReset hasSpace>
          <Select
            label="Tool choice"
            isWide
            value={choice}
            options={[...CHOICES, ...named, ...missing]}
            onChange={(value) => onChange({ tool_choice: value === '' ? undefined : value })}
          />
        </SettingRow>
      )}
    </div>
  );
}
