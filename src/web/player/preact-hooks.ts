import { type Component, options, type VNode } from 'preact'

/**
 * The four hooks of React that the player uses, on Preact, in a third of what `preact/hooks` weighs on
 * the public page. Effects clean nothing up. `__r`, `__c` and `__h` are how Preact's own hooks are told
 * of a component that is about to render, its vnode's component, and what it runs after the commit.
 */
type Cell = { value?: unknown; deps?: readonly unknown[] }
type Rendering = Component & { cells?: Cell[]; __h: (() => void)[] }

let component: Rendering
let next = 0

Object.assign(options, {
  __r: (vnode: VNode & { __c: Rendering }) => {
    component = vnode.__c
    next = 0
  },
})

/** The next cell of the component; its hooks run in one order, as React's do. */
const useCell = (): Cell => {
  component.cells ??= []
  const index = next++
  component.cells[index] ??= {}
  return component.cells[index]
}

/** True the first time, without a list, and when something of it differs. */
const hasChanged = (cell: Cell, deps?: readonly unknown[]): boolean => {
  const last = cell.deps
  cell.deps = deps
  return !last || !deps || deps.some((entry, index) => entry !== last[index])
}

export const useMemo = <T>(make: () => T, deps: readonly unknown[]): T => {
  const cell = useCell()
  if (hasChanged(cell, deps)) cell.value = make()
  return cell.value as T
}

export const useRef = <T>(current: T): { current: T } => useMemo(() => ({ current }), [])

export const useState = <T>(initial: T): [T, (value: T) => void] => {
  const owner = component
  const cell = useMemo(
    () => ({
      value: initial,
      set: (value: T) => {
        if (value === cell.value) return
        cell.value = value
        owner.setState({})
      },
    }),
    [],
  )
  return [cell.value, cell.set]
}

export const useLayoutEffect = (effect: () => void, deps?: readonly unknown[]): void => {
  if (hasChanged(useCell(), deps)) component.__h.push(effect)
}
