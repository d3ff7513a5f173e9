import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { findJobFacts, isJobNeeded, toExperimentFacts, toModels } from './experimentFacts.ts';
import { toTestJobFacts } from './rows.fixture.ts';

const toExperiment = (status: string | undefined, metadata: Record<string, unknown>, id = 'e'): TreeNode => ({
  id,
  type: 'experiment',
  label: 'E',
  status,
  children: [],
  metadata,
});
const succeeded = (model: string) => toExperiment('succeeded', { base_model_id: 'base', model_id: model });
const nothing = () => null;

describe('toExperimentFacts', () => {
  it('lets a succeeded experiment be tried', () => {
    expect(toExperimentFacts(succeeded('ft'))).toEqual({
      status: 'succeeded',
      baseModel: 'base',
      model: 'ft',
      problem: null,
      triedBase: 'base',
      baseProblem: null,
    });
  });

  it.each(['failed', 'running', 'deleted', 'paused'])('says why one that is %s can not', (status) => {
    expect(toExperimentFacts(toExperiment(status, { model_id: 'ft' })).problem).toContain(status);
  });

  it('does not trust the service to name a model', () => {
    for (const model_id of [undefined, null, '', 7])
      expect(toExperimentFacts(toExperiment('succeeded', { model_id })).problem).toContain('names no model');
    expect(toExperimentFacts(toExperiment(undefined, {})).problem).toContain('unknown');
  });

  it('takes only the facts that the tree leaves out from the job', () => {
    const jobFacts = toTestJobFacts('e', { model_id: 'ft-job', base_model_id: 'base-job', status: 'succeeded' });
    for (const status of ['succeeded', undefined]) {
      expect(toExperimentFacts(toExperiment(status, {}), jobFacts)).toEqual({
        status: 'succeeded',
        baseModel: 'base-job',
        model: 'ft-job',
        problem: null,
        triedBase: 'base-job',
        baseProblem: null,
      });
    }
    expect(toExperimentFacts(succeeded('ft'), jobFacts)).toMatchObject({ baseModel: 'base', model: 'ft' });
    expect(toExperimentFacts(toExperiment('running', {}), jobFacts).problem).toContain('running');
    expect(
      toExperimentFacts(toExperiment('succeeded', {}), toTestJobFacts('e', { base_model_id: 'unknown', model_id: '' })),
    ).toMatchObject({ baseModel: null, model: null });
  });

  it('compares a run of a folder with the model that it is served on, whatever became of the run', () => {
    const metadata = { base_model_id: '/srv/qwen', model_id: 'run-5', served: { base_model_id: 'qwen' } };
    expect(toExperimentFacts(toExperiment('failed', metadata))).toEqual({
      status: 'failed',
      baseModel: '/srv/qwen',
      model: 'run-5',
      problem: null,
      triedBase: 'qwen',
      baseProblem: null,
    });
    const alone = toExperimentFacts(toExperiment('succeeded', { ...metadata, served: { base_model_id: null } }));
    expect([alone.problem, alone.triedBase]).toEqual([null, null]);
    expect(alone.baseProblem).toMatch(/^Its base model, \/srv\/qwen, is not served\. .*--model/);
    expect(toExperimentFacts(toExperiment('succeeded', { model_id: 'a', served: {} })).baseProblem).toMatch(
      /^The run records no base model\./,
    );
  });

  it('needs the job only for facts that decide something', () => {
    expect(
      [
        succeeded('ft'),
        toExperiment('failed', {}),
        toExperiment('succeeded', { model_id: 'ft' }),
        toExperiment('succeeded', { base_model_id: 'b' }),
        toExperiment(undefined, {}),
      ].map(isJobNeeded),
    ).toEqual([false, false, true, true, true]);
  });
});

it('finds the facts of a job about one of its experiments', () => {
  const jobFacts = toTestJobFacts('e');
  const job = {
    id: 'j',
    name: null,
    snapshot_id: null,
    status: 'completed',
    answer_shape: null,
    main_measure: null,
    launcher: null,
    halving: null,
    experiments: [jobFacts],
    extra: {},
  };
  expect([findJobFacts(job, 'e'), findJobFacts(job, 'x'), findJobFacts(null, 'e')]).toEqual([jobFacts, null, null]);
});

describe('toModels', () => {
  it('takes each model once, and at most one per pane', () => {
    expect(
      toModels([succeeded('a'), toExperiment('failed', { model_id: 'x' }), succeeded('a'), succeeded('b')], nothing),
    ).toEqual(['a', 'b']);
    expect(
      toModels(
        Array.from({ length: 20 }, (_, n) => succeeded(`m${n}`)),
        nothing,
      ),
    ).toHaveLength(8);
  });

  it('takes models that only jobs name', () => {
    const list = [toExperiment('succeeded', {}, 'x'), toExperiment('succeeded', {}, 'y')];
    expect(toModels(list, ({ id }) => (id === 'x' ? toTestJobFacts('x', { model_id: 'ft-x' }) : null))).toEqual([
      'ft-x',
    ]);
  });
});
