import { Button } from './button.tsx'
import { useFocusFallback } from './use-focus-fallback.ts'

/** Why something could not be loaded, and a way to try again, which goes with it: the title of the screen gets the focus then. */
export const LoadFailure = ({
  text,
  query: { isFetching, refetch },
}: {
  text: string
  query: { isFetching: boolean; refetch: () => unknown }
}) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.querySelector('h1'))
  return (
    <div ref={ref} role="alert" className="flex flex-wrap items-center gap-3">
      <p className="text-bad">{text}</p>
      <Button busy={isFetching} onClick={() => void refetch()}>
        Réessayer
      </Button>
    </div>
  )
}
