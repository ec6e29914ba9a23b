import { Component, createElement, Fragment, type ReactNode } from 'react'

/** A piece of JSX as data. */
export type Part =
  | string
  | null
  | { list: Part[] }
  | { tag: string; props: Record<string, unknown>; parts: Part[] }
  | { component: 'plain' | 'kept'; key: string | undefined; parts: Part[] }

type Props = { children?: ReactNode }

const Plain = ({ children }: Props) => children

/** Each component that was made, of those that keep a state. */
export const made: Component[] = []

class Kept extends Component<Props> {
  override componentDidMount(): void {
    made.push(this)
  }
  override render() {
    return this.props.children
  }
}

/** What JSX makes of a part, with whichever `react` this module has been given. */
export const read = (part: Part): ReactNode => {
  if (part === null || typeof part === 'string') return part
  if ('list' in part) return createElement(Fragment, null, ...part.list.map(read))
  const parts = part.parts.map(read)
  if ('tag' in part) return createElement(part.tag, part.props, ...parts)
  return createElement(part.component === 'kept' ? Kept : Plain, { key: part.key }, ...parts)
}
