// The settings that all columns of a grid share, as an evaluation freezes them. Pure.
import type { EvaluationSettings } from '#features/evaluation/shared/contract/evaluations.ts';
import type { GridColumn } from '#features/evaluation/web/grid/gridBook.ts';

interface Frozen {
  readonly settings: EvaluationSettings;
  readonly system: string | null;
  /** Why they can't be frozen; null: they can. */
  readonly problem: string | null;
}

/** An evaluation asks all models alike. */
export function toFrozenSettings(columns: readonly Pick<GridColumn, 'request'>[]): Frozen {
  const texts = new Set<string>();
  let last: Pick<Frozen, 'settings' | 'system'> = { settings: {}, system: null };
  for (const { request } of columns) {
    const { model: _model, messages, stream: _stream, stream_options: _options, ...settings } = request;
    const system = messages.find(({ role }) => role === 'system' || role === 'developer')?.content ?? null;
    last = { settings: settings as EvaluationSettings, system };
    texts.add(JSON.stringify(last));
  }
  const problem =
    texts.size > 1
      ? 'The columns send other settings, and an evaluation asks all models alike. Give the panes the same ones.'
      : null;
  return { ...last, problem };
}
