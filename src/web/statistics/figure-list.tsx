/** Names with their values side by side. */
export const FigureList = ({
  figures,
}: {
  figures: readonly (readonly [name: string, value: string])[]
}) => (
  <ul className="flex flex-wrap gap-x-8 gap-y-2">
    {figures.map(([name, value]) => (
      <li key={name}>
        <p className="text-xs text-ink-3">{name}</p>
        <p className="font-medium tabular-nums">{value}</p>
      </li>
    ))}
  </ul>
)
