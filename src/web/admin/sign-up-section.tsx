import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import { Outcome, Section } from '#web/account/section.tsx'
import { useAction } from '#web/session/use-action.ts'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { SIGN_UP_OPTIONS, SIGN_UP_OUTCOMES } from './admin-labels.ts'
import { adminClient, overviewQuery } from './admin-queries.ts'

const TITLE = 'Inscriptions'

/** Renders the rule for new accounts. A choice applies at once, for all processes. */
export const SignUpSection = ({ mode }: { mode: SignUpMode }) => {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<SignUpMode>()
  const { run, done, failed } = useAction('Ce choix n’a pas pu être enregistré')
  const choose = (sign_up_mode: SignUpMode): void => {
    setChosen(sign_up_mode)
    void run(async () => {
      try {
        await adminClient.setSignUp({ body: { sign_up_mode } })
        await queryClient.invalidateQueries(overviewQuery())
      } finally {
        setChosen(undefined)
      }
      return SIGN_UP_OUTCOMES[sign_up_mode]
    })
  }
  return (
    <Section title={TITLE}>
      <RadioGroup
        legend={TITLE}
        value={chosen ?? mode}
        options={SIGN_UP_OPTIONS}
        onChange={choose}
      />
      <p className="text-sm text-ink-2">
        Les comptes qui existent continuent de fonctionner. Le choix vaut aussitôt pour toute
        l’installation, sans redémarrage.
      </p>
      <Outcome done={done} failed={failed} />
    </Section>
  )
}
