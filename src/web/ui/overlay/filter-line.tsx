/** Returns a French sentence about the entries that a filter has found. */
export const filterCountLabel = (
  groups: readonly { items: readonly unknown[] }[],
  filter: string,
): string => {
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  if (count === 0) return `Rien ne correspond à « ${filter} »`
  return count === 1 ? '1 choix' : `${count} choix`
}

/** Shows the typed filter, or that letters filter the menu. */
export const FilterLine = ({ filter, isEmpty }: { filter: string; isEmpty: boolean }) => {
  if (filter === '')
    return (
      <div className="px-3 pt-2 pb-1 text-xs text-ink-3 pointer-coarse:hidden">
        Tapez pour filtrer
      </div>
    )
  const className = 'max-w-64 px-3 pt-2 pb-1 text-xs text-ink-2 wrap-anywhere'
  // A menu must have an entry.
  return isEmpty ? (
    <div role="menuitem" tabIndex={-1} aria-disabled="true" className={className}>
      Rien ne correspond à « {filter} »
    </div>
  ) : (
    <div className={className}>« {filter} »</div>
  )
}
