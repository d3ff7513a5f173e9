// Fields of config.json, and entries of GGUF files made of them.
import { ownField, type JsonObject } from '#core/contract/readJson.ts';
import type { GgufEntry } from './writeGguf.ts';

/** The model can't be converted exactly. The message says why. */
export class ModelRefused extends Error {
  override readonly name = 'ModelRefused';
}

export const text = (value: string): GgufEntry => ({ type: 'string', value });
export const uint32 = (value: number): GgufEntry => ({ type: 'uint32', value });
export const float32 = (value: number): GgufEntry => ({ type: 'float32', value });
export const bool = (value: boolean): GgufEntry => ({ type: 'bool', value });

/** Throws ModelRefused. */
export function readNumber(config: JsonObject, name: string): number {
  const value = ownField(config, name);
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw new ModelRefused(`config.json has no number above 0 as ${name}.`);
}
