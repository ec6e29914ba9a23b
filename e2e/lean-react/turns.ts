import { Component, createElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { made, type Part, read } from './parts.ts'

/** Where the first state comes from: nothing, the server's markup, or what a translation made of that. */
export type Beginning = 'nothing' | 'markup' | 'translated markup'

/** States of a page in turn, and what React writes of each. */
export type Turns = { states: Part[]; markup: string[]; beginning: Beginning }

/** Each turn whose page is not what React writes, and how many nodes of the server's were not taken over. */
export type Outcome = { wrong: string[]; replaced: number }

type Props = { states: Part[]; onMount: (show: (turn: number) => void) => void }

class Page extends Component<Props> {
  override state = { turn: 0 }
  override componentDidMount(): void {
    this.props.onMount((turn) => this.setState({ turn }))
  }
  override render() {
    return read(this.props.states[this.state.turn] ?? null)
  }
}

/** Shows states one after another in a browser. */
export const showInTurn = async ({ states, markup, beginning }: Turns): Promise<Outcome> => {
  const [container, expected] = [document.createElement('main'), document.createElement('main')]
  document.body.replaceChildren(container)
  let show = (_: number): void => undefined
  const page = createElement(Page, {
    states,
    onMount: (given) => {
      show = given
    },
  })
  if (beginning !== 'nothing') container.innerHTML = markup[0] ?? ''
  const written = [...container.querySelectorAll('*')]
  if (beginning === 'translated markup') replaceTexts(container)
  if (beginning === 'nothing') createRoot(container).render(page)
  else hydrateRoot(container, page)
  const replaced = written.filter((node) => !node.isConnected).length
  const wrong: string[] = []
  for (const turn of states.keys()) {
    show(turn)
    await Promise.resolve()
    expected.innerHTML = markup[turn] ?? ''
    const shown = container.cloneNode(true)
    // Texts of no length and texts side by side leave no trace in markup.
    shown.normalize()
    if (!shown.isEqualNode(expected)) wrong.push(`${turn}: ${container.innerHTML}`)
  }
  return { wrong, replaced }
}

const replaceTexts = (container: Element): void => {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT)
  const texts: ChildNode[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const other = document.createElement('font')
    other.textContent = 'other words'
    text.replaceWith(other)
  }
}

/** How many components come of one that is shown under these keys, one after another. */
export const countMade = async (keys: string[]): Promise<number> => {
  made.length = 0
  const states = keys.map((key): Part => ({ component: 'kept', key, parts: [] }))
  await showInTurn({ states, markup: [], beginning: 'nothing' })
  return made.length
}
