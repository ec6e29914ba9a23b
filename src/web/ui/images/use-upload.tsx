import { useRef, useState } from 'react'
import type { UploadOptions } from '#web/api/files.ts'
import { useLatest } from '#web/ui/use-latest.ts'

/**
 * Returns a function that sends one file at a time and passes the answer to `onDone`, even if the field has been
 * removed meanwhile. `share` is undefined while no file is sent.
 */
export const useUpload = <Answer extends object>(
  send: (file: Blob, sending: UploadOptions) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) => {
  const [share, setShare] = useState<number>()
  const [error, setError] = useState<string>()
  const underway = useRef<AbortController>(undefined)
  const done = useLatest(onDone)

  const upload = async (file: Blob): Promise<void> => {
    underway.current?.abort()
    const own = new AbortController()
    underway.current = own
    const isCurrent = (): boolean => underway.current === own
    setError(undefined)
    setShare(0)
    try {
      const answer = await send(file, {
        onProgress: (sent) => {
          if (isCurrent()) setShare(sent)
        },
        signal: own.signal,
      })
      if (isCurrent()) done.current(answer)
    } catch (thrown) {
      if (isCurrent() && !own.signal.aborted)
        setError(thrown instanceof Error ? thrown.message : String(thrown))
    } finally {
      if (isCurrent()) setShare(undefined)
    }
  }
  return {
    share,
    error,
    upload: (file: Blob): void => void upload(file),
    cancel: (): void => underway.current?.abort(),
  }
}

/** Renders how much of a file has been sent, then the text `then` while the server processes it. */
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
