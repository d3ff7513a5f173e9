import type { ComponentProps } from 'react';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ServingWays } from './ServingWays.tsx';

/** The ways to chat with the saved weights of one row of a run's page. */
export function ServingDialog(props: ComponentProps<typeof ServingWays>) {
  return (
    <Dialog title="Chat with these weights" isOpen onClose={props.onClose}>
      <ServingWays {...props} />
    </Dialog>
  );
}
