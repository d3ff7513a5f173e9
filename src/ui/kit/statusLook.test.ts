import { describe, expect, it } from 'vitest';
import { isActiveStatus, KNOWN_STATUSES } from '#core/contract/statuses.ts';
import { toStatusLook } from './statusLook.ts';

describe('toStatusLook', () => {
  it('shows what is over in other tones than what goes on', () => {
    for (const status of KNOWN_STATUSES) {
      expect(['running', 'warning', 'deploying'].includes(toStatusLook(status).tone)).toBe(isActiveStatus(status));
    }
  });

  it('moves only what runs', () => {
    expect(KNOWN_STATUSES.filter((status) => toStatusLook(status).isMoving)).toEqual(['running', 'processing']);
  });

  it('shows a run that goes on without a loss as one that failed', () => {
    expect(toStatusLook('running', 'diverged')).toEqual(toStatusLook('failed'));
    expect(toStatusLook('succeeded', 'likely_finished')).toEqual(toStatusLook('succeeded'));
  });

  it('is neutral for any other status, names of Object.prototype included', () => {
    for (const status of ['paused', '', 'constructor', '__proto__']) expect(toStatusLook(status).tone).toBe('neutral');
  });
});
