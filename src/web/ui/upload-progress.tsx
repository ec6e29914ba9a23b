/** How much of a file has been sent; then the server is at work on it, which `then` says. */
export const UploadProgress = ({
  share,
  sending,
  then,
}: {
  share: number
  sending: string
  then: string
}) => {
  const text = share < 1 ? `${sending} : ${Math.floor(share * 100)} %` : then
  return (
    <label className="flex flex-col gap-1 text-sm text-ink-2">
      <span className="tabular-nums">{text}</span>
      <progress max={1} value={share < 1 ? share : undefined} className="h-2 w-full accent-brand" />
    </label>
  )
}
