import { Monitor, Moon, Sun } from 'lucide-react';
import type { ComponentProps } from 'react';
import { chooseTheme, THEME_CHOICES, useTheme, type ThemeChoice } from '#ui/kit/theme.ts';
import { Menu } from '#ui/lazy/Menu.tsx';

interface ThemeMenuProps {
  /** Given: they follow the themes, in a menu of everything. */
  more?: ComponentProps<typeof Menu>['items'];
}

const LABELS: Record<ThemeChoice, string> = { system: 'Same as system', light: 'Light', dark: 'Dark' };
const ICONS: Record<ThemeChoice, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };

export function ThemeMenu({ more }: ThemeMenuProps) {
  const { choice, isDark } = useTheme();
  const Shown = isDark ? Moon : Sun;
  const themes = THEME_CHOICES.map((name) => {
    const Icon = ICONS[name];
    const label = more ? `Theme: ${LABELS[name].toLowerCase()}` : LABELS[name];
    return {
      label,
      icon: <Icon aria-hidden size={13} />,
      isChecked: choice === name,
      onSelect: () => chooseTheme(name),
    };
  });
  return (
    <Menu
      label={more ? 'More' : 'Theme'}
      icon={more ? <span aria-hidden>⋯</span> : <Shown aria-hidden size={15} />}
      items={more ? [...themes, ...more] : themes}
    />
  );
}
