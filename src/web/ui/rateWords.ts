// What a person said of a service's learning rate multiplier, in the words of a menu.
import type { RateChoice } from '#shared/contract/rateMeaning.ts';

/** Of the menu item that asks for it, or changes it. */
export function toRateLabel(choice: RateChoice | null): string {
  if (choice === null) return 'Say what the learning rate multiplier means…';
  return `Learning rate: ${choice.means === 'rate' ? 'the multiplier itself' : `${choice.base} x the multiplier`}. Change…`;
}
