// What a person asks a teacher for: checked, and as the form that is sent.
import { formatBytes } from '#core/contract/numberNotation.ts';
import { SYNTHETIC_LIMITS } from '#features/datasets/shared/syntheticLimits.ts';
import { checkAnswer } from '#ui/client/call.ts';
import { toHttpFailure } from '#ui/client/failure.ts';
import { SAME_ORIGIN } from '#ui/client/request.ts';
import { sendForm, type SendOptions } from '#features/datasets/web/api/sendForm.ts';

export interface SyntheticOrder {
  readonly name: string;
  readonly files: readonly File[];
  /** As typed: one a line. */
  readonly rules: string;
  /** Empty: the service chooses. */
  readonly model: string;
  readonly pairs: number | undefined;
  readonly temperature: number | undefined;
}

/** Each line that says something. */
const toRules = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*[-*]\s+/, '').trim())
    .filter((line) => line !== '');

/** What keeps an order from being sent; null: nothing. */
export function findOrderProblem({ name, files, rules, pairs, temperature }: SyntheticOrder): string | null {
  const lines = toRules(rules);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (name.trim() === '') return 'Type a name for the dataset.';
  if (files.length > SYNTHETIC_LIMITS.files) return `At most ${SYNTHETIC_LIMITS.files} files. Join some.`;
  if (bytes > SYNTHETIC_LIMITS.bytes - 1_000_000)
    return `The files have ${formatBytes(bytes)}, and at most ${formatBytes(SYNTHETIC_LIMITS.bytes - 1_000_000)} fit. Leave some out.`;
  if (lines.length > SYNTHETIC_LIMITS.entries) return `At most ${SYNTHETIC_LIMITS.entries} rules. Join some.`;
  if (lines.some(({ length }) => length > SYNTHETIC_LIMITS.text))
    return `A rule has at most ${SYNTHETIC_LIMITS.text} characters. Shorten it.`;
  if (files.length === 0 && lines.length === 0)
    return 'Choose a file, or write a rule that says what the rows are about.';
  if (pairs === undefined) return 'Say how many rows.';
  return temperature === undefined ? 'Say a temperature from 0 to 1.' : null;
}

export function toSyntheticForm(order: SyntheticOrder, projectId: string): FormData {
  const form = new FormData();
  form.append('project_id', projectId);
  form.append('name', order.name.trim());
  form.append('pairs_to_generate', String(order.pairs));
  form.append('temperature', String(order.temperature));
  for (const rule of toRules(order.rules)) form.append('rules[]', rule);
  if (order.model !== '') form.append('model', order.model);
  for (const file of order.files) form.append('files[]', file, file.name);
  return form;
}

export interface MadeProject {
  readonly name: string;
  readonly id: string;
}

/** A new project of this name, or the one that an earlier try made: a second try must not make a second one. */
export const takeProject = async (
  name: string,
  made: MadeProject | null,
  create: (name: string) => Promise<string>,
): Promise<MadeProject> => (made?.name === name ? made : { name, id: await create(name) });

/** Begins the job, and gives the id of its dataset. Throws ApiFailure. */
export async function startSynthetic(
  order: SyntheticOrder,
  projectId: string,
  options: Pick<SendOptions, 'signal' | 'connection'>,
): Promise<string> {
  const { connection = SAME_ORIGIN } = options;
  const form = toSyntheticForm(order, projectId);
  const answer = await sendForm('/api/v1/public/datasets/create-synthetic', form, {
    ...options,
    onProgress: () => undefined,
  });
  if (answer.status >= 400) throw toHttpFailure(answer.status, answer.headers, answer.text, connection.now());
  return (checkAnswer(answer, 'dataset_id') as { readonly dataset_id: string }).dataset_id;
}
