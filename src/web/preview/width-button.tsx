import { Monitor, Smartphone } from 'lucide-react'
import { IconButton } from '#web/ui/button.tsx'

/** Shows a preview as wide as a phone, or as there is room. */
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
