import { type ReactNode, useState } from 'react'
import type { SentTo } from '#contract/participants.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { ErasureChoices, ErasureKind } from '#domain/deliveries/erasures.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'

const LABELS: Record<ErasureKind, string> = {
  unsubscribe: 'La désinscrire',
  delete: 'La supprimer',
}
/** Explanations of the choices at each tool. */
const HINTS: Record<ProviderName, Partial<Record<ErasureKind, string>>> = {
  convertkit: {
    unsubscribe:
      'Kit ne permet pas à une autre application de supprimer une personne : si elle le demande, supprimez-la dans Kit.',
  },
  systemio: {
    delete:
      'Systeme.io ne permet pas à une autre application de désinscrire, et efface tout à fait après quelques jours.',
  },
  brevo: {
    unsubscribe: 'Le contact y reste ; plus aucune campagne ne lui est envoyée.',
    delete: 'Le contact entier, avec ses listes.',
  },
}
const NO_ERASURE = 'nothing'

/**
 * Asks whether a person is deleted here, and which erasure each tool that received them is asked for. The default is
 * none.
 */
const ErasureDialog = ({
  message,
  sentTo: { tools, nb_webhooks },
  onAnswer,
}: {
  message: string
  sentTo: SentTo
  /** Called with the choices; null cancels the deletion. */
  onAnswer: (choices: ErasureChoices | null) => void
}) => {
  const [choices, setChoices] = useState<ErasureChoices>({})
  const choose = (provider: ProviderName, chosen: ErasureKind | typeof NO_ERASURE): void => {
    const { [provider]: _, ...others } = choices
    // The options of a tool are the erasures that the tool supports.
    setChoices(
      chosen === NO_ERASURE ? others : ({ ...others, [provider]: chosen } as ErasureChoices),
    )
  }
  return (
    <Dialog
      title="Confirmation"
      open
      onClose={() => onAnswer(null)}
      footer={
        <>
          <Button onClick={() => onAnswer(null)}>Annuler</Button>
          <Button variant="danger" onClick={() => onAnswer(choices)}>
            Supprimer
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p>{message}</p>
        {tools.length > 0 && (
          <p className="text-ink-2">
            Cette personne a été envoyée à vos outils. Rien n’y est fait sans que vous le
            choisissiez ; ce que chacun répond se lira dans les envois du questionnaire.
          </p>
        )}
        {tools.map(({ provider, kinds }) => (
          <section key={provider} className="flex flex-col gap-2">
            <h3 className="font-medium">{`Dans ${PROVIDER_LABELS[provider]}`}</h3>
            <RadioGroup
              legend={`Dans ${PROVIDER_LABELS[provider]}`}
              value={choices[provider] ?? NO_ERASURE}
              options={[
                { value: NO_ERASURE, label: 'Ne rien y faire' },
                ...kinds.map((kind) => {
                  const hint = HINTS[provider][kind]
                  return { value: kind, label: LABELS[kind], ...(hint && { hint }) }
                }),
              ]}
              onChange={(chosen) => choose(provider, chosen)}
            />
          </section>
        ))}
        {nb_webhooks > 0 && (
          <p className="text-ink-2">
            {nb_webhooks === 1
              ? 'Le webhook qui a reçu cette personne en sera prévenu.'
              : `Les ${nb_webhooks} webhooks qui ont reçu cette personne en seront prévenus.`}
          </p>
        )}
      </div>
    </Dialog>
  )
}

type ErasureQuestion = {
  message: string
  sentTo: SentTo
  answer: (choices: ErasureChoices | null) => void
}

/**
 * Returns a function that asks whether a person is deleted, here and at the tools; it resolves to null on refusal.
 * The caller renders `dialog`.
 */
export const useErasure = (): {
  ask: (message: string, sentTo: SentTo) => Promise<ErasureChoices | null>
  dialog: ReactNode
} => {
  const dialogs = useDialogs()
  const [question, setQuestion] = useState<ErasureQuestion | null>(null)
  return {
    ask: async (message, sentTo) => {
      if (sentTo.tools.length > 0 || sentTo.nb_webhooks > 0)
        return new Promise((answer) => setQuestion({ message, sentTo, answer }))
      const options = { confirm_label: 'Supprimer', danger: true }
      return (await dialogs.confirm(message, options)) ? {} : null
    },
    dialog: question && (
      <ErasureDialog
        message={question.message}
        sentTo={question.sentTo}
        onAnswer={(choices) => {
          setQuestion(null)
          question.answer(choices)
        }}
      />
    ),
  }
}
