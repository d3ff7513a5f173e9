// Names in a project's file: what a model is called here, and which files of it may be here already. Pure.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';

/** A file of the sample, which comes with the product: its bare name. */
export const isSampleFile = (name: string): boolean => /^[\w-][\w.-]*\.gguf$/.test(name);

/** Room for the number or the digits that make a name one of its own. */
const LONGEST = REQUEST_LIMITS.modelCharacters - 20;

const toShort = (experimentId: string): string => experimentId.replaceAll('-', '').slice(0, 8).toLowerCase();

/** Characters that are not seen, or change how others are. */
const isPlain = (text: string): boolean => !/[\p{C}\p{Zl}\p{Zp}]/u.test(text) && text.trim() === text;

/**
 * The id that a model of a file has here: `ft-<base>-<first 8 digits of its run>`, as one that is trained here, so that it is
 * that of no model of another run, of no base model, and of none that a server has. `from` and `to`: the run's id in the file,
 * and here.
 */
export function toImportedId(id: string, from: string, to: string): string {
  const own = new RegExp(`^(ft-.+-)${toShort(from)}((?:-[a-z0-9]+)*)$`, 'u').exec(id);
  if (own && isPlain(id) && id.length <= LONGEST) return `${own[1]}${toShort(to)}${own[2]}`;
  const word = id
    .replace(/^ft-/, '')
    .replaceAll(/[\p{C}\p{Z}]+/gu, '-')
    .slice(0, LONGEST - 12);
  return `ft-${word}-${toShort(to)}`;
}
