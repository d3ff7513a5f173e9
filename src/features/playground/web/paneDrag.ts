// Moves panes with the mouse. The pane's menu does the same for the keyboard.
import type { DragEvent } from 'react';

/** Marks a dragged pane, so that text and files from elsewhere are not accepted. */
const KIND = 'application/x-studio-pane';

interface DragProps {
  readonly draggable: true;
  readonly onDragStart: (event: DragEvent) => void;
}

interface DropProps {
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** Props of the handle that is dragged. */
export function dragProps(paneId: string): DragProps {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }) => {
      dataTransfer.setData(KIND, paneId);
      dataTransfer.effectAllowed = 'move';
    },
  };
}

/** Props of an element that accepts a pane. */
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
