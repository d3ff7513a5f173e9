import { expect, it } from 'vitest';
import { runCommand, handleCommands, type Command } from './commands.ts';

it('reaches those who take it, and no other', () => {
  const seen: string[] = [];
  const stops = [
    handleCommands(['sessions'], (command) => seen.push(`a ${command}`)),
    handleCommands(['sessions', 'share'], (command) => seen.push(`b ${command}`)),
  ];
  runCommand('share');
  runCommand('sessions');
  for (const stop of stops) stop();
  expect(seen).toEqual(['b share', 'a sessions', 'b sessions']);
});

it('waits for whoever comes, once, and only the last one asked for', () => {
  const seen: Command[] = [];
  const act = (command: Command): void => void seen.push(command);
  runCommand('sessions');
  runCommand('presets');
  const stops = [
    handleCommands(['shortcuts'], act),
    handleCommands(['sessions', 'presets'], act),
    handleCommands(['presets'], act),
  ];
  expect(seen).toEqual(['presets']);
  for (const stop of stops) stop();
  runCommand('shortcuts');
  runCommand('share');
  handleCommands(['shortcuts'], act)();
  handleCommands(['share'], act)();
  expect(seen).toEqual(['presets', 'share']);
});
