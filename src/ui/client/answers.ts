// Parses the small answers that are not in SPEC: models, examples. Tolerant: leaves out what can't be shown.
import type { ModelEntry } from '#core/contract/completion.ts';
import { arrayOr, isObject, numberOr, textOr, type Read } from '#core/contract/readJson.ts';
import { readSupported } from '#core/contract/samplingParameters.ts';
import type { AnswerFormat, Examples } from '#core/contract/sessionInfo.ts';

/** OpenAI's list form. Leaves out entries without an id, and duplicates. */
export function readModels(body: unknown): Read<readonly ModelEntry[]> {
  if (!isObject(body) || !Array.isArray(body['data'])) return { ok: false, reason: 'it has no "data" list of models' };
  const models = new Map<string, ModelEntry>();
  for (const entry of body['data'] as readonly unknown[]) {
    if (!isObject(entry) || typeof entry['id'] !== 'string' || entry['id'] === '' || models.has(entry['id'])) continue;
    const { id, created, owned_by } = entry;
    models.set(id, {
      id,
      created: numberOr(created, 0),
      object: 'model',
      owned_by: textOr(owned_by, ''),
      ...readSupported(entry),
    });
  }
  return { ok: true, value: [...models.values()] };
}

function readFormat(value: unknown): AnswerFormat | null {
  const format = isObject(value) && value['type'] === 'json_schema' ? value['json_schema'] : null;
  if (!isObject(format) || !isObject(format['schema'])) return null;
  const { name, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name: textOr(name, 'answer'), schema, strict: strict !== false } };
}

/** null: the model has no examples. */
export function readExamples(body: unknown): Read<Examples | null> {
  if (body === null) return { ok: true, value: null };
  if (!isObject(body)) return { ok: false, reason: 'it has no examples' };
  const { turns, continues_after_tool } = body;
  return {
    ok: true,
    value: {
      model: textOr(body['model'], ''),
      about: textOr(body['about'], ''),
      system_prompt: textOr(body['system_prompt'], ''),
      tools: arrayOr(body['tools']).filter(isObject),
      response_format: readFormat(body['response_format']),
      turns: turns === 'single' || turns === 'multi' ? turns : null,
      continues_after_tool: typeof continues_after_tool === 'boolean' ? continues_after_tool : null,
      prompts: arrayOr(body['prompts']).filter((prompt) => typeof prompt === 'string'),
    },
  };
}
