import { expect, it } from 'vitest';
import { toTestCandidate } from './candidate.fixture.ts';
import { toOriginWords, toReasonSubject } from './trainingWords.ts';

const advice = toTestCandidate('m', { origin: 'model', recommended: true, base_model_id: 'support-base', place: null });

it('says what is recommended: the base model, or the experiment', () => {
  const proposal = toTestCandidate('p', { recommended: true });
  expect(
    [
      advice,
      { ...advice, recommended: false, location: 'Tickets › One' },
      proposal,
      { ...proposal, recommended: false },
    ].map(toOriginWords),
  ).toEqual(['recommended base model', 'advised base model for Tickets › One', 'recommended run', 'proposed run']);
});

it('speaks of a base model’s reason once for all ways of training it', () => {
  const both = [
    { ...advice, training_type: 'full' },
    { ...advice, training_type: 'lora' },
  ];
  expect(both.map(toReasonSubject)).toEqual(['support-base', 'support-base']);
  expect(toReasonSubject({ ...advice, repeat: 2, location: 'Tickets › One' })).toBe(
    'support-base · entry 2 · Tickets › One',
  );
  expect(toReasonSubject(toTestCandidate('p', { base_model_id: 'a', place: 3 }))).toBe('a · LoRA · #3');
});
