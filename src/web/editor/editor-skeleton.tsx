/** The loading text of an editor screen (spec §2), above placeholders of its parts. */
export const EditorSkeleton = () => (
  <div className="appear-late mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
    <div className="flex min-h-9 items-center">
      <p role="status" className="text-ink-2">
        Chargement...
      </p>
    </div>
    <div aria-hidden="true" className="contents">
      <div className="grid grid-cols-3 gap-2 sm:gap-4">
        <Bar className="h-14" />
        <Bar className="h-14" />
        <Bar className="h-14" />
      </div>
      <Bar className="h-9 w-2/5" />
      <Bar className="h-20" />
      <Bar className="h-32" />
      <Bar className="h-32" />
    </div>
  </div>
)

const Bar = ({ className }: { className: string }) => (
  <div className={`rounded-md bg-press ${className}`} />
)
