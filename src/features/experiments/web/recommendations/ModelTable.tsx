import { MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ModelChoice, Candidate } from '#features/experiments/shared/candidates.ts';
import type { ExtraParameter } from '#features/experiments/shared/extraParameters.ts';
import { updateUrl } from '#ui/address/urlState.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { AlreadyRun } from './AlreadyRun.tsx';
import { HyperparameterCells } from './HyperparameterCells.tsx';
import { HyperparameterHeads } from './HyperparameterHeads.tsx';
import type { ListControl, TableRoom } from './listControl.ts';
import { StackedHead } from './StackedHead.tsx';
import { TableFrame } from './TableFrame.tsx';
import { RecommendedMark } from './RecommendedMark.tsx';
import { ExtraFields } from './ExtraFields.tsx';
import { ReasonRow } from './ReasonRow.tsx';

/** A candidate's extra fields, without the ones that belong to its base model as a whole. */
function toOwnExtras(candidate: Candidate | null, model: ModelChoice): readonly ExtraParameter[] {
  const shared = new Set(model.extras.map(({ name }) => name));
  return candidate?.extras.filter(({ name }) => !shared.has(name)) ?? [];
}

interface PlaygroundButtonProps {
  model: string;
}

/** Opens a model in the playground, through the address. */
function PlaygroundButton({ model }: PlaygroundButtonProps) {
  return (
    <IconButton
      label={`Open ${model} in the playground`}
      icon={<MessageSquareText aria-hidden size={13} />}
      onClick={() => updateUrl({ models: [model] })}
      className="-my-0.5 size-6"
    />
  );
}

interface ModelNameProps {
  model: ModelChoice;
  /** The service can run it now. */
  isServed: boolean;
}

/** A base model's id, with the star and a button to the playground. */
function ModelName({ model, isServed }: ModelNameProps) {
  return (
    <span className="flex min-w-28 flex-wrap items-center gap-x-2">
      <span className="line-clamp-4 max-w-36 min-w-0 @md:max-w-60" title={model.base_model_id}>
        {model.base_model_id}
      </span>
      {(model.recommended || isServed) && (
        <span className="inline-flex items-center gap-x-2">
          {model.recommended && <RecommendedMark base_model_id={model.base_model_id} />}
          {isServed && <PlaygroundButton model={model.base_model_id} />}
        </span>
      )}
    </span>
  );
}

interface ModelReasonProps {
  model: ModelChoice;
  columns: number;
}

/** Why a base model is (not) recommended, and the fields that SPEC does not have. */
function ModelReason({ model, columns }: ModelReasonProps) {
  return (
    <ReasonRow columns={columns} reason={model.reason_for_recommendation} subject={model.base_model_id}>
      <AlreadyRun label="full" candidate={model.full} />
      <AlreadyRun label="LoRA" candidate={model.lora} />
      <ExtraFields extras={model.extras} />
      <ExtraFields label="full" extras={toOwnExtras(model.full, model)} />
      <ExtraFields label="LoRA" extras={toOwnExtras(model.lora, model)} />
    </ReasonRow>
  );
}

interface ModelTableProps {
  models: readonly ModelChoice[];
  control: ListControl;
  /** With little room, full and LoRA are two lines beside the base model; with less, below it. */
  room: TableRoom;
}

const WIDE_HEAD = (
  <>
    <tr className="text-left">
      <th scope="col" rowSpan={2} className="w-full px-3 pb-1.5 align-bottom font-semibold">
        Base model
      </th>
      <th scope="colgroup" colSpan={4} className="border-l border-line px-2.5 pt-1.5 font-semibold">
        Full
      </th>
      <th scope="colgroup" colSpan={4} className="border-l border-line px-2.5 pt-1.5 font-semibold">
        LoRA
      </th>
    </tr>
    <tr>
      <HyperparameterHeads />
      <HyperparameterHeads />
    </tr>
  </>
);

const NARROW_HEAD = (
  <tr className="text-left">
    <th scope="col" className="w-full px-3 pt-1.5 pb-1.5 align-bottom font-semibold">
      Base model
    </th>
    <th scope="col" className="px-2.5 pt-1.5 pb-1.5 align-bottom font-semibold">
      Training
    </th>
    <HyperparameterHeads />
  </tr>
);

const HEADS: Readonly<Record<TableRoom, ReactNode>> = {
  wide: WIDE_HEAD,
  narrow: NARROW_HEAD,
  stacked: <StackedHead />,
};
const COLUMNS: Readonly<Record<TableRoom, number>> = { wide: 9, narrow: 6, stacked: 5 };

/** The lines of one base model. */
function toRows(model: ModelChoice, control: ListControl, room: TableRoom) {
  const name = <ModelName model={model} isServed={control.served.has(model.base_model_id)} />;
  const full = (
    <HyperparameterCells
      candidate={model.full}
      missing="no full training for this model"
      isFaded={control.isFaded(model.full)}
      compare={control}
    />
  );
  const lora = (
    <HyperparameterCells
      candidate={model.lora}
      missing="no LoRA for this model"
      isFaded={control.isFaded(model.lora)}
      compare={control}
    />
  );
  if (room === 'wide') {
    return (
      <tr className="h-8">
        <th scope="row" className="px-3 py-1 text-left font-medium">
          {name}
        </th>
        {full}
        {lora}
      </tr>
    );
  }
  const isStacked = room === 'stacked';
  const toLine = (word: string, cells: ReactNode, head?: ReactNode) => (
    <tr className="h-7">
      {head}
      <th scope="row" className={`${isStacked ? 'px-3' : 'px-2.5'} text-left font-normal`}>
        {word}
      </th>
      {cells}
    </tr>
  );
  const head = (
    <th
      scope="rowgroup"
      rowSpan={isStacked ? 1 : 2}
      colSpan={isStacked ? COLUMNS.stacked : 1}
      className="px-3 py-1.5 text-left align-top font-medium"
    >
      {name}
    </th>
  );
  return (
    <>
      {isStacked && <tr>{head}</tr>}
      {toLine('full', full, isStacked ? undefined : head)}
      {toLine('LoRA', lora)}
    </>
  );
}

/** Every base model, recommended first, with full and LoRA training side by side or one above the other. */
export function ModelTable({ models, control, room }: ModelTableProps) {
  return (
    <TableFrame caption="Base models, recommended first" head={HEADS[room]}>
      {models.map((model) => (
        <tbody key={model.key} className="border-t border-line">
          {toRows(model, control, room)}
          <ModelReason model={model} columns={COLUMNS[room]} />
        </tbody>
      ))}
    </TableFrame>
  );
}
