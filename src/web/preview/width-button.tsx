import { Monitor, Smartphone } from 'lucide-react'
import { IconButton } from '#web/ui/button.tsx'

/** Switches the preview between the width of a phone and the full width. */
export const WidthButton = ({
  isNarrow,
  onChange,
  className,
}: {
  isNarrow: boolean
  onChange: (isNarrow: boolean) => void
  className?: string
}) => (
  <IconButton
    label="Largeur de téléphone"
    icon={isNarrow ? <Monitor aria-hidden="true" /> : <Smartphone aria-hidden="true" />}
    aria-pressed={isNarrow}
    onClick={() => onChange(!isNarrow)}
    className={className}
  />
)
