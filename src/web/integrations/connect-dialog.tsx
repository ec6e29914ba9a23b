import type { ProviderName } from '#domain/common/vocabulary.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { KeyForm } from './key-card.tsx'

/** Connects the creator's account at a tool without leaving the screen. */
const ConnectDialog = ({
  provider,
  kit,
  onConnected,
  onClose,
}: {
  provider: ProviderName
  kit: { connect: () => Promise<void>; isBusy: boolean }
  /** Called with the sentence about the success. */
  onConnected: (words: string) => void
  onClose: () => void
}) => (
  <Dialog title={`Connecter ${PROVIDER_LABELS[provider]}`} open onClose={onClose}>
    {provider === 'convertkit' ? (
      <div className="flex flex-col items-start gap-3">
        <p className="text-sm text-ink-2">
          Vous autorisez Quizaine sur le site de Kit (anciennement ConvertKit), puis vous revenez
          ici.
        </p>
        <Button
          variant="primary"
          data-initial-focus
          busy={kit.isBusy}
          onClick={() => void kit.connect()}
        >
          Continuer vers Kit
        </Button>
      </div>
    ) : (
      <KeyForm provider={provider} onSaved={onConnected} />
    )}
  </Dialog>
)

export default ConnectDialog
