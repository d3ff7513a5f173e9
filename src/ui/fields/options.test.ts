import { describe, expect, it } from 'vitest';
import { findOptions, groupOptions, stepRow, toOffer, toOptionValue } from './options.ts';

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
    expect(groupOptions(OPTIONS).map((group) => [group.name, group.items.length])).toEqual([
      ['Fine-tuned', 2],
      ['Base models', 1],
      ['', 1],
    ]);
  });

  it('give a typed text its value: an id, a label, or the text itself', () => {
    expect(toOptionValue(OPTIONS, ' support-base ')).toBe('support-base');
    expect(toOptionValue(OPTIONS, 'Experiment 2 · full')).toBe('ft-support-base-2');
    expect(toOptionValue(OPTIONS, 'my/own, model')).toBe('my/own, model');
  });

  it('are offered in the order of their groups, cut at 200', () => {
    const offer = toOffer(OPTIONS, null);
    expect(offer.rows.map((row) => row.value)).toEqual([
      'ft-support-base-1',
      'ft-support-base-2',
      'support-base',
      'gpt',
    ]);
    expect(offer).toMatchObject({ more: 0, isSettled: false });
    const many = Array.from({ length: 230 }, (_, index) => ({ value: `model-${index}`, label: `Model ${index}` }));
    expect(toOffer(many, null).rows).toHaveLength(200);
    expect(toOffer(many, 'model').more).toBe(30);
  });

  it('leave nothing to choose once the text names one, or none', () => {
    expect(toOffer(OPTIONS, 'support').isSettled).toBe(false);
    expect(toOffer(OPTIONS, 'support-base').isSettled).toBe(true);
    expect(toOffer(OPTIONS, 'my/own').isSettled).toBe(true);
    expect(toOffer([], null).isSettled).toBe(false);
  });

  it('are walked through row by row, with a stop at the text after either end', () => {
    const rows = OPTIONS.slice(0, 2);
    expect(stepRow(rows, null, 1)).toBe('ft-support-base-1');
    expect(stepRow(rows, 'ft-support-base-1', 1)).toBe('support-base');
    expect(stepRow(rows, 'support-base', 1)).toBeNull();
    expect(stepRow(rows, null, -1)).toBe('support-base');
    expect(stepRow(rows, 'ft-support-base-1', -1)).toBeNull();
    expect(stepRow([], null, -1)).toBeNull();
  });
});
