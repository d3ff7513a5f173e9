// A prompt to try, as a plain function that changes the store. It must not know components or how examples are asked for.
import type { Examples } from '../contract/routes';
import { showToast } from '../ui/toast';
import { changeSettings, changeShared, paneSettings, type Desk } from './desk';
import { changeDesk, readDesk } from './deskStore';
import { renewFields } from './fieldsEpoch';
import type { Settings } from './settings';
import { changeWithUndo } from './undo';

const PARTS = { systemPrompt: 'system prompt', tools: 'tools' } as const;

type Part = keyof typeof PARTS;

const pick = (from: Settings, parts: readonly Part[]): Settings => Object.fromEntries(parts.map((part) => [part, from[part]]));

/**
 * Fills in the prompt with the system prompt and the tools that go with it. They take the place of others only where a
 * single pane is on show, and that can be undone: what several panes are compared under is not changed by the example of
 * one of them.
 */
export function applyExample({ system_prompt, tools }: Pick<Examples, 'system_prompt' | 'tools'>, draft: string): void {
  const before = readDesk();
  const [pane, other] = before.panes;
  const now = pane && !other ? paneSettings(before, pane) : before.shared;
  // Tools that somebody wrote stay with an example that has none.
  const wanted: Settings = { systemPrompt: system_prompt, ...(tools.length > 0 && { tools: JSON.stringify(tools, null, 2) }) };
  const fill = (patch: Settings) => (desk: Desk): Desk => (pane && !other ? changeSettings(desk, pane.id, patch) : changeShared(desk, patch));
  const changed = (Object.keys(PARTS) as Part[]).filter((part) => part in wanted && wanted[part] !== (now[part] ?? ''));
  const taken = changed.filter((part) => (now[part] ?? '').trim() !== '');
  const free = changed.filter((part) => !taken.includes(part));
  renewFields(null);
  changeDesk((desk) => fill(pick(wanted, free))({ ...desk, draft }));
  if (taken.length === 0) return;
  const names = taken.map((part) => PARTS[part]).join(' and ');
  if (!other) changeWithUndo(`Replaced: ${names}.`, fill(pick(wanted, taken)), fill(pick(now, taken)));
  else showToast(`The panes keep what they are compared under: ${names}.`, { action: { label: 'Use the example’s', onSelect: () => changeDesk(fill(pick(wanted, taken))) } });
}
