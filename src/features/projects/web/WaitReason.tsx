import { useWaitReason } from './useWaitReason.ts';

/** Why a run waits, to be read without a pointer. */
export function WaitReason({ id }: { id: string }) {
  const reason = useWaitReason(id);
  return reason !== null && <p className="text-sm text-soft">{reason}</p>;
}
