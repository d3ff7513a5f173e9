// What a page needs after its first view, as one file. loadLater.ts says when it loads.
import { Overview } from '#features/experiments/web/overview/Overview.tsx';
import { Playground } from '#features/playground/web/Playground.tsx';
import { RootPath } from '#features/runs/web/RootPath.tsx';
import { DeferredOverlay } from './overlays/DeferredOverlay.tsx';
import { SinceVisit } from './SinceVisit.tsx';
import { NextActions } from './training/NextActions.tsx';

export const later = { DeferredOverlay, NextActions, Overview, Playground, RootPath, SinceVisit };
