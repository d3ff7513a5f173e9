// A prompt to try, as a plain function that changes the store.
import type { Examples } from '#shared/contract/routes.ts';
import { showToast } from '#web/ui/toast.ts';
import { changeSettings, findPane, paneSettings, type Desk } from './desk.ts';
import { readDesk } from './deskStore.ts';
import { renewFields } from './fieldsEpoch.ts';
import type { Settings } from './settings.ts';
import { changeWithUndo, sameSession } from './undo.ts';

const PARTS = { systemPrompt: 'system prompt', tools: 'tools' } as const;

type Part = keyof typeof PARTS;

const PART_NAMES = Object.keys(PARTS) as readonly Part[];

const pick = (from: Settings, parts: readonly Part[]): Settings =>
  Object.fromEntries(parts.map((part) => [part, from[part]]));

/** What the last example filled in. Nobody wrote that, so the next example takes its place without asking. */
let brought: Settings = {};

/** Tools that somebody wrote stay with an example that has none. */
function toTools({ tools }: Pick<Examples, 'tools'>, now: Settings): string | undefined {
  if (tools.length > 0) return JSON.stringify(tools, null, 2);
  return now.tools === brought.tools ? undefined : now.tools;
}

/**
 * Fills in the prompt, and the system prompt and the tools that go with it where the pane has its own or shared ones.
 * What somebody wrote is replaced only where a single pane is on show, and that can be undone: what several panes are
 * compared under is not changed by the example of one of them.
 */
export function applyExample(paneId: string, example: Pick<Examples, 'system_prompt' | 'tools'>, draft: string): void {
  const before = readDesk();
  const pane = findPane(before, paneId);
  if (!pane) return;
  const now = paneSettings(before, pane);
  const isCompared = before.panes.length > 1;
  const wanted: Settings = { systemPrompt: example.system_prompt, tools: toTools(example, now) };
  const changed = PART_NAMES.filter((part) => (wanted[part] ?? '') !== (now[part] ?? ''));
  const taken = changed.filter(
    (part) => (now[part] ?? '').trim() !== '' && (isCompared || now[part] !== brought[part]),
  );
  const kept = isCompared ? taken : [];
  const replaced = changed.filter((part) => !kept.includes(part));
  const isTyped = before.draft.trim() !== '' && before.draft !== draft;
  const lost = [
    ...(isTyped ? ['message'] : []),
    ...taken.filter((part) => !kept.includes(part)).map((part) => PARTS[part]),
  ];
  renewFields([paneId]);
  const step = (desk: Desk): Desk => ({ ...changeSettings(desk, paneId, pick(wanted, replaced)), draft });
  const undo = (desk: Desk): Desk => {
    const there = findPane(desk, paneId);
    // What was written since stays.
    const still = replaced.filter(
      (part) => there !== null && (paneSettings(desk, there)[part] ?? '') === (wanted[part] ?? ''),
    );
    return {
      ...changeSettings(desk, paneId, pick(now, still)),
      ...(isTyped && desk.draft === draft && { draft: before.draft }),
    };
  };
  changeWithUndo(lost.length === 0 ? null : `Replaced: ${lost.join(', ')}.`, step, undo);
  brought = { systemPrompt: wanted.systemPrompt, tools: example.tools.length > 0 ? wanted.tools : brought.tools };
  if (kept.length > 0) offer(paneId, pick(wanted, kept), kept.map((part) => PARTS[part]).join(', '));
}

/** Says that the panes keep what they have, and offers the example's. */
function offer(paneId: string, patch: Settings, names: string): void {
  const isSame = sameSession();
  const onSelect = (): void => {
    const pane = isSame() ? findPane(readDesk(), paneId) : null;
    if (!pane) return;
    const now = pick(paneSettings(readDesk(), pane), Object.keys(patch) as Part[]);
    changeWithUndo(
      `Replaced: ${names}.`,
      (desk) => changeSettings(desk, paneId, patch),
      (desk) => changeSettings(desk, paneId, now),
    );
  };
  showToast(`The panes keep what they are compared under: ${names}.`, {
    action: { label: 'Use the example’s', onSelect },
  });
}
