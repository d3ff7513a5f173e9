import { Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, THEME_CHOICES, useTheme, type ThemeChoice } from '../session/theme';
import { Menu } from '../ui/Menu';

const LABELS: Record<ThemeChoice, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };
const ICONS: Record<ThemeChoice, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };

export function ThemeMenu() {
  const { choice, isDark } = useTheme();
  const Shown = isDark ? Moon : Sun;
  return (
    <Menu
      label="Theme"
      icon={<Shown aria-hidden size={15} />}
      items={THEME_CHOICES.map((name) => {
        const Icon = ICONS[name];
        return { label: LABELS[name], icon: <Icon aria-hidden size={13} />, isChecked: choice === name, onSelect: () => chooseTheme(name) };
      })}
    />
  );
}
