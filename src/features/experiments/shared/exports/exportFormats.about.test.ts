// What the comments of a config say of each candidate.
import { describe, expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { CONFIGS, toTestInput } from './exportFormats.fixture.ts';
import { toUnslothConfig } from './unslothConfig.ts';

describe('what is said of a candidate', () => {
  it('is why the service recommends it, in lines of usual width', () => {
    const reason = `Choose LoRA: it is close to full training. ${'Rates follow from the formula. '.repeat(8)}`;
    const of = toTestInput([
      toTestCandidate('k', { recommended: true, reason_for_recommendation: reason }),
      toTestCandidate('m', { origin: 'model', reason_for_recommendation: ' ' }),
    ]);
    for (const { toText } of CONFIGS) {
      const lines = toText(of).split('\n');
      const quoted = lines.filter((line) => line.startsWith('# > '));
      expect(lines.indexOf('# why the service recommends this:') + 1).toBe(lines.indexOf(quoted[0] ?? ''));
      expect(quoted.map((line) => line.slice(4)).join(' ')).toBe(reason.trim());
      expect(quoted.length).toBeGreaterThan(2);
      for (const line of quoted) expect(line.length).toBeLessThanOrEqual(100);
      expect(lines.filter((line) => line.includes('why the service'))).toHaveLength(1);
    }
  });

  it('is of the base model where the service speaks of that', () => {
    const of = toTestInput([
      toTestCandidate('k', { origin: 'model', recommended: true, reason_for_recommendation: 'Small.' }),
      toTestCandidate('p', { reason_for_recommendation: 'Higher rate.' }),
    ]);
    for (const { toText } of CONFIGS) {
      expect(toText(of)).toContain('# why the service recommends this base model:\n# > Small.\n');
      expect(toText(of)).toContain('# why the service lists this:\n# > Higher rate.\n');
    }
  });

  it('is what came of it, where it was already run', () => {
    const of = toTestInput([
      toTestCandidate('a', { origin: 'run', status: 'succeeded' }),
      toTestCandidate('b', { origin: 'run', status: 'failed', failure: 'loss is\nnot finite' }),
      toTestCandidate('c', { n_epochs: 4 }),
    ]);
    for (const { toText } of CONFIGS)
      expect(toText(of).match(/^# (?:already run|did not finish).*$/gm)).toEqual([
        '# already run: done',
        '# did not finish: failed: loss is not finite',
      ]);
  });

  it('begins no notebook cell and gives the file no encoding', () => {
    const text = '%% %% '.repeat(60);
    const cells = toUnslothConfig(
      toTestInput([
        toTestCandidate('k', {
          label: 'coding: utf-7',
          origin: 'run',
          reason_for_recommendation: `coding: utf-7 ${text}`,
          failure: '%% x',
        }),
      ]),
    );
    expect(cells.match(/^#\s*%%/gm)).toHaveLength(1);
    expect(cells.split('\n').slice(0, 2).join('\n')).not.toMatch(/coding[:=]/);
  });
});
