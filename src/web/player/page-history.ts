type Options = {
  /** Told of the page that the visitor went to with the browser's buttons; gives the one shown. */
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
    // Travels come to their end later; what is wanted by then is seen to at the popstate.
    if (isTravelling) history.go(wanted - pageHere())
  }
  addEventListener('popstate', () => {
    if (!isTravelling) wanted = onTravel(pageHere())
    align()
  })
  history.scrollRestoration = 'manual'
  return {
    /** Brings the history to the page that is shown. */
    show: (page_index: number): void => {
      wanted = page_index
      if (!isTravelling) align()
    },
  }
}
