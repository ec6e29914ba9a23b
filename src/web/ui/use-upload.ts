import { useRef, useState } from 'react'
import { uploadImage } from '#web/api/upload-image.ts'
import { useLatest } from './use-latest.ts'

/**
 * Sends one picture at a time and gives its id to `onDone`, also when the field has left the screen meanwhile. `share`
 * is undefined while nothing is sent.
 */
export const useUpload = (onDone: (image_id: string) => void) => {
  const [share, setShare] = useState<number>()
  const [error, setError] = useState<string>()
  const sending = useRef<AbortController>(undefined)
  const done = useLatest(onDone)

  const upload = async (file: Blob): Promise<void> => {
    sending.current?.abort()
    const own = new AbortController()
    sending.current = own
    const isCurrent = (): boolean => sending.current === own
    setError(undefined)
    setShare(0)
    try {
      const { id } = await uploadImage(file, {
        onProgress: (sent) => {
          if (isCurrent()) setShare(sent)
        },
        signal: own.signal,
      })
      if (isCurrent()) done.current(id)
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
    cancel: (): void => sending.current?.abort(),
  }
}
