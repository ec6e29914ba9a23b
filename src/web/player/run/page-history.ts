type Options = {
  /**
   * Called with the page that the visitor reached with the browser's buttons; returns the index of the shown page.
   */
  onTravel: (page_index: number) => number
}

const currentPageIndex = (): number => Number(history.state?.page_index) || 0

/**
 * Creates one entry in the browser's history for each page of a run. Back goes one page back, Forward one page forward,
 * and Back on the first page leaves (product 8.4).
 */
export const createPageHistory = ({ onTravel }: Options) => {
  let wanted_index = 0
  let isTravelling = false
  const align = (): void => {
    for (let page_index = currentPageIndex(); page_index < wanted_index; )
      history.pushState({ page_index: ++page_index }, '')
    isTravelling = currentPageIndex() > wanted_index
    // `history.go` is asynchronous: the popstate handler compares with the page that is wanted then.
    if (isTravelling) history.go(wanted_index - currentPageIndex())
  }
  addEventListener('popstate', () => {
    if (!isTravelling) {
      // Pages shown before the history is aligned only change `wanted_index`.
      isTravelling = true
      wanted_index = onTravel(currentPageIndex())
    }
    align()
  })
  history.scrollRestoration = 'manual'
  return {
    /** Moves the history to the shown page. */
    show: (page_index: number): void => {
      wanted_index = page_index
      if (!isTravelling) align()
    },
  }
}
