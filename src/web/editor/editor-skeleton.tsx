/** The loading text of an editor screen (spec §2), with placeholders where its parts will be. */
export const EditorSkeleton = ({ has_aside }: { has_aside: boolean }) => (
  <div className="appear-late flex min-h-dvh flex-col">
    <div className="flex h-14 items-center gap-3 border-b border-line px-4">
      <Bar className="size-8" />
      <p role="status" className="text-ink-2">
        Chargement...
      </p>
      <span aria-hidden="true" className="ml-auto flex gap-2">
        <Bar className="h-8 w-24" />
      </span>
    </div>
    <div aria-hidden="true" className="contents">
      <div className="h-11 border-b border-line bg-wash" />
      <div className={has_aside ? 'xl:grid xl:grid-cols-[minmax(0,1fr)_360px]' : 'contents'}>
        <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 p-4 sm:p-5">
          <Bar className="h-9 w-2/5" />
          <Bar className="h-44 rounded-xl" />
          <Bar className="h-44 rounded-xl" />
          <Bar className="h-44 rounded-xl" />
        </div>
        {has_aside && (
          <div className="hidden flex-col gap-5 border-l border-line p-5 xl:flex">
            <Bar className="h-32 rounded-xl" />
            <Bar className="h-[36rem] rounded-xl" />
          </div>
        )}
      </div>
    </div>
  </div>
)

const Bar = ({ className }: { className: string }) => (
  <div className={`rounded-md bg-press ${className}`} />
)
