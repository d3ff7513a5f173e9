import { useId, type ReactNode } from 'react';
import { TabList } from './TabList.tsx';

interface TabsProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: readonly { value: string; label: string; count?: number | undefined }[];
  /** The content of the chosen tab. */
  children: ReactNode;
}

export function Tabs({ label, value, onChange, tabs, children }: TabsProps) {
  const id = useId();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <TabList label={label} value={value} onChange={onChange} tabs={tabs} id={id} />
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-panel-${tab.value}`}
          aria-labelledby={`${id}-tab-${tab.value}`}
          hidden={tab.value !== value}
          className="min-h-0 flex-1 flex-col [&:not([hidden])]:flex"
        >
          {tab.value === value && children}
        </div>
      ))}
    </div>
  );
}
