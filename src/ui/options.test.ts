import { describe, expect, it } from 'vitest';
import { findOptions, groupOptions, toOptionValue } from './options';

const OPTIONS = [
  { value: 'ft-support-base-1', label: 'Experiment 1 · LoRA', group: 'Fine-tuned' },
  { value: 'support-base', label: 'support-base', group: 'Base models' },
  { value: 'ft-support-base-2', label: 'Experiment 2 · full', group: 'Fine-tuned', hint: 'Polite replies' },
  { value: 'gpt', label: 'gpt' },
];
const values = (text: string) => findOptions(OPTIONS, text).map((option) => option.value);

describe('options', () => {
  it('are found by every word in value, label, hint or group', () => {
    expect(values('')).toHaveLength(4);
    expect(values('LORA experiment')).toEqual(['ft-support-base-1']);
    expect(values('polite')).toEqual(['ft-support-base-2']);
    expect(values('fine-tuned')).toEqual(['ft-support-base-1', 'ft-support-base-2']);
    expect(values('nothing')).toEqual([]);
  });

  it('are grouped in order of appearance', () => {
    expect(groupOptions(OPTIONS).map((group) => [group.name, group.items.length])).toEqual([['Fine-tuned', 2], ['Base models', 1], ['', 1]]);
  });

  it('give a typed text its value: an id, a label, or the text itself', () => {
    expect(toOptionValue(OPTIONS, ' support-base ')).toBe('support-base');
    expect(toOptionValue(OPTIONS, 'Experiment 2 · full')).toBe('ft-support-base-2');
    expect(toOptionValue(OPTIONS, 'my/own, model')).toBe('my/own, model');
  });
});
