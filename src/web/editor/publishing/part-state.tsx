import { Button } from '#web/ui/button.tsx'

/** Shows that a part of the publish dialog could not be loaded, which never blocks the publication. */
export const PartFailure = ({
  text,
  busy,
  onRetry,
}: {
  text: string
  busy: boolean
  onRetry: () => unknown
}) => (
  <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-wash p-4 text-sm">
    <p role="status" className="min-w-0 flex-1 basis-60">
      {`${text} Vous pouvez publier quand même.`}
    </p>
    <Button busy={busy} onClick={() => void onRetry()}>
      Réessayer
    </Button>
  </div>
)

/** Shows the place of a part of the publish dialog that is being loaded. */
export const PartSkeleton = ({ text }: { text: string }) => (
  <div className="mt-4 rounded-xl bg-wash p-4">
    <p role="status" className="sr-only">
      {text}
    </p>
    <div aria-hidden="true" className="flex flex-col gap-2">
      <div className="h-4 w-4/5 rounded-md bg-press" />
      <div className="h-4 w-2/5 rounded-md bg-press" />
    </div>
  </div>
)
