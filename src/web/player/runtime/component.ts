import type { Child, Props } from './element.ts'

let refresh = (): void => undefined

/** Says how the page is brought up to date once a component's state has changed. */
export const onChange = (given: () => void): void => {
  refresh = given
}

/** React's class components, as far as the player knows them. */
export abstract class Component {
  props: Props
  state: Props = {}
  constructor(props: Props) {
    this.props = props
  }

  abstract render(): Child
  componentDidMount?(): void
  componentDidUpdate?(props_before: Props, state_before: Props): void

  /** The state has the change at once; the page soon after, with all others made until then. */
  setState(change: Props): void {
    this.state = { ...this.state, ...change }
    refresh()
  }
}
