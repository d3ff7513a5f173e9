// Panes that are put at another place with the mouse; the pane's menu does the same for the keyboard.
import type { DragEvent } from 'react';

/** Only the same page's panes are taken, never text or files from elsewhere. */
const KIND = 'application/x-studio-pane';

interface DragProps {
  readonly draggable: true;
  readonly onDragStart: (event: DragEvent) => void;
}

interface DropProps {
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** For the handle. */
export function dragProps(paneId: string): DragProps {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }) => {
      dataTransfer.setData(KIND, paneId);
      dataTransfer.effectAllowed = 'move';
    },
  };
}

/** For the place that takes a pane. */
export function dropProps(onPane: (paneId: string) => void): DropProps {
  const isPane = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(KIND);
  return {
    onDragOver: (event) => {
      if (isPane(event)) event.preventDefault();
    },
    onDrop: (event) => {
      if (!isPane(event)) return;
      event.preventDefault();
      onPane(event.dataTransfer.getData(KIND));
    },
  };
}
