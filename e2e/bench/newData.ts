// What a newcomer sees: 1,200 short rows of a kind that neither the sample nor the calibration has, uploaded, and the run that
// is recommended for them. The validation rows are then asked through the service, as a person would.
import { startStudio } from '../startStudio.ts';
import { amount } from './short.ts';
import { trainRecommended } from './trainRecommended.ts';

const ROWS = amount(1200, 12);
const CITIES = 'Oslo,Rome,Lima,Cairo,Delhi,Quito,Perth,Osaka,Minsk,Accra,Sofia,Hanoi,Tunis,Lagos,Milan,Paris'.split(
  ',',
);
const KINDS = ['train', 'bus', 'boat', 'plane'] as const;

function openDraw(): (below: number) => number {
  let state = 12345;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function toRows(): readonly string[] {
  const draw = openDraw();
  const rows = new Map<string, string>();
  while (rows.size < ROWS) {
    const [from, to, seats] = [CITIES[draw(16)] ?? '', CITIES[draw(16)] ?? '', 1 + draw(12)];
    const by = KINDS[draw(4)] ?? 'train';
    if (from === to) continue;
    const question = [
      `${seats} seats on the ${by} from ${from} to ${to}, please.`,
      `I want to go from ${from} to ${to} by ${by}. We are ${seats}.`,
      `Book a ${by} to ${to} for ${seats}. We start in ${from}.`,
      `${from} to ${to}, ${by}, ${seats} people`,
      `Is there a ${by} that takes ${seats} of us to ${to}? From ${from}.`,
      `We leave ${from} and need ${seats} places in a ${by} to ${to}.`,
    ][draw(6)];
    const answer = JSON.stringify({ from, to, by, seats });
    const messages = [
      { role: 'system', content: 'Read the trip as JSON.' },
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ];
    rows.set(question ?? '', JSON.stringify({ messages }));
  }
  return [...rows.values()];
}

export async function measureNewData(): Promise<void> {
  const studio = await startStudio({ form: 'optimised', seconds: 600 });
  try {
    await trainRecommended(studio, 'Trips', toRows(), 83);
  } finally {
    await studio.stop();
  }
}
