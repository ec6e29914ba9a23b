import { Button } from './button.tsx'

/** Why something could not be loaded, and a way to try again. */
export const LoadFailure = ({
  text,
  query: { isFetching, refetch },
}: {
  text: string
  query: { isFetching: boolean; refetch: () => unknown }
}) => (
  <div role="alert" className="flex flex-wrap items-center gap-3">
    <p className="text-bad">{text}</p>
    <Button busy={isFetching} onClick={() => void refetch()}>
      Réessayer
    </Button>
  </div>
)
