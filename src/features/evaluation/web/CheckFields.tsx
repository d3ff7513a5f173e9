import { Trash2 } from 'lucide-react';
import { Suspense, useId, useEffect, useEffectEvent, useState } from 'react';
import { CHECK_NAMES, CHECK_SOURCES, findCheckProblem, isBlankCheck } from '#features/evaluation/shared/checkSet.ts';
import { CHECK_KINDS, type CheckKind, type CheckSpec } from '#features/evaluation/shared/checks.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { Select } from '#ui/fields/Select.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { CheckSettings } from './CheckSettings.tsx';

const PAUSE_MS = 400;

/** The typed text, a setter, and a function that commits at once. The text commits by itself when typing pauses. */
function usePausedText(
  value: string,
  onCommit: (text: string) => void,
): readonly [text: string, change: (text: string) => void, commit: () => void] {
  const [text, setText] = useState(value);
  const commit = (typed: string): void => {
    if (typed !== value) onCommit(typed);
  };
  const commitTyped = useEffectEvent(commit);
  // Only a new text restarts the pause, because a running grid renders its fields several times a second.
  useEffect(() => {
    const timer = setTimeout(() => commitTyped(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText, () => commit(text)];
}

/** What people should know of a kind that its name does not say. */
const EXPLANATIONS: Partial<Readonly<Record<CheckKind, string>>> = {
  number:
    'This check compares the last number of the answer. The expected answer must be one number. A unit, a currency or % is allowed.',
  'json-fields':
    'Each field is judged by itself. Name the fields that count, such as “name, address.city”, or leave it empty for all.',
  'tool-arguments': 'Each argument is judged by itself, and which tools are called.',
  language: 'A language has two letters, such as en or de. Answers of a few words say no language.',
  function:
    'JavaScript: (answer, expected, row) => true, false, a score from 0 to 1, or {pass, score, reason}. It runs in the service, with a second ' +
    'for each answer and access to nothing else. Only the studio’s own token may use it.',
};

interface CheckFieldsProps {
  value: CheckSpec;
  onChange: (value: CheckSpec) => void;
  onRemove: () => void;
  place: number;
}

const JsonEditor = toLazyPart('The editor', async () => (await import('#ui/fields/JsonEditor.tsx')).JsonEditor);

const KINDS = CHECK_KINDS.map((kind) => ({
  value: kind,
  label: CHECK_NAMES[kind],
}));
const TEXT_LABELS: Partial<Readonly<Record<CheckKind, string>>> = { regex: 'Pattern', language: 'Language' };
const SOURCES = [
  { value: 'row', label: "the row's expected answer" },
  { value: 'own', label: 'this text' },
];
const isKind = (value: string): value is CheckKind => CHECK_KINDS.some((kind) => kind === value);

/**
 * One check: what it compares, with what, and how strictly. A text commits when typing pauses, on Enter, and on blur.
 */
export function CheckFields({ value, onChange, onRemove, place }: CheckFieldsProps) {
  const id = useId();
  const { kind, expected, isCaseSensitive, tolerance, isStrict } = value;
  const [draft, setDraft, commit] = usePausedText(
    expected ?? '',
    (text) => expected !== null && onChange({ ...value, expected: text }),
  );
  const problem = findCheckProblem(value);
  const explanation = EXPLANATIONS[kind];
  const hasField = kind !== 'json-schema' && kind !== 'function' && expected !== null;
  const isBlank = isBlankCheck(value);
  const setKind = (next: string) => {
    if (!isKind(next)) return;
    // The limits of another kind mean something else.
    onChange({
      kind: next,
      expected: CHECK_SOURCES[next] === 'own' ? draft : null,
      isCaseSensitive,
      tolerance,
      ...(isStrict === true && { isStrict }),
    });
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-lg border border-line px-3 py-2">
      <legend className="sr-only">Check {place}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Select label="Answer" value={kind} options={KINDS} onChange={setKind} />
        {CHECK_SOURCES[kind] === 'row' && (
          <Select
            label="Compared with"
            isLabelHidden
            value={expected === null ? 'row' : 'own'}
            options={SOURCES}
            onChange={(source) => onChange({ ...value, expected: source === 'row' ? null : draft })}
          />
        )}
        <CheckSettings value={value} onChange={onChange} />
        <span className="ml-auto">
          <IconButton label={`Remove check ${place}`} icon={<Trash2 aria-hidden size={14} />} onClick={onRemove} />
        </span>
      </div>
      {explanation !== undefined && <p className="text-sm text-soft">{explanation}</p>}
      {kind === 'function' && (
        <TextArea
          label={`Function of check ${place}`}
          isLabelHidden
          value={draft}
          onChange={setDraft}
          onBlur={commit}
          rows={3}
          spellCheck={false}
          className="font-mono"
          placeholder={'(answer, expected, row) => answer.includes(row.name)'}
        />
      )}
      {kind === 'json-schema' && (
        <div onBlur={commit}>
          <Suspense fallback={<Skeleton rows={3} />}>
            <JsonEditor
              label={`JSON schema of check ${place}`}
              value={draft}
              onChange={setDraft}
              placeholder={'{"type": "object"}'}
            />
          </Suspense>
        </div>
      )}
      {hasField && (
        <TextField
          id={id}
          label={TEXT_LABELS[kind] ?? 'Text'}
          value={draft}
          onChange={setDraft}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
          problem={isBlank ? null : problem}
          spellCheck={false}
        />
      )}
      {problem !== null && (isBlank || !hasField) && (
        <p className={`text-sm ${isBlank ? 'text-warning' : 'text-error'}`}>{problem}</p>
      )}
    </fieldset>
  );
}
