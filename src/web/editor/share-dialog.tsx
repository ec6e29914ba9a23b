import { useEffect, useRef } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { PUBLISH_TITLES } from './publishing.ts'
import { ShareCode } from './share-code.tsx'
import { ShareLink } from './share-link.tsx'

/** Where visitors take a published quiz; the link is selected, ready to be copied. */
export const ShareDialog = ({
  quizId,
  open,
  onClose,
}: {
  quizId: string
  open: boolean
  onClose: () => void
}) => {
  const field = useRef<HTMLInputElement>(null)
  const link = `${window.location.origin}/q/${quizId}`
  // After the dialog's own effect, which gives the focus to its first button. Focus selects the link.
  useEffect(() => {
    if (open) field.current?.focus()
  }, [open])
  return (
    <Dialog title={PUBLISH_TITLES.share} open={open} onClose={onClose}>
      <ShareLink link={link} field={field} />
      <ShareCode link={link} fileName={`code-qr-${quizId}`} />
    </Dialog>
  )
}
