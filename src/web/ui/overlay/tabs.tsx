import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import { type ReactNode, useState } from 'react'

type Tab = { id: string; label: string; content: ReactNode }

/** Renders tabs. Arrow keys select a tab; Home and End select the first and the last. */
export const Tabs = ({
  label,
  tabs,
  requestedTab = null,
}: {
  label: string
  tabs: Tab[]
  /** Tab to select. Each request must be a new object, so that the same tab can be requested again. */
  requestedTab?: { id: string } | null
}) => {
  const [selected, setSelected] = useState(tabs[0]?.id)
  const [lastRequest, setLastRequest] = useState(requestedTab)
  if (requestedTab !== lastRequest) {
    setLastRequest(requestedTab)
    if (requestedTab) setSelected(requestedTab.id)
  }
  return (
    <BaseTabs.Root value={selected} onValueChange={setSelected}>
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
}
