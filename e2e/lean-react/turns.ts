import { Component, createElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { type Part, read } from './parts.ts'

/** States of a page in turn, what React writes of each, and whether the first stands there from the server. */
export type Turns = { states: Part[]; markup: string[]; is_written: boolean }

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
export const showInTurn = async ({ states, markup, is_written }: Turns): Promise<Outcome> => {
  const [container, expected] = [document.createElement('main'), document.createElement('main')]
  document.body.replaceChildren(container)
  let show = (_: number): void => undefined
  const page = createElement(Page, {
    states,
    onMount: (given) => {
      show = given
    },
  })
  if (is_written) container.innerHTML = markup[0] ?? ''
  const written = [...container.querySelectorAll('*')]
  if (is_written) hydrateRoot(container, page)
  else createRoot(container).render(page)
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
