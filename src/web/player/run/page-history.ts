type Options = {
  /**
   * Called with the page that the visitor reached with the browser's buttons; returns the index of the shown page.
   */
  onNavigate: (page_index: number) => number
}

const currentPageIndex = (): number => Number(history.state?.page_index) || 0

/**
 * Creates one entry in the browser's history for each page of a run. Back goes one page back, Forward one page forward,
 * and Back on the first page leaves (product 8.4).
 */
export const createPageHistory = ({ onNavigate }: Options) => {
  let target_index = 0
  /** Index that the last call of `history.go` reaches; -1 while `onNavigate` runs; undefined if the history is aligned. */
  let awaited_index: number | undefined
  const align = (): void => {
    for (let page_index = currentPageIndex(); page_index < target_index; )
      history.pushState({ page_index: ++page_index }, '')
    awaited_index = undefined
    if (currentPageIndex() > target_index) {
      awaited_index = target_index
      // Asynchronous: the popstate handler compares with the page that is wanted then.
      history.go(target_index - currentPageIndex())
    }
  }
  addEventListener('popstate', () => {
    // Another index is that of the visitor, who may press a button of the browser while `history.go` is under way.
    if (currentPageIndex() !== awaited_index) {
      // Pages shown before the history is aligned only change `target_index`.
      awaited_index = -1
      target_index = onNavigate(currentPageIndex())
    }
    align()
  })
  history.scrollRestoration = 'manual'
  return {
    /** Moves the history to the shown page. */
    show: (page_index: number): void => {
      target_index = page_index
      if (awaited_index === undefined) align()
    },
  }
}
