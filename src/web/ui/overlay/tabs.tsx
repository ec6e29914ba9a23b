import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab<Id extends string> = { id: Id; label: string; content: ReactNode }

/** Renders tabs. Arrow keys select a tab; Home and End select the first and the last. */
export const Tabs = <Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string
  tabs: Tab<Id>[]
  selected: Id
  onSelect: (id: Id) => void
}) => (
  <BaseTabs.Root value={selected} onValueChange={onSelect}>
    <BaseTabs.List
      activateOnFocus
      aria-label={label}
      className="mb-6 flex flex-wrap gap-x-4 border-b border-line"
    >
      {tabs.map((tab) => (
        <BaseTabs.Tab
          key={tab.id}
          value={tab.id}
          className="-mb-px min-h-10 border-b-2 border-transparent px-1 text-sm font-medium text-ink-2 aria-selected:border-brand aria-selected:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          {tab.label}
        </BaseTabs.Tab>
      ))}
    </BaseTabs.List>
    {tabs.map((tab) => (
      // Each panel begins with a field or link of its own, so Tab goes there.
      <BaseTabs.Panel key={tab.id} value={tab.id} tabIndex={undefined}>
        {tab.content}
      </BaseTabs.Panel>
    ))}
  </BaseTabs.Root>
)
