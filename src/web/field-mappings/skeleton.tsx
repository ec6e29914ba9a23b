/** Renders placeholders of lines after a short delay. */
export const Skeleton = ({ lines }: { lines: number }) => (
  <div aria-hidden="true" className="appear-late flex flex-col gap-3">
    {Array.from({ length: lines }, (_line, index) => index).map((line) => (
      <div key={line} className={`h-5 rounded-md bg-press ${line % 2 ? 'w-2/5' : 'w-3/5'}`} />
    ))}
  </div>
)
