import type { ComponentProps } from 'react';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { ServingWays } from './ServingWays.tsx';

/** The ways to chat with the saved weights of one row of a run's page, and to take them away. */
export function ServingDialog({ title, ...props }: ComponentProps<typeof ServingWays> & { title: string }) {
  return (
    <Dialog title={title} isOpen onClose={props.onClose}>
      <ServingWays {...props} />
    </Dialog>
  );
}
