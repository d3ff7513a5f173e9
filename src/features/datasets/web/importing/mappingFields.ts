// A mapping as fields of a form, and back. Pure.
import type { Column } from '#features/datasets/shared/recogniseForm.ts';
import type { RowRole } from '#core/rows/chatRow.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';

export type MappingName =
  | 'kind'
  | 'question'
  | 'context'
  | 'answer'
  | 'messages'
  | 'role'
  | 'content'
  | 'system'
  | 'tools';

interface MappingField {
  readonly name: MappingName;
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly hint?: string }[];
}

const NONE = { value: '', label: 'none' };
const NOT_CHOSEN = { value: '', label: 'choose a field' };
const KINDS = [
  { value: 'pair', label: 'a question and an answer' },
  { value: 'list', label: 'a list of messages' },
];
/** Usual names of the fields of a message, beside those of the mapping. */
const SPEAKERS = ['role', 'from', 'speaker', 'author', 'type'];
const TEXTS = ['content', 'value', 'text', 'message', 'body'];

const withChosen = (names: readonly string[], chosen: string) =>
  [...new Set([...(chosen === '' ? [] : [chosen]), ...names])].map((value) => ({ value, label: value }));

/** What can be chosen, and what is. `mapping` null: nothing yet. */
export function toMappingFields(mapping: RowMapping | null, columns: readonly Column[]): readonly MappingField[] {
  const kind = mapping?.kind ?? 'pair';
  const toOption = ({ name, example }: Column) => ({
    value: name,
    label: name,
    ...(example !== '' && { hint: example.replace(/\s+/g, ' ').slice(0, 40) }),
  });
  const all = columns.map(toOption);
  const lists = columns.filter((column) => column.kind === 'list').map(toOption);
  const extras: readonly MappingField[] = [
    { name: 'system', label: 'System prompt', chosen: mapping?.system ?? '', options: [NONE, ...all] },
    { name: 'tools', label: 'Tools', chosen: mapping?.tools ?? '', options: [NONE, ...all] },
  ];
  const first: MappingField = { name: 'kind', label: 'A row is', chosen: kind, options: KINDS };
  if (mapping?.kind === 'list')
    return [
      first,
      { name: 'messages', label: 'Messages', chosen: mapping.messages, options: [NOT_CHOSEN, ...lists] },
      { name: 'role', label: 'Role', chosen: mapping.role, options: withChosen(SPEAKERS, mapping.role) },
      { name: 'content', label: 'Content', chosen: mapping.content, options: withChosen(TEXTS, mapping.content) },
      ...extras,
    ];
  const [question = '', context = ''] = mapping?.question ?? [];
  return [
    first,
    { name: 'question', label: 'Question', chosen: question, options: [NOT_CHOSEN, ...all] },
    { name: 'context', label: 'More of it', chosen: context, options: [NONE, ...all] },
    { name: 'answer', label: 'Answer', chosen: mapping?.answer ?? '', options: [NOT_CHOSEN, ...all] },
    ...extras,
  ];
}

const EMPTY = { kind: 'pair', question: [], answer: '' } as const satisfies RowMapping;

/** The mapping after one field was chosen. An empty text: nothing. */
export function changeMapping(mapping: RowMapping | null, name: MappingName, value: string): RowMapping {
  const now: RowMapping = mapping ?? EMPTY;
  if (name === 'kind') {
    if (value === now.kind) return now;
    return value === 'list' ? { kind: 'list', messages: '', role: 'role', content: 'content' } : EMPTY;
  }
  if (name === 'system' || name === 'tools') {
    const { [name]: _, ...rest } = now;
    return value === '' ? rest : { ...rest, [name]: value };
  }
  if (now.kind === 'list') return { ...now, [name]: value };
  const [question = '', context = ''] = now.question;
  if (name === 'question') return { ...now, question: [value, context].filter((column) => column !== '') };
  if (name === 'context') return { ...now, question: [question, value].filter((column) => column !== '') };
  return { ...now, [name]: value };
}

/** Why rows can't be read by it yet; null: they can. */
export function findMappingLack(mapping: RowMapping | null): string | null {
  if (mapping === null) return 'Choose the field of the question and the field of the answer.';
  if (mapping.kind === 'list') return mapping.messages === '' ? 'Choose the field with the messages.' : null;
  if (mapping.question.length === 0) return 'Choose the field with the question.';
  return mapping.answer === '' ? 'Choose the field with the answer.' : null;
}

/** What a name of a role may mean. */
export const ROLE_OPTIONS = (['user', 'assistant', 'system', 'tool'] as const).map((value) => ({
  value,
  label: value,
}));

/** What names of roles mean; undefined: nothing was said of it. */
export const roleOf = (mapping: RowMapping | null, name: string): RowRole | undefined =>
  mapping?.kind === 'list' && mapping.roles && Object.hasOwn(mapping.roles, name) ? mapping.roles[name] : undefined;

/** The mapping after a name of a role was given a meaning. */
export function changeRole(mapping: RowMapping | null, name: string, value: string): RowMapping | null {
  const role = ROLE_OPTIONS.find((option) => option.value === value)?.value;
  return mapping?.kind !== 'list' || role === undefined
    ? mapping
    : { ...mapping, roles: { ...mapping.roles, [name]: role } };
}

export const ROLES_HINT =
  'The names of these roles are not known. Check what each of them means. What the first rows become is shown below, and changes at once.';

/** What to do with the fields. The first rows are below only once they can be read. */
export const toMappingHint = (mapping: RowMapping | null): string =>
  findMappingLack(mapping) === null
    ? 'This format is not known. Check its fields. What the first rows become is shown below, and changes at once.'
    : 'This format is not known. Choose its fields. Then what the first rows become is shown below.';
