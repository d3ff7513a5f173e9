import { describe, expect, it } from 'vitest';
import { readRun } from './runsReader.ts';

const source = { format: 'hf-trainer', file: 'a/trainer_state.json', place: 'log_history' };

function read<T>(result: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

describe('readRun', () => {
  it('reads facts with the sources that disagree', () => {
    const others = [{ value: 3e-4, source: { ...source, file: 'b.json' } }];
    const run = read(readRun({ id: 'r', parameters: [{ name: 'learning_rate', value: 2e-4, source, others }] }));
    expect(run.parameters).toEqual([{ name: 'learning_rate', value: 2e-4, source, others }]);
  });

  it('writes a value that is a list as JSON, and keeps null', () => {
    const run = read(
      readRun({
        id: 'r',
        facts: [
          { name: 'a', value: ['q_proj'], source },
          { name: 'b', value: null, source },
        ],
      }),
    );
    expect(run.facts.map(({ value }) => value)).toEqual(['["q_proj"]', null]);
  });

  it('is certain of a status only if the service says so', () => {
    expect(read(readRun({ id: 'r', is_status_certain: 'yes' })).is_status_certain).toBe(false);
    expect(read(readRun({ id: 'r', is_status_certain: true })).is_status_certain).toBe(true);
  });

  it('takes a checkpoint for incomplete unless the service says otherwise', () => {
    const run = read(readRun({ id: 'r', checkpoints: [{ path: 'a', kind: 'new', measures: { loss: 1, x: 'NaN' } }] }));
    expect(run.checkpoints).toEqual([
      {
        path: 'a',
        step: null,
        kind: 'unknown',
        bytes: 0,
        is_complete: false,
        saved_at: null,
        measures: { loss: 1 },
        model_id: null,
      },
    ]);
  });

  it('reads how a checkpoint is served, if this page knows the way', () => {
    const checkpoints = ['llama', 'magic'].map((way) => ({ path: way, served: { way, base_model_id: 'qwen' } }));
    const run = read(readRun({ id: 'r', checkpoints }));
    expect(run.checkpoints.map(({ served }) => served)).toEqual([{ way: 'llama', base_model_id: 'qwen' }, undefined]);
  });

  it('reads metrics whose values JSON can’t express', () => {
    const metric = {
      name: 'grad_norm',
      points: 2,
      first: 1.5,
      last: 'Infinity',
      lowest: 1.5,
      highest: 1.5,
      last_step: 20,
      source,
    };
    const [first, second] = read(readRun({ id: 'r', metrics: [metric, { name: 'loss', last: 'moon' }] })).metrics;
    expect(first).toEqual(metric);
    expect(second).toMatchObject({ last: 'NaN', points: 0, lowest: null });
  });

  it('keeps parts, row files and problems, and no text that is none', () => {
    const run = read(
      readRun({
        id: 'r',
        parts: ['runs/a', 7],
        row_files: [{ path: 'completions.parquet', step: 50 }, 'x'],
        problems: ['debug.log is cut off.', null],
      }),
    );
    expect(run).toMatchObject({
      parts: ['runs/a'],
      row_files: [{ path: 'completions.parquet', step: 50 }],
      problems: ['debug.log is cut off.'],
    });
  });

  it('keeps a status that this page doesn’t know', () => {
    expect(read(readRun({ id: 'r', status: 'paused' })).status).toBe('paused');
    expect(read(readRun({ id: 'r' })).status).toBe('unknown');
  });

  it.each([null, {}, { id: '' }])('refuses %j', (body) => expect(readRun(body).ok).toBe(false));
});
