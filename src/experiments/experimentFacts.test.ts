import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../contract/projectReader';
import { toExperimentFacts, toModels } from './experimentFacts';

const toExperiment = (status: string | undefined, metadata: Record<string, unknown>): TreeNode => ({ id: 'e', type: 'experiment', label: 'E', status, children: [], metadata });
const succeeded = (model: string) => toExperiment('succeeded', { base_model_id: 'base', model_id: model });

describe('toExperimentFacts', () => {
  it('lets a succeeded experiment be tried', () => {
    expect(toExperimentFacts(succeeded('ft'))).toEqual({ baseModel: 'base', model: 'ft', problem: null });
  });

  it.each(['failed', 'running', 'deleted', 'paused'])('says why one that is %s can not', (status) => {
    expect(toExperimentFacts(toExperiment(status, { model_id: 'ft' })).problem).toContain(status);
  });

  it('does not trust the service to name a model', () => {
    for (const model_id of [undefined, null, '', 7]) expect(toExperimentFacts(toExperiment('succeeded', { model_id })).problem).toContain('names no model');
    expect(toExperimentFacts(toExperiment(undefined, {})).problem).toContain('unknown');
  });
});

describe('toModels', () => {
  it('takes each model once, and at most one per pane', () => {
    expect(toModels([succeeded('a'), toExperiment('failed', { model_id: 'x' }), succeeded('a'), succeeded('b')])).toEqual(['a', 'b']);
    expect(toModels(Array.from({ length: 20 }, (_, n) => succeeded(`m${n}`)))).toHaveLength(8);
  });
});
