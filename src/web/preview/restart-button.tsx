import { RotateCcw } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

/** Starts the previewed run again. Belongs to the bar of a preview, because visitors do not have this button. */
export const RestartButton = ({ onRestart }: { onRestart: () => void }) => (
  <Button variant="ghost" icon={<RotateCcw aria-hidden="true" />} onClick={onRestart}>
    Recommencer
  </Button>
)
