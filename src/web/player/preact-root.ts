import { type ComponentChild, hydrate, render } from 'preact'

/** The two calls of `react-dom/client` that the player makes, as Preact spells them. */
export const createRoot = (container: Element) => ({
  render: (children: ComponentChild): void => render(children, container),
})

export const hydrateRoot = (container: Element, children: ComponentChild): void =>
  hydrate(children, container)
