// Parses settings from stored or foreign data, which it doesn't trust. Pure.
import { readParameters } from '#ui/client/chatParameters.ts';
import { isObject, ownField, textOr, type JsonObject } from '#core/contract/reading.ts';
import {
  patchSettings,
  SETTING_NAMES,
  type FormatType,
  type OwnSettings,
  type SchemaSetting,
  type SettingName,
  type Settings,
} from '#features/playground/web/desk/settings.ts';

const FORMATS: readonly string[] = ['text', 'json_object', 'json_schema'] satisfies readonly FormatType[];

function readSchema(value: unknown): SchemaSetting | undefined {
  if (!isObject(value) || typeof value['text'] !== 'string') return undefined;
  return {
    name: textOr(value['name'], ''),
    text: value['text'],
    strict: value['strict'] !== false,
    ...(value['check'] === true ? { check: true } : {}),
  };
}

/** Reads settings; invalid values count as unset. */
export function readSettings(value: unknown): Settings {
  if (!isObject(value)) return {};
  const text = (name: SettingName): string | undefined => textOr(ownField(value, name), undefined);
  const format = text('response_format');
  return patchSettings(readParameters(value), {
    systemPrompt: text('systemPrompt'),
    tools: text('tools'),
    tool_choice: text('tool_choice'),
    response_format: format !== undefined && FORMATS.includes(format) ? (format as FormatType) : undefined,
    schema: readSchema(ownField(value, 'schema')),
  });
}

/** Reads a pane's own settings; a setting with an invalid value is linked again. */
export function readOwnSettings(value: unknown): OwnSettings {
  if (!isObject(value)) return {};
  const source: JsonObject = value;
  const read = readSettings(source);
  const isNull = (name: SettingName): boolean => ownField(source, name) === null;
  const values = SETTING_NAMES.map((name) => [name, isNull(name) ? null : read[name]] as const);
  return Object.fromEntries(values.filter(([, entry]) => entry !== undefined));
}
