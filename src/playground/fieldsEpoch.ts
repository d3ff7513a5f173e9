// Counts how often the settings were replaced as a whole: fields then begin anew, without what they said of a text that
// was typed before. It must not know fields.
import { create } from 'zustand';

const useEpoch = create<{ readonly epoch: number }>(() => ({ epoch: 0 }));

export const useFieldsEpoch = (): number => useEpoch(({ epoch }) => epoch);

export const renewFields = (): void => useEpoch.setState(({ epoch }) => ({ epoch: epoch + 1 }));
