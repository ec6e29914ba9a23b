import { type KeyboardEvent, useState } from 'react'
import { fromLocalTime, localMinute } from '#domain/common/time-zone.ts'
import { isClosed } from '#domain/questionnaire/access.ts'
import {
  areDatesInOrder,
  DATE_ORDER_REFUSALS,
  isUnopened,
} from '#domain/questionnaire/access-dates.ts'
import {
  closingSentence,
  openingSentence,
  unopenedText,
} from '#domain/questionnaire/access-sentences.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import {
  type Objection,
  type ParsedInput,
  useOpeningField,
} from '#web/editor/draft/use-opening-field.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { DisappearingButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useZone, withZone } from '#web/ui/moments.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { afterPress } from '#web/ui/presses.ts'

type Props = { session: DraftSession; quiz: Quiz }

/** Returns a handler that leaves a field on Enter. Prevents the key from pressing a button of the next dialog. */
export const onEnter =
  (leave: () => Promise<void>) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    void leave()
  }

/** Returns true if visitors can start the quiz now. */
const canStart = (quiz: Quiz, now: number): boolean =>
  isPublished(quiz) && !isClosed(quiz, now) && !isUnopened(quiz, now)

/** Returns true if this change closes a quiz that visitors can still start. */
export const closesQuiz = (quiz: Quiz, changed: Partial<Quiz>): boolean => {
  const now = Date.now()
  return canStart(quiz, now) && isClosed({ ...quiz, ...changed }, now)
}

/** Returns a function that asks before a change closes the quiz. */
export const useAskBeforeClosing = (): ((reason: string) => Promise<Objection>) => {
  const { confirm } = useDialogs()
  return async (reason) => {
    const question = `${reason} Le questionnaire sera clos tout de suite : plus personne ne pourra le commencer. Clore maintenant ?`
    const options = { confirm_label: 'Clore maintenant', danger: true }
    return (await confirm(question, options)) ? null : 'refused'
  }
}

/** Text of a date field in which only some parts are filled. */
const INCOMPLETE = 'incomplete'

/** Parses the local time of the field; only years from 2000 to 2999 are valid. */
const parseMoment = (typed: string, time_zone: string): ParsedInput<string | null> => {
  if (typed === '') return { value: null }
  if (typed === INCOMPLETE) return { error: 'La date ou l’heure est incomplète' }
  const year = Number(typed.slice(0, 4))
  return year >= 2000 && year < 3000
    ? { value: fromLocalTime(typed, time_zone) }
    : { error: 'L’année est entre 2000 et 2999' }
}

type DateName = 'opens_at' | 'closes_at'
type DateWords = {
  label: string
  hint: string
  /** Sentence below the stored date. */
  sentence: (stored: string) => string
  /** Sentence below a date that waits for the creator's confirmation. */
  pending: string
  clear: string
}
type DateQuestion = {
  needsQuestion: (value: string | null) => boolean
  ask: () => Promise<Objection>
}

/** Renders a date and time in the zone of the account. Asks before a date that interrupts visitors is stored. */
const DateField = ({
  session,
  quiz,
  name,
  words,
  question,
}: Props & { name: DateName; words: DateWords; question: DateQuestion }) => {
  const id = pageFieldId(name)
  const { time_zone, time_zone_name } = useZone()
  // A date is invalid while its parts are being typed, so that the error waits.
  const [isTyping, setTyping] = useState(false)
  const { text, error, type, leave, stored, pending, clear } = useOpeningField(session, name, {
    show: (value) => (value ? localMinute(value, time_zone) : ''),
    parse: (typed) => {
      const parsed = parseMoment(typed, time_zone)
      return 'error' in parsed || areDatesInOrder({ ...quiz, [name]: parsed.value })
        ? parsed
        : { error: DATE_ORDER_REFUSALS[name] }
    },
    ...question,
  })
  return (
    <div>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <TextField
            id={id}
            type="datetime-local"
            label={`${words.label} (${time_zone_name})`}
            hint={words.hint}
            value={text === INCOMPLETE ? '' : text}
            {...(error && !isTyping && { error })}
            onChange={({ currentTarget: { value, validity } }) => {
              setTyping(true)
              type(validity.badInput ? INCOMPLETE : value)
            }}
            onKeyDown={onEnter(leave)}
            onBlur={() => {
              setTyping(false)
              afterPress(() => void leave())
            }}
          />
        </div>
        {stored !== null && (
          <DisappearingButton next_id={id} className="mt-7" onClick={() => clear(null)}>
            {words.clear}
          </DisappearingButton>
        )}
      </div>
      <p role="status" className="mt-1 min-h-5 text-sm text-ink-2">
        {pending ? words.pending : stored && words.sentence(stored)}
      </p>
    </div>
  )
}

/** Renders the date from which visitors can answer, with the message for visitors before this date. */
export const OpeningDateField = (props: Props) => {
  const zone = useZone()
  const { confirm } = useDialogs()
  const reading = { now: Date.now(), ...zone }
  const sentence = (opens_at: string): string => {
    const opening = withZone(openingSentence(opens_at, reading), zone)
    return Date.parse(opens_at) <= reading.now
      ? opening
      : `${opening}. Jusque-là, la page dit : « ${unopenedText(opens_at, reading)} »`
  }
  const ask = async (): Promise<Objection> => {
    const question =
      'Ce questionnaire est en ligne. Jusqu’à cette date, plus personne ne pourra y répondre, même qui a déjà commencé. Fermer jusque-là ?'
    const options = { confirm_label: 'Fermer jusque-là', danger: true }
    return (await confirm(question, options)) ? null : 'refused'
  }
  return (
    <DateField
      {...props}
      name="opens_at"
      words={{
        label: 'Date et heure d’ouverture',
        hint: 'Avant, la page dit quand le questionnaire ouvre. Vide : dès la publication.',
        sentence,
        pending:
          'Ce questionnaire est en ligne : cette date n’est pas enregistrée avant votre accord.',
        clear: 'Retirer l’ouverture',
      }}
      question={{
        needsQuestion: (opens_at) => {
          const now = Date.now()
          return canStart(props.quiz, now) && isUnopened({ opens_at }, now)
        },
        ask,
      }}
    />
  )
}

/** Renders the date from which visitors can no longer start. */
export const ClosingDateField = (props: Props) => {
  const zone = useZone()
  const askBeforeClosing = useAskBeforeClosing()
  return (
    <DateField
      {...props}
      name="closes_at"
      words={{
        label: 'Date et heure de clôture',
        hint: 'Ensuite la page dit que le questionnaire est clos. Qui avait commencé peut finir, pendant 24 heures.',
        sentence: (closes_at) =>
          withZone(closingSentence(closes_at, { now: Date.now(), ...zone }), zone),
        pending: 'Cette date est passée : elle n’est pas enregistrée avant votre accord.',
        clear: 'Retirer la clôture',
      }}
      question={{
        needsQuestion: (closes_at) => closesQuiz(props.quiz, { closes_at }),
        ask: () => askBeforeClosing('Cette date est passée.'),
      }}
    />
  )
}
