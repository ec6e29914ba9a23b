import { Printer, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useLazyPart } from '#web/ui/use-lazy-part.ts'

const loadDialog = () => import('./share-dialog.tsx')

/** What others are given of the figures: a link to read them by, or a report on paper. */
export const ReportActions = ({ quizId }: { quizId: string }) => {
  const [isOpen, setOpen] = useState(false)
  const { part, show } = useLazyPart(loadDialog)
  const open = async (): Promise<void> => setOpen(await show())
  return (
    <>
      <Button icon={<Share2 aria-hidden="true" />} onClick={() => void open()}>
        Partager les chiffres
      </Button>
      <Button icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
        Imprimer le rapport
      </Button>
      {part && (
        <part.ShareFiguresDialog quizId={quizId} open={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
