// Panes whose model was changed while their settings stayed. A line in the pane offers the model's own settings.
import { create } from 'zustand';
import type { Examples } from '#core/contract/sessionInfo.ts';
import { changePane, findPane, paneSettings } from './desk.ts';
import { changeDesk, readDesk } from './deskStore.ts';
import { loadExamples, peekExamples } from './examplesSource.ts';
import { renewFields } from './fieldsEpoch.ts';
import {
  giveModelSettings,
  isSameModelSettings,
  mayReplaceSettings,
  pickModelSettings,
  toModelSettings,
} from './modelSettings.ts';
import { patchSettings } from './settings.ts';
import { changeWithUndo } from './undo.ts';

/** By pane id: the model whose settings are offered. */
export const useOffers = create<Readonly<Record<string, string>>>(() => ({}));

const setOffer = (paneId: string, model: string): void => useOffers.setState({ [paneId]: model });

/** The person doesn't want them, or has them. */
export const dropOffer = (paneId: string): void => setOffer(paneId, '');

/** Gives the pane its model's settings. Undo brings the former ones back. */
export function takeModelSettings(paneId: string, examples: Examples): void {
  const before = readDesk();
  const pane = findPane(before, paneId);
  if (!pane) return;
  const { isAlone } = before;
  renewFields([paneId]);
  dropOffer(paneId);
  changeWithUndo(
    'Replaced by the model’s own settings.',
    (desk) => giveModelSettings(desk, paneId, examples),
    ({ isAlone: _now, ...desk }) => {
      const shared = patchSettings(desk.shared, pickModelSettings(before.shared));
      const undone = changePane(desk, paneId, (each) => ({ ...each, own: pane.own }));
      return { ...undone, shared, ...(isAlone && { isAlone }) };
    },
  );
}

/**
 * After a person changed the model of a pane: settings that came with the former model are replaced by the new model's.
 * Settings that were edited, or that panes are compared under, stay, and the model's own are offered.
 */
export async function followModel(paneId: string, former: string): Promise<void> {
  const start = findPane(readDesk(), paneId);
  if (!start) return;
  const formerExamples = peekExamples(former);
  const isReplaceable = mayReplaceSettings(readDesk(), start, formerExamples);
  const settings = paneSettings(readDesk(), start);
  dropOffer(paneId);
  const examples = await loadExamples(start.model);
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  // The person went on while the examples were on their way.
  if (pane?.model !== start.model || !isSameModelSettings(paneSettings(desk, pane), settings)) return;
  if (isSameModelSettings(settings, toModelSettings(examples)) && !isReplaceable) return;
  if (isReplaceable) changeDesk((now) => giveModelSettings(now, paneId, examples));
  else if (examples) setOffer(paneId, start.model);
}
