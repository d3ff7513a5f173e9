import type { ComponentProps } from 'react';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { Button } from './Button.tsx';

/** A button that changes what the studio keeps: with a token that may read only it is disabled, and says so. */
export function ChangeButton({ disabledReason, ...rest }: ComponentProps<typeof Button>) {
  return <Button {...rest} disabledReason={useReadOnlyReason() ?? disabledReason} />;
}
