import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { NewEvaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { suggestChecks } from '#features/evaluation/shared/suggestChecks.ts';
import { toHeldOutRows } from '#features/evaluation/shared/heldOutRows.ts';
import { findHeldOutSources, type HeldOutSource } from '#features/evaluation/web/grid/heldOut.ts';
import { toImportedRows } from '#features/evaluation/web/grid/importedRows.ts';
import { RowSourceField } from '#features/evaluation/web/RowSourceField.tsx';
import { useRowSource } from '#features/evaluation/web/useRowSource.ts';
import { Select } from '#ui/fields/Select.tsx';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { rowsQuery } from '#ui/client/queries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { DialogFoot } from '#ui/kit/DialogFoot.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCounted } from '#ui/kit/format.ts';
import { DraftFields } from './DraftFields.tsx';
import { findDraftProblem, NEW_DRAFT, toEvaluationRows, toFields, type EvaluationDraft } from './evaluationDraft.ts';
import { createEvaluation, useRecordActions } from './recordActions.ts';

const OWN_ROWS = 'own';
const NOTHING: ReadonlySet<keyof EvaluationDraft> = new Set();
/** Enough to see what kind of answers are expected. */
const SAMPLE = { lines: 200, length: 4 * 1024 * 1024 } as const;
const NO_ROWS: readonly PromptRow[] = [];

const toOption = ({ snapshotId: value, label, rows }: HeldOutSource) =>
  rows === null
    ? { value, label: `Held-out rows of ${label}` }
    : { value, label: `Held-out rows of ${label}`, hint: formatCounted(rows, 'row') };

interface NewEvaluationFormProps {
  project: TreeNode;
  onClose: () => void;
}

/** Rows of a snapshot or of a file, what is asked, and how answers are judged. */
export function NewEvaluationForm({ project, onClose }: NewEvaluationFormProps) {
  const id = useId();
  const client = useQueryClient();
  const { node, models: panes } = useUrlState();
  const models = useMemo(() => [...new Set(panes.filter((model) => model !== ''))], [panes]);
  const sources = useMemo(() => findHeldOutSources(project, { node, models }), [project, node, models]);
  const [chosen, setChosen] = useState(sources[0]?.snapshotId ?? OWN_ROWS);
  const [draft, setDraft] = useState<EvaluationDraft>({ ...NEW_DRAFT, models });
  /** What a person has set: what fits is not filled in there any more. */
  const [touched, setTouched] = useState<ReadonlySet<keyof EvaluationDraft>>(NOTHING);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const { start } = useRecordActions();
  const source = useRowSource(null);
  const isOwn = chosen === OWN_ROWS;
  const { data: sample } = useQuery({ ...rowsQuery(chosen, 'validation', SAMPLE), enabled: !isOwn });
  const imported = useMemo(
    () => toImportedRows(source.read.rows, {}, draft.prompt, draft.prompt),
    [source.read.rows, draft.prompt],
  );
  const rows = useMemo(
    () => (isOwn ? imported.rows : sample ? toHeldOutRows(sample.lines).rows : NO_ROWS),
    [isOwn, imported, sample],
  );
  const suggestion = useMemo(() => (rows.length === 0 ? null : suggestChecks(rows)), [rows]);
  const hasPrompt = isOwn && rows.some(({ messages }) => messages === null);
  const place = sources.find(({ snapshotId }) => snapshotId === chosen);
  // What fits is filled in until a person changes it.
  const name = !touched.has('name') ? (place?.label ?? source.file?.name ?? '') : draft.name;
  const checks = !touched.has('checks') && suggestion?.check ? [suggestion.check] : draft.checks;
  const shown = {
    ...draft,
    name,
    checks,
    prompt: hasPrompt && !touched.has('prompt') ? imported.fitting : draft.prompt,
  };
  const problem =
    findDraftProblem(shown) ?? (isOwn && rows.length === 0 ? 'Choose a file with rows, or paste some.' : null);
  const change = (next: EvaluationDraft) => {
    const names = (['name', 'checks', 'prompt'] as const).filter((each) => next[each] !== shown[each]);
    if (names.length > 0) setTouched(new Set([...touched, ...names]));
    setDraft(next);
  };
  const create = async (): Promise<void> => {
    const own = isOwn ? toEvaluationRows(rows, shown.prompt) : null;
    if (own && own.problem !== null) return setFailure(own.problem);
    const body: NewEvaluation = {
      project_id: project.id,
      ...toFields(shown),
      name: name.trim(),
      source: isOwn
        ? { kind: 'rows', ...(source.file && { name: source.file.name }) }
        : { kind: 'snapshot', snapshot_id: chosen },
      ...(own && { rows: own.rows }),
    };
    setSending(true);
    try {
      const made = await createEvaluation(body);
      if (made.models.length > 0) start(made);
      await client.invalidateQueries({ queryKey: ['evaluations'] });
      onClose();
      updateUrl({ evaluation: made.id, run: null, answers: null });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
    }
    return undefined;
  };
  return (
    <form
      id={id}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <Select
        label="Rows"
        value={chosen}
        options={[...sources.map(toOption), { value: OWN_ROWS, label: 'A file or pasted rows' }]}
        onChange={setChosen}
      />
      {isOwn && <RowSourceField source={source} examples={null} />}
      {isOwn && source.read.problems[0] && !source.isBlank && (
        <p className="text-sm text-warning">
          {source.read.problems[0].line > 0 && `Line ${source.read.problems[0].line}: `}
          {source.read.problems[0].message}
        </p>
      )}
      <DraftFields draft={shown} suggestion={suggestion} hasPrompt={hasPrompt} onChange={change} />
      {failure !== null && <ErrorNotice title="It was not made" detail={failure} />}
      <DialogFoot>
        <span className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <ChangeButton
            form={id}
            type="submit"
            variant="primary"
            disabledReason={problem ?? (isSending ? 'It is being made.' : null)}
          >
            {shown.models.length > 0 ? 'Make and run' : 'Make'}
          </ChangeButton>
        </span>
      </DialogFoot>
    </form>
  );
}
