type Options = {
  /** Called with the page that the visitor went to with the browser's buttons; returns the one shown. */
  onTravel: (page_index: number) => number
}

const pageHere = (): number => Number(history.state?.page_index) || 0

/**
 * One entry of the browser's history for each page of a run, so that Back goes one page back, Forward
 * forward, and Back on the first page leaves (spec §4 « Taking a quiz »).
 */
export const createPageHistory = ({ onTravel }: Options) => {
  let wanted = 0
  let isTravelling = false
  const align = (): void => {
    for (let page_index = pageHere(); page_index < wanted; )
      history.pushState({ page_index: ++page_index }, '')
    isTravelling = pageHere() > wanted
    // `history.go` is asynchronous: the popstate handler compares with the page wanted by then.
    if (isTravelling) history.go(wanted - pageHere())
  }
  addEventListener('popstate', () => {
    if (!isTravelling) {
      // What is shown meanwhile is noted, and aligned once.
      isTravelling = true
      wanted = onTravel(pageHere())
    }
    align()
  })
  history.scrollRestoration = 'manual'
  return {
    /** Moves the history to the page that is shown. */
    show: (page_index: number): void => {
      wanted = page_index
      if (!isTravelling) align()
    },
  }
}
