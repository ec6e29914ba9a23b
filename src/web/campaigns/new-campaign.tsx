import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { api } from '#contract/api.ts'
import type { Answer } from '#contract/kit/endpoint.ts'
import { CAMPAIGN_LIMITS } from '#domain/campaigns/campaign.ts'
import { campaignWordErrors } from '#domain/campaigns/campaign-mail.ts'
import type { PeopleList } from '#domain/campaigns/people.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Checkbox, Switch } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { formatMoment } from '#web/ui/moments.ts'
import { AnonymityNote } from './anonymity-note.tsx'
import { peopleText } from './campaign-labels.ts'
import { campaignsQuery } from './campaign-queries.ts'
import { MomentField, RemindersField, readReminderDays } from './dates-fields.tsx'
import { PeopleStep } from './people-step.tsx'
import { WordsFields } from './words-fields.tsx'

const DAY_MS = 86_400_000
/** Length of a new campaign in days. */
const USUAL_DAYS = 21

type Settings = Answer<typeof api.campaigns.list>

/** Section of the form with its heading. */
const Step = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Returns the reasons why a campaign cannot begin yet. */
const missingOf = ({
  name,
  list,
  reminders,
  words,
  isDeclared,
}: {
  name: string
  list: PeopleList | undefined
  reminders: number[] | undefined
  words: Settings['default_words']
  isDeclared: boolean
}): string[] => [
  ...(name.trim() === '' ? ['Donnez un nom à la campagne.'] : []),
  ...(list === undefined || list.people.length === 0 ? ['Ajoutez des personnes.'] : []),
  ...campaignWordErrors(words).map(({ message }) => `${message}.`),
  ...(reminders === undefined ? ['Corrigez les jours des rappels.'] : []),
  ...(isDeclared ? [] : ['Confirmez que ces personnes peuvent recevoir vos emails.']),
]

/** Form that creates a campaign: people, words, dates, and the confirmation with the number of mails. */
export const NewCampaign = ({ quizId, settings }: { quizId: string; settings: Settings }) => {
  const { contact_questions, has_mail_server, mails_per_day, default_words } = settings
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [isAnonymous, setAnonymous] = useState(false)
  const [list, setList] = useState<PeopleList>()
  const [words, setWords] = useState(default_words)
  const [typedReminders, setReminders] = useState('7, 14')
  const [endsAt, setEndsAt] = useState(() =>
    new Date(Date.now() + USUAL_DAYS * DAY_MS).toISOString(),
  )
  const [isDeclared, setDeclared] = useState(false)
  const [isTried, setTried] = useState(false)
  const reminders = readReminderDays(typedReminders)
  const missing = missingOf({ name, list, reminders, words, isDeclared })
  const creating = useMutation({
    mutationFn: () =>
      lazyClient.campaigns.create({
        id: quizId,
        body: {
          name,
          is_anonymous: isAnonymous,
          ...words,
          reminder_days: reminders ?? [],
          ends_at: endsAt,
          people: (list?.people ?? []).map(({ line: _, ...person }) => person),
          may_write: true,
        },
      }),
    onSuccess: ({ campaign }) => {
      void queries.invalidateQueries(campaignsQuery(quizId))
      void navigate(`/quiz/${quizId}/campagnes/${campaign.id}`, { replace: true })
    },
  })
  const nb_people = list?.people.length ?? 0
  const nb_days = Math.ceil(nb_people / mails_per_day)
  const last = new Date(Date.now() + (nb_days - 1) * DAY_MS).toISOString()
  const change = (changed: Partial<typeof words>): void => setWords({ ...words, ...changed })
  const fields = { quizId, words, endsAt, canTest: has_mail_server, onWords: change }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (missing.length === 0) creating.mutate()
      }}
    >
      <Step title="1. La campagne">
        <TextField
          label="Nom"
          hint="Vous seul le voyez."
          value={name}
          maxLength={CAMPAIGN_LIMITS.name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Switch
          label="Campagne anonyme"
          checked={isAnonymous}
          disabled={contact_questions.length > 0}
          onChange={({ currentTarget }) => setAnonymous(currentTarget.checked)}
        />
        {contact_questions.length > 0 ? (
          <p className="text-sm text-ink-2">
            {`Une campagne anonyme ne demande ni nom, ni adresse, ni téléphone : « ${contact_questions[0]} » en demande.`}
          </p>
        ) : (
          isAnonymous && <AnonymityNote />
        )}
      </Step>
      <Step title="2. Les personnes">
        <PeopleStep list={list} onList={setList} />
      </Step>
      <Step title="3. L’invitation">
        <WordsFields kind="invitation" {...fields} />
      </Step>
      <Step title="4. Les rappels">
        <RemindersField value={typedReminders} onChange={setReminders} />
        {reminders !== undefined && reminders.length > 0 && (
          <WordsFields kind="reminder" {...fields} />
        )}
      </Step>
      <Step title="5. La fin et l’envoi">
        <MomentField
          label="Fin de la campagne"
          hint="Après, les liens ne permettent plus de répondre"
          value={endsAt}
          onChange={setEndsAt}
        />
        {nb_people > 0 && (
          <p>
            {nb_days > 1
              ? `${peopleText(nb_people)} : ${mails_per_day.toLocaleString('fr-FR')} emails partent au plus par jour, les derniers vers le ${formatMoment(last, 'day')}.`
              : `${peopleText(nb_people)} : les emails partent dès la création.`}
          </p>
        )}
        <Checkbox
          label="Ces personnes me connaissent ou ont accepté que je leur écrive : je peux leur envoyer cette invitation."
          checked={isDeclared}
          onChange={({ currentTarget }) => setDeclared(currentTarget.checked)}
        />
        {isTried && missing.length > 0 && (
          <ul role="alert" className="list-disc pl-5 text-bad">
            {missing.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {creating.error && (
          <p role="alert" className="text-bad">
            {failureText(creating.error, 'La campagne n’a pas pu être créée. Réessayez.')}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            variant="primary"
            size="large"
            busy={creating.isPending}
            disabled={!has_mail_server}
          >
            {nb_people > 0 ? `Inviter ${peopleText(nb_people)}` : 'Inviter'}
          </Button>
          <ButtonLink to={`/quiz/${quizId}/campagnes`} size="large">
            Annuler
          </ButtonLink>
        </div>
      </Step>
    </form>
  )
}
