// Starts the training of candidates: the body of the create request, and a shell command that sends it.
import { toMerged, toRunNote } from '#features/experiments/shared/alreadyRun.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toComment, toShellWord } from '#features/experiments/shared/configText.ts';
import type { ExportInput } from './exportInput.ts';
import { toRequested } from '#core/contract/trainingSettings.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toTokenHeader } from '#features/experiments/shared/studioToken.ts';
import { toCandidateTitle } from '#features/experiments/shared/trainingWords.ts';

type JsonValue = string | number | boolean | null | readonly string[];

interface Payload {
  readonly snapshot_id: string | null;
  readonly name: string;
  readonly experiments: readonly Record<string, JsonValue>[];
}

/** SPEC 2.2 has `lora`; other types of a later revision have only `training_type`. null: neither is sent. */
function toTrainingFields(training_type: string | null): Record<string, JsonValue> {
  if (training_type === null) return {};
  if (training_type === 'full' || training_type === 'lora') return { lora: training_type === 'lora' };
  return { training_type };
}

const NUMBERS = ['batch_size', 'learning_rate_multiplier', 'n_epochs'] as const;

function toExperiment(candidate: Candidate): Record<string, JsonValue> {
  const given = NUMBERS.filter((name) => Number.isFinite(candidate[name] ?? Number.NaN)).map(
    (name) => [name, candidate[name]] as const,
  );
  return {
    base_model_id: candidate.base_model_id,
    ...Object.fromEntries(given),
    ...toTrainingFields(candidate.training_type),
    ...toRequested(candidate.chosen),
  };
}

/** The candidates by snapshot: a job trains on one. Duplicates are not merged yet. */
const toSnapshotGroups = ({ snapshot_id, candidates }: ExportInput): ReadonlyMap<string | null, readonly Candidate[]> =>
  toGroups(candidates, (candidate) => candidate.snapshot_id ?? snapshot_id);

/** Candidates with the same settings, such as a proposal and its run, start one training. */
const toPayload = (id: string | null, name: string, members: readonly Candidate[]): Payload => ({
  snapshot_id: id,
  name,
  experiments: toMerged(members).map(([first]) => toExperiment(first)),
});

const toPayloads = (input: ExportInput): readonly Payload[] =>
  [...toSnapshotGroups(input)].map(([id, members]) => toPayload(id, input.name, members));

/** Comments that name the experiments which were already run. The payload has no field for that. */
function toRunComments(members: readonly Candidate[]): readonly string[] {
  return toMerged(members).flatMap(([first, ...same], index) => {
    // The note of advice or of a proposal already names its runs.
    const noted = first.origin === 'run' ? [first, ...same.filter(({ origin }) => origin === 'run')] : [first];
    return noted.flatMap((candidate) => {
      const note = toRunNote(candidate, members);
      return note === null ? [] : [toComment(`experiments[${index}] (${toCandidateTitle(candidate)}): ${note}`)];
    });
  });
}

/**
 * ASSUMED: body of `POST /api/v1/public/finetuning/create`, from the origin's SDKs; SPEC has no write endpoint.
 * Candidates of several snapshots give a list of bodies.
 */
export function toCreatePayload(input: ExportInput): string {
  const payloads = toPayloads(input);
  return JSON.stringify(payloads.length === 1 ? payloads[0] : payloads, null, 2);
}

function findFieldGap(payloads: readonly Payload[]): string | null {
  const nameless = payloads.filter(({ snapshot_id }) => snapshot_id === null).map(() => 'snapshot_id');
  const fields = payloads.flatMap(({ experiments }) =>
    experiments.flatMap((experiment, index) => {
      const names: string[] = NUMBERS.filter((name) => !(name in experiment));
      if (!('lora' in experiment) && !('training_type' in experiment)) names.push('lora');
      return names.length > 0
        ? [`experiments[${index}] (${experiment['base_model_id'] ?? ''}): ${names.join(', ')}`]
        : [];
    }),
  );
  const gaps = [...nameless, ...fields];
  return gaps.length === 0
    ? null
    : `The service gave no value for ${gaps.join('; ')}. Fill it in before you send the payload.`;
}

export function findPayloadGap(input: ExportInput): string | null {
  const payloads = toPayloads(input);
  const { length } = payloads;
  const parts = [
    length > 1 ? `A list of ${length} payloads, one per snapshot: post each by itself.` : null,
    findFieldGap(payloads),
  ];
  return parts.filter((part) => part !== null).join(' ') || null;
}

/** The commands already post each payload separately. */
export const findCommandGap = (input: ExportInput): string | null => findFieldGap(toPayloads(input));

/** One command for each snapshot. No line of the JSON can be the end mark, because its texts have no line breaks. */
export function toCreateCommand(input: ExportInput): string {
  const url = `${input.baseUrl.replace(/\/+$/, '')}/api/v1/public/finetuning/create`;
  const commands = [...toSnapshotGroups(input)].map(([id, members]) => {
    const payload = toPayload(id, input.name, members);
    const { length } = payload.experiments;
    return [
      toComment(
        `${input.name}: ${length} ${length === 1 ? 'experiment' : 'experiments'} on snapshot ` +
          `${id ?? '(not given: put its id below)'}`,
      ),
      ...toRunComments(members),
      `curl --fail-with-body -X POST ${toShellWord(url)} \\`,
      `  ${toTokenHeader(input.isRemote)} \\`,
      "  -H 'Content-Type: application/json' \\",
      "  --data-binary @- <<'PAYLOAD'",
      JSON.stringify(payload, null, 2),
      'PAYLOAD',
      '',
    ].join('\n');
  });
  return commands.join('\n');
}
