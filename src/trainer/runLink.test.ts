import { expect, it } from 'vitest';
import type { TrainerEvent } from '#trainer/protocol/trainerProtocol.ts';
import { toPausedLink } from './runLink.ts';

it('a run that measures for long says that it goes on, and one that says enough adds nothing', async () => {
  const events: TrainerEvent[] = [];
  const given = { emit: (event: TrainerEvent) => void events.push(event), isStopped: () => false };
  const often = toPausedLink(given, 60_000);
  await often.pause();
  expect(events).toEqual([]);
  const seldom = toPausedLink(given, 0);
  await new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
  await seldom.pause();
  expect(events).toEqual([{ type: 'log', text: 'It still measures rows.' }]);
});
