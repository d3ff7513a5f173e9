import { describe, expect, it } from 'vitest';
import { toRateHint } from './rateHint.ts';
import { toTestRow } from './rows.fixture.ts';

const worked = toTestRow('worked', { training_type: 'full', learning_rate_multiplier: 0.0015 });
const failed = toTestRow('failed', { status: 'failed', training_type: 'full', learning_rate_multiplier: 0.2 });

describe('toRateHint', () => {
  it('names a rate only where one like it worked and this is far above', () => {
    expect(toRateHint(failed, [worked], true)).toContain('learning rate 0.2 is 133 times');
    expect(toRateHint(failed, [worked], false)).toContain('learning rate multiplier 0.2');
    expect(toRateHint({ ...failed, learning_rate_multiplier: 0.01 }, [worked], true)).toBe(null);
    expect(toRateHint(failed, [{ ...worked, training_type: 'lora' }], true)).toBe(null);
    expect(toRateHint(failed, [], true)).toBe(null);
  });
});
