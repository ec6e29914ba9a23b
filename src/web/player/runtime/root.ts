import { onChange } from './component.ts'
import type { Child } from './element.ts'
import { removeRest } from './place.ts'
import { type Shown, showAll } from './show.ts'

/** Shows a page's one player, now and after every change. */
const start = (parent: Element, child: Child, is_written: boolean): void => {
  let shown: Shown[] = []
  let isDue = false
  const show = (): void => {
    isDue = false
    const after: (() => void)[] = []
    const place = { parent, at: parent.firstChild, is_written, after }
    shown = showAll(place, [child], shown)
    if (is_written) removeRest(place)
    is_written = false
    for (const act of after) act()
  }
  onChange(() => {
    if (!isDue) queueMicrotask(show)
    isDue = true
  })
  show()
}

/** What the player calls of `react-dom/client`. */
export const createRoot = (container: Element) => ({
  render: (child: Child): void => start(container, child, false),
})

export const hydrateRoot = (container: Element, child: Child): void => start(container, child, true)
