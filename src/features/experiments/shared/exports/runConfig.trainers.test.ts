// What trainers take otherwise than their settings' names say, and what none of them is given.
import { expect, it } from 'vitest';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { formatOf, toTestInput } from './exportFormats.fixture.ts';
import { toRunConfig } from './runConfig.ts';
import type { RunTrainer } from '#features/runs/shared/settings/settingRecord.ts';

const toRun = (recorded: Readonly<Record<string, string | number>>, more: Partial<Candidate> = {}): Candidate =>
  toTestCandidate('run', {
    origin: 'run',
    extras: Object.entries(recorded).map(([name, value]) => ({ name, kind: 'text', value })),
    ...more,
  });
const write = (trainer: RunTrainer, run: Candidate): string =>
  toRunConfig(toTestInput([run], { isOfFolder: true }), trainer);

it('litgpt takes the arguments of an optimizer with its class, as one value', () => {
  const toOptimizer = (run: Candidate): string | undefined => /--optimizer.*/.exec(write('litgpt', run))?.[0];
  expect(toOptimizer(toRun({ optimizer: 'adamw_torch', weight_decay: 0.01 }))).toBe(
    `--optimizer '{"class_path": "torch.optim.AdamW", "init_args": {"lr": 0.0002, "weight_decay": 0.01}}' \\`,
  );
  expect(toOptimizer(toRun({}, { learning_rate_multiplier: null }))).toContain(
    `"init_args": {"lr": '"\${LEARNING_RATE:?the run did not record it}"'}}'`,
  );
  expect(toOptimizer(toRun({ weight_decay: "'; rm -rf /" }))).toContain(
    String.raw`"weight_decay": "'\''; rm -rf /"}}'`,
  );
});

it('a config for Axolotl says that it may stop before the last epoch ends', () => {
  const note = /^# Axolotl takes .* rounded up once.*$/m;
  expect(write('axolotl', toRun({}))).toMatch(note);
  expect(formatOf('axolotl').toText(toTestInput([toRun({})]))).toMatch(note);
  for (const run of [toRun({}, { n_epochs: 1 }), toRun({ packing: 'true' })])
    expect(write('axolotl', run)).not.toMatch(note);
  expect(write('llama-factory', toRun({}))).not.toMatch(note);
});

it('a recommendation or an experiment of another method has no config, which would train SFT', () => {
  const toProblem = (id: 'axolotl' | 'trl', ...methods: readonly string[]) =>
    formatOf(id).findProblem(toTestInput([...methods, 'sft'].map((method) => toRun({ method }))));
  expect(toProblem('trl', 'grpo')).toBe(
    'It would train SFT instead of GRPO. Take CSV or JSON, which have all settings.',
  );
  expect(toProblem('axolotl', 'DPO')).toBe(
    'It would train SFT instead of DPO. Take TRL, which trains it, or CSV or JSON, which have all settings.',
  );
  expect(toProblem('axolotl', 'grpo', 'dpo')).toBe(
    'It would train SFT instead of GRPO, DPO. Take CSV or JSON, which have all settings.',
  );
  // Not sent to TRL, which could not load it either.
  const own = toRun({ method: 'dpo' }, { base_model_id: 'support-base' });
  for (const id of ['axolotl', 'trl'] as const) {
    expect(formatOf(id).findProblem(toTestInput([own]))).toMatch(/^support-base exists only in this studio/);
    expect(formatOf(id).findProblem(toTestInput([own, toRun({})]))).toBeNull();
  }
  const chosen = toTestInput([toRun({}, { chosen: { objective: 'kto', beta: 0.2 } })]);
  expect(formatOf('unsloth').findProblem(chosen)).toContain('SFT instead of KTO');
  expect(formatOf('trl').findProblem(chosen)).toBeNull();
  expect([toProblem('trl', 'dpo', 'kto'), toProblem('trl'), toProblem('axolotl', 'bayes')]).toEqual([null, null, null]);
});
