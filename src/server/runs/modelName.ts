// The name of a base model for people: paths of the machine that trained say little.

/** `/root/.cache/huggingface/hub/models--Qwen--Qwen3-0.6B/snapshots/abc` -> `Qwen/Qwen3-0.6B`; `/models/x` -> `x`. */
export function toModelName(written: string): string {
  const [, cached] = /models--([^/\\]+)/.exec(written) ?? [];
  if (cached !== undefined) return cached.replace('--', '/');
  const isPath = /^(?:[/\\~]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/.test(written) || written.split(/[/\\]/).length > 2;
  if (!isPath) return written;
  return written.split(/[/\\]+/).findLast((part) => part !== '') ?? written;
}
