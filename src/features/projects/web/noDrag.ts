// Replaces react-dnd-html5-backend, which react-arborist imports but a read-only tree never uses (vite.config.ts; 4.4
// KB of the first view). It must keep the export's name.

const nothing = (): void => undefined;

/** A drag-and-drop backend that listens to nothing. */
export const HTML5Backend = () => ({
  setup: nothing,
  teardown: nothing,
  connectDragSource: () => nothing,
  connectDragPreview: () => nothing,
  connectDropTarget: () => nothing,
  profile: () => ({}),
});

/** The preview of a dragged row, which never appears. */
export const getEmptyImage = (): HTMLImageElement => new Image();
