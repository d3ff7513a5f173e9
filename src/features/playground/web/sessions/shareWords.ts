// Words about a link: what it holds, and who can open it. Pure.
import type { Pane } from '#features/playground/web/desk/desk.ts';

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Why a link with this host opens on no other machine, and what to do; null: it may. */
export function toReachNotice(hostname: string): string | null {
  if (!LOOPBACK.test(hostname)) return null;
  return (
    `${hostname} means “this machine”, so nobody can open the link on another one. For others, open this same studio ` +
    'under an address that they can reach (start it with --public-url) and copy the link there, or send a file.'
  );
}

/** The models of the panes by the names that the page shows; a model without a name by its id. */
export const toPaneNames = (panes: readonly Pane[], names: ReadonlyMap<string, string>): string =>
  panes.map(({ model }) => names.get(model) ?? (model || 'no model')).join(', ');
